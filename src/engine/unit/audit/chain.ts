/**
 * Assigns ids and hashes to audit entries. If the database serializes write transactions, a unit does that itself. Otherwise
 * transactions commit in another order than they write, so one process at a time moves committed entries from the inbox to the
 * end of the chain, as `journal-order.ts` does with journal entries.
 */
import { sql } from 'kysely';
import { AUDIT_COLUMNS, CHAIN_COLUMNS } from '../../model/audit-tables.ts';
import { BindParam, type Dialect, type Row, RowsParam, type Transaction, type Value } from '../../ports.ts';
import type { Run } from '../../sql/run.ts';
import type { Expression } from '../../sql/source.ts';
import type { Service } from '../service.ts';
import { type AuditRow, entryHash, FIRST_HASH, HEAD_COLUMNS, headOf, valuesOf } from './entry.ts';

/** The end of the chain. */
export interface AuditEnd {
  readonly id: number;
  readonly hash: string;
}

type ChainService = Pick<Service, 'database' | 'statements' | 'model' | 'sha256'>;

/** The setting with the id and the hash of the last deleted entry. */
export const ANCHOR_SETTING = 'audit anchor';

/** Held while entries are added to the chain or deleted from it. */
export const CHAIN_LOCK = 'order of audit';

/** Limits the duration of one transaction. */
const ENTRIES_PER_MOVE = 2_000;

/** Must run before a read of the audit, so that acknowledged entries are in the chain. */
export async function chainAudit(service: ChainService): Promise<void> {
  const { database, statements } = service;
  const some = statements.get('audit entries to chain', () => sql`select 1 from ${INBOX} limit 1`);
  if ((await database.query(some, {})).length === 0) return;
  for (let moved = ENTRIES_PER_MOVE; moved === ENTRIES_PER_MOVE; )
    moved = await database.transaction(async (transaction) => {
      await transaction.lock(CHAIN_LOCK);
      return moveEntries(service, transaction);
    });
}

/** Returns the last entry of the chain, or that of the deleted ones; id 0 if there was none. */
export async function auditEnd({ statements }: Pick<Service, 'statements'>, run: Run): Promise<AuditEnd> {
  const statement = statements.get(
    'end of audit',
    () => sql`select (select id from ${CHAIN} order by id desc limit 1), (select hash from ${CHAIN} order by id desc limit 1),
      (select value from ${sql.table('setting')} where name = ${sql.lit(ANCHOR_SETTING)})`,
  );
  const [row] = await run(statement, {});
  const [id, hash, anchor] = row!;
  return id === null ? anchorOf(anchor as string | null) : { id: Number(id), hash: hash as string };
}

/** @param text value of the setting */
export function anchorOf(text: string | null): AuditEnd {
  const [id = '0', hash = FIRST_HASH] = text === null ? [] : text.split(' ');
  return { id: Number(id), hash };
}

async function moveEntries(service: ChainService, transaction: Transaction): Promise<number> {
  const { statements, model, sha256 } = service;
  const run: Run = (statement, values) => transaction.run(statement, values);
  const rows = await run(statements.get('oldest audit entries', oldest), {});
  if (rows.length === 0) return 0;
  let { id, hash } = await auditEnd(service, run);
  const placed = rows.map(([inboxId, changesHash, ...head]: Row): Value[] => {
    id += 1;
    hash = entryHash(sha256, hash, headOf(model, id, head), changesHash as string);
    return [Number(inboxId), id, hash];
  });
  await run(statements.get('chain audit entries', insertChained), { placed });
  const ids = placed.map(([inboxId]) => inboxId!);
  await run(statements.get('empty audit inbox', removeChained), { ids });
  return rows.length;
}

/**
 * Appends entries to the chain. No other transaction may write at the same time. The end of the chain is read once for the
 * transactions that share a commit.
 */
export async function addToChain(
  service: Service,
  transaction: Pick<Transaction, 'run' | 'group'>,
  rows: readonly AuditRow[],
): Promise<void> {
  const { model, sha256, statements } = service;
  const { group } = transaction;
  const run: Run = (statement, values) => transaction.run(statement, values);
  let end = (group && ends.get(group)) ?? (await auditEnd(service, run));
  const chained = rows.map((row) => {
    const id = end.id + 1;
    const head = HEAD_COLUMNS.map((name) => row[name]!);
    const hash = entryHash(sha256, end.hash, headOf(model, id, head), row.changes_hash as string);
    end = { id, hash };
    return { ...row, id, hash };
  });
  if (chained.length === 1) await run(statements.get('add entry to chain', insertOne), chained[0]!);
  else {
    const all = chained.map((row) => [row.id, ...valuesOf(row), row.hash]);
    await run(statements.get('add entries to chain', insertAll), { [CHAINED.name]: all });
  }
  if (group) ends.set(group, end);
}

/** The end of the chain after the last transaction of a group. */
const ends = new WeakMap<object, AuditEnd>();

const NAMES = sql.join(CHAIN_COLUMNS.map(({ name }) => sql.id(name)));
const PARAMS = CHAIN_COLUMNS.map(({ name, type }) => new BindParam(name, type));
const CHAINED = new RowsParam(
  'chained',
  CHAIN_COLUMNS.map(({ type }) => type),
);

/** Most units change one record, which is faster without a list of rows. */
function insertOne({ placeholder }: Dialect): Expression {
  return sql`insert into ${CHAIN} (${NAMES}) values (${sql.join(PARAMS.map(placeholder))})`;
}

function insertAll({ given }: Dialect): Expression {
  const values = CHAIN_COLUMNS.map((_, index) => sql.id(`c${index}`));
  return sql`insert into ${CHAIN} (${NAMES}) select ${sql.join(values)} from ${given(CHAINED)} order by ordinal`;
}

const INBOX = sql.table('audit_inbox');
const CHAIN = sql.table('audit_entry');

function oldest(): Expression {
  const columns = ['id', 'changes_hash', ...HEAD_COLUMNS].map((name) => sql.id(name));
  return sql`select ${sql.join(columns)} from ${INBOX} order by id limit ${sql.lit(ENTRIES_PER_MOVE)}`;
}

function insertChained({ given }: Dialect): Expression {
  const own = AUDIT_COLUMNS.map(({ name }) => sql.id('inbox', name));
  const names = AUDIT_COLUMNS.map(({ name }) => sql.id(name));
  return sql`insert into ${CHAIN} (id, ${sql.join(names)}, hash) select c1, ${sql.join(own)}, c2
    from ${given(new RowsParam('placed', ['integer', 'integer', 'text']))} join ${INBOX} as inbox on inbox.id = c0 order by ordinal`;
}

function removeChained({ listed }: Dialect): Expression {
  const ids = listed(new BindParam('ids', 'integer', true));
  return sql`delete from ${INBOX} where id in (select value from ${ids})`;
}
