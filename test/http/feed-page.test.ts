/** The commands of docs/guides/sync.md do what the page says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { onOneDatabase, READ_ONLY_KEY } from '../support/store.ts';

const PAGE = 'docs/guides/sync.md';

onOneDatabase('synchronization guide', {}, (store) => {
  test('the first script of docs/guides/sync.md runs unchanged and prints all changes', async () => {
    const [first] = /(?<=```sh\n).*?(?=```)/s.exec(await readFile(PAGE, 'utf8'))!;
    const { id } = await store.product();
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-feed-'));
    const script = first
      .replace('http://127.0.0.1:8080', store.address)
      .replace('<your API key>', READ_ONLY_KEY)
      // Somebody changes the product between the two.
      .replace(
        '# All that has changed',
        'echo; touch read; while [ ! -f changed ]; do sleep 0.05; done\n# All that has changed',
      );
    const running = promisify(execFile)('sh', ['-eu', '-c', script], { cwd: folder });
    try {
      while (!(await readFile(join(folder, 'read')).catch(() => undefined)))
        await new Promise((resolve) => setTimeout(resolve, 20));
      await store.patch(`/api/products/${id}`, { price: 3 });
      await promisify(execFile)('touch', ['changed'], { cwd: folder });
      const [snapshot, changes] = (await running).stdout.split('\n').map((line) => JSON.parse(line));
      assert.deepEqual(
        snapshot.map((entry: { path: string; action: string }) => [entry.path, entry.action]),
        [[`/api/products/${id}`, 'created']],
      );
      assert.deepEqual([changes.length, changes[0].action, changes[0].record.price], [1, 'updated', 3]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
