/** Writes audit entries in a transaction: with the journal entries of a unit of work, or alone. */
import { sql } from 'kysely';
import { AUDIT_COLUMNS } from '../../model/audit-tables.ts';
import { BindParam, type Dialect, RowsParam, type Transaction } from '../../ports.ts';
import type { Actor } from '../../rules.ts';
import type { Expression } from '../../sql/source.ts';
import type { Insert } from '../journal.ts';
import type { Service } from '../service.ts';
import { canonicalJson } from './canonical-json.ts';
import { addToChain } from './chain.ts';
import { type AuditRow, changesHashOf, valuesOf } from './entry.ts';
import type { Changes } from './record-changes.ts';

type EntryService = Pick<Service, 'sha256' | 'randomToken'>;

/** What an audit entry says, without what its transaction determines. */
export interface NewEntry {
  readonly action: string;
  readonly resource: string | null;
  readonly record: string | null;
  readonly path: string | null;
  readonly version: number | null;
  readonly changes: Changes;
}

/**
 * Writes entries of what is not a change of a record of the model.
 * @param at seconds since 1970
 */
export async function writeAuditEntries(
  service: Service,
  transaction: Transaction,
  by: Actor,
  entries: readonly NewEntry[],
  at = service.clock.now(),
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => rowOf(service, by, at, entry));
  if (service.database.dialect.writesInTurn) return addToChain(service, transaction, rows);
  const { key, build, values } = auditInsert(rows);
  await transaction.run(service.statements.get(key, build), values);
}

/** The statement that adds these rows to the inbox. */
export function auditInsert(rows: readonly AuditRow[]): Insert {
  if (rows.length === 1) return { key: 'write audit entry', build: insertOne, values: rows[0]! };
  return { key: 'write audit entries', build: insertAll, values: { [ROWS.name]: rows.map(valuesOf) } };
}

export function rowOf(service: EntryService, by: Actor, now: number, entry: NewEntry): AuditRow {
  const { action, resource, record, path, version, changes } = entry;
  const json = canonicalJson(changes);
  const salt = service.randomToken(SALT_BYTES);
  const { type, id, address, requestId } = by;
  return {
    at: now,
    actor_type: type,
    actor_id: id === '' ? null : id,
    address: address === '' ? null : address,
    request_id: requestId ?? null,
    action,
    resource,
    record,
    path,
    version,
    changes: json,
    salt,
    changes_hash: changesHashOf(service.sha256, salt, json),
  };
}

const SALT_BYTES = 16;

const NAMES = sql.join(AUDIT_COLUMNS.map(({ name }) => sql.id(name)));
const PARAMS = AUDIT_COLUMNS.map(({ name, type }) => new BindParam(name, type));
const ROWS = new RowsParam(
  'audit rows',
  AUDIT_COLUMNS.map(({ type }) => type),
);

/** Most units change one record, which is faster without a list of rows. */
function insertOne({ placeholder }: Dialect): Expression {
  return sql`insert into ${sql.table('audit_inbox')} (${NAMES}) values (${sql.join(PARAMS.map(placeholder))})`;
}

function insertAll({ given }: Dialect): Expression {
  const values = sql.join(AUDIT_COLUMNS.map((_, index) => sql.id(`c${index}`)));
  return sql`insert into ${sql.table('audit_inbox')} (${NAMES}) select ${values} from ${given(ROWS)} order by ordinal`;
}
