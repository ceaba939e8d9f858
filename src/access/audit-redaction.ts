/** What a key sees of the audit (access.md §§2 and 4). */
import { type ChangedField, changedField, type Model, type ShownRecord } from '../engine/index.ts';
import type { HiddenData } from './hidden-data.ts';
import type { Rights } from './rights.ts';

/** Resources of entries that are not those of the model, with the scope that a key needs to see them. */
const OTHERS = {
  User: 'users:manage',
  Role: 'roles:manage',
  Key: 'keys:manage',
  MailTemplate: 'mail_templates:read',
} as const;

/** Actions of entries without a resource that every key with access to the audit sees. */
const OPEN_ACTIONS = ['sign_in_failed'];

/** Those that name records of several families. */
const ACTIONS_ON_ALL = ['privacy_export', 'privacy_erase'];

/** Returns the resources whose entries a key sees, and the actions of those without a resource; undefined: all. */
export function visibleResources({ resources }: Model, rights: Rights): readonly string[] | undefined {
  if (rights.isFull) return undefined;
  const readable = [...resources.values()].filter((resource) => !rights.hidden || rights.hidden.canRead(resource));
  const others = Object.entries(OTHERS).filter(([, scope]) => rights.has(scope));
  const names = [...readable.map(({ name }) => name), ...others.map(([name]) => name)];
  return [...names, ...OPEN_ACTIONS, ...((rights.hidden?.readsAll ?? true) ? ACTIONS_ON_ALL : [])];
}

/**
 * Returns `changes` without the fields and the texts that a key cannot see.
 * @param enabled the languages whose texts every key sees; others need `languages:write`
 */
export function visibleChanges(
  changes: ShownRecord,
  resource: string | null,
  model: Model,
  { rights, enabled }: { readonly rights: Rights; readonly enabled: readonly string[] },
): ShownRecord {
  const { hidden } = rights;
  const own = resource === null ? undefined : model.resources.get(resource);
  const seesLanguages = rights.has('languages:write');
  if (!own || (!hidden && seesLanguages)) return changes;
  const isVisible = (key: string): boolean => {
    const changed = changedField(model, own, key);
    if (!changed || (hidden && isHidden(changed, hidden))) return false;
    return seesLanguages || changed.language === undefined || enabled.includes(changed.language);
  };
  return Object.fromEntries(Object.entries(changes).filter(([key]) => isVisible(key)));
}

function isHidden({ field, part }: ChangedField, hidden: HiddenData): boolean {
  const shownBy = part?.resource.shownBy;
  return (
    hidden.hides(field) ||
    (part !== undefined && !hidden.canRead(part.resource)) ||
    (shownBy !== undefined && hidden.hides(shownBy))
  );
}
