/** Several workers of one server (`WORKERS`) behave like one process, also if one of them ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freshness } from '../../torture/freshness.ts';
import { history } from '../../torture/history.ts';
import { kill9 } from '../../torture/kill9.ts';
import { Folder, type Running } from '../cli/program.ts';
import { withBackgroundClients } from '../support/background-clients.ts';
import { bareEnvironment } from '../support/compiled.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { startLineIn, startOf } from '../support/start-line.ts';
import { stressTest } from '../support/stress-test.ts';

const KEY = 'key-of-the-workers';
const isLinux = process.platform === 'linux';

/** Sends a request on a new connection, because workers receive connections; or on a connection of the agent. */
async function send(
  address: string,
  path: string,
  { key = KEY, agent, body }: { key?: string; agent?: Agent; body?: object } = {},
) {
  const headers = { 'x-auth-token': key, ...(body && { 'content-type': 'application/json' }) };
  const sent = request(`${address}${path}`, { method: body ? 'POST' : 'GET', agent: agent ?? false, headers });
  sent.end(body && JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode as number, headers: response.headers as Record<string, string>, text };
}

/** The ids of the worker processes. */
function workersOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    // A zombie is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  const endAt = performance.now() + UNTIL_MS_MAX;
  while (!(await what())) {
    if (performance.now() > endAt) throw new Error(`The condition was never true: ${what}`);
    await sleep(20);
  }
}

/** Longer than needed on any busy machine. */
const UNTIL_MS_MAX = 180_000;

describe('server with two workers', { skip: !isLinux && 'reads /proc' }, () => {
  let folder: Folder;
  let running: Running;
  let address: string;
  let metrics: string;
  let pid: number;
  before(async () => {
    folder = await Folder.make();
    running = folder.start(['serve'], {
      ...{ WORKERS: '2', METRICS_PORT: '0', LOG_REQUESTS: '1', API_KEY_READ_WRITE: KEY },
      ...{ RATE_LIMIT_PER_MINUTE: '10000', FAILED_KEYS_PER_MINUTE: '3', FAILED_LOGINS_PER_MINUTE: '3' },
      ...{ LIMIT_READS: '3' },
    });
    const start = await startOf(running);
    address = start.address;
    metrics = start.metrics!;
    pid = start.startLine.pid as number;
  });
  after(() => folder.remove());

  test('rate limits count requests, wrong keys and wrong passwords of all workers together', async () => {
    const left: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { headers } = await send(address, '/api/tags');
      left.push(Number(/r=(\d+)/.exec(headers.ratelimit!)![1]));
    }
    assert.deepEqual(left, [9999, 9998, 9997, 9996, 9995, 9994]);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await send(address, '/api/tags', { key: 'a-wrong-key' })).status);
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
    const body = { login: 'nobody@example.com', password: 'a-wrong-password' };
    const checked: number[] = [];
    for (let count = 0; count < 5; count += 1)
      checked.push((await send(address, '/api/profiles/check_password', { body })).status);
    assert.deepEqual(checked, [422, 422, 422, 429, 429]);
    const shop = { name: 'Shop', kind: 'publishable', origins: ['https://shop.example'] };
    const { key } = JSON.parse((await send(address, '/api/keys', { body: shop })).text);
    const read: number[] = [];
    for (let count = 0; count < 5; count += 1) read.push((await send(address, '/storefront/tags', { key })).status);
    assert.deepEqual(read, [200, 200, 200, 429, 429]);
  });

  test('one port serves the metrics of all workers, and they do not decrease when a worker ends', async () => {
    const made =
      /http_server_request_duration_seconds_count\{http_request_method="GET",http_route="\/api\/tags",http_response_status_code="200"\} (\d+)/;
    const count = async (): Promise<number> => Number(made.exec(await (await fetch(metrics)).text())?.[1] ?? 0);
    await until(async () => (await count()) === 6);
    const [killed] = workersOf(pid);
    process.kill(killed!, 'SIGKILL');
    for (let sent = 0; sent < 4; sent += 1) assert.equal((await send(address, '/api/tags')).status, 200);
    await until(async () => (await count()) === 10);
    await until(() => workersOf(pid).length === 2);
    assert.ok(!workersOf(pid).includes(killed!));
  });

  test('every worker sees a write at once', async () => {
    for (let number = 0; number < 10; number += 1) {
      assert.equal((await send(address, '/api/tags', { body: { name: `Tag ${number}` } })).status, 201);
      assert.equal((await send(address, '/api/tags?itemsPerPage=100')).headers['x-total-count'], String(number + 1));
    }
  });

  test('SIGHUP replaces the workers one by one without a failed request', async () => {
    await until(async () => (await send(address, '/readyz')).status === 200);
    const old = workersOf(pid);
    let responded = 0;
    const failed: string[] = [];
    const client = (agent?: Agent) => async (): Promise<void> => {
      const response = await send(address, '/api/tags', agent && { agent }).catch(({ message }: Error) => ({
        status: message,
      }));
      if (response.status === 200) responded += 1;
      else failed.push(String(response.status));
      await sleep(10);
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    await withBackgroundClients([client(agent), client(agent), client(), client()], async () => {
      running.signal('SIGHUP');
      await until(() => old.every((each) => !isAlive(each)));
      await until(() => workersOf(pid).length === 2);
    });
    agent.destroy();
    assert.deepEqual(failed, []);
    assert.ok(responded > 20, `${responded} succeeded`);
  });

  test('SIGHUP also replaces a worker that is just starting', async () => {
    const [killed] = workersOf(pid);
    process.kill(killed!, 'SIGKILL');
    let starting: number[] = [];
    await until(() => {
      starting = workersOf(pid).filter((each) => each !== killed);
      return starting.length === 2;
    });
    running.signal('SIGHUP');
    await until(() => !starting.some(isAlive));
    await until(() => workersOf(pid).length === 2);
    await until(async () => (await send(address, '/readyz')).status === 200);
  });

  test('a second server on the same database file or port is rejected', async () => {
    const DATABASE_URL = `sqlite:${folder.path}/data/store.db`;
    const second = await folder.run(['serve'], { WORKERS: '2', DATABASE_URL });
    assert.deepEqual(
      [second.code, second.stderr],
      [
        1,
        `Another Purveyor already serves ${folder.path}/data/store.db. Stop it, or set DATABASE_URL to another file.\n`,
      ],
    );
    const port = new URL(address).port;
    const third = await folder.run(['serve'], {
      ...{
        WORKERS: '2',
        PORT: port,
        DATABASE_URL: `sqlite:${folder.path}/other.db`,
        IMAGES_URL: `file:${folder.path}/other`,
      },
    });
    assert.equal(third.code, 1);
    assert.match(third.stderr, new RegExp(`^Port ${port} on 127.0.0.1 is in use\\. Set PORT to another.*\\n$`));
  });

  test('SIGTERM stops all workers with exit code 0, and the log names the worker of each request', async () => {
    const workers = workersOf(pid);
    running.signal('SIGTERM');
    const { code, stdout, stderr } = await running.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(workers.filter(isAlive), []);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const names = new Set(lines.filter(({ msg }) => msg === 'request completed').map(({ worker }) => worker));
    assert.deepEqual([...names].sort(), [1, 2]);
    assert.equal(lines.filter(({ msg }) => msg === 'all workers renewed').length, 2);
  });

  test('workers end when their primary process is killed, and the next server starts', async () => {
    const settings = { WORKERS: '2', API_KEY_READ_WRITE: KEY };
    const first = folder.start(['serve'], settings);
    const { startLine } = await startOf(first);
    const workers = workersOf(startLine.pid as number);
    assert.equal(workers.length, 2);
    first.signal('SIGKILL');
    await first.ended;
    await until(() => !workers.some(isAlive));
    const next = folder.start(['serve'], settings);
    const start = await startOf(next);
    assert.equal((await send(start.address, '/api/tags?itemsPerPage=100')).headers['x-total-count'], '10');
    next.signal('SIGTERM');
    assert.equal((await next.ended).code, 0);
  });
});

/** A supervisor that passes a socket as descriptor 3 and restarts the program whenever it ends. */
const SUPERVISOR = `while :; do sh -c 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"' "$0" "$@"; done`;

describe('socket of a supervisor', { skip: !isLinux && 'passes a descriptor' }, () => {
  const program = fileURLToPath(new URL('../../bin/purveyor.js', import.meta.url));
  let folder: Folder;
  before(async () => {
    folder = await Folder.make();
  });
  after(() => folder.remove());

  for (const workers of [1, 2])
    test(`no request fails while a supervisor restarts a server with ${workers} ${workers === 1 ? 'process' : 'workers'}`, async () => {
      const listener = createServer().listen(0, '127.0.0.1');
      await once(listener, 'listening');
      const address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
      const supervisor = spawn('sh', ['-c', SUPERVISOR, process.execPath, program, 'serve'], {
        cwd: folder.path,
        env: { ...bareEnvironment(), WORKERS: String(workers), PORT: '1', API_KEY_READ_WRITE: KEY },
        // A socket's descriptor is not public in Node.js, but there is no other way to pass it without accepting.
        stdio: ['ignore', 'pipe', 'inherit', (listener as unknown as { _handle: { fd: number } })._handle.fd],
      });
      // Only the supervisor uses the socket from here on.
      listener.close();
      let output = '';
      supervisor.stdout!.on('data', (text) => {
        output += text;
      });
      const started = async (): Promise<number> => {
        await until(() => startLineIn(output) !== undefined);
        const { startLine, address: own } = startLineIn(output)!;
        output = '';
        assert.equal(own, address);
        return startLine.pid as number;
      };
      const first = await started();
      const statuses: (number | string)[] = [];
      const client = async (): Promise<void> => {
        const response = await send(address, '/api/tags').catch(({ message }: Error) => ({ status: message }));
        statuses.push(response.status);
      };
      let second = 0;
      await withBackgroundClients([client, client, client], async () => {
        await until(() => statuses.length > 20);
        process.kill(first, 'SIGTERM');
        second = await started();
        const before = statuses.length;
        await until(() => statuses.length > before + 20);
      });
      supervisor.kill('SIGKILL');
      process.kill(second, 'SIGTERM');
      await until(() => !isAlive(second));
      assert.deepEqual([...new Set(statuses)], [200]);
    });
});

for (const name of databaseNames)
  describe(`four workers on ${name}`, () => {
    const url = async (): Promise<string | undefined> =>
      name === 'postgres' ? (await freshDatabase(name)).url : undefined;

    stressTest(`kills of workers and of the primary process lose no acknowledged write (${name})`, async (run) => {
      const postgresUrl = await url();
      const { acknowledged } = await kill9(run, {
        cycles: 3,
        clients: 8,
        workers: 4,
        ...(postgresUrl && { postgresUrl }),
      });
      assert.ok(acknowledged > 3, `${acknowledged} writes were acknowledged`);
    });

    stressTest(`the history of four workers is valid (${name})`, async (run) => {
      await history(run, { operations: 1500, servers: 1, workers: 4, faults: false, postgresUrl: await url() });
    });

    stressTest(`every response of a worker contains the writes acknowledged by others (${name})`, async (run) => {
      await freshness(run, { writes: 400, servers: 1, workers: 4, postgresUrl: await url() });
    });
  });
