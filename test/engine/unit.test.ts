/** The unit of work and its files, on both databases. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openImageFolder } from '../../src/adapters/images-disk/index.ts';
import { sha256 } from '../../src/adapters/secrets/sha256.ts';
import {
  type BulkForm,
  createService,
  inUnit,
  isProblem,
  orderChanges,
  type Problem,
  problem,
  readBulkTask,
  type Service,
  sweepFiles,
  writeLines,
  writeRecord,
} from '../../src/engine/index.ts';
import type { AttachmentReader, Database, ImageDecoder, ImageStore, Secrets } from '../../src/engine/ports.ts';
import { allowRemovals, holdRemovals } from '../../src/engine/unit/held-removals.ts';
import { committed } from '../../src/engine/unit/reads.ts';
import { claimFile, disclaimFiles, FileGone, releaseFiles } from '../../src/engine/unit/released-files.ts';
import { ownRequestOptions, routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { environmentOf, storeModel } from '../../src/wiring/open.ts';
import { databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { entriesAfter } from '../support/journal.ts';
import { changed, made } from '../support/opened-store.ts';

for (const name of databaseNames)
  describe(`the unit of work (${name})`, () => {
    let fresh: FreshDatabase;
    let database: Database;
    let folder: string;
    let images: ImageStore;
    let service: Service;
    before(async () => {
      fresh = await freshDatabase(name, 'migrated');
      database = await fresh.open();
      folder = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
      images = await openImageFolder(folder);
      service = createService({
        model: storeModel(),
        environment: environmentOf(readConfig({})),
        database,
        clock: { now: () => Math.floor(Date.now() / 1000), pause: (milliseconds) => sleep(milliseconds) },
        uuid: () => crypto.randomUUID(),
        randomToken: (bytes) => 'A'.repeat(bytes),
        sha256,
        images,
        // Not used: these tests decode no images.
        imageDecoder: undefined as unknown as ImageDecoder,
        attachments: undefined as unknown as AttachmentReader,
        secrets: undefined as unknown as Secrets,
      });
    });
    after(async () => {
      await database.close();
      await fresh.remove();
      await rm(folder, { recursive: true });
    });

    const requestOptions = ownRequestOptions('en');
    const { signal } = new AbortController();

    test('rolls back if the claim on a file has ended', async () => {
      const file = `${hash('sha256', 'one')}.png`;
      const claim = await claimFile(service, file);
      await images.put(file, Buffer.from('one'));
      await inUnit(service, requestOptions, (unit) => releaseFiles(unit, [file]));
      assert.equal(await sweepFiles(service, signal), 0, 'a claimed file is not removed');
      await disclaimFiles(service, [claim]);
      assert.equal(await sweepFiles(service, signal), 1);
      assert.equal(await images.has(file), false);
      const late = inUnit(service, requestOptions, async (unit) => {
        await unit.insert('Language', { code: 'de', name: 'Deutsch' });
        await unit.endClaims([claim]);
      });
      await assert.rejects(late, FileGone);
      assert.equal(await committed(service, requestOptions).count('Language', {}), 0);
    });

    test('does not remove a released file while removals are held', async () => {
      const file = `${hash('sha256', 'two')}.png`;
      await images.put(file, Buffer.from('two'));
      await holdRemovals(service, 'copy', 3600);
      await inUnit(service, requestOptions, (unit) => releaseFiles(unit, [file]));
      assert.equal(await sweepFiles(service, signal), 0);
      await allowRemovals(service, 'copy');
      assert.equal(await sweepFiles(service, signal), 1);
    });

    test('rejects a write in a language deleted since the request was parsed', async () => {
      const german = { ...requestOptions, language: 'de' };
      const rejected = await writeRecord(service, german, targetAt(routeOf(service, 'Tag')), 'create', { name: 'Rot' });
      assert.ok(isProblem(rejected) && rejected.problem === 'service-unavailable', JSON.stringify(rejected));
      assert.equal(await committed(service, requestOptions).count('Tag', {}), 0);
    });

    test('rolls back and publishes no commit after a problem', async () => {
      let commits = 0;
      const unlisten = service.commits.listen(() => {
        commits += 1;
      });
      const outcome = await inUnit(service, requestOptions, async (unit): Promise<Problem | undefined> => {
        await unit.insert('Language', { code: 'en', name: 'English' });
        assert.equal(await unit.count('Language', {}), 1);
        return problem('conflict', 'Not so.');
      });
      unlisten();
      assert.ok(isProblem(outcome) && outcome.detail === 'Not so.');
      assert.equal(await committed(service, requestOptions).count('Language', {}), 0);
      assert.deepEqual(await entriesAfter(database, 0), []);
      assert.equal(commits, 0);
    });

    test('orders its journal entries after earlier ones that wait for positions', async () => {
      await made(service, 'Language', { code: 'it', name: 'Italian 1' });
      for (let number = 2; number <= 12; number += 1)
        await changed(service, 'Language', 'it', { name: `Italian ${number}` });
      await orderChanges(service);
      const versions = (await entriesAfter(database, 0)).map(({ version }) => version);
      assert.deepEqual(
        versions,
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
    });

    test('writes the lines of a bulk in their order after a transaction has failed', async () => {
      await made(service, 'Language', { code: 'en', name: 'English' });
      const route = routeOf(service, 'Product');
      let transactions = 0;
      const transaction: Database['transaction'] = (work) =>
        database.transaction(async (opened) => {
          transactions += 1;
          const isFirst = transactions === 1;
          const result = await work(opened);
          if (isFirst) throw new Error('The first transaction fails.');
          return result;
        });
      const query: Database['query'] = (statement, values) => database.query(statement, values);
      const failing = { ...service, database: { dialect: database.dialect, query, transaction } as Database };
      const by = route.resource.fields.get('sku')!;
      const conditionOf = () => () => undefined;
      const form: BulkForm = { ...{ route, parents: [], by, conditionOf }, mode: 'upsert', write: 'patch' };
      const wanting = ['A', 'B', 'C', 'D'].map((sku) => ({
        task: readBulkTask(failing, requestOptions, form, { sku, name: sku, clean_url: 'wanted' }),
      }));
      const failed = () => problem('internal-error', 'Failed.');
      const outcomes = await writeLines(failing, requestOptions, wanting, (work) => work(), failed);
      const results = outcomes.map((outcome) => (isProblem(outcome) ? outcome.problem : outcome.result));
      const rejected = 'validation-failed';
      // On SQLite, the first transaction contains only the first line. On PostgreSQL, it contains all.
      const expected = name === 'sqlite' ? ['internal-error', 'created'] : ['created', rejected];
      assert.deepEqual(results, [...expected, rejected, rejected]);
    });
  });
