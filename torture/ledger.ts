/**
 * Records what clients know: an append-only list of writes with their outcomes, from which the possible states of each record
 * follow. An acknowledged write was executed, a refused one was not, and one without a response was executed completely or not
 * at all.
 */
import { appendFileSync } from 'node:fs';

/** `unknown`: no response, or 5xx. `refused`: 4xx, or the request did not reach the server. */
export type Outcome = 'ok' | 'unknown' | 'refused';

export interface Entry {
  readonly number: number;
  /** The SKU of a product, or the notes of an order. */
  readonly subject: string;
  readonly operation: string;
  /** A unique text that identifies the write in the store. */
  readonly nonce: string;
  readonly sentAt: bigint;
  respondedAt?: bigint;
  outcome: Outcome;
  status?: number;
  /** Why there was no response, or the text of an error response. */
  note?: string;
}

/** A product with its images, by the client's names for them. */
export interface Product {
  readonly kind: 'product';
  readonly nonce: string;
  readonly price: number;
  readonly images: Readonly<Record<string, Image>>;
}

export interface Image {
  readonly alt: string;
  /** SHA-256 of the bytes that were sent. */
  readonly digest: string;
}

export interface Order {
  readonly kind: 'order';
  readonly sku: string;
  readonly amount: number;
  readonly status: string;
}

/** null if the record does not exist. */
export type State = Product | Order | null;

export type Change = (state: State) => State;

interface Step {
  readonly entry: Entry;
  readonly change: Change;
}

class Subject {
  /** The state at the last check. */
  found: State = null;
  id: number | undefined;
  /** Writes since then, in sending order. There is at most one at a time. */
  steps: Step[] = [];
}

export class Ledger {
  readonly #file: string;
  readonly #subjects = new Map<string, Subject>();
  readonly counts: Record<Outcome, number> = { ok: 0, unknown: 0, refused: 0 };
  #entries = 0;
  /** How many writes with an unknown outcome turned out to have been executed. */
  unknownDone = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Records a write before its request is sent. */
  begin(subject: string, operation: string, nonce: string, change: Change): Entry {
    this.#entries += 1;
    const entry: Entry = {
      number: this.#entries,
      subject,
      operation,
      nonce,
      sentAt: process.hrtime.bigint(),
      outcome: 'unknown',
    };
    const known = this.#subjects.get(subject) ?? new Subject();
    this.#subjects.set(subject, known);
    known.steps.push({ entry, change });
    this.#append(entry);
    return entry;
  }

  settle(entry: Entry, outcome: Outcome, details: Pick<Entry, 'status' | 'note'> = {}): void {
    Object.assign(entry, { ...details, outcome, respondedAt: process.hrtime.bigint() });
    this.#append(entry);
  }

  /** After a power cut, makes the outcome of writes acknowledged after the cut unknown. @returns the number of such writes */
  discardResponsesSince(cut: bigint): number {
    let count = 0;
    for (const { steps } of this.#subjects.values())
      for (const { entry } of steps) {
        if (entry.outcome !== 'ok' || entry.respondedAt! < cut) continue;
        entry.outcome = 'unknown';
        entry.note = 'response after the cut';
        this.#append(entry);
        count += 1;
      }
    return count;
  }

  get subjects(): ReadonlyMap<string, { readonly found: State; readonly id: number | undefined }> {
    return this.#subjects;
  }

  /** Subjects written since the last check. */
  touched(): string[] {
    return [...this.#subjects].filter(([, { steps }]) => steps.length > 0).map(([subject]) => subject);
  }

  /** Whether a write has an unknown outcome, so that clients cannot use the record. */
  isOpen(subject: string): boolean {
    return this.#subjects.get(subject)?.steps.some(({ entry }) => entry.outcome === 'unknown') ?? false;
  }

  /** The state that the client expects. Only for a subject that is not open. */
  believed(subject: string): State {
    const { found, steps } = this.#subjects.get(subject) ?? new Subject();
    return steps.reduce((state, { entry, change }) => (entry.outcome === 'ok' ? change(state) : state), found);
  }

  remember(subject: string, id: number): void {
    this.#subjects.get(subject)!.id = id;
  }

  /** Every state that is consistent with the responses. */
  possible(subject: string): State[] {
    const known = this.#subjects.get(subject);
    let states: State[] = [known?.found ?? null];
    for (const { entry, change } of known?.steps ?? []) {
      if (entry.outcome === 'ok') states = states.map(change);
      if (entry.outcome === 'unknown') states = [...states, ...states.map(change)];
      states = [...new Map(states.map((state) => [canonical(state), state])).values()];
    }
    return states;
  }

  /** Compares a record in the store with the ledger. @throws {Broken} with the contradicted entries */
  check(subject: string, actual: State, id: number | undefined): void {
    const possible = this.possible(subject);
    const known = this.#subjects.get(subject) ?? new Subject();
    if (!possible.some((state) => canonical(state) === canonical(actual)))
      throw new Broken(
        `${subject} is in a state that contradicts the responses.\n  found:    ${canonical(actual)}\n${possible
          .map((state) => `  possible: ${canonical(state)}`)
          .join('\n')}`,
        known.steps.map(({ entry }) => entry),
      );
    for (const { entry } of known.steps) this.counts[entry.outcome] += 1;
    const acknowledged = this.believed(subject);
    if (canonical(acknowledged) !== canonical(actual)) this.unknownDone += 1;
    known.found = actual;
    known.steps = [];
    if (id !== undefined) known.id = id;
    if (actual === null) this.#subjects.delete(subject);
    else this.#subjects.set(subject, known);
  }

  #append(entry: Entry): void {
    appendFileSync(this.#file, `${shown(entry)}\n`);
  }
}

/** A violated guarantee, with the ledger entries that prove it. */
export class Broken extends Error {
  override readonly name = 'Broken';
  readonly entries: readonly Entry[];
  constructor(message: string, entries: readonly Entry[] = []) {
    super(message);
    this.entries = entries;
  }
}

export function shown(entry: Entry): string {
  return JSON.stringify(entry, (_name, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Returns equal texts for equal states. Images are identified by their alternative texts, which are nonces. */
export function canonical(state: State): string {
  if (state?.kind !== 'product') return JSON.stringify(state);
  const images = Object.values(state.images).map(({ alt, digest }) => `${alt}=${digest}`);
  return JSON.stringify({ ...state, images: images.sort() });
}
