/** Aggregates the metrics of a server's processes. Counters never decrease when a process exits. */
import { AggregatorRegistry } from 'prom-client';
import type { ProcessMetrics } from './metrics.ts';
import type { MetricsSource } from './server.ts';

/** Types that still count after their process has exited. Gauges describe a running process. */
const CUMULATIVE = new Set(['counter', 'histogram']);

export class AggregatedMetrics implements MetricsSource {
  readonly #read: () => Promise<ReadonlyMap<object, ProcessMetrics>>;
  /** Last metrics of each living process. */
  #last: ReadonlyMap<object, ProcessMetrics> = new Map();
  /** Exited processes. One may exit while others are still queried; its metrics are already in `#exited`. */
  readonly #gone = new WeakSet<object>();
  /** Total of the exited processes, as of their last metrics. */
  #exited: ProcessMetrics = [];
  /** Settles when the last exited process has been added to `#exited`. */
  #ending: Promise<void> = Promise.resolve();
  readonly contentType = AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;

  /** @param read queries every process, identified by an object; processes that do not respond are left out */
  constructor(read: () => Promise<ReadonlyMap<object, ProcessMetrics>>) {
    this.#read = read;
  }

  async text(): Promise<string> {
    const current = await this.#read();
    // A process that did not respond counts with its previous metrics.
    const all = new Map([...this.#last, ...current].filter(([each]) => !this.#gone.has(each)));
    this.#last = all;
    await this.#ending;
    return aggregate([this.#exited, ...all.values()]).metrics();
  }

  /** Records that a process has exited. @param metrics its last metrics, if it sent them */
  ended(process: object, metrics?: ProcessMetrics): Promise<void> {
    this.#gone.add(process);
    const last = metrics ?? this.#last.get(process);
    this.#last = new Map([...this.#last].filter(([each]) => each !== process));
    const cumulative = (last ?? []).filter(({ type }) => CUMULATIVE.has(String(type)));
    // Sequential: each step adds to the result of the one before.
    this.#ending = this.#ending.then(async () => {
      this.#exited = await aggregate([this.#exited, cumulative]).getMetricsAsJSON();
    });
    return this.#ending;
  }
}

function aggregate(all: readonly ProcessMetrics[]) {
  return AggregatorRegistry.aggregate(all.filter((each) => each.length > 0));
}
