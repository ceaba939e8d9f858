/** The figures of this process, where somebody looks. */
import type { Metrics } from '../metrics/metrics.ts';
import type { Config } from '../wiring/config.ts';

/** Their library is a tenth of all that a start loads; it is loaded only where somebody looks. */
export async function collectMetrics({ metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import('../metrics/metrics.ts');
  return new Metrics();
}
