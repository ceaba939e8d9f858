/** `purveyor user`: staff accounts in a shell (access.md §3). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { Folder } from './program.ts';

describe('purveyor user', () => {
  let database: FreshDatabase;
  let folder: Folder;
  before(async () => {
    folder = await Folder.make();
    database = await freshDatabase('sqlite', 'migrated');
  });
  after(async () => {
    await database.remove();
    await folder.remove();
  });

  const run = (...args: string[]) =>
    folder.run(['user', ...args], { DATABASE_URL: database.url, BASE_URL: 'https://shop.example' });

  test('creates users with roles in any case, prints links, lists and disables users', async () => {
    const link = /^https:\/\/shop\.example\/admin#token=[\w-]{43}\n$/;
    const owner = await run('create', 'ada@example.com', '--name', 'Ada');
    assert.match(owner.stdout, link, owner.stderr);
    const desk = await run('create', 'grace@example.com', '--role', 'ORDER DESK', 'analyst');
    assert.match(desk.stdout, link, desk.stderr);
    const taken = await run('create', 'ADA@example.com');
    assert.deepEqual([taken.code, taken.stdout], [1, '']);
    assert.match(taken.stderr, /email: This value is already used/);
    const unknown = await run('create', 'new@example.com', '--role', 'Boss');
    assert.match(unknown.stderr, /There is no role “Boss”. Use one of Owner, Manager,/);
    const again = await run('reset', 'Ada@Example.com');
    assert.match(again.stdout, link, again.stderr);
    assert.notEqual(again.stdout, owner.stdout);
    assert.equal((await run('disable', 'grace@example.com')).stdout, 'Disabled “grace@example.com”.\n');
    assert.match((await run('reset', 'grace@example.com')).stderr, /“grace@example.com” is disabled/);
    assert.equal(
      (await run('list')).stdout,
      [
        'invited   ada@example.com  Ada (Owner; last sign-in never)\n',
        'disabled  grace@example.com  grace@example.com (Order desk, Analyst; last sign-in never)\n',
      ].join(''),
    );
  });
});
