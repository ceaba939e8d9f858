/**
 * Assigns ids and hashes to audit entries. If the database serializes write transactions, a unit does that itself. Otherwise
 * transactions commit in another order than they write, so one process at a time moves committed entries from the inbox to the
 * end of the chain, as `journal-order.ts` does with journal entries.
 */
import { sql } from 'kysely';
import { AUDIT_COLUMNS } from '../../model/audit-tables.ts';
import { BindParam, type Dialect, type Row, RowsParam, type Transaction, type Value } from '../../ports.ts';
import type { Run } from '../../sql/run.ts';
import type { Statements } from '../../sql/shapes.ts';
import type { Expression } from '../../sql/source.ts';
import type { Service } from '../service.ts';
import { entryHash, FIRST_HASH, HEAD_COLUMNS, headOf } from './entry.ts';

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
 * Appends entries to the chain, in a transaction. No other transaction may write at the same time. Uses the end of the previous
 * call, unless another process has written since, or a transaction was rolled back.
 * @param rows values of `AUDIT_COLUMNS`
 */
export async function addToChain(service: Service, run: Run, rows: readonly Row[]): Promise<void> {
  const { statements } = service;
  const known = rows.length === 1 ? ends.get(statements) : undefined;
  if (known) {
    const [chained] = chain(service, known, rows);
    const params = paramsOf(chained!);
    params[BEFORE.name] = known.hash;
    const added = await run(statements.get('add to known chain', insertAfter), params);
    if (added.length > 0) return;
  }
  const chained = chain(service, await auditEnd({ statements }, run), rows);
  await run(statements.get('add to chain', insertRows), { [CHAINED.name]: chained });
}

/** The end after the last entry that this process has added, perhaps in a transaction that was rolled back. */
const ends = new WeakMap<Statements, AuditEnd>();

/** @returns the values of `CHAINED` */
function chain(service: Service, end: AuditEnd, rows: readonly Row[]): Value[][] {
  const { model, sha256, statements } = service;
  let { id, hash } = end;
  const chained = rows.map((row): Value[] => {
    id += 1;
    hash = entryHash(sha256, hash, headOf(model, id, row), row.at(-1) as string);
    return [id, ...(row as Value[]), hash];
  });
  ends.set(statements, { id, hash });
  return chained;
}

/** Rows: one if `before` is the hash of the last entry. */
function insertAfter({ placeholder }: Dialect): Expression {
  const names = AUDIT_COLUMNS.map(({ name }) => sql.id(name));
  const values = PARAMS.map(placeholder);
  return sql`insert into ${CHAIN} (id, ${sql.join(names)}, hash) select ${sql.join(values)}
    where (select hash from ${CHAIN} order by id desc limit 1) = ${placeholder(BEFORE)} returning id`;
}

function paramsOf(chained: readonly Value[]): Record<string, Value> {
  const params: Record<string, Value> = {};
  for (let index = 0; index < PARAMS.length; index += 1) params[PARAMS[index]!.name] = chained[index]!;
  return params;
}

const CHAINED = new RowsParam('chained', ['integer', ...AUDIT_COLUMNS.map(({ type }) => type), 'text']);
const PARAMS = CHAINED.types.map((type, index) => new BindParam(`c${index}`, type));
const BEFORE = new BindParam('before', 'text');

function insertRows({ given }: Dialect): Expression {
  const names = AUDIT_COLUMNS.map(({ name }) => sql.id(name));
  const values = CHAINED.types.map((_, index) => sql.id(`c${index}`));
  return sql`insert into ${CHAIN} (id, ${sql.join(names)}, hash) select ${sql.join(values)} from ${given(CHAINED)} order by ordinal`;
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
