/** The chores of a serving process: one that fails stops no other, and starts and stops are no hours of serving. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditFaults } from '../../src/engine/unit/audit/audit-faults.ts';
import { chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { indexAudit } from '../../src/engine/unit/audit/index-audit.ts';
import { readAuditPage } from '../../src/engine/unit/audit/read-audit.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { readAuditHead } from '../../src/store/audit/audit-head.ts';
import { startJobs } from '../../src/store/jobs.ts';
import { readSetting, settingsOf } from '../../src/store/settings.ts';
import { databaseNames } from '../support/databases.ts';
import { dumpTables } from '../support/dump.ts';
import { made, openedStore, withOverrides } from '../support/opened-store.ts';

const KEEP = { changesKeepDays: 30, auditKeepDays: 0 };
const PATIENCE_MS = 10_000;
const SECONDS_PER_DAY = 24 * 3600;

for (const name of databaseNames)
  describe(`background jobs (${name})`, () => {
    test('a failed job is logged and does not stop the others', async () => {
      const { service, remove } = await openedStore(name);
      try {
        const { warnings } = await choresOf(failingAt('admin_session', service), KEEP);
        assert.deepEqual(warnings, ['cannot delete expired data: no sessions today']);
      } finally {
        await remove();
      }
    });

    test('audit entries expire from the first one on, and the others stay a valid chain', async () => {
      const { service: opened, url, remove } = await openedStore(name);
      let now = opened.clock.now();
      const service = { ...opened, clock: { ...opened.clock, now: () => now } };
      const page = { limit: 100, offset: 0, direction: 'asc' } as const;
      const entries = async (equal: { readonly path?: string }) => {
        await chainAudit(service);
        return (await readAuditPage(service, { equal }, page)).entries.map(({ head }) => [head.id, head.path]);
      };
      const pathOf = async (tag: string): Promise<string> =>
        `/api/tags/${(await made(service, 'Tag', { name: tag })).record.id}`;
      try {
        const old = await pathOf('old');
        now += 2 * SECONDS_PER_DAY;
        const recent = await pathOf('recent');
        const found = [await entries({ path: old }), await entries({ path: recent })] as const;
        const last = found[1][0]![0] as number;
        assert.deepEqual(found, [[[last - 1, old]], [[last, recent]]]);
        await indexAudit(service, new AbortController().signal);
        const later = await pathOf('later');
        assert.deepEqual([await entries({ path: old }), await entries({ path: recent })], found);
        assert.deepEqual(await entries({ path: later }), [[last + 1, later]], 'before it is indexed');
        const indexed = async () => (await dumpTables(url)).split('\n').filter((row) => /^audit_path\b/.test(row));
        assert.equal((await indexed()).filter((row) => row.includes(old) || row.includes(recent)).length, 2);

        const head = await readAuditHead(service);
        const { warnings, heads } = await choresOf(service, { ...KEEP, auditKeepDays: 1 });
        assert.deepEqual([warnings, heads], [[], [`${head.id}:${head.hash}`]]);
        const onTerminal = await choresOf(service, { ...KEEP, logsAuditHead: false });
        assert.deepEqual(onTerminal.heads, [], 'no log line among the start screen');
        assert.deepEqual(await entries({}), [
          [last, recent],
          [last + 1, later],
        ]);
        assert.ok((await indexed()).every((row) => row.includes(recent)));
        const faults = await Array.fromAsync(auditFaults(service, () => {}));
        assert.deepEqual(faults, []);
        assert.deepEqual(await entries({ path: await pathOf('last') }).then(([first]) => first![0]), last + 2);
      } finally {
        await remove();
      }
    });

    test('26 short runs do not count as served hours', async () => {
      const { service, remove } = await openedStore(name);
      try {
        for (let starts = 0; starts < 26; starts += 1) {
          const jobs = startJobs(service, { info() {}, warn: (_, message) => assert.fail(message) }, KEEP);
          await sleep(20);
          await jobs.stop();
        }
        assert.equal((await readSetting(settingsOf(service), 'served hours')) || undefined, undefined);
      } finally {
        await remove();
      }
    });
  });

/** Runs all chores once. @returns what is logged */
async function choresOf(
  service: Service,
  keep: Parameters<typeof startJobs>[2],
): Promise<{ warnings: string[]; heads: string[] }> {
  const isAsked = Promise.withResolvers<void>();
  const images = withOverrides(service.images, {
    // The last chore asks the image store for every file.
    async *list() {
      isAsked.resolve();
      yield* service.images.list();
    },
  });
  const [warnings, heads]: [string[], string[]] = [[], []];
  const log = {
    info: (details: { auditHead?: string }) => void (details.auditHead && heads.push(details.auditHead)),
    warn: (details: object, message: string) =>
      void warnings.push(`${message}: ${(details as { err: Error }).err.message}`),
  };
  const jobs = startJobs({ ...service, images }, log, keep);
  const isOver = await Promise.race([isAsked.promise, sleep(PATIENCE_MS, 'never', { ref: false })]);
  await jobs.stop();
  assert.equal(isOver, undefined, 'the last chore begins');
  return { warnings, heads };
}

/** The store, in which no statement of a transaction succeeds that names this table. */
function failingAt(table: string, service: Service): Service {
  const { database } = service;
  const transaction: typeof database.transaction = (work) =>
    database.transaction((inner) =>
      work({
        run(statement, values) {
          if (statement.sql.includes(table)) throw new Error('no sessions today');
          return inner.run(statement, values);
        },
        lock: (lock) => inner.lock(lock),
      }),
    );
  return { ...service, database: withOverrides(database, { transaction }) };
}
