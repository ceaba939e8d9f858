/** Copies records that are identified by name. Existing ones are updated. */
import type { ApiRecord } from '../../api/store-api.ts';
import { type Ids, picked, type StoreCopy } from './store-copy.ts';

/** @param fields the fields to copy, including the name @returns the identifiers in both stores */
export async function copyNamed(storeCopy: StoreCopy, collection: string, fields: readonly string[]): Promise<Ids> {
  const ids: Ids = new Map();
  const pending: { id: number; name: string }[] = [];
  async function* lines(): AsyncGenerator<ApiRecord> {
    for await (const record of storeCopy.records(`/${collection}`)) {
      storeCopy.throwIfInterrupted();
      pending.push({ id: record.id as number, name: record.name as string });
      yield picked(record, fields);
    }
  }
  const kind = collection.replaceAll('_', ' ');
  for await (const { result, id, rejection } of storeCopy.target.bulk(`/${collection}`, lines())) {
    const record = pending.shift()!;
    if (rejection) storeCopy.failure(kind, record.name, rejection);
    else {
      ids.set(record.id, id as number);
      storeCopy.row(kind, record.name, result as 'created');
    }
  }
  return ids;
}

/** Copies custom statuses; the built-in ones exist in every store. */
export async function copyStatuses(storeCopy: StoreCopy, collection: string): Promise<void> {
  const known = new Set<unknown>();
  for await (const { code } of storeCopy.target.list(`/${collection}`)) known.add(code);
  for await (const status of storeCopy.source.list(`/${collection}`)) {
    if (known.has(status.code)) continue;
    const created = await storeCopy.target.post(
      `/${collection}`,
      [],
      picked(status, ['code', 'name', 'customer_name', 'position']),
    );
    const [kind, name] = [collection.replaceAll('_', ' '), String(status.code)];
    if (created.ok) storeCopy.row(kind, name, 'created');
    else storeCopy.failure(kind, name, created);
  }
}
