/**
 * Limits the concurrency of one kind of work. Keys take turns, and a request is rejected if it would wait too long
 * (docs/decisions/0009-admission-by-time.md).
 */

interface QueueLimits {
  /** 0 disables the limit. */
  readonly atOnceMax: number;
  /** Of all keys together, to limit memory. */
  readonly waitingMax: number;
  /** Maximum expected waiting time; 0 disables the limit. */
  readonly waitMsMax: number;
}

interface QueuedRequest {
  /** The key that the request counts for, or a group of unauthenticated clients. Flows take turns. */
  readonly flow: () => string;
  /** Called when there is a slot. */
  readonly go: () => void;
  /** Called instead of `go`: at once, or when the queue is full and a flow with fewer waiting requests needs the space. */
  readonly reject: () => void;
}

/** Fewer waiting requests are never rejected: 32 waiting clients is normal load, however slow the work. */
const FEW = 32;

/** Number of slots in the moving average of slot times. With fewer slots, a pause of the machine would look like slow work. */
const MEASURED_SLOTS = 32;

/**
 * A slot becomes free at the end of the event loop iteration. An embedded database responds synchronously, so otherwise
 * new requests would take each slot as it becomes free, before those that already wait.
 */
export class RequestQueue {
  #free: number;
  readonly #limits: QueueLimits;
  readonly #now: () => number;
  /** Waiting requests by flow, none empty. The first flow is next. */
  readonly #waiting = new Map<string, QueuedRequest[]>();
  #waitingCount = 0;
  #running = 0;
  readonly #returning: (() => void)[] = [];
  /** Requests give up their slot while their body arrives, then enter again. Only requests that have entered again count as work. */
  #hasReturning = false;
  #leaving = 0;
  /** When a waiting request was last admitted, or the first began to wait. */
  #countedFrom = 0;
  /** Average time between two admissions while requests wait. */
  #slotMs = 0;

  /** @param now in milliseconds, never backwards */
  constructor(limits: QueueLimits, now = (): number => performance.now()) {
    this.#free = limits.atOnceMax === 0 ? Number.POSITIVE_INFINITY : limits.atOnceMax;
    this.#limits = limits;
    this.#now = now;
  }

  /** Requests with a slot. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waitingCount + this.#returning.length;
  }

  /** Calls `go`, now or later, or `reject`. */
  enter(queued: QueuedRequest): void {
    if (this.#take(queued.go)) return;
    const flow = queued.flow();
    if (this.#waitsTooLong(flow) || !this.#hasSpaceFor(flow)) {
      queued.reject();
      return;
    }
    this.#startMeasuring();
    const queue = this.#waiting.get(flow);
    if (queue) queue.push(queued);
    else this.#waiting.set(flow, [queued]);
    this.#waitingCount += 1;
  }

  /** Enters a request that had a slot before. It gets the next free one. */
  enterAgain(go: () => void): void {
    this.#hasReturning = true;
    if (this.#take(go)) return;
    this.#startMeasuring();
    this.#returning.push(go);
  }

  leave(): void {
    if (this.#leaving === 0) setImmediate(() => this.#admit());
    this.#leaving += 1;
    this.#running -= 1;
  }

  #waitsTooLong(flow: string): boolean {
    const { waitMsMax } = this.#limits;
    if (waitMsMax === 0) return false;
    const ahead = this.#countAhead(flow);
    return ahead >= FEW && ahead * this.#slotMs > waitMsMax;
  }

  /** Flows take turns, so of each other flow at most one request more is ahead than the own flow has waiting. */
  #countAhead(flow: string): number {
    const own = this.#waiting.get(flow)?.length ?? 0;
    let ahead = this.#returning.length + own;
    for (const [other, { length }] of this.#waiting) if (other !== flow) ahead += Math.min(length, own + 1);
    return ahead;
  }

  /** If the queue is full, the last request of the longest flow is rejected in favor of a shorter flow. */
  #hasSpaceFor(flow: string): boolean {
    if (this.#waitingCount < this.#limits.waitingMax) return true;
    let longest: QueuedRequest[] = [];
    for (const queue of this.#waiting.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= (this.#waiting.get(flow)?.length ?? 0) + 1) return false;
    this.#waitingCount -= 1;
    longest.pop()!.reject();
    return true;
  }

  #take(go: () => void): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    this.#running += 1;
    go();
    return true;
  }

  #admit(): void {
    this.#free += this.#leaving;
    this.#leaving = 0;
    const returned = this.#returning.splice(0, this.#free);
    for (const go of returned) this.#take(go);
    const waitedBefore = this.#waitingCount;
    while (this.#free > 0 && this.#waitingCount > 0) this.#take(this.#next().go);
    // Admitting a request that only waits for its body takes no time. Counting it would make the work look fast.
    this.#measure(this.#hasReturning ? returned.length : waitedBefore - this.#waitingCount);
  }

  #next(): QueuedRequest {
    const [[flow, queue]] = this.#waiting as unknown as [[string, QueuedRequest[]]];
    const queued = queue.shift()!;
    this.#waitingCount -= 1;
    this.#waiting.delete(flow);
    if (queue.length > 0) this.#waiting.set(flow, queue);
    return queued;
  }

  #startMeasuring(): void {
    if (this.#waitingCount === 0 && this.#returning.length === 0) this.#countedFrom = this.#now();
  }

  #measure(slots: number): void {
    if (slots === 0) return;
    const now = this.#now();
    const share = 1 - (1 - 1 / MEASURED_SLOTS) ** slots;
    this.#slotMs += share * ((now - this.#countedFrom) / slots - this.#slotMs);
    this.#countedFrom = now;
  }
}
