/** `purveyor health`, as called by a container's health check. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { startOf } from '../support/start-line.ts';
import { Folder } from './program.ts';

let folder: Folder;
beforeEach(async () => {
  folder = await Folder.make();
});
afterEach(() => folder.remove());

test('health exits 0 for a ready server, also if it listens on all addresses', async () => {
  const { address } = await startOf(folder.start(['serve'], { HOST: '0.0.0.0' }));
  const { port } = new URL(address);
  for (const HOST of ['0.0.0.0', '127.0.0.1'])
    assert.deepEqual(await folder.run(['health'], { HOST, PORT: port }), { code: 0, stdout: 'ready\n', stderr: '' });
});

test('health exits 1 if no server responds or PORT is 0', async () => {
  const server = folder.start(['serve']);
  const { port } = new URL((await startOf(server)).address);
  server.signal('SIGTERM');
  await server.ended;
  const { code, stderr } = await folder.run(['health'], { PORT: port });
  assert.equal(code, 1);
  assert.match(stderr, /^No server responds at http:\/\/127\.0\.0\.1:\d+\/readyz: connect ECONNREFUSED .*\n$/);
  const anywhere = await folder.run(['health'], { PORT: '0' });
  assert.deepEqual([anywhere.code, anywhere.stdout], [1, '']);
  assert.match(anywhere.stderr, /PORT is 0/);
});
