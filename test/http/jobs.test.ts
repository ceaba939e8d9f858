/** The chores of a serving process: one that fails stops no other, and starts and stops are no hours of serving. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../src/engine/unit/service.ts';
import { startJobs } from '../../src/store/jobs.ts';
import { readSetting, settingsOf } from '../../src/store/settings.ts';
import { databaseNames } from '../support/databases.ts';
import { openedStore, withOverrides } from '../support/opened-store.ts';

const KEEP = { changesKeepDays: 30 };
const PATIENCE_MS = 10_000;

for (const name of databaseNames)
  describe(`background jobs (${name})`, () => {
    test('a failed job is logged and does not stop the others', async () => {
      const { service, remove } = await openedStore(name);
      try {
        const isAsked = Promise.withResolvers<void>();
        const images = withOverrides(service.images, {
          // The last chore asks the image store for every file.
          async *list() {
            isAsked.resolve();
            yield* service.images.list();
          },
        });
        const messages: string[] = [];
        const warn = (details: object, message: string) =>
          void messages.push(`${message}: ${(details as { err: Error }).err.message}`);
        const jobs = startJobs({ ...failingAt('admin_session', service), images }, { info() {}, warn }, KEEP);
        const isOver = await Promise.race([isAsked.promise, sleep(PATIENCE_MS, 'never', { ref: false })]);
        await jobs.stop();
        assert.equal(isOver, undefined, 'the last chore begins');
        assert.deepEqual(messages, ['cannot delete expired data: no sessions today']);
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
