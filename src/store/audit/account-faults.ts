/** Checks that the last values of keys, users and roles in the audit are their current ones (access.md §4). */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Service, Transaction } from '../../engine/index.ts';
import { listKeysWith, shownKey } from '../keys.ts';
import { readAccountsWith } from '../users/accounts.ts';
import { shownRole, shownUser } from '../users/change-accounts.ts';
import type { AuditedRecord } from './audited-transaction.ts';

type Values = AuditedRecord['shown'];
type CheckedStore = Pick<Service, 'database' | 'statements' | 'model'>;

/** @returns one sentence per fault */
export function accountFaults(store: CheckedStore): Promise<string[]> {
  // One snapshot, so that the store can be written meanwhile.
  return store.database.snapshot(async (run) => {
    const current = await currentRecords(store, run);
    const audited = await lastValues(store, run);
    return [...current].flatMap(([record, values]) =>
      Object.entries(audited.get(record) ?? {})
        .filter(([name, value]) => Object.hasOwn(values, name) && !isDeepStrictEqual(values[name], value))
        .map(([name]) => `${record}: the value of ${name} differs from that of the last audit entry.`),
    );
  });
}

/** By resource and id, such as `User 1`. */
async function currentRecords(store: CheckedStore, run: Transaction['run']): Promise<Map<string, Values>> {
  const { users, roles } = await readAccountsWith(store, run);
  const keys = await listKeysWith(store, run);
  return new Map([
    ...users.map((user) => [`User ${user.id}`, shownUser(user)] as const),
    ...roles.filter(({ isPreset }) => !isPreset).map((role) => [`Role ${role.id}`, shownRole(role)] as const),
    ...keys.map((key) => [`Key ${key.id}`, checkedKey(shownKey(key), key.kind === 'scoped')] as const),
  ]);
}

/** The scopes of other kinds depend on the version of the program. */
function checkedKey({ scopes, ...others }: Values, isScoped: boolean): Values {
  return isScoped ? { ...others, scopes: scopes! } : others;
}

/** The last value of each field, of records that the audit knows. */
async function lastValues({ statements }: CheckedStore, run: Transaction['run']): Promise<Map<string, Values>> {
  const values = new Map<string, Record<string, Values[string]>>();
  for (const table of ['audit_entry', 'audit_inbox']) {
    const read = statements.get(
      `changes of accounts in ${table}`,
      () => sql`select resource, record, changes from ${sql.table(table)}
        where resource in ('Key', 'Role', 'User') and action in ('created', 'updated') order by id`,
    );
    for (const [resource, record, changes] of (await run(read, {})) as string[][])
      for (const [name, change] of Object.entries(JSON.parse(changes!) as Record<string, { after?: Values[string] }>)) {
        const known = values.get(`${resource} ${record}`) ?? {};
        values.set(`${resource} ${record}`, known);
        if (change.after !== undefined) known[name] = change.after;
      }
  }
  return values;
}
