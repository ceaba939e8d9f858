/**
 * `npm run bench:versions -- OTHER`: single PATCH and POST of 16 clients, of this program and of the one in the folder OTHER, such
 * as a worktree of an earlier commit. `--without-audit` instead of OTHER compares with a copy of this program that writes no audit
 * entries. Short turns alternate between the two, on SQLite and PostgreSQL. Asserts no times.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Agent } from 'undici';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { processorSeconds } from './machine.ts';
import { copyWithoutAudit } from './without-audit.ts';

const CLIENTS = 16;
const PRODUCTS = 200;
const KEY = 'bench-key';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ seconds: { type: 'string', default: '0.3' }, turns: { type: 'string', default: '40' } },
    'without-audit': { type: 'boolean', default: false },
  },
});
const [named] = positionals;
if ((named !== undefined) === options['without-audit'])
  throw new Error('Name the folder of the other program, or use --without-audit.');
const [seconds, turns] = [Number(options.seconds), Number(options.turns)];

interface Running {
  readonly address: string;
  readonly process: ChildProcess;
  number: number;
}

const agent = new Agent({ connections: CLIENTS });
const folder = await mkdtemp(join(tmpdir(), 'purveyor-versions-'));
const other = named ?? join(folder, 'without-audit');
if (named === undefined) await copyWithoutAudit(other);
const postgres = await PostgresServer.make();
try {
  console.log(`Averages of ${turns} turns of ${seconds} s, ${CLIENTS} clients.\n`);
  console.log(
    '| Requests per second | other | this | this ÷ other | processor time, other ÷ this |\n|---|---|---|---|---|',
  );
  for (const database of ['sqlite', 'postgres']) await compare(database);
} finally {
  await agent.close();
  await postgres.remove();
  await rm(folder, { recursive: true });
}

async function compare(database: string): Promise<void> {
  const programs = [resolve(other), resolve(import.meta.dirname, '..')];
  const running = await Promise.all(programs.map((program, index) => start(program, `${database}${index}`, database)));
  try {
    for (const [write, send] of [
      ['PATCH', patch],
      ['POST', post],
    ] as const) {
      const figures = running.map(() => ({ count: 0, seconds: 0, processor: 0 }));
      for (let turn = -2; turn < turns; turn += 1)
        for (const [index, server] of running.entries()) {
          const turnFigures = await measure(server, () => send(server));
          if (turn < 0) continue;
          for (const name of ['count', 'seconds', 'processor'] as const) figures[index]![name] += turnFigures[name];
        }
      const [before, now] = figures.map(({ count, seconds: time }) => count / time) as [number, number];
      const [costBefore, cost] = figures.map(({ count, processor }) => processor / count) as [number, number];
      const ratios = [now / before, costBefore / cost].map((ratio) => ratio.toFixed(2)).join(' | ');
      console.log(`| ${database}, ${write} | ${before.toFixed(0)} | ${now.toFixed(0)} | ${ratios} |`);
    }
  } finally {
    for (const { process } of running) process.kill();
  }
}

async function start(program: string, name: string, database: string): Promise<Running> {
  const child = spawn('sh', ['bin/node.sh', 'bin/purveyor.js', 'serve'], {
    cwd: program,
    env: {
      ...process.env,
      ...{ PORT: '0', API_KEY_READ_WRITE: KEY, LOG_LEVEL: 'warn', WAIT_MS_MAX: '0', WORKERS: '1' },
      DATABASE_URL: database === 'sqlite' ? `sqlite:${join(folder, `${name}.db`)}` : await createDatabase(name),
      IMAGES_URL: `file:${join(folder, name)}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise<string>((found, failed) => {
    let text = '';
    child.stdout!.on('data', (chunk) => {
      text += chunk;
      const [match] = /http:\/\/[\d.]+:\d+/.exec(text) ?? [];
      if (match) found(match);
    });
    child.once('exit', () => failed(new Error(`The server of ${program} has ended.\n${text}`)));
  });
  const server = { address, process: child, number: 0 };
  for (let count = 0; count < PRODUCTS; count += 1) await post(server);
  return server;
}

async function createDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
}

async function measure({ process: { pid } }: Running, send: () => Promise<void>) {
  const [startedAt, before] = [performance.now(), processorSeconds([pid!])];
  let count = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < startedAt + seconds * 1000; count += 1) await send();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { count, seconds: (performance.now() - startedAt) / 1000, processor: processorSeconds([pid!]) - before };
}

async function patch(server: Running): Promise<void> {
  server.number += 1;
  const id = 1 + (server.number % PRODUCTS);
  await write(server, 'PATCH', `/api/products/${id}`, { price: server.number % 1000, amount: server.number }, 200);
}

async function post(server: Running): Promise<void> {
  server.number += 1;
  const body = { sku: `S${server.number}`, name: `Product ${server.number}`, description: 'A mug.', price: 10 };
  await write(server, 'POST', '/api/products', body, 201);
}

async function write({ address }: Running, method: 'PATCH' | 'POST', path: string, body: object, status: number) {
  const response = await agent.request({
    ...{ origin: address, method, path, body: JSON.stringify(body) },
    headers: { 'x-auth-token': KEY, 'content-type': 'application/json' },
  });
  const text = await response.body.text();
  if (response.statusCode !== status) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
}
