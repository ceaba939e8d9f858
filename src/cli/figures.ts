/** The figures of this process, where somebody looks. */
import type { Measures } from '../metrics/metrics.ts';
import type { Config } from '../wiring/config.ts';

/** Their library is a tenth of all that a start loads; it is loaded only where somebody looks. */
export async function takeMeasures({ metricsPort }: Config): Promise<Measures | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Measures } = await import('../metrics/metrics.ts');
  return new Measures();
}
