/** The checks that every resource has and that ask the store: uniqueness, siblings, values that are unique together. */
import { messages } from '../errors.ts';
import type { ModelField } from '../model/model.ts';
import type { Value } from '../ports.ts';
import * as lookUps from '../sql/lookups.ts';
import { looseMatch, nameMatch } from '../text-forms.ts';
import { noIdentifier } from '../unit/unit.ts';
import { isChange, type Write } from './draft.ts';

/** @returns the record that is there already in place of a new one, where the place has a use for it */
export async function checkWithStore(write: Write): Promise<Value | undefined> {
  await checkUnique(write);
  if (!write.before) await checkSiblings(write);
  return findSame(write);
}

async function checkUnique(write: Write): Promise<void> {
  const { unit, target, before, draft } = write;
  const { resource } = target.route;
  for (const field of resource.fields.values()) {
    const { unique } = field.field;
    const value = draft.values[field.name];
    if (unique === false || typeof value !== 'string' || value === '') continue;
    if (draft.stored && !isChange(draft, field, value)) continue;
    // A rule makes values that are free as far as it knows. If that has changed, the database says so and the write
    // runs again.
    if (draft.sent[field.name] !== value) continue;
    const text = field.storage.in === 'translation' ? nameMatch(value) : value;
    const id = before?.id ?? noIdentifier(resource);
    const key = `taken ${resource.name}.${field.name}`;
    const rows = await unit.ask(key, lookUps.takenText(field), { text, id, language: unit.language });
    if (rows.length > 0) draft.violations.add(field.name, 'not_unique', messages.notUnique);
    else if (field.field.distinct) await checkDuplicates(write, field, value);
  }
}

/**
 * No index refuses twins, since a store may have some, and none reaches across resources: writes of one text take turns
 * instead.
 */
async function checkDuplicates({ unit, before, draft }: Write, field: ModelField, value: string): Promise<void> {
  const alike = unit.service.model.namespaces.get(field.field.namespace ?? '') ?? [field];
  const text = looseMatch(value);
  await unit.lock(`${alike[0]!.resource.name}.${alike[0]!.name} ${text}`);
  for (const { resource, name } of alike) {
    const id = (resource === field.resource && before?.id) || noIdentifier(resource);
    const other = resource.fields.get(name)!;
    const [duplicate] = await unit.ask(`twins ${resource.name}.${name}`, lookUps.duplicateTexts(other), { text, id });
    if (!duplicate) continue;
    draft.violations.add(
      field.name,
      'not_unique',
      duplicate[0] === value ? messages.notUnique : messages.duplicate(duplicate[0] as string),
    );
    return;
  }
}

async function checkSiblings({ unit, target, draft }: Write): Promise<void> {
  const { owner, declaration, name } = target.route.resource;
  const limit = declaration.siblingsMax;
  if (!limit || !owner) return;
  const count = await unit.count(name, { [owner.name]: draft.values[owner.name]! });
  if (count >= limit.count) draft.violations.add(limit.field, 'too_long', limit.message);
}

/** The record that has the same values together, when there may be only one; a duplicate is a violation unless it has a use. */
async function findSame({ unit, target, before, draft }: Write): Promise<Value | undefined> {
  const { resource, declaration, inserts } = target.route;
  const fields = resource.uniqueTogether;
  const values = fields.map(({ name }) => draft.values[name] ?? before?.stored[name]);
  if (fields.length === 0 || values.some((value) => value === undefined || value === null || typeof value === 'object'))
    return undefined;
  const params = Object.fromEntries(fields.map(({ name }, index) => [name, [values[index]!]]));
  const [row] = await unit.ask(`same ${resource.name}`, lookUps.sameTogether(resource, fields), {
    ...params,
    id: before?.id ?? noIdentifier(resource),
  });
  if (!row) return undefined;
  const last = fields.at(-1)!;
  if (declaration.again === 'conflict' && !before)
    draft.conflicts.push(`There is a ${resource.name} here already; change it with PUT or PATCH.`);
  if (before || (declaration.again ?? 'duplicate') === 'duplicate')
    draft.violations.add(inserts.has(last) ? last.name : '', 'not_unique', messages.notUnique);
  return row[0] as Value;
}
