/**
 * `npm run bench:beside-writes`: reads while nobody writes, and beside 50 writes a second, on both databases: without kept
 * answers and with them, against bare HTTP with the same bytes. Rounds go from server to server. Prints figures and asserts
 * nothing.
 */
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { isPinned, loadTool, measure, WARMING_SECONDS } from './load.ts';
import { describeMachine } from './machine.ts';
import { ANSWERS_FILE, BASE_URL, FOLDER, IMAGES_FOLDER, KEY, PRODUCTS, STORE_FILE } from './places.ts';
import { medianOf } from './results.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { seedStore } from './seed.ts';
import { ask, type RunningServer, startServer } from './servers.ts';

const WRITES_PER_SECOND = 50;
const COPIED_IMAGES = `${FOLDER}postgres-images`;

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
});
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)];
const scenarios = SCENARIOS.filter(({ name }) => name === 'get' || name === 'list');

await seedStore(console.log);
console.log(`${describeMachine()}; ${loadTool}, ${isPinned ? 'servers on one core, load on another' : 'not pinned'}.`);
console.log(`Medians of ${rounds} rounds of ${seconds} s; ${WRITES_PER_SECOND} writes a second where beside writes.\n`);
console.log(
  '| Requests a second | bare | nothing kept | kept | kept, beside writes | ÷ bare | beside writes ÷ bare | beside writes ÷ nothing kept |',
);
console.log('|---|---|---|---|---|---|---|---|');
await compareDatabase('SQLite', {});
const postgres = await PostgresServer.make();
try {
  await copyStore(postgres.url);
  await compareDatabase('PostgreSQL', { DATABASE_URL: postgres.url, IMAGES_URL: `file:${COPIED_IMAGES}` });
} finally {
  await postgres.remove();
}

async function compareDatabase(title: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const plain = await startServer('purveyor', settings);
  const kept = await startServer('purveyor + cache', settings);
  for (const scenario of scenarios) {
    await keepForBare(plain, scenario);
    const bare = await startServer('bare');
    const speeds = { bare: [] as number[], plain: [] as number[], kept: [] as number[], beside: [] as number[] };
    await measure(kept.address, scenario, WARMING_SECONDS);
    for (let round = 0; round <= rounds; round += 1) {
      const measured = {
        bare: await measure(bare.address, scenario, seconds),
        plain: await measure(plain.address, scenario, seconds),
        kept: await measure(kept.address, scenario, seconds),
        beside: await besideWrites(kept, () => measure(kept.address, scenario, seconds)),
      };
      // The first round lets the code be compiled.
      if (round === 0) continue;
      for (const [name, speed] of Object.entries(measured)) speeds[name as keyof typeof speeds].push(speed);
    }
    await bare.stop();
    const median = (name: keyof typeof speeds): number => medianOf(speeds[name]);
    const ratio = (over: keyof typeof speeds, under: keyof typeof speeds): string =>
      medianOf(speeds[over].map((speed, round) => speed / speeds[under][round]!)).toFixed(2);
    const figures = (['bare', 'plain', 'kept', 'beside'] as const).map((name) => Math.round(median(name)));
    const ratios = [ratio('kept', 'bare'), ratio('beside', 'bare'), ratio('beside', 'plain')];
    console.log(`| ${title}: ${scenario.title} | ${[...figures, ...ratios].join(' | ')} |`);
  }
  await plain.stop();
  await kept.stop();
}

/** The bare server sends what this one answers. */
async function keepForBare({ address }: RunningServer, { paths }: Scenario): Promise<void> {
  const read: Record<string, string> = {};
  for (const path of paths) read[path] = (await ask(address, path)).body;
  // It is asked for this one to see that it runs.
  read['/api/products/1'] ??= '{}';
  await writeFile(ANSWERS_FILE, JSON.stringify({ read, created: '{}' }));
}

/** Changes the price of products drawn at random, so many a second, while the work is done. */
async function besideWrites<T>({ address }: RunningServer, work: () => Promise<T>): Promise<T> {
  let failed = 0;
  let price = 0;
  const timer = setInterval(() => {
    price += 1;
    const id = 1 + Math.floor(Math.random() * PRODUCTS);
    const headers = { 'x-auth-token': KEY, 'content-type': 'application/merge-patch+json' };
    const sending = request(`${address}/api/products/${id}`, { method: 'PATCH', headers }, (answer) => {
      if (answer.statusCode !== 200) failed += 1;
      answer.resume();
    });
    sending.on('error', () => {
      failed += 1;
    });
    sending.end(JSON.stringify({ price: price % 1000 }));
  }, 1000 / WRITES_PER_SECOND);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (failed > 0) console.log(`${failed} writes failed`);
  }
}

/** By a backup of the seeded store, as a person would move it. */
async function copyStore(url: string): Promise<void> {
  const folder = `${FOLDER}backup`;
  await rm(folder, { recursive: true, force: true });
  const run = (command: string, databaseUrl: string, images: string): void => {
    const program = fileURLToPath(new URL('../bin/purveyor.js', import.meta.url));
    execFileSync(process.execPath, [program, command, folder], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, IMAGES_URL: `file:${images}`, BASE_URL },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  await rm(COPIED_IMAGES, { recursive: true, force: true });
  run('backup', `sqlite:${STORE_FILE}`, IMAGES_FOLDER);
  run('restore', url, COPIED_IMAGES);
  await rm(folder, { recursive: true });
}
