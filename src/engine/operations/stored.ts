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
  return (await listStored(service, resource, { [resource.identifierField]: [id] }, language, run))[0];
}

/** As `readStored`, of every record whose fields have one of the given values, by identifier. */
export async function listStored(
  service: Service,
  resource: ModelResource,
  where: Readonly<Record<string, Value[]>>,
  language: string,
  run: Run,
): Promise<Record<string, Value>[]> {
  const by = Object.keys(where).map((name) => resource.fields.get(name)!);
  const key = `stored ${resource.name} by ${Object.keys(where).join()}`;
  const rows = await run(service.statements.get(key, commands.storedRecords(resource, by)), { ...where, language });
  const { columns, texts, sets } = commands.storedFields(resource);
  const { decode } = service.database.dialect;
  return rows.map((row) => {
    const stored: Record<string, Value> = {};
    for (const [index, { name, storage }] of [...columns, ...texts, ...sets].entries()) {
      const raw = row[index];
      const type = storage.in === 'column' ? storage.type : storage.in === 'links' ? 'json' : undefined;
      stored[name] = raw === null || type === undefined ? (raw as Value) : decode[type](raw as never);
    }
    return stored;
  });
}
