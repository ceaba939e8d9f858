/** Replaces the values of `evaluated` fields, which are selected as identifiers, by the values that the declaration computes. */
import type { Languages, ShownRecord } from '../field.ts';
import type { ModelField, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Reads } from '../rules.ts';
import type { Service } from './service.ts';

/** Whether one of the fields is evaluated. Its value also changes with time. */
export function hasEvaluated(fields: readonly ModelField[] | undefined): boolean {
  return fields?.some(({ storage }) => storage.in === 'evaluated') ?? false;
}

/**
 * Sets the values of evaluated fields in records that were just read. The number of statements does not depend on the number
 * of records.
 *
 * @param fields the fields that the client requests
 */
export async function evaluateFields(
  { service, reads, languages }: { readonly service: Service; readonly reads: Reads; readonly languages: Languages },
  { resource }: ModelRoute,
  fields: readonly ModelField[] | undefined,
  records: readonly ShownRecord[],
): Promise<void> {
  if (records.length === 0 || !hasEvaluated(fields)) return;
  const { environment, clock } = service;
  const { language, defaultLanguage } = languages;
  const context = { environment, language, defaultLanguage, now: clock.now(), pause: () => clock.pause(0) };
  for (const { name, storage } of fields!) {
    if (storage.in !== 'evaluated') continue;
    const ids = records.map((record): Value => record[name]!);
    const values = await resource.declaration.evaluations![name]!.values(ids, reads, context);
    for (const record of records) record[name] = values.get(record[name]!) ?? null;
  }
}
