/** Records that are known by a name: copied by bulk, so one that is there is brought up to date. */
import type { Shown } from '../../api/store-api.ts';
import { type Course, type Ids, picked } from './store-copy.ts';

/** @param fields of the input, the name among them @returns which is which */
export async function copyNamed(course: Course, collection: string, fields: readonly string[]): Promise<Ids> {
  const ids: Ids = new Map();
  const underway: { id: number; name: string }[] = [];
  async function* lines(): AsyncGenerator<Shown> {
    for await (const record of course.records(`/${collection}`)) {
      course.goOn();
      underway.push({ id: record.id as number, name: record.name as string });
      yield picked(record, fields);
    }
  }
  const kind = collection.replaceAll('_', ' ');
  for await (const { result, id, refused } of course.target.bulk(`/${collection}`, lines())) {
    const record = underway.shift()!;
    if (refused) course.failure(kind, record.name, refused);
    else {
      ids.set(record.id, id as number);
      course.row(kind, record.name, result as 'created');
    }
  }
  return ids;
}

/** Statuses that a store has made of its own; the others are in every store. */
export async function copyStatuses(course: Course, collection: string): Promise<void> {
  const known = new Set<unknown>();
  for await (const { code } of course.target.list(`/${collection}`)) known.add(code);
  for await (const status of course.source.list(`/${collection}`)) {
    if (known.has(status.code)) continue;
    const made = await course.target.post(
      `/${collection}`,
      [],
      picked(status, ['code', 'name', 'customer_name', 'position']),
    );
    const [kind, name] = [collection.replaceAll('_', ' '), String(status.code)];
    if (made.ok) course.row(kind, name, 'created');
    else course.failure(kind, name, made);
  }
}
