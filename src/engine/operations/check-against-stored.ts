/** Checks of every resource that read the store: uniqueness, siblings, unique combinations. */
import { messages } from '../errors.ts';
import type { ModelField, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import * as lookUps from '../sql/lookups.ts';
import { looseMatch, nameMatch } from '../text-forms.ts';
import { isChange, type PendingWrite } from './pending-write.ts';

/** @returns the existing record to write instead of a new one, if the route allows that */
export async function checkAgainstStored(write: PendingWrite): Promise<Value | undefined> {
  await checkUnique(write);
  const existing = await findSame(write);
  if (!write.before && existing === undefined) await checkSiblings(write);
  return existing;
}

async function checkUnique(write: PendingWrite): Promise<void> {
  const { unit, target, before, draft } = write;
  const { resource } = target.route;
  for (const field of resource.fields.values()) {
    const { unique } = field.field;
    const value = draft.values[field.name];
    if (unique === false || typeof value !== 'string' || value === '') continue;
    if (draft.stored && !isChange(draft, field, value)) continue;
    // Values from rules were unused when the rule ran. If that has changed, the database raises a conflict and the
    // transaction runs again.
    if (draft.sent[field.name] !== value) continue;
    if (field.field.distinct) {
      await checkDuplicates(write, field, value);
      continue;
    }
    const text = field.storage.in === 'translation' ? nameMatch(value) : value;
    const id = before?.id ?? lookUps.noIdentifier(resource);
    const key = `taken ${resource.name}.${field.name}`;
    const rows = await unit.query(key, lookUps.takenText(field), { text, id, language: unit.language });
    if (rows.length > 0) draft.violations.add(field.name, 'not_unique', messages.notUnique);
  }
}

/**
 * Rejects duplicates and near-duplicates. No index can reject the latter, since a store may contain some and indexes do
 * not span resources. A lock serializes writes of the same text instead.
 */
async function checkDuplicates({ unit, before, draft }: PendingWrite, field: ModelField, value: string): Promise<void> {
  const { resource, name } = field;
  const compared = unit.service.model.namespaces.get(field.field.namespace ?? '') ?? [field];
  const text = looseMatch(value);
  await unit.lock(`${compared[0]!.resource.name}.${compared[0]!.name} ${text}`);
  const id = before?.id ?? lookUps.noIdentifier(resource);
  const key = `duplicates of ${resource.name}.${name}`;
  const found = await unit.query(key, lookUps.duplicateTexts(compared, resource), { text, value, id });
  const [first] = found;
  if (!first) return;
  const isExact = found.some(([duplicate]) => duplicate === value);
  draft.violations.add(name, 'not_unique', isExact ? messages.notUnique : messages.duplicate(first[0] as string));
}

async function checkSiblings({ unit, target, draft }: PendingWrite): Promise<void> {
  const { owner, declaration, name } = target.route.resource;
  const limit = declaration.siblingsMax;
  if (!limit) return;
  const count = await unit.count(name, owner ? { [owner.name]: draft.values[owner.name]! } : {});
  if (count >= limit.count) draft.violations.add(limit.field, 'too_long', limit.message);
}

/**
 * Returns the record with the same values of the fields that are unique together. It is a violation unless the route
 * declares what to do with it.
 */
async function findSame({ unit, target, before, draft }: PendingWrite): Promise<Value | undefined> {
  const { resource, declaration, inserts } = target.route;
  const fields = resource.uniqueTogether;
  const values = fields.map(({ name }) => draft.values[name] ?? before?.stored[name]);
  if (fields.length === 0 || values.some((value) => value === undefined || value === null || typeof value === 'object'))
    return undefined;
  const params = Object.fromEntries(fields.map(({ name }, index) => [name, [values[index]!]]));
  const [row] = await unit.query(`same ${resource.name}`, lookUps.sameTogether(resource, fields), {
    ...params,
    id: before?.id ?? lookUps.noIdentifier(resource),
  });
  if (!row) return undefined;
  const last = fields.at(-1)!;
  if (declaration.again === 'conflict' && !before)
    draft.conflicts.push(`This ${resource.name} already exists. Change it with PUT or PATCH.`);
  if (before || (declaration.again ?? 'duplicate') === 'duplicate')
    draft.violations.add(
      inserts.has(last) ? sentName(last, target.route, draft) : '',
      'not_unique',
      messages.notUnique,
    );
  return row[0] as Value;
}

/** The name of the field, or of the one that was sent instead. */
function sentName({ name }: ModelField, { fields }: ModelRoute, { sent }: PendingWrite['draft']): string {
  const isSentInstead = ({ name: other, field }: ModelField): boolean =>
    field.standsFor === name && sent[other] !== undefined;
  return sent[name] === undefined ? ([...fields.values()].find(isSentInstead)?.name ?? name) : name;
}
