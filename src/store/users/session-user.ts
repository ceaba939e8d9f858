/** The user of a session with the rights of this moment, read by the same statement as the session (access.md §3). */
import { sql } from 'kysely';
import type { Row, Service } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { idsIn, rolesOf, scopesOf } from './accounts.ts';

/** An active user. */
export interface SessionUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Columns and a join for a query of the table of sessions, which is named `session`. */
export function userParts({ jsonArray, jsonAggregate }: Service['database']['dialect']) {
  const [id, name, scopes] = ['id', 'name', 'scopes'].map((each) => sql.id(each)) as [never, never, never];
  return {
    columns: sql`session.user_id, staff.status, staff.email, staff.name, staff.role_ids,
      case when session.user_id is null then null else
        (select ${jsonAggregate(jsonArray([id, name, scopes]), id)} from ${sql.table('staff_role')}) end`,
    join: sql`left join ${sql.table('staff_user')} as staff on staff.id = session.user_id`,
  };
}

/** @returns undefined in a session of a key */
export function readUser(
  [id, status, email, name, roleIds, roles]: Row,
  { model, database: { dialect } }: Pick<Service, 'model' | 'database'>,
): SessionUser | 'inactive' | undefined {
  if (id === null) return undefined;
  if (status !== 'active') return 'inactive';
  const rows = (dialect.decode.json(roles as never) ?? []) as unknown as Row[];
  return {
    ...{ id: Number(id), email: email as string, name: name as string },
    scopes: scopesOf(idsIn(roleIds), rolesOf(rows, model)),
  };
}

/** Identifies a user where keys are identified by their hash. */
export function userHash(id: number): string {
  return hashOf(`user ${id}`);
}
