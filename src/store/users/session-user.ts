/** The user of a session with the rights of this moment, read by the same statement as the session (access.md §3). */
import { sql } from 'kysely';
import type { RoleGrant } from '../../access/combined-roles.ts';
import type { Row, Service } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { type Factor, grantOf, idsIn, rolesOf } from './accounts.ts';

/** An active user. */
export interface SessionUser extends RoleGrant {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly factors: readonly Factor[];
  /** Whether the session began at an identity provider, which also checks second factors. */
  readonly byProvider: boolean;
}

/** Columns and a join for a query of the table of sessions, which is named `session`. */
export function userParts({ jsonArray, jsonAggregate }: Service['database']['dialect']) {
  const role = ['id', 'name', 'scopes', 'masks'].map((each) => sql.id(each));
  return {
    columns: sql`session.user_id, staff.status, staff.email, staff.name, staff.role_ids,
      case when session.user_id is null then null else
        (select ${jsonAggregate(jsonArray(role), sql.id('id'))} from ${sql.table('staff_role')}) end,
      case when staff.totp is null then 0 else 1 end,
      (select count(*) from ${sql.table('staff_passkey')} as passkey where passkey.user_id = session.user_id),
      session.by_provider`,
    join: sql`left join ${sql.table('staff_user')} as staff on staff.id = session.user_id`,
  };
}

/** @returns undefined in a session of a key */
export function readUser(
  [id, status, email, name, roleIds, roles, totps, passkeys, provider]: Row,
  { model, database: { dialect } }: Pick<Service, 'model' | 'database'>,
): SessionUser | 'inactive' | undefined {
  if (id === null) return undefined;
  if (status !== 'active') return 'inactive';
  const rows = (dialect.decode.json(roles as never) ?? []) as unknown as Row[];
  return {
    ...{ id: Number(id), email: email as string, name: name as string },
    ...grantOf(idsIn(roleIds), rolesOf(rows, model), model),
    factors: [
      ...(Number(totps) > 0 ? (['totp'] as const) : []),
      ...(Number(passkeys) > 0 ? (['passkey'] as const) : []),
    ],
    byProvider: provider !== null,
  };
}

/** Identifies a user where keys are identified by their hash. */
export function userHash(id: number): string {
  return hashOf(`user ${id}`);
}
