/** Adds up the figures of several processes of one server. A counter never falls because a process has ended. */
import { AggregatorRegistry } from 'prom-client';
import type { ProcessFigures } from './measures.ts';
import type { Figures } from './server.ts';

/** One that goes on counts; anything else is of the moment, and gone with its process. */
const LASTING = new Set(['counter', 'histogram']);

export class Sum implements Figures {
  readonly #read: () => Promise<ReadonlyMap<unknown, ProcessFigures>>;
  /** The last figures of each process that lives. */
  #last: ReadonlyMap<unknown, ProcessFigures> = new Map();
  /** Of those that have ended, as they had counted when they were asked last. */
  #past: ProcessFigures = [];
  readonly contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

  /** @param read asks every process, known by an object of its own; one that does not answer is left out */
  constructor(read: () => Promise<ReadonlyMap<unknown, ProcessFigures>>) {
    this.#read = read;
  }

  async text(): Promise<string> {
    const told = await this.#read();
    // One that is busy just now counts with what it told before.
    const all = new Map([...this.#last, ...told]);
    this.#last = all;
    return added([this.#past, ...all.values()]).metrics();
  }

  /** The process has ended. @param figures its last ones, if it told any more */
  async ended(process: unknown, figures?: ProcessFigures): Promise<void> {
    const last = figures ?? this.#last.get(process);
    this.#last = new Map([...this.#last].filter(([each]) => each !== process));
    if (!last) return;
    const lasting = last.filter(({ type }) => LASTING.has(String(type)));
    this.#past = await added([this.#past, lasting]).getMetricsAsJSON();
  }
}

function added(figures: readonly ProcessFigures[]) {
  return AggregatorRegistry.aggregate(figures.filter((each) => each.length > 0));
}
