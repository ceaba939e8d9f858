/**
 * Erases personal values from audit entries of the records of a person (access.md §4). The salt of their `changes_hash` is
 * removed, so that nobody can confirm a guess of the values; the hashes remain, so that the chain stays valid.
 */
import { sql } from 'kysely';
import { AUDIT_INBOX, AUDIT_TABLE } from '../../model/audit-tables.ts';
import { BindParam, type Dialect, type Row, RowsParam, type Value } from '../../ports.ts';
import type { Expression } from '../../sql/source.ts';
import type { Reads } from '../reads.ts';
import { canonicalJson } from './canonical-json.ts';
import { CHAIN_LOCK } from './chain.ts';
import { isAbout } from './path-index.ts';
import { withoutPersonal } from './personal-values.ts';
import type { Changes, RecordChanges } from './record-changes.ts';

interface ErasingUnit extends Reads {
  readonly records: RecordChanges;
  lock(name: string): Promise<void>;
}

/** Held by an erasure, and by the restore of a deleted record, which must not bring back what is being erased. */
export const ERASURES_LOCK = 'erasures';

/** Entries per statement. */
const ENTRIES_AT_ONCE = 500;

/** @param paths of the records; entries of their parts are erased too, and so are those that this unit writes */
export async function eraseAudit(unit: ErasingUnit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  unit.records.erase(paths);
  // Until the unit ends, no entry moves from one table to the other.
  await unit.lock(CHAIN_LOCK);
  for (const table of [AUDIT_TABLE, AUDIT_INBOX])
    for (let after: number | undefined = 0; after !== undefined; ) after = await eraseSome(unit, table, paths, after);
}

/** @returns the id of the last entry; undefined if there are no more */
async function eraseSome(
  unit: ErasingUnit,
  table: string,
  paths: readonly string[],
  after: number,
): Promise<number | undefined> {
  const { model } = unit.service;
  const select = (dialect: Dialect): Expression =>
    sql`select id, resource, changes from ${sql.table(table)} where ${isAbout(dialect, table)}
      and id > ${dialect.placeholder(new BindParam('after', 'integer'))} order by id limit ${sql.lit(ENTRIES_AT_ONCE)}`;
  const found = await unit.query(`${table} about`, select, { paths: [...paths], after });
  const erased = found.flatMap(([id, resource, json]: Row): Value[][] => {
    const left = withoutPersonal(model, resource as string | null, JSON.parse(json as string) as Changes);
    return left ? [[Number(id), canonicalJson(left)]] : [];
  });
  if (erased.length > 0) await unit.query(`erase in ${table}`, eraseEntries(table), { [ERASED.name]: erased });
  return found.length < ENTRIES_AT_ONCE ? undefined : Number(found.at(-1)![0]);
}

const CHAIN = sql.table('audit_entry');
const INBOX = sql.table('audit_inbox');
const ERASED = new RowsParam('erased', ['integer', 'text']);

function eraseEntries(table: string): (dialect: Dialect) => Expression {
  const update = table === AUDIT_TABLE ? sql`update ${CHAIN}` : sql`update ${INBOX}`;
  return ({ given }) => sql`${update} set changes = ${sql.id('given', 'c1')}, salt = null
    from ${given(ERASED)} where ${sql.id(table, 'id')} = ${sql.id('given', 'c0')}`;
}
