/** Metrics of this process. */
import type { Metrics } from '../metrics/metrics.ts';
import type { Config } from '../wiring/settings/index.ts';

/** Loads the metrics library only if metrics are on: it is a tenth of all code that a start loads. */
export async function collectMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import('../metrics/metrics.ts');
  return new Metrics();
}
