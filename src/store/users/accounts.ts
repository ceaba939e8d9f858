/** Staff accounts and their roles (access.md §3). A store has few of them. */
import { sql } from 'kysely';
import { combinedRoles, type RoleGrant } from '../../access/combined-roles.ts';
import { presetRoles } from '../../access/preset-roles.ts';
import {
  BindParam,
  type ColumnType,
  looseMatch,
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
  /** Secret of the authenticator app in base32; null: no second factor. */
  readonly totp: string | null;
  /** A secret that no code has confirmed yet. */
  readonly totpSetup: string | null;
  /** The time step of the last accepted code. */
  readonly totpStep: number | null;
  /** How many the user has. */
  readonly passkeys: number;
  readonly lastSignIn: number | null;
  readonly created: number;
}

/** A second factor of a user. */
export type Factor = 'totp' | 'passkey';

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly masks: readonly string[];
  readonly isPreset: boolean;
}

export interface Accounts {
  readonly users: readonly User[];
  readonly roles: readonly Role[];
}

type AccountService = Pick<Service, 'statements' | 'model'>;

/** Ids up to this one are reserved for preset roles. */
const PRESET_IDS_MAX = 100;

export const param = (name: string, type: ColumnType): BindParam => new BindParam(name, type);

/** Reads all accounts outside of a change. */
export function readAccounts(service: AccountService & Pick<Service, 'database'>): Promise<Accounts> {
  return readAccountsWith(service, (statement, values) => service.database.query(statement, values));
}

/** Returns the id of the user with this e-mail address; null: there is none. */
export async function readUserId(service: Parameters<typeof readAccounts>[0], email: string): Promise<number | null> {
  const { users } = await readAccounts(service);
  return users.find((each) => looseMatch(each.email) === looseMatch(email))?.id ?? null;
}

/** @param run runs a statement, in a transaction or outside */
export async function readAccountsWith(
  { statements, model }: AccountService,
  run: Transaction['run'],
): Promise<Accounts> {
  const users = await run(usersStatement(statements), {});
  const roles = await run(rolesStatement(statements), {});
  return accountsOf(users, roles, model);
}

function usersStatement(statements: Service['statements']) {
  return statements.get(
    'read users',
    () => sql`select id, email, name, status, language, role_ids, password, last_sign_in, created,
        totp, totp_setup, totp_step,
        (select count(*) from ${sql.table('staff_passkey')} as passkey where passkey.user_id = staff_user.id)
        from ${sql.table('staff_user')} order by id`,
  );
}

function rolesStatement(statements: Service['statements']) {
  return statements.get(
    'read roles',
    () => sql`select id, name, scopes, masks from ${sql.table('staff_role')} order by id`,
  );
}

function accountsOf(users: readonly Row[], roles: readonly Row[], model: Model): Accounts {
  return { users: users.map(userOf), roles: rolesOf(roles, model) };
}

function userOf(row: Row): User {
  const [id, email, name, status, language, roleIds, password, lastSignIn, created, ...factor] = row;
  const [totp, totpSetup, totpStep, passkeys] = factor;
  return {
    ...{ id: Number(id), email: email as string, name: name as string, status: status as UserStatus },
    ...{ language: language as string, roleIds: idsIn(roleIds), password: password as string | null },
    ...{ lastSignIn: lastSignIn === null ? null : Number(lastSignIn), created: Number(created) },
    ...{ totp: totp as string | null, totpSetup: totpSetup as string | null },
    totpStep: totpStep === null ? null : Number(totpStep),
    passkeys: Number(passkeys),
  };
}

/** Returns the names of a user’s second factors. */
export function factorsOf({ totp, passkeys }: Pick<User, 'totp' | 'passkeys'>): Factor[] {
  return [...(totp === null ? [] : (['totp'] as const)), ...(passkeys === 0 ? [] : (['passkey'] as const))];
}

/** Parses the ids of a user's roles. */
export function idsIn(raw: unknown): readonly number[] {
  return JSON.parse(raw as string) as number[];
}

/** @param rows id, name, scopes and masks of the roles in the store */
export function rolesOf(rows: readonly Row[], model: Model): Role[] {
  return [
    ...presetRoles(model).map((role) => ({ ...role, isPreset: true })),
    ...rows.map(([id, name, scopes, masks]) => ({
      ...{ id: roleIdOf(Number(id)), name: name as string, scopes: listIn(scopes), masks: listIn(masks) },
      isPreset: false,
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

/** Returns what a user with these roles may do and cannot see. */
export function grantOf(roleIds: readonly number[], roles: readonly Role[], model: Model): RoleGrant {
  return combinedRoles(
    model,
    roles.filter(({ id }) => roleIds.includes(id)),
  );
}
