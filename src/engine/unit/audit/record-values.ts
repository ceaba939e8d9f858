/** The current values of records, by the names that fields have in `changes`. */
import type { ModelResource } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { Reads } from '../reads.ts';
import {
  auditedFields,
  type FieldKey,
  isSecret,
  partsName,
  partsOf,
  shownValue,
  sortedSet,
  textKey,
} from './audited-fields.ts';

/** Reads all audited fields, except secrets, in all languages, with the parts whose changes are changes of the record. */
export async function readRecordValues(
  reads: Reads,
  resource: ModelResource,
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, ReadonlyMap<FieldKey, Value>>> {
  const all = await readOwnValues(reads, resource, { [resource.identifierField]: [...ids] });
  const values = new Map([...all].map(([id, { own }]) => [id, own]));
  for (const part of partsOf(reads.service.model, resource)) {
    const parts = await readOwnValues(reads, part, { [part.owner!.name]: [...ids] });
    for (const [id, { owner, own }] of parts)
      for (const [key, value] of own) values.get(owner)?.set(`${partsName(part)}[${id}].${key}`, value);
  }
  return values;
}

interface OwnValues {
  readonly owner: Value;
  readonly own: Map<FieldKey, Value>;
}

async function readOwnValues(
  reads: Reads,
  resource: ModelResource,
  where: Readonly<Record<string, Value>>,
): Promise<ReadonlyMap<Value, OwnValues>> {
  const { name, identifierField, owner, translations } = resource;
  const records = (where[Object.keys(where)[0]!] as Value[]).length > 0 ? await reads.list(name, where) : [];
  const all = new Map<Value, OwnValues>();
  const fields = auditedFields(resource).filter(
    ({ storage, field }) => storage.in !== 'translation' && !isSecret(field),
  );
  for (const record of records) {
    const own = new Map<FieldKey, Value>();
    for (const field of fields) {
      const value = record[field.name] ?? null;
      own.set(field.name, field.storage.in === 'links' ? sortedSet(value as Value[]) : shownValue(field, value));
    }
    all.set(record[identifierField]!, { owner: owner ? record[owner.name]! : null, own });
  }
  for (const field of translations)
    for (const [id, texts] of await reads.texts(name, [...all.keys()], field.name))
      for (const [language, text] of Object.entries(texts)) all.get(id)!.own.set(textKey(field, language), text);
  return all;
}
