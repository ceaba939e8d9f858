/** The current rights of the owners of webhooks, which decide the events that are sent (sync.md §2). */
import { sql } from 'kysely';
import type { HiddenData } from '../../access/hidden-data.ts';
import { type KeyKind, rightsOf } from '../../access/rights.ts';
import { BindParam, type Service } from '../../engine/index.ts';
import { environmentKeyId, storedKeyId } from '../keys/key-ids.ts';
import type { KnownKey } from '../keys.ts';
import { listIn } from '../state.ts';
import { grantOf, readAccounts } from '../users/accounts.ts';
import type { Webhook } from './webhook-record.ts';

/** What an owner cannot see; undefined if it sees everything. */
export interface Access {
  readonly hidden: HiddenData | undefined;
}

/** Why the owner has no rights any more. */
export interface LostAccess {
  readonly lost: string;
}

type Owned = Pick<Webhook, 'owner' | 'owner_created'>;

const EVERYTHING: Access = { hidden: undefined };

/**
 * Reads the rights from the database, with one statement for a key and two for a user.
 * @param configured keys of the environment
 */
export async function readAccess(
  service: Service,
  configured: readonly KnownKey[],
  { owner, owner_created }: Owned,
): Promise<Access | LostAccess> {
  if (owner === null) return EVERYTHING;
  if (owner.type === 'user') return accessOfUser(service, owner);
  const ofEnvironment = configured.find(({ name }) => environmentKeyId(name) === owner.id);
  if (ofEnvironment) return rightsOf(service.model, ofEnvironment);
  return accessOfKey(service, owner, owner_created);
}

/** Whether the same events are sent with both. */
export function isSameAccess(one: Access, other: Access | LostAccess): boolean {
  return 'hidden' in other && one.hidden?.id === other.hidden?.id;
}

async function accessOfKey(
  { database, statements, model, clock }: Service,
  { id, name }: NonNullable<Webhook['owner']>,
  ownerCreated: number | null,
): Promise<Access | LostAccess> {
  const find = statements.get(
    'key that owns',
    ({ placeholder }) => sql`select key_id, kind, created, expires, scopes, masks from ${sql.table('api_key')}
      where name = ${placeholder(new BindParam('name', 'text'))}`,
  );
  const [row] = await database.query(find, { name });
  const [storedId, kind, created, expires, scopes, masks] = row ?? [];
  // The id of a key of an earlier program version is that of each later key with its name.
  const isOwner = row && storedKeyId(storedId, name) === id && Number(created) === ownerCreated;
  if (!isOwner) return lost(`The key “${name}” was revoked`);
  if (expires !== null && Number(expires) <= clock.now()) return lost(`The key “${name}” has expired`);
  return rightsOf(model, { kind: kind as KeyKind, scopes: listIn(scopes), masks: listIn(masks) });
}

async function accessOfUser(
  service: Service,
  { id, name }: NonNullable<Webhook['owner']>,
): Promise<Access | LostAccess> {
  const { users, roles } = await readAccounts(service);
  const user = users.find((each) => each.id === id);
  if (!user) return lost(`The user “${name}” was deleted`);
  if (user.status !== 'active') return lost(`The user “${name}” is disabled`);
  return rightsOf(service.model, { kind: 'scoped', ...grantOf(user.roleIds, roles, service.model) });
}

function lost(what: string): LostAccess {
  return {
    lost: `${what}. The webhook sends only what its owner can see, so it is paused. To become its owner, resume it with your own key or account.`,
  };
}
