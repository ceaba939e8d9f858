/** Who made a change, in words. */
import type { AuditEntry } from 'purveyor/client';
import { useTranslate } from 'react-admin';

export type Actor = Pick<AuditEntry['actor'], 'type' | 'id' | 'name'>;

/** Kinds of actors that are neither a person nor a key. */
export const OTHER_ACTORS = ['customer', 'import', 'command', 'job'] as const;

/** Returns a function that names an actor. Without an id, a user or key is not known, because a sign-in has failed. */
export function useActorName(): (actor: Actor) => string {
  const translate = useTranslate();
  return ({ type, id, name }) => {
    if (id === null && (type === 'user' || type === 'key')) return translate('audit.actor.nobody');
    if (type === 'user') return name ?? translate('audit.actor.formerUser');
    if (type === 'key' && name === null) return translate('audit.actor.formerKey');
    return translate(`audit.actor.${type}`, { name: name ?? '', _: name ?? type });
  };
}
