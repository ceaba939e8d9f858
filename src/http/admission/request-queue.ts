/**
 * A room bounds one kind of work. Keys take turns in it, and a request is refused when it would wait too long
 * (docs/decisions/0009-admission-by-time.md).
 */

interface QueueLimits {
  /** 0 is no limit. */
  readonly atOnceMax: number;
  /** Of all keys together, for memory's sake. */
  readonly waitingMax: number;
  /** The longest wait that a request is let into; 0 is any. */
  readonly waitMsMax: number;
}

interface QueuedRequest {
  /** Whose turn it takes: a key, or strangers of some addresses. */
  readonly flow: () => string;
  /** Called once there is a place. */
  readonly go: () => void;
  /** Called in place of `go`: at once, or when a flow that waits with fewer needs the room. */
  readonly refuse: () => void;
}

/** Fewer are never refused: so many clients that each wait for their answer are a usual day, however slow the work. */
const FEW = 32;

/** So many turns decide how long one takes. Fewer would take a pause of the machine for the pace of the work. */
const MEASURED_TURNS = 32;

/**
 * A place is free again at the end of the event loop's turn: an embedded database answers at once, so what is done in one
 * turn is at once to everybody who waits for the next.
 */
export class RequestQueue {
  #free: number;
  readonly #limits: QueueLimits;
  readonly #now: () => number;
  /** By flow, none empty. The first has the next turn. */
  readonly #waiting = new Map<string, QueuedRequest[]>();
  #waitingCount = 0;
  #running = 0;
  readonly #returning: (() => void)[] = [];
  /** Its visitors leave until their body is there: their work is done when they have returned. */
  #isReturnedTo = false;
  #leaving = 0;
  /** When somebody who waited to work was let in last, or the first began to wait. */
  #countedFrom = 0;
  /** From one who is let in to the next, where somebody waits. */
  #turnMs = 0;

  /** @param now in milliseconds, never backwards */
  constructor(limits: QueueLimits, now = (): number => performance.now()) {
    this.#free = limits.atOnceMax === 0 ? Number.POSITIVE_INFINITY : limits.atOnceMax;
    this.#limits = limits;
    this.#now = now;
  }

  /** Those who were let in and have not left. */
  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waitingCount + this.#returning.length;
  }

  /** Calls `go` of the visitor, now or later, or its `refuse`. */
  enter(queued: QueuedRequest): void {
    if (this.#take(queued.go)) return;
    const flow = queued.flow();
    if (this.#waitsTooLong(flow) || !this.#hasSpaceFor(flow)) {
      queued.refuse();
      return;
    }
    this.#beginCounting();
    const queue = this.#waiting.get(flow);
    if (queue) queue.push(queued);
    else this.#waiting.set(flow, [queued]);
    this.#waitingCount += 1;
  }

  /** A visitor that was let in before has the next place. */
  enterAgain(go: () => void): void {
    this.#isReturnedTo = true;
    if (this.#take(go)) return;
    this.#beginCounting();
    this.#returning.push(go);
  }

  leave(): void {
    if (this.#leaving === 0) setImmediate(() => this.#letIn());
    this.#leaving += 1;
    this.#running -= 1;
  }

  #waitsTooLong(flow: string): boolean {
    const { waitMsMax } = this.#limits;
    if (waitMsMax === 0) return false;
    const ahead = this.#countAhead(flow);
    return ahead >= FEW && ahead * this.#turnMs > waitMsMax;
  }

  /** Of each other flow as many have their turn before as the own flow has turns. */
  #countAhead(flow: string): number {
    const own = this.#waiting.get(flow)?.length ?? 0;
    let ahead = this.#returning.length + own;
    for (const [other, { length }] of this.#waiting) if (other !== flow) ahead += Math.min(length, own + 1);
    return ahead;
  }

  /** Where the room is full, the last of the longest flow makes way for a shorter one. */
  #hasSpaceFor(flow: string): boolean {
    if (this.#waitingCount < this.#limits.waitingMax) return true;
    let longest: QueuedRequest[] = [];
    for (const queue of this.#waiting.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= (this.#waiting.get(flow)?.length ?? 0) + 1) return false;
    this.#waitingCount -= 1;
    longest.pop()!.refuse();
    return true;
  }

  #take(go: () => void): boolean {
    if (this.#free <= 0) return false;
    this.#free -= 1;
    this.#running += 1;
    go();
    return true;
  }

  #letIn(): void {
    this.#free += this.#leaving;
    this.#leaving = 0;
    const returned = this.#returning.splice(0, this.#free);
    for (const go of returned) this.#take(go);
    const waitedBefore = this.#waitingCount;
    while (this.#free > 0 && this.#waitingCount > 0) this.#take(this.#next().go);
    // Being let in to send a body takes no time; counted, it would make the work of the room look quick.
    this.#measure(this.#isReturnedTo ? returned.length : waitedBefore - this.#waitingCount);
  }

  #next(): QueuedRequest {
    const [[flow, queue]] = this.#waiting as unknown as [[string, QueuedRequest[]]];
    const queued = queue.shift()!;
    this.#waitingCount -= 1;
    this.#waiting.delete(flow);
    if (queue.length > 0) this.#waiting.set(flow, queue);
    return queued;
  }

  #beginCounting(): void {
    if (this.#waitingCount === 0 && this.#returning.length === 0) this.#countedFrom = this.#now();
  }

  #measure(turns: number): void {
    if (turns === 0) return;
    const now = this.#now();
    const share = 1 - (1 - 1 / MEASURED_TURNS) ** turns;
    this.#turnMs += share * ((now - this.#countedFrom) / turns - this.#turnMs);
    this.#countedFrom = now;
  }
}
