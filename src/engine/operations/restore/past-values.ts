/** Values of a record as of an earlier version: its current values, without the later changes in the audit. */
import { words } from '../../english-names.ts';
import { type Problem, problem } from '../../errors.ts';
import type { ModelField, ModelResource } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import { type FieldKey, isAudited, isSecret } from '../../unit/audit/audited-fields.ts';
import { isErased } from '../../unit/audit/personal-values.ts';
import { readRecordEntries } from '../../unit/audit/record-entries.ts';
import { readRecordValues } from '../../unit/audit/record-values.ts';
import type { Reads } from '../../unit/reads.ts';
import type { RequestOptions } from '../../unit/service.ts';

/** By the names that fields have in `changes` of an audit entry. */
export type PastValues = ReadonlyMap<FieldKey, Value>;

export async function currentValues(reads: Reads, resource: ModelResource, id: Value): Promise<PastValues> {
  return (await readRecordValues(reads, resource, [id])).get(id) ?? new Map();
}

/** @param now identifier and version of the record, which must be locked in a unit @returns a problem for an unknown version */
export async function valuesAt(
  reads: Reads,
  resource: ModelResource,
  now: { readonly id: Value; readonly version: number },
  path: string,
  version: number,
): Promise<PastValues | Problem> {
  const entries = await readRecordEntries(reads, resource, now.id, path, version);
  // The state before an entry follows from that entry.
  const isKnown = now.version === version || entries.some((entry) => [version, version + 1].includes(entry.version));
  if (!isKnown)
    return problem(
      'not-found',
      `The audit has no version ${version} of this ${words(resource.name)}. GET ${path}/audit lists the versions.`,
    );
  const values = new Map(await currentValues(reads, resource, now.id));
  for (const entry of entries.toReversed()) {
    if (entry.version <= version) break;
    for (const [key, change] of Object.entries(entry.changes)) {
      const { before } = change as { readonly before?: Value };
      if (before !== undefined) values.set(key, before);
    }
  }
  return values;
}

/** The fields among these whose values the audit has, and which the client sees. */
export function restorableFields(fields: Iterable<ModelField>, { preserves }: RequestOptions): ModelField[] {
  return [...fields].filter((field) => isAudited(field) && !isSecret(field.field) && !preserves?.(field));
}

/** The problem if one of these values was erased. */
export function erasedAmong(values: Iterable<Value>): Problem | undefined {
  return [...values].some(isErased)
    ? problem('version-erased', 'Personal data of this version was erased, so it cannot be restored.')
    : undefined;
}

/** A value as a body contains it: without members of objects that only output has. */
export function asInput({ field }: ModelField, value: Value): Value {
  const { outputOnly = [] } = field;
  if (value === null || typeof value !== 'object' || Array.isArray(value) || outputOnly.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !outputOnly.includes(name)));
}
