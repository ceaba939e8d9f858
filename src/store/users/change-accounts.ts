/**
 * Changes of staff accounts and roles. A store has few of them, so a change reads them all. Changes run one after another, because
 * the rules compare them with each other: unique names, the last owner. Each is recorded in the audit (access.md §4), by a
 * comparison of all accounts before and after it.
 */
import { sql } from 'kysely';
import { type Actor, formatTimestamp, type Service, type Transaction } from '../../engine/index.ts';
import {
  type AuditedKind,
  type AuditedRecord,
  type AuditedTransaction,
  auditedTransaction,
} from '../audit/audited-transaction.ts';
import { type Accounts, factorsOf, type Role, readAccountsWith, type User } from './accounts.ts';

const LOCK = 'staff accounts';

/**
 * Runs a change in a transaction, alone.
 * @param by who changes accounts
 * @param change receives the accounts as they are now
 */
export function changeAccounts<T>(
  service: Service,
  by: Actor,
  change: (accounts: Accounts, transaction: AuditedTransaction) => Promise<T>,
): Promise<T> {
  return auditedTransaction(service, by, async (transaction) => {
    await transaction.lock(LOCK);
    const accounts = await readAccountsWith(service, (...statement) => transaction.run(...statement));
    const before = await auditedAccounts(service, transaction, accounts);
    const result = await change(accounts, transaction);
    const changed = await readAccountsWith(service, (...statement) => transaction.run(...statement));
    const after = await auditedAccounts(service, transaction, changed);
    for (const kind of ['User', 'Role'] as const) recordChanges(transaction, kind, before[kind], after[kind]);
    return result;
  });
}

type Audited = ReadonlyMap<number, AuditedRecord>;

function recordChanges(transaction: AuditedTransaction, kind: AuditedKind, before: Audited, after: Audited): void {
  for (const id of new Set([...before.keys(), ...after.keys()]))
    transaction.recordChange(kind, id, before.get(id), after.get(id));
}

async function auditedAccounts(service: Service, transaction: Transaction, { users, roles }: Accounts) {
  const secrets = users.length === 0 ? new Map() : await readOtherSecrets(service, transaction);
  const own = roles.filter(({ isPreset }) => !isPreset);
  return {
    User: new Map(users.map((user) => [user.id, auditedUser(user, secrets.get(user.id)!)])),
    Role: new Map(own.map((role) => [role.id, { shown: shownRole(role), secrets: {} }])),
  };
}

type Secrets = AuditedRecord['secrets'];

/** Reads what differs if secrets differ that are in other tables, by user. */
async function readOtherSecrets({ statements }: Service, transaction: Transaction): Promise<Map<number, Secrets>> {
  const read = statements.get(
    'read secrets of users',
    () => sql`select id, (select count(*) || min(hash) || max(hash) from ${sql.table('staff_link')} as link
        where link.user_id = staff.id),
      (select count(*) || min(hash) || max(hash) from ${sql.table('staff_recovery_code')} as code
        where code.user_id = staff.id),
      (select count(*) || min(credential_id) || max(credential_id) from ${sql.table('staff_passkey')} as passkey
        where passkey.user_id = staff.id),
      (select count(*) || min(issuer || ' ' || subject) || max(issuer || ' ' || subject)
        from ${sql.table('staff_identity')} as known where known.user_id = staff.id)
      from ${sql.table('staff_user')} as staff`,
  );
  const rows = await transaction.run(read, {});
  return new Map(
    rows.map(([id, link, codes, passkeys, identity]) => [
      Number(id),
      {
        ...{ link: link as string | null, recovery_codes: codes as string | null },
        ...{ passkeys: passkeys as string | null, identity: identity as string | null },
      },
    ]),
  );
}

function auditedUser(user: User, others: Secrets): AuditedRecord {
  const { password, totp } = user;
  return { shown: shownUser(user), secrets: { password, totp, ...others } };
}

/** The fields of a user in the audit. */
export function shownUser(user: User): AuditedRecord['shown'] {
  const { email, name, status, language, roleIds, created } = user;
  return {
    ...{ email, name, status, language, role_ids: [...roleIds], factors: factorsOf(user) },
    created_at: formatTimestamp(created, 'UTC'),
  };
}

/** The fields of a role in the audit. */
export function shownRole({ name, scopes, masks }: Role): AuditedRecord['shown'] {
  return { name, scopes: [...scopes], masks: [...masks] };
}
