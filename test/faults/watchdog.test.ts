/** A blocked event loop (docs/reliability/i-overload.md, I9). */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../torture/client.ts';
import { placeIn, Server, stop } from '../../torture/server.ts';
import { stressTest } from '../support/stress-test.ts';

blockingTest('the stack of a blocked event loop is logged, and the server continues afterwards', async (block) => {
  const { server, client } = await block.start({ BLOCKED_LOG_SECONDS: '1' });
  await client.expect('POST', '/api/tags', { name: 'saved' });
  await block.begin();
  const logged = await lineWith(server, 'The event loop was blocked at this stack.');
  assert.equal(logged.level, 50);
  assert.equal(logged.pid, server.pid);
  assert.match(String(logged.stack), /busyLoop .*preload\.mjs/);
  block.end();
  await client.expect('GET', '/api/tags/1');
  await stop(server);
});

blockingTest('a request that arrives while the event loop is blocked is answered afterwards', async (block) => {
  const { server, client } = await block.start({ KEEP_ALIVE_SECONDS_MAX: '2' });
  await client.expect('GET', '/api/tags');
  await block.begin();
  const response = client.send('POST', '/api/tags', { name: 'requested' });
  // Longer than the keep-alive timeout.
  await sleep(4000);
  block.end();
  assert.equal((await response).status, 201);
  await stop(server);
});

blockingTest('an endless statement ends the process, and the next one has all acknowledged writes', async (block) => {
  const { server, client } = await block.start({ BLOCKED_LOG_SECONDS: '0', BLOCKED_EXIT_SECONDS: '1' });
  await client.expect('POST', '/api/tags', { name: 'saved' });
  await block.begin('endlessStatement');
  const { signal, output } = await server.ended;
  assert.equal(signal, 'SIGKILL');
  assert.match(output, /"level":60.*blocked for 1 s; the process is ended/);
  const next = await block.start({});
  assert.equal((await next.client.expect('GET', '/api/tags/1')).json.name, 'saved');
  await stop(next.server);
});

blockingTest('a process that was stopped by SIGSTOP continues, because the watchdog was stopped too', async (block) => {
  const { server, client } = await block.start({ BLOCKED_LOG_SECONDS: '3', BLOCKED_EXIT_SECONDS: '3' });
  // The watchdog must start before, and check the still blocked loop once after the stop.
  await sleep(2000);
  await block.begin();
  server.signal('SIGSTOP');
  await sleep(5000);
  server.signal('SIGCONT');
  await sleep(1000);
  block.end();
  await client.expect('GET', '/api/tags');
  await stop(server);
  assert.doesNotMatch(server.output, /event loop/);
});

/** Servers in one folder; the event loop of the last one can be blocked. */
class BlockableServers {
  readonly #folder: string;
  readonly #started: { server: Server; client: Client }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(environment: Readonly<Record<string, string>>): Promise<{ server: Server; client: Client }> {
    const preload = this.#file('preload.mjs');
    writeFileSync(
      preload,
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
       import { DatabaseSync } from 'node:sqlite';
       const [wanted, begun, ended] = ${JSON.stringify(['wanted', 'begun', 'ended'].map((name) => this.#file(name)))};
       const works = {
         busyLoop() { while (!existsSync(ended)); },
         endlessStatement() {
           new DatabaseSync(':memory:').exec('with recursive number (n) as (select 1 union all select n + 1 from number) select max(n) from number');
         },
       };
       // Runs right before the timers of an iteration, so that they expire before input is read.
       process.on('SIGUSR2', () => setImmediate(() => {
         writeFileSync(begun, '');
         works[readFileSync(wanted, 'utf8')]();
       }));`,
    );
    const server = new Server(placeIn(this.#folder), { environment, nodeArguments: ['--import', preload] });
    const client = new Client(await server.ready());
    this.#started.push({ server, client });
    return { server, client };
  }

  async begin(work = 'busyLoop'): Promise<void> {
    writeFileSync(this.#file('wanted'), work);
    this.#started.at(-1)!.server.signal('SIGUSR2');
    while (!existsSync(this.#file('begun'))) await sleep(20);
  }

  end(): void {
    writeFileSync(this.#file('ended'), '');
  }

  async close(): Promise<void> {
    for (const { server, client } of this.#started) {
      client.close();
      await server.end('SIGKILL');
    }
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}

function blockingTest(title: string, play: (block: BlockableServers) => Promise<void>): void {
  stressTest(title, async ({ folder }) => {
    const block = new BlockableServers(folder);
    await play(block).finally(() => block.close());
  });
}

async function lineWith(server: Server, message: string): Promise<Record<string, unknown>> {
  for (;;) {
    const line = server.output.split('\n').find((line) => line.includes(message) && line.endsWith('}'));
    if (line !== undefined) return JSON.parse(line);
    if (server.hasEnded) throw new Error(`The server ended:\n${server.output}`);
    await sleep(20);
  }
}
