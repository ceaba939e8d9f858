/** A loop that stands still (docs/reliability/i-overload.md, I9). */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../torture/client.ts';
import { placeIn, Server, stop } from '../../torture/server.ts';
import { torture } from '../support/torture.ts';

torture('where a loop stands still is logged, and it goes on when it can', async ({ folder }) => {
  const released = join(folder, 'released');
  const server = blockable(folder, until(released), { BLOCKED_LOG_SECONDS: '1' });
  const client = new Client(await server.ready());
  await client.expect('POST', '/api/tags', { name: 'kept' });
  server.signal('SIGUSR2');
  const logged = await lineWith(server, 'Here the event loop stood still.');
  assert.equal(logged.level, 50);
  assert.equal(logged.pid, server.pid);
  assert.match(String(logged.stack), /standStill .*preload\.mjs/);
  writeFileSync(released, '');
  await client.expect('GET', '/api/tags/1');
  client.close();
  await stop(server);
});

const ENDLESS = `new DatabaseSync(':memory:').exec(
  'with recursive number (n) as (select 1 union all select n + 1 from number) select max(n) from number')`;

torture('a statement without end ends the process, and the next one has everything', async ({ folder }) => {
  const server = blockable(folder, ENDLESS, { BLOCKED_LOG_SECONDS: '0', BLOCKED_EXIT_SECONDS: '1' });
  const client = new Client(await server.ready());
  await client.expect('POST', '/api/tags', { name: 'kept' });
  const { signal, output } = await server.end('SIGUSR2');
  client.close();
  assert.equal(signal, 'SIGKILL');
  assert.match(output, /"level":60.*stood still for 1 s, so the process is ended/);
  const next = new Server(placeIn(folder));
  const again = new Client(await next.ready());
  assert.equal((await again.expect('GET', '/api/tags/1')).json.name, 'kept');
  again.close();
  await stop(next);
});

torture('a process that is stopped for longer goes on: the watch stands still with it', async ({ folder }) => {
  const [begun, released] = [join(folder, 'begun'), join(folder, 'released')];
  const server = blockable(folder, `writeFileSync(${JSON.stringify(begun)}, ''); ${until(released)}`, {
    BLOCKED_LOG_SECONDS: '3',
    BLOCKED_EXIT_SECONDS: '3',
  });
  const client = new Client(await server.ready());
  // Time for the watch to begin, and to look once more after the stop at a loop that has still not turned.
  await sleep(2000);
  server.signal('SIGUSR2');
  while (!existsSync(begun)) await sleep(20);
  server.signal('SIGSTOP');
  await sleep(5000);
  server.signal('SIGCONT');
  await sleep(1000);
  writeFileSync(released, '');
  await client.expect('GET', '/api/tags');
  client.close();
  await stop(server);
  assert.doesNotMatch(server.output, /stood still/);
});

function until(file: string): string {
  return `while (!existsSync(${JSON.stringify(file)}));`;
}

/** A real server whose loop runs `work` when it gets SIGUSR2. */
function blockable(folder: string, work: string, environment: Record<string, string>): Server {
  const preload = join(folder, 'preload.mjs');
  writeFileSync(
    preload,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { DatabaseSync } from 'node:sqlite';
     process.on('SIGUSR2', function standStill() { ${work} });`,
  );
  return new Server(placeIn(folder), { environment, nodeArguments: ['--import', preload] });
}

async function lineWith(server: Server, message: string): Promise<Record<string, unknown>> {
  for (;;) {
    const line = server.output.split('\n').find((line) => line.includes(message) && line.endsWith('}'));
    if (line !== undefined) return JSON.parse(line);
    if (server.hasEnded) throw new Error(`The server ended:\n${server.output}`);
    await sleep(20);
  }
}
