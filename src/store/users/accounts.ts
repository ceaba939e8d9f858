/**
 * Staff accounts and their roles (access.md §3). A store has few of them, so a change reads them all. Changes run one after
 * another, because the rules compare them with each other: unique names, the last owner.
 */
import { sql } from 'kysely';
import { presetRoles } from '../../access/preset-roles.ts';
import {
  BindParam,
  type ColumnType,
  type Model,
  type Row,
  type Service,
  type Transaction,
} from '../../engine/index.ts';
import { listIn } from '../state.ts';

export type UserStatus = 'invited' | 'active' | 'disabled';

/** Times are seconds since 1970. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly status: UserStatus;
  readonly language: string;
  /** In ascending order. */
  readonly roleIds: readonly number[];
  /** Hash; null before the first sign-in. */
  readonly password: string | null;
  readonly lastSignIn: number | null;
  readonly created: number;
}

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly isPreset: boolean;
}

export interface Accounts {
  readonly users: readonly User[];
  readonly roles: readonly Role[];
}

type AccountService = Pick<Service, 'database' | 'statements' | 'model'>;

/** Ids up to this one are reserved for preset roles. */
const PRESET_IDS_MAX = 100;

const LOCK = 'staff accounts';

export const param = (name: string, type: ColumnType): BindParam => new BindParam(name, type);

/** Reads all accounts outside of a change. */
export async function readAccounts({ database, statements, model }: AccountService): Promise<Accounts> {
  const [users, roles] = [
    await database.query(usersStatement(statements), {}),
    await database.query(rolesStatement(statements), {}),
  ];
  return accountsOf(users, roles, model);
}

/** Runs a change in a transaction, alone. @param change receives the accounts as they are now */
export function changeAccounts<T>(
  { database, statements, model }: AccountService,
  change: (accounts: Accounts, transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.lock(LOCK);
    const users = await transaction.run(usersStatement(statements), {});
    const roles = await transaction.run(rolesStatement(statements), {});
    return change(accountsOf(users, roles, model), transaction);
  });
}

function usersStatement(statements: Service['statements']) {
  return statements.get(
    'read users',
    () => sql`select id, email, name, status, language, role_ids, password, last_sign_in, created
      from ${sql.table('staff_user')} order by id`,
  );
}

function rolesStatement(statements: Service['statements']) {
  return statements.get('read roles', () => sql`select id, name, scopes from ${sql.table('staff_role')} order by id`);
}

function accountsOf(users: readonly Row[], roles: readonly Row[], model: Model): Accounts {
  return { users: users.map(userOf), roles: rolesOf(roles, model) };
}

function userOf([id, email, name, status, language, roleIds, password, lastSignIn, created]: Row): User {
  return {
    ...{ id: Number(id), email: email as string, name: name as string, status: status as UserStatus },
    ...{ language: language as string, roleIds: idsIn(roleIds), password: password as string | null },
    ...{ lastSignIn: lastSignIn === null ? null : Number(lastSignIn), created: Number(created) },
  };
}

/** Parses the ids of a user's roles. */
export function idsIn(raw: unknown): readonly number[] {
  return JSON.parse(raw as string) as number[];
}

/** @param rows id, name and scopes of the roles in the store */
export function rolesOf(rows: readonly Row[], model: Model): Role[] {
  return [
    ...presetRoles(model).map((role) => ({ ...role, isPreset: true })),
    ...rows.map(([id, name, scopes]) => ({
      ...{ id: roleIdOf(Number(id)), name: name as string, scopes: listIn(scopes), isPreset: false },
    })),
  ];
}

/** Returns the id of a role, whose row has a smaller number. */
export function roleIdOf(row: number): number {
  return row + PRESET_IDS_MAX;
}

/** Returns the number of a role's row. */
export function rowOfRole(id: number): number {
  return id - PRESET_IDS_MAX;
}

/** Returns the scopes of a user: the union of those of the roles, in code point order. */
export function scopesOf(roleIds: readonly number[], roles: readonly Pick<Role, 'id' | 'scopes'>[]): readonly string[] {
  const scopes = roles.flatMap((role) => (roleIds.includes(role.id) ? role.scopes : []));
  return [...new Set(scopes)].sort();
}
