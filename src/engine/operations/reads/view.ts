/** Reads a view of one record (`/categories/{id}/stats`), together with the record's version. */
import { isProblem, type Problem } from '../../errors.ts';
import type { View } from '../../rules.ts';
import { searching } from '../../unit/reads.ts';
import type { RequestOptions, Service, Target, Versioned } from '../../unit/service.ts';
import { read } from '../read.ts';

/** @returns the output of the view, or the record with only the field that the view shows */
export async function view(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  declared: View,
): Promise<Versioned | Problem> {
  if ('shows' in declared) return read(service, requestOptions, showing(target, declared.shows));
  const found = await read(service, requestOptions, target);
  if (isProblem(found)) return found;
  const id = found.record[target.route.resource.identifierField]!;
  const record = await declared.read(id, searching(service, requestOptions));
  return isProblem(record) ? record : { record, version: found.version };
}

/** The same record, reduced to this field. */
export function showing(target: Target, field: string | undefined): Target {
  return field === undefined ? target : { ...target, fields: [target.route.resource.fields.get(field)!] };
}
