/**
 * A client's knowledge: an append-only list of its writes with their outcomes, and from that, for each record, every
 * state that the store may be in. A write that was acknowledged has happened; one that was refused has not; one without
 * an answer has happened whole or not at all.
 */
import { appendFileSync } from 'node:fs';

/** `unknown`: no answer, or one that leaves it open (5xx). `refused`: 4xx, or it never reached the server. */
export type Outcome = 'ok' | 'unknown' | 'refused';

export interface Entry {
  readonly number: number;
  /** A product's sku, or the text that an order was placed with. */
  readonly subject: string;
  readonly operation: string;
  /** Nobody else writes this text, so it tells which write put it there. */
  readonly nonce: string;
  readonly sentAt: bigint;
  answeredAt?: bigint;
  outcome: Outcome;
  status?: number;
  /** Why there was no answer, or what a refusal said. */
  note?: string;
}

/** A product, its images by the client's own name for them. */
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

/** null: there is no such record. */
export type State = Product | Order | null;

export type Change = (state: State) => State;

interface Step {
  readonly entry: Entry;
  readonly change: Change;
}

class Subject {
  /** As it was found at the last check. */
  found: State = null;
  id: number | undefined;
  /** Since then, in the order they were sent; one at a time. */
  steps: Step[] = [];
}

export class Ledger {
  readonly #file: string;
  readonly #subjects = new Map<string, Subject>();
  readonly counts: Record<Outcome, number> = { ok: 0, unknown: 0, refused: 0 };
  #entries = 0;
  /** Of the unknown ones, how many turned out to have happened. */
  unknownDone = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Before the request is sent. */
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
    Object.assign(entry, { ...details, outcome, answeredAt: process.hrtime.bigint() });
    this.#append(entry);
  }

  /** After a power cut: an answer that came later than the cut would not have come at all. @returns how many */
  discardResponsesSince(cut: bigint): number {
    let count = 0;
    for (const { steps } of this.#subjects.values())
      for (const { entry } of steps) {
        if (entry.outcome !== 'ok' || entry.answeredAt! < cut) continue;
        entry.outcome = 'unknown';
        entry.note = 'answered after the cut';
        this.#append(entry);
        count += 1;
      }
    return count;
  }

  get subjects(): ReadonlyMap<string, { readonly found: State; readonly id: number | undefined }> {
    return this.#subjects;
  }

  /** Written since the last check. */
  touched(): string[] {
    return [...this.#subjects].filter(([, { steps }]) => steps.length > 0).map(([subject]) => subject);
  }

  /** The last write's outcome is not known, so that a client cannot go on from there. */
  isOpen(subject: string): boolean {
    return this.#subjects.get(subject)?.steps.some(({ entry }) => entry.outcome === 'unknown') ?? false;
  }

  /** As the client believes it to be; only for a subject that is not open. */
  believed(subject: string): State {
    const { found, steps } = this.#subjects.get(subject) ?? new Subject();
    return steps.reduce((state, { entry, change }) => (entry.outcome === 'ok' ? change(state) : state), found);
  }

  remember(subject: string, id: number): void {
    this.#subjects.get(subject)!.id = id;
  }

  /** Every state that the answers allow. */
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

  /** Compares with what the store shows. @throws {Broken} with the entries that it contradicts */
  check(subject: string, actual: State, id: number | undefined): void {
    const possible = this.possible(subject);
    const known = this.#subjects.get(subject) ?? new Subject();
    if (!possible.some((state) => canonical(state) === canonical(actual)))
      throw new Broken(
        `${subject} is in a state that no answer explains.\n  found:    ${canonical(actual)}\n${possible
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

/** A promise that was not kept, with the entries that show it. */
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

/** Equal states give equal texts. Images are told apart by their alt texts, which are nonces. */
export function canonical(state: State): string {
  if (state?.kind !== 'product') return JSON.stringify(state);
  const images = Object.values(state.images).map(({ alt, digest }) => `${alt}=${digest}`);
  return JSON.stringify({ ...state, images: images.sort() });
}
