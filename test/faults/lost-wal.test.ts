/** Row F12 of docs/reliability/f-storage.md: a missing write-ahead log (WAL) is detected, and no intact store is rejected. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { openSqlite } from '../../src/adapters/sqlite/database.ts';
import { LOG_EXPECTED } from '../../src/adapters/sqlite/lost-wal.ts';
import { Client } from '../../torture/client.ts';
import { placeIn, Server, type StoreLocation, stop } from '../../torture/server.ts';
import { Folder } from '../cli/program.ts';
import { column, create, run, runQuery, scenario } from '../support/database-scenario.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('a missing WAL after kill -9 prevents the start, and no write is lost when it is back', async (run) => {
  const route = placeIn(run.folder);
  const wal = `${route.file}-wal`;
  await addTag(route, 'first', 'SIGTERM');
  assert.ok(!existsSync(wal));
  await addTag(route, 'second', 'SIGKILL');
  renameSync(wal, `${wal}.away`);
  await assertRejected(route);
  await assertRejected(route, 'also the second start');
  renameSync(`${wal}.away`, wal);
  assert.deepEqual(await tagsIn(route), ['first', 'second']);
});

stressTest('an empty WAL file accepts the loss of a missing WAL, and the store works again', async (run) => {
  const route = placeIn(run.folder);
  await addTag(route, 'first', 'SIGTERM');
  await addTag(route, 'second', 'SIGKILL');
  rmSync(`${route.file}-wal`);
  await assertRejected(route);
  writeFileSync(`${route.file}-wal`, '');
  assert.deepEqual(await tagsIn(route), ['first']);
  await addTag(route, 'third', 'SIGKILL');
  assert.deepEqual(await tagsIn(route), ['first', 'third']);
});

stressTest('commands detect a missing WAL, and the last process to close removes the WAL', async ({ folder }) => {
  const route = placeIn(folder);
  const commands = await Folder.make();
  const environment = { DATABASE_URL: route.databaseUrl, IMAGES_URL: `file:${route.imagesFolder}` };
  const keys = () => commands.run(['keys', 'create', crypto.randomUUID()], environment);
  await addTag(route, 'first', 'SIGKILL');
  renameSync(`${route.file}-wal`, `${route.file}-wal.away`);
  const { code, stderr } = await keys();
  assert.equal(code, 1);
  assert.match(stderr, MISSING_WAL);
  renameSync(`${route.file}-wal.away`, `${route.file}-wal`);
  assert.equal((await keys()).code, 0);
  assert.ok(!existsSync(`${route.file}-wal`));
  assert.deepEqual(await tagsIn(route), ['first']);
  const server = new Server(route);
  await server.ready();
  assert.equal((await keys()).code, 0);
  await server.end('SIGKILL');
  assert.deepEqual(await tagsIn(route), ['first']);
  await commands.remove();
});

stressTest('a WAL that another program has checkpointed and removed is not reported as missing', async ({ folder }) => {
  const route = placeIn(folder);
  await addTag(route, 'first', 'SIGKILL');
  const other = new DatabaseSync(route.file!);
  other.exec('SELECT * FROM tag; VACUUM');
  other.close();
  assert.ok(!existsSync(`${route.file}-wal`));
  assert.deepEqual(await tagsIn(route), ['first']);
});

for (const commits of [0, 1, 99, 100, 101, 250])
  scenario(
    'sqlite',
    `rejects a copy of the database file without its WAL, ${commits} commits after the start`,
    async ({ database, fresh }) => {
      const file = fresh.url.slice('sqlite:'.length);
      await database.migrate([{ name: '0001-things', steps: [create('thing', [column('id', 'integer')])] }]);
      for (let count = 0; count < commits; count += 1) await run(database, sql`insert into thing (id) values (null)`);
      copyFileSync(file, `${file}.alone`);
      await assert.rejects(openSqlite(`${file}.alone`), MISSING_WAL);
      copyFileSync(file, `${file}.both`);
      copyFileSync(`${file}-wal`, `${file}.both-wal`);
      const both = await openSqlite(`${file}.both`);
      assert.deepEqual(await runQuery(both, sql`select count(*) from thing`), [[commits]]);
      await both.close();
    },
  );

scenario(
  'sqlite',
  'the last process to close removes the mark of a process that was killed during a checkpoint',
  async (scene) => {
    const file = `${scene.fresh.url.slice('sqlite:'.length)}.other`;
    const database = await openSqlite(file);
    const killed = new DatabaseSync(file);
    killed.exec(`PRAGMA user_version = ${LOG_EXPECTED}`);
    killed.close();
    await database.close();
    assert.ok(!existsSync(`${file}-wal`));
    await (await openSqlite(file)).close();
  },
);

const MISSING_WAL = /its write-ahead log \S+-wal is missing.*Put the log back.*restore a backup.*touch \S+-wal/;

async function addTag(route: StoreLocation, name: string, end: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const server = new Server(route);
  const client = new Client(await server.ready());
  await client.expect('POST', '/api/tags', { name });
  client.close();
  await server.end(end);
}

async function tagsIn(route: StoreLocation): Promise<string[]> {
  const server = new Server(route);
  const client = new Client(await server.ready());
  const { json } = await client.expect('GET', '/api/tags');
  client.close();
  await stop(server);
  return json.map(({ name }: { name: string }) => name);
}

async function assertRejected(route: StoreLocation, message?: string): Promise<void> {
  const server = new Server(route);
  await assert.rejects(server.ready(), MISSING_WAL, message);
  const { code, output } = await server.ended;
  assert.equal(code, 1);
  assert.equal(output.trim().split('\n').length, 1, output);
}
