/**
 * `npm run bench:peers`: sends the benchmark's requests to Purveyor, Platformatic DB and Directus, each on SQLite with the
 * same products. Rounds alternate between the servers. The first run installs the peers. Asserts that all find the same
 * products; asserts no times.
 */
import { parseArgs } from 'node:util';
import { FOLDER, PRODUCTS } from '../constants.ts';
import { isPinned, loadTool, measure, WARMING_SECONDS } from '../load.ts';
import { describeMachine } from '../machine.ts';
import { Results } from '../results.ts';
import { SCENARIOS } from '../scenarios.ts';
import { seedStore } from '../seed.ts';
import { type RunningServer, send } from '../servers.ts';
import { install, NAMES, type Name, scenarioFor, seedPeers, start } from './servers.ts';

const DIFFERENCES = `
Platformatic DB: one row, without its images and tags (they have separate addresses); creates without tags; exact totals; no
  ETag. Its driver does not flush (synchronous = NORMAL), so a power failure may lose acknowledged creates. Its filters on
  booleans fail in SQLite, so the peers' tables use 1 and 0. It runs in one process, without its runtime.
Directus: images and tags in each product; exact totals; a weak ETag; it flushes. Each create also writes an activity entry
  and a revision. Its static token belongs to an administrator, which bypasses its access rules. Its pressure limiter is off.
Neither has the languages, classes, taxes, memberships and stickers of Purveyor's products: compare the bytes above.`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    warm: { type: 'string', default: String(WARMING_SECONDS) },
  },
});
const [seconds, rounds, warm] = [options.seconds, options.rounds, options.warm].map((text) =>
  /^[1-9]\d{0,3}$/.test(text)
    ? Number(text)
    : fail('--seconds, --rounds and --warm must be whole numbers from 1 to 9999.'),
) as [number, number, number];
const results = new Results(NAMES, ['purveyor']);
const reading = SCENARIOS.filter(({ paths }) => paths.length > 0);
const creating = SCENARIOS.filter(({ paths }) => paths.length === 0);

install(print);
await seedStore(print);
print(`Creating the peers' stores in ${FOLDER} …`);
await seedPeers();
await measureReads();
for (const scenario of creating)
  for (let round = 0; round < rounds; round += 1)
    for (const name of NAMES) {
      // Creates make the store larger, so each round starts a new server on a fresh copy of the seeded store.
      const server = await startTimed(name);
      await measure(server.address, scenarioFor(scenario, name), 1);
      results.addSpeed(scenario, name, await measure(server.address, scenarioFor(scenario, name), seconds));
      await server.stop();
    }
const pinning = isPinned ? 'servers on one core, load on another' : 'not pinned to cores';
print(`\n${describeMachine()}; ${loadTool}, ${pinning}; ${PRODUCTS} products; medians [lowest–highest].\n`);
print(results.table(SCENARIOS));
print(DIFFERENCES);

async function measureReads(): Promise<void> {
  const servers: RunningServer<Name>[] = [];
  for (const name of NAMES) servers.push(await startTimed(name));
  for (const scenario of reading) {
    await compare(scenario.name, servers);
    for (const { name, address } of servers) await measure(address, scenarioFor(scenario, name), warm);
    for (let round = 0; round < rounds; round += 1)
      for (const { name, address } of servers)
        results.addSpeed(scenario, name, await measure(address, scenarioFor(scenario, name), seconds));
  }
  for (const server of servers) {
    results.addMemory(server.name, server.residentBytes());
    await server.stop();
  }
}

/** Stops if the servers find different products. Compares prices, because the order of equal prices is undefined. */
async function compare(scenarioName: string, servers: readonly RunningServer<Name>[]): Promise<void> {
  const scenario = SCENARIOS.find(({ name }) => name === scenarioName)!;
  const found: string[] = [];
  for (const { name, address } of servers) {
    const { paths, credentials } = scenarioFor(scenario, name);
    const { status, body } = await send(address, paths[0]!, undefined, credentials);
    const unauthenticated = await send(address, paths[0]!, undefined, ['x-nothing', 'none']);
    if (status !== 200 || unauthenticated.status < 400)
      fail(`${name} responds to ${paths[0]} with ${status}, and with ${unauthenticated.status} without credentials.`);
    const prices = pricesIn(JSON.parse(body));
    found.push(JSON.stringify(prices));
    print(`${scenario.title}, ${name}: ${prices.length} products in ${Buffer.byteLength(body)} bytes`);
  }
  if (new Set(found).size > 1) fail(`The servers find different products:\n${found.join('\n')}`);
}

/** Reads the prices of one product or a list, which may be wrapped in `data`. */
function pricesIn(response: { data?: unknown }): number[] {
  const { data = response } = response;
  return (Array.isArray(data) ? data : [data]).map(({ price }) => Number(price));
}

async function startTimed(name: Name): Promise<RunningServer<Name>> {
  const server = await start(name);
  results.addStart(name, server.firstResponseMs);
  return server;
}

function print(line: string): void {
  console.log(line);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
