/** Full, failing and replaced disks and files (docs/reliability/f-storage.md). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../torture/client.ts';
import { needRoot, needTools, SmallDisk } from '../../torture/disk.ts';
import { diskFull } from '../../torture/disk-full.ts';
import { FAULTS, failingCalls } from '../../torture/failing-calls.ts';
import { descriptors, imagesAway, imagesReadOnly } from '../../torture/limits.ts';
import { DoesNotApply } from '../../torture/report.ts';
import { placeIn, Server, stop } from '../../torture/server.ts';
import { attach } from '../../torture/syscalls.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('a full disk causes a 503 for writes, reads are served, and writes work when there is space', (run) =>
  diskFull(run, 'bytes'),
);
stressTest('a disk without free inodes causes a 503 for images, and other records work', (run) =>
  diskFull(run, 'names'),
);
stressTest('a server without free descriptors serves accepted connections and recovers', descriptors);
stressTest('a missing image folder causes a 503 for images, and other records work', imagesAway);
stressTest('a read-only image folder causes a 503 for images, and other records work', imagesReadOnly);

stressTest('a failed fsync of the database causes a 503 and exit 1, and no partial write', async (run) => {
  const faults = FAULTS.filter(({ call, error, threads }) => call === 'fsync' && error === 'EIO' && threads === 'main');
  const { ended } = await failingCalls(run, { operations: ['create'], faults });
  assert.equal(ended, 2, 'for a single and for a permanent fault');
});

stressTest(
  'a failed fsync of a shared commit causes a 503 for each of its writes and exit 1, and loses no earlier write',
  async (run) => {
    needTools({ strace: 'strace' });
    const route = placeIn(run.folder);
    const server = new Server(route);
    const address = await server.ready();
    const clients = Array.from({ length: 8 }, () => new Client(address));
    const post = (name: string) =>
      Promise.all(clients.map((client, index) => client.send('POST', '/api/tags', { name: `${name} ${index}` })));
    assert.deepEqual(new Set((await post('before')).map(({ status }) => status)), new Set([201]));
    const fault = { call: 'fsync', inject: 'error=EIO', nth: 1, forEver: false, threads: 'main' } as const;
    const attached = await attach(server.pid, fault, run.folder);
    const responses = await post('in doubt');
    assert.equal((await server.ended).code, 1);
    assert.ok((await attached.detach()) > 0);
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([503]));
    for (const client of clients) client.close();

    const next = new Server(route);
    const reader = new Client(await next.ready());
    const { json } = await reader.expect('GET', '/api/tags?itemsPerPage=100');
    reader.close();
    await stop(next);
    assert.equal((json as { name: string }[]).filter(({ name }) => name.startsWith('before')).length, 8);
  },
);

stressTest('a failed fsync of an image or its folder causes a 503 and exit 1, and no partial write', async (run) => {
  const faults = FAULTS.filter(({ call, threads }) => call === 'fsync' && threads === 'all');
  const { ended } = await failingCalls(run, { operations: ['upload'], faults, stride: 3 });
  assert.ok(ended >= 2, `the server ended ${ended} times`);
});

stressTest(
  'a disk that is full during a write causes a 503, no partial write, and the server continues',
  async (run) => {
    const faults = FAULTS.filter(({ call, error }) => call === 'pwrite64' && error === 'ENOSPC');
    const { failed, ended } = await failingCalls(run, { operations: ['place'], faults, stride: 5 });
    assert.ok(failed > 2, `${failed} calls failed`);
    assert.equal(ended, 0);
  },
);

stressTest('a disk on which every fsync fails prevents the start with a one-line error', async ({ folder }) => {
  needTools({ strace: 'strace' });
  const route = placeIn(folder);
  const first = new Server(route);
  await first.ready();
  await stop(first);
  const inject = ['-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO:when=1+'];
  const server = new Server(route, { through: ['strace', '-f', '-qq', '-o', join(folder, 'strace.log'), ...inject] });
  await assert.rejects(server.ready(), /disk I\/O error/);
  const { code, output } = await server.ended;
  assert.equal(code, 1);
  assert.equal(output.trim().split('\n').length, 1, output);
});

for (const suffix of ['', '-wal'])
  stressTest(`after store.db${suffix} is replaced, the server acknowledges no write and exits with 1`, async (run) => {
    const route = placeIn(run.folder);
    const server = new Server(route);
    const client = new Client(await server.ready());
    await client.expect('POST', '/api/tags', { name: 'before' });
    renameSync(route.file! + suffix, `${route.file}.away`);
    writeFileSync(route.file! + suffix, '');
    const response = await client.send('POST', '/api/tags', { name: 'after' });
    assert.equal(response.status, 503);
    client.close();
    const { code, output } = await server.ended;
    assert.equal(code, 1);
    assert.match(output, /can no longer be written safely.*was deleted or replaced/);
  });

stressTest('a tmp folder on another file system than the images prevents the start', async ({ folder }) => {
  needRoot('Mounting');
  const route = placeIn(folder);
  const disk = await SmallDisk.make(route.imagesFolder, 'size=1m', 'tmp');
  try {
    const server = new Server(route);
    await assert.rejects(server.ready(), /tmp and \S+ must be on the same file system/);
    assert.equal((await server.ended).code, 1);
  } finally {
    await disk.unmount();
  }
});

stressTest('an image folder has one owner also on a file system without hard links', async (run) => {
  needTools({ strace: 'strace' });
  const program = `
    import { openImageFolder } from '${import.meta.resolve('../../src/adapters/images-disk/index.ts')}';
    const images = await openImageFolder('images');
    for (const [owner, before] of [['one'], ['two'], ['nobody', 'one'], ['two', 'nobody'], ['one', 'nobody']])
      console.log(await images.claim(owner, before));`;
  const trace = ['-f', '-qq', '-o', 'links', '-e', 'trace=link,linkat', '-e', 'inject=link,linkat:error=EPERM'];
  const node = [process.execPath, '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync('strace', [...trace, ...node], { cwd: run.folder, encoding: 'utf8' });
  if (/ptrace/.test(stderr)) throw new DoesNotApply(`strace cannot trace here: ${stderr}`);
  assert.match(readFileSync(join(run.folder, 'links'), 'utf8'), /INJECTED/);
  assert.deepEqual(stdout.split('\n'), ['one', 'one', 'nobody', 'two', 'two', ''], stderr);
  assert.deepEqual(readdirSync(join(run.folder, 'images/tmp')), []);
});
