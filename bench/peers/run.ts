/**
 * `npm run bench:peers`: the benchmark's requests to Purveyor, to Platformatic DB and to Directus, each on SQLite with the same
 * products, in rounds that go from server to server. Installs the peers at its first run. Asserts that all find the same
 * products; asserts no time.
 */
import { parseArgs } from 'node:util';
import { isPinned, loadTool, measure, WARMING_SECONDS } from '../load.ts';
import { describeMachine } from '../machine.ts';
import { FOLDER, PRODUCTS } from '../places.ts';
import { Results } from '../results.ts';
import { SCENARIOS } from '../scenarios.ts';
import { seedStore } from '../seed.ts';
import { ask, type RunningServer } from '../servers.ts';
import { install, NAMES, type Name, scenarioFor, seedPeers, start } from './servers.ts';

const NOT_DONE = `
Platformatic DB: one row, without its pictures and tags (they have addresses of their own); a create without tags; exact totals; no
  ETag. Its driver does not flush (synchronous = NORMAL), so a power cut may lose creates that were acknowledged. Its filters
  fail on booleans in SQLite, so these are 0 and 1 in the peers' tables. It runs in one process, without its runtime.
Directus: pictures and tags inside each product; exact totals; a weak ETag; it flushes. A create writes its activity and a revision
  besides. Its static token is an administrator's, which skips its rules of access; its limiter of pressure is switched off.
Neither has the languages, classes, taxes, memberships and stickers that Purveyor's products carry: compare the bytes above.`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    warm: { type: 'string', default: String(WARMING_SECONDS) },
  },
});
const [seconds, rounds, warm] = [options.seconds, options.rounds, options.warm].map((text) =>
  /^[1-9]\d{0,3}$/.test(text) ? Number(text) : fail('--seconds, --rounds and --warm should be whole numbers from 1.'),
) as [number, number, number];
const results = new Results(NAMES, ['purveyor']);
const reading = SCENARIOS.filter(({ paths }) => paths.length > 0);
const creating = SCENARIOS.filter(({ paths }) => paths.length === 0);

install(print);
await seedStore(print);
print(`Building the peers' stores in ${FOLDER} …`);
await seedPeers();
await measureReads();
for (const scenario of creating)
  for (let round = 0; round < rounds; round += 1)
    for (const name of NAMES) {
      // Creates make the store larger, so each round begins with a new server on the store as it was seeded.
      const server = await startTimed(name);
      await measure(server.address, scenarioFor(scenario, name), 1);
      results.addSpeed(scenario, name, await measure(server.address, scenarioFor(scenario, name), seconds));
      await server.stop();
    }
const pinning = isPinned ? 'servers on one core, load on another' : 'not pinned to cores';
print(`\n${describeMachine()}; ${loadTool}, ${pinning}; ${PRODUCTS} products; medians [lowest–highest].\n`);
print(results.table(SCENARIOS));
print(NOT_DONE);

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

/** Stops where a server finds other products than the first, by their prices: the order among equals is free. */
async function compare(scenarioName: string, servers: readonly RunningServer<Name>[]): Promise<void> {
  const scenario = SCENARIOS.find(({ name }) => name === scenarioName)!;
  const found: string[] = [];
  for (const { name, address } of servers) {
    const { paths, credentials } = scenarioFor(scenario, name);
    const { status, body } = await ask(address, paths[0]!, undefined, credentials);
    const unlocked = await ask(address, paths[0]!, undefined, ['x-nothing', 'none']);
    if (status !== 200 || unlocked.status < 400) fail(`${name} answers ${paths[0]}: ${status}, ${unlocked.status}.`);
    const prices = pricesIn(JSON.parse(body));
    found.push(JSON.stringify(prices));
    print(`${scenario.title}, ${name}: ${prices.length} products in ${Buffer.byteLength(body)} bytes`);
  }
  if (new Set(found).size > 1) fail(`The servers find different products:\n${found.join('\n')}`);
}

/** The prices of one product or of a list, bare or in `data`. */
function pricesIn(answer: { data?: unknown }): number[] {
  const { data = answer } = answer;
  return (Array.isArray(data) ? data : [data]).map(({ price }) => Number(price));
}

async function startTimed(name: Name): Promise<RunningServer<Name>> {
  const server = await start(name);
  results.addStart(name, server.firstAnswerMs);
  return server;
}

function print(line: string): void {
  console.log(line);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
