/** `purveyor user`: staff accounts in a shell (access.md §3). */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
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
    assert.match(
      owner.stderr,
      /^Created “ada@example\.com” with the role Owner\. .*until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/,
    );
    const desk = await run('create', 'grace@example.com', '--role', 'ORDER DESK', 'analyst');
    assert.match(desk.stdout, link, desk.stderr);
    assert.match(desk.stderr, /with the roles Order desk, Analyst\./);
    const taken = await run('create', 'ADA@example.com');
    assert.deepEqual([taken.code, taken.stdout], [1, '']);
    assert.match(taken.stderr, /email: This value is already used.* “purveyor user reset ada@example.com”/);
    const unknown = await run('create', 'new@example.com', '--role', 'Boss');
    assert.match(unknown.stderr, /There is no role “Boss”. Use one of Owner, Manager,/);
    const again = await run('reset', 'Ada@Example.com');
    assert.match(again.stdout, link, again.stderr);
    assert.notEqual(again.stdout, owner.stdout);
    assert.equal((await run('disable', 'grace@example.com')).stdout, 'Disabled “grace@example.com”.\n');
    assert.match(
      (await run('reset', 'grace@example.com')).stderr,
      /“grace@example.com” is disabled.*“purveyor user enable”/,
    );
    assert.equal(
      (await run('list')).stdout,
      [
        'invited   ada@example.com  Ada (Owner; last sign-in never)\n',
        'disabled  grace@example.com  grace@example.com (Order desk, Analyst; last sign-in never)\n',
      ].join(''),
    );
    const enabled = await run('enable', 'grace@example.com');
    assert.equal(enabled.stdout, 'Enabled “grace@example.com”.\n', enabled.stderr);
    assert.match(enabled.stderr, /“purveyor user reset grace@example.com” for an invitation/);
    assert.match((await run('reset', 'grace@example.com')).stdout, link);
    assert.match((await run('enable', 'ada@example.com')).stderr, /becomes active with the first sign-in/);
  });

  test('names the store, and says whether it is new or has no users', async () => {
    const elsewhere = (...args: string[]) => folder.run(['user', ...args], { DATABASE_URL: 'sqlite:other.db' });
    const listed = await elsewhere('list');
    assert.deepEqual([listed.code, listed.stdout], [0, '']);
    assert.match(listed.stderr, /^Created a new store in \S+other\.db\..*\nThe store in \S+other\.db has no users\./);
    const missing = await elsewhere('reset', 'ada@example.com');
    assert.match(missing.stderr, /^There is no user “ada@example.com” in \S+other\.db\. /);
  });

  test('turns off the second factors of a user, and forgets the identity at a provider, only if asked to', async () => {
    await run('create', 'lost@example.com');
    await run('create', 'other@example.com');
    const sqlite = new DatabaseSync(database.url.replace(/^sqlite:(?:\/\/)?/, ''));
    sqlite.exec(`update staff_user set totp = 'GEZDGNBVGY3TQOJQ', totp_step = 1 where email = 'lost@example.com'`);
    sqlite.exec(`insert into staff_recovery_code select id, 'hash' from staff_user where email = 'lost@example.com'`);
    sqlite.exec(`insert into staff_passkey (user_id, name, credential_id, public_key, counter, transports, created)
      select id, 'Phone', 'AAAA', 'AAAA', 0, '[]', 0 from staff_user`);
    const factor = () =>
      sqlite
        .prepare(
          `select totp, (select count(*) from staff_recovery_code) codes,
            (select count(*) from staff_passkey where user_id = staff_user.id) passkeys,
            (select count(*) > 0 from staff_passkey where user_id <> staff_user.id) others from staff_user where email like 'lost%'`,
        )
        .get();
    const kept = await run('reset', 'lost@example.com');
    assert.match(kept.stdout, /#token=/);
    assert.match(kept.stderr, /still asks for the code/);
    assert.deepEqual({ ...factor() }, { totp: 'GEZDGNBVGY3TQOJQ', codes: 1, passkeys: 1, others: 1 });
    const dropped = await run('reset', 'Lost@example.com', '--drop-second-factor');
    assert.match(dropped.stdout, /#token=/, dropped.stderr);
    assert.match(dropped.stderr, /Two-step sign-in is off now/);
    assert.deepEqual({ ...factor() }, { totp: null, codes: 0, passkeys: 0, others: 1 });
    assert.equal((await run('reset', 'lost@example.com', '--drop-second-factor')).code, 0, 'again');
    sqlite.exec(
      `insert into staff_identity select 'issuer', 'subject', id from staff_user where email = 'lost@example.com'`,
    );
    const identities = () => sqlite.prepare('select count(*) count from staff_identity').get()!.count;
    assert.equal((await run('reset', 'lost@example.com')).code, 0);
    assert.equal(identities(), 1);
    assert.equal((await run('reset', 'lost@example.com', '--drop-identity')).code, 0);
    assert.equal(identities(), 0);
    sqlite.close();
  });
});
