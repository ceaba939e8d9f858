/** Reads a view of one record (`/categories/{id}/stats`): what its declaration counts, beside the record's version. */
import type { Problem } from '../errors.ts';
import { isProblem } from '../errors.ts';
import type { View } from '../resource.ts';
import { type Found, type Request, type Service, showing } from '../service.ts';
import { read } from './read.ts';
import { createRecords, lockNothing } from './records.ts';
import type { Run } from './stored.ts';

export async function view(service: Service, request: Request, declared: View): Promise<Found | Problem> {
  if ('shows' in declared) return read(service, showing(request, declared.shows));
  const found = await read(service, request);
  if (isProblem(found)) return found;
  const run: Run = (statement, values) => service.database.search(statement, values);
  const record = await declared.read(
    found.record[request.place.resource.identifierField]!,
    createRecords(service, run, request.language, lockNothing),
  );
  return {
    record,
    version: found.version,
    ...request.represent(record, found.version, { ...request, view: declared }),
  };
}
