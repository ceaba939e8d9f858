/**
 * `npm run bench`: the cost of Purveyor's engine (÷ stub) and its distance from the limit (÷ bare). Rounds alternate between
 * the servers, so that other work on the machine affects all of them. Asserts that all send the same bodies; asserts no
 * times.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { PRODUCTS, RESPONSES_FILE, STATEMENTS_FILE } from './constants.ts';
import { isPinned, loadTool, measure, WARMING_SECONDS } from './load.ts';
import { describeMachine } from './machine.ts';
import { Results } from './results.ts';
import { CREATE_BODY, CREATE_PATH, SCENARIOS, type Scenario, SKU_PLACEHOLDER } from './scenarios.ts';
import { seedStore } from './seed.ts';
import { type RunningServer, SERVER_NAMES, type ServerName, send, startServer } from './servers.ts';
import { recordStatements } from './statements.ts';

/** Servers may create a product in different seconds. */
const TIMESTAMPS = /"(\w+_date)":"[^"]*"/g;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: SCENARIOS.map(({ name }) => name).join() },
  },
});
const seconds = wholeNumber('--seconds', options.seconds);
const rounds = wholeNumber('--rounds', options.rounds);
const scenarios = options.only.split(',').map((name) => {
  const scenario = SCENARIOS.find((each) => each.name === name);
  return scenario ?? fail(`--only must be a comma-separated list of ${SCENARIOS.map((each) => each.name).join(', ')}.`);
});
const reading = scenarios.filter(({ paths }) => paths.length > 0);
const creating = scenarios.filter(({ paths }) => paths.length === 0);
const results = new Results(SERVER_NAMES, ['stub', 'bare']);

await seedStore(print);
await writeFile(STATEMENTS_FILE, JSON.stringify(await recordStatements()));
await collectResponses();
if (reading.length > 0) await measureReads();
for (const scenario of creating) await measureCreates(scenario);
report();

/** Compares the bodies of all measured addresses and stores them for the bare server. */
async function collectResponses(): Promise<void> {
  print(`Comparing the bodies of stub and Purveyor …`);
  const servers = await start(['stub', 'purveyor']);
  const read: Record<string, string> = {};
  for (const { paths } of SCENARIOS) for (const path of paths) read[path] = await sameBody(servers, path);
  const created = await sameBody(servers, CREATE_PATH, CREATE_BODY.replaceAll(SKU_PLACEHOLDER, 'COMPARED'));
  await writeFile(RESPONSES_FILE, JSON.stringify({ read, created }));
  await stop(servers);
  print(`  ${Object.keys(read).length + 1} bodies are the same.`);
}

async function sameBody(servers: readonly RunningServer[], path: string, sent?: string): Promise<string> {
  const responses = await Promise.all(servers.map(({ address }) => send(address, path, sent)));
  const bodies = responses.map(({ body }) => (sent === undefined ? body : body.replace(TIMESTAMPS, '"$1":"…"')));
  if (responses.some(({ status }) => status !== (sent === undefined ? 200 : 201)) || new Set(bodies).size > 1)
    fail(`The responses to ${path} differ:\n${responses.map(({ status, body }) => `${status} ${body}`).join('\n')}`);
  return responses[0]!.body;
}

async function measureReads(): Promise<void> {
  const servers = await start(SERVER_NAMES);
  for (const scenario of reading) {
    print(`${scenario.title}: ${rounds} rounds of ${seconds} s`);
    // Warm-up: the code is compiled and every response is cached before the first round.
    for (const { address } of servers) await measure(address, scenario, WARMING_SECONDS);
    for (let round = 0; round < rounds; round += 1)
      for (const { name, address } of servers)
        results.addSpeed(scenario, name, await measure(address, scenario, seconds));
  }
  for (const server of servers) results.addMemory(server.name, server.residentBytes());
  await stop(servers);
}

/** Creates make the store larger, so each round starts new servers on a fresh copy of the seeded store. */
async function measureCreates(scenario: Scenario): Promise<void> {
  print(`${scenario.title}: ${rounds} rounds of ${seconds} s`);
  for (let round = 0; round < rounds; round += 1)
    for (const name of SERVER_NAMES) {
      const [server] = (await start([name])) as [RunningServer];
      await measure(server.address, scenario, 1);
      results.addSpeed(scenario, name, await measure(server.address, scenario, seconds));
      await stop([server]);
    }
}

async function start(names: readonly ServerName[]): Promise<RunningServer[]> {
  const servers: RunningServer[] = [];
  for (const name of names) {
    const server = await startServer(name);
    results.addStart(name, server.firstResponseMs);
    servers.push(server);
  }
  return servers;
}

async function stop(servers: readonly RunningServer[]): Promise<void> {
  for (const server of servers) await server.stop();
}

function report(): void {
  const pinning = isPinned ? 'servers on one core, load on another' : 'not pinned to cores';
  print(`\n${describeMachine()}; ${loadTool}, ${pinning}; ${PRODUCTS} products; medians [lowest–highest].\n`);
  print(results.table(scenarios));
}

function wholeNumber(option: string, text: string): number {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : fail(`${option} must be a whole number from 1 to 9999.`);
}

function print(line: string): void {
  console.log(line);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
