/** Audit entries as records of the HTTP interface (access.md §4). */
import type { AuditEntry, Service, ShownRecord } from '../../engine/index.ts';
import { environmentKeyId } from '../keys/key-ids.ts';
import { type KnownKey, listKeys } from '../keys.ts';
import { readAccounts } from '../users/accounts.ts';

type ActorNames = (actor: { readonly type: string; readonly id: number | string | null }) => string | null;

/** Looks up the current names of keys and users, so that entries contain no names of people. */
export async function readActorNames(service: Service, configured: readonly KnownKey[]): Promise<ActorNames> {
  const stored = await listKeys(service);
  const { users } = await readAccounts(service);
  const keys = new Map([
    ...configured.map(({ name }) => [environmentKeyId(name), name] as const),
    ...stored.map(({ id, name }) => [id, name] as const),
  ]);
  return ({ type, id }) => {
    if (type === 'key') return keys.get(String(id)) ?? null;
    if (type === 'user') return users.find((user) => user.id === id)?.name ?? null;
    if (type === 'customer') return null;
    return typeof id === 'string' ? id : null;
  };
}

export type AuditRecord = ShownRecord & { readonly id: number };

export function auditRecord({ head, changes, changesHash, hash }: AuditEntry, nameOf: ActorNames): AuditRecord {
  const { actor, ...others } = head;
  const { id, date, ...rest } = others;
  return {
    ...{ id, date, actor: { ...actor, name: nameOf(actor) } },
    ...rest,
    ...{ changes, changes_hash: changesHash, hash },
  };
}
