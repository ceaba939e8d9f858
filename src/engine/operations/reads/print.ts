/** Reads the printable page of a record. It may read further records, so its statements may see different snapshots. */
import { isProblem, type Problem } from '../../errors.ts';
import type { Printed } from '../../printed.ts';
import { committed } from '../../unit/reads.ts';
import type { RequestOptions, Service, Target } from '../../unit/service.ts';
import { read } from '../read.ts';

/** @returns the page and the record's version */
export async function print(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
): Promise<{ readonly printed: Printed; readonly version: number } | Problem> {
  const found = await read(service, requestOptions, target);
  if (isProblem(found)) return found;
  const { language, defaultLanguage } = requestOptions;
  const context = { language, defaultLanguage, environment: service.environment };
  const { page } = target.route.resource.declaration.printed!;
  return {
    printed: await page(found.record, committed(service, requestOptions), context),
    version: found.version,
  };
}
