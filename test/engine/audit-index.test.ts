/** The index of the audit: filters find the same entries with it and without it, and need no scan of all entries with it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Statement, Value } from '../../src/engine/ports.ts';
import { auditFaults } from '../../src/engine/unit/audit/audit-faults.ts';
import { chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { indexAudit } from '../../src/engine/unit/audit/index-audit.ts';
import { indexFaults } from '../../src/engine/unit/audit/index-faults.ts';
import { type AuditFilter, readAuditPage } from '../../src/engine/unit/audit/read-audit.ts';
import { type NewEntry, writeAuditEntries } from '../../src/engine/unit/audit/write-entries.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { databaseNames } from '../support/databases.ts';
import { made, openedStore, withOverrides } from '../support/opened-store.ts';

const START = 1_700_000_000;
const HOUR = 3600;

for (const name of databaseNames)
  describe(`the index of the audit (${name})`, () => {
    test('filters find the same entries in it and outside of it, without a scan', async () => {
      const { service: opened, remove } = await openedStore(name);
      const statements: [Statement, Readonly<Record<string, Value>>][] = [];
      const database = withOverrides(opened.database, {
        search(statement, values) {
          statements.push([statement, values]);
          return opened.database.search(statement, values);
        },
      });
      const service = { ...opened, database };
      try {
        await writeEntries(service, 60, START);
        const before = await found(service);
        const matching = before.filter(([total]) => total !== 0 && total !== before[0]![0]);
        assert.equal(matching.length, FILTERS.length - 1, 'each filter selects some entries');
        await indexAudit(service, new AbortController().signal);
        statements.length = 0;
        assert.deepEqual(await found(service), before);
        for (const [statement, values] of statements) {
          // Without other conditions, a page is at the beginning of the list.
          const { limit, offset: _, visible: __, ...others } = values;
          if (limit !== undefined && Object.keys(others).length === 0) continue;
          const plan = await planOf(service, statement, values);
          const scan = /SCAN audit_entry(?! USING)|Seq Scan on audit_entry/.exec(plan);
          assert.equal(scan, null, `${statement.sql}\n${plan}`);
        }
        // Later entries are not in the index yet, and some of them have an earlier time.
        await writeEntries(service, 20, START - HOUR);
        const outside = await found(service);
        await indexAudit(service, new AbortController().signal);
        assert.deepEqual(await found(service), outside);
        assert.ok(outside.every(([total], index) => total > before[index]![0]));
      } finally {
        await remove();
      }
    });

    test('the check reports lacking and surplus rows until the index is built again', async () => {
      const { service, remove } = await openedStore(name);
      const { database, model, sha256 } = service;
      const execute = async (...statements: string[]): Promise<void> => {
        for (const text of statements)
          await database.transaction((transaction) => transaction.run({ sql: text, placeholders: [] }, {}));
      };
      const faults = async (found = indexFaults(database)): Promise<string[]> =>
        (await Array.fromAsync(found)).map((fault) =>
          fault.replace(/\. (Changed values may go unnoticed\. )?Build .*$/, ''),
        );
      const allFaults = () => faults(auditFaults({ database, model, sha256 }, () => {}));
      const index = () => indexAudit(service, new AbortController().signal);
      try {
        await made(service, 'Tag', { name: 'Hidden' });
        await writeEntries(service, 10, START);
        await chainAudit(service);
        assert.deepEqual(await faults(), [], 'not indexed yet');
        await index();
        await writeEntries(service, 10, START + 10 * HOUR);
        await chainAudit(service);
        assert.deepEqual(await faults(), [], 'partly indexed');
        await index();
        assert.deepEqual(await faults(), []);

        const [[last] = []] = await database.query({ sql: 'select max(id) from audit_entry', placeholders: [] }, {});
        const id = Number(last);
        await execute(
          `delete from audit_path where id in (${id - 2}, ${id - 1})`,
          `delete from audit_value where id = ${id} and name = 'event'`,
          `update audit_hour set last_id = last_id - 1 where last_id = ${id}`,
        );
        assert.deepEqual(await faults(), [
          `The table audit_path lacks rows of audit entries: 2, first of entry ${id - 2}`,
          `The table audit_value lacks rows of audit entries: 1, first of entry ${id}`,
          `The table audit_hour lacks rows of audit entries: 1, first of entry ${id}`,
        ]);
        await execute("update tag_text set name = 'Changed'", 'delete from audit_path');
        assert.match(
          (await faults()).join(),
          /^The table audit_path lacks rows of audit entries: \d+, first of entry 1,/,
        );
        // As the guide backup.md describes.
        await execute(
          ...['delete from audit_path', 'delete from audit_value', 'delete from audit_hour'],
          "delete from setting where name in ('audit paths', 'audit values')",
        );
        assert.match(
          (await allFaults()).join(),
          /^Tag \d+: the value of name\.en differs from that of the last audit entry\.$/,
        );
        await index();
        assert.deepEqual(await faults(), []);
        await execute(
          `insert into audit_path (path, id) values ('/api/tags/77', ${id})`,
          `insert into audit_value (name, value, id) values ('action', 'other', ${id})`,
        );
        assert.deepEqual(await faults(), [
          'The table audit_path has rows that belong to no audit entry: 1',
          'The table audit_value has rows that belong to no audit entry: 1',
        ]);
      } finally {
        await remove();
      }
    });
  });

/** The first one selects all entries. */
const FILTERS: readonly AuditFilter[] = [
  { equal: {} },
  { equal: { path: '/api/tags/1' } },
  { equal: { record: '1' } },
  { equal: { resource: 'Tag' } },
  { equal: { action: 'deleted' } },
  { equal: { actor_type: 'user' } },
  { equal: { actor_id: '1' } },
  { equal: { address: '192.0.2.1' } },
  { equal: { request_id: 'request 3' } },
  { equal: { resource: 'Tag', record: '2', action: 'deleted' } },
  { equal: {}, visible: ['Tag', 'sign_in_failed'] },
  { equal: { actor_type: 'user' }, visible: ['Tag', 'sign_in_failed'] },
  { equal: {}, from: START + 10 * HOUR },
  { equal: {}, until: START + 10 * HOUR },
  { equal: { action: 'updated' }, from: START - HOUR, until: START + 20 * HOUR },
];

/** Number and ids of the entries for each filter, by descending and ascending id. */
async function found(service: Service): Promise<[number, ...(readonly number[])[]][]> {
  await chainAudit(service);
  const all: [number, ...(readonly number[])[]][] = [];
  for (const filter of FILTERS) {
    const pages = [];
    for (const direction of ['desc', 'asc'] as const)
      pages.push(await readAuditPage(service, filter, { limit: 1000, offset: 0, direction }));
    const ids = pages.map(({ entries }) => entries.map(({ head }) => head.id));
    assert.deepEqual(ids[0], ids[1]!.toReversed());
    assert.equal(pages[0]!.total, ids[0]!.length, JSON.stringify(filter));
    all.push([pages[0]!.total, ...ids]);
  }
  return all;
}

/** Writes entries of one transaction each, one per hour. */
async function writeEntries(service: Service, count: number, from: number): Promise<void> {
  const actions = ['created', 'updated', 'deleted'];
  for (let number = 0; number < count; number += 1) {
    const isEvent = number % 5 === 4;
    const resource = isEvent ? null : number % 2 === 0 ? 'Tag' : 'Product';
    const record = isEvent ? null : String(number % 4);
    const entry: NewEntry = {
      ...{ action: isEvent ? 'sign_in_failed' : actions[number % 3]!, resource, record, version: null, changes: {} },
      path:
        record === null ? null : `/api/${number % 2 === 0 ? 'tags' : 'products'}/${number % 2 === 0 ? '1' : record}`,
    };
    const actor = {
      ...{ type: number % 3 === 0 ? 'user' : 'key', id: String(number % 7), keyName: '' },
      ...{ address: `192.0.2.${number % 3}`, requestId: `request ${number % 6}` },
    };
    await service.database.transaction((transaction) =>
      writeAuditEntries(service, transaction, actor, [entry], from + number * HOUR),
    );
  }
}

async function planOf(
  { database }: Service,
  statement: Statement,
  values: Readonly<Record<string, Value>>,
): Promise<string> {
  const isSqlite = database.dialect.name === 'sqlite';
  const plan = await database.transaction(async (transaction) => {
    // Sequential scans are disabled, because the planner prefers them for small tables.
    if (!isSqlite) await transaction.run({ sql: 'set local enable_seqscan = off', placeholders: [] }, {});
    const explain = isSqlite ? 'explain query plan' : 'explain';
    return transaction.run({ ...statement, sql: `${explain} ${statement.sql}` }, values);
  });
  return plan.map((row) => row.at(-1)).join('\n');
}
