/** Statements and what they run in: on committed data or inside a transaction; and a record as it is stored. */
import * as commands from '../commands.ts';
import type { ModelResource } from '../model.ts';
import type { Row, Statement, Transaction, Value } from '../ports.ts';
import type { Service } from '../service.ts';

/** Runs a statement on committed data, or inside a transaction. */
export type Run = (statement: Statement, values: Readonly<Record<string, Value>>) => Promise<Row[]>;

/** Statements of one transaction. */
export function runIn(transaction: Transaction): Run {
  return (statement, values) => transaction.run(statement, values);
}

/** A record's columns, its texts in one language, the ids of its links; undefined when there is no such record. */
export async function readStored(
  service: Service,
  resource: ModelResource,
  id: Value,
  language: string,
  run: Run,
): Promise<Record<string, Value> | undefined> {
  const statement = service.statements.get(`stored ${resource.name}`, commands.storedRecord(resource));
  const [row] = await run(statement, { id, language });
  if (!row) return undefined;
  const { decode } = service.database.dialect;
  const { columns, texts, sets } = commands.storedFields(resource);
  const stored: Record<string, Value> = {};
  for (const [index, field] of [...columns, ...texts, ...sets].entries()) {
    const raw = row[index];
    const type = field.storage.in === 'column' ? field.storage.type : field.storage.in === 'links' ? 'json' : undefined;
    stored[field.name] = raw === null || type === undefined ? (raw as Value) : decode[type](raw as never);
  }
  return stored;
}
