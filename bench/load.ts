/** The load: wrk where it is installed, else autocannon, on a core of its own. One run answers: requests a second. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInstalled } from './machine.ts';
import { FOLDER } from './places.ts';
import { CREATE_BODY, CREATE_PATH, CREDENTIALS, type Scenario } from './scenarios.ts';

const CONNECTIONS = 32;

/** An answer is sent before the router from the third time on that it is asked for, and the addresses are drawn. */
export const WARMING_SECONDS = 15;
const LUA = fileURLToPath(new URL('load.lua', import.meta.url));
const AUTOCANNON = fileURLToPath(new URL('autocannon-load.ts', import.meta.url));

export const loadTool = isInstalled('wrk') ? 'wrk' : 'autocannon';

/** Servers run on core 0, the load on core 1, where the system can say so. */
export const isPinned = isInstalled('taskset') && availableParallelism() > 1;

export function onCore(core: 0 | 1, command: readonly string[]): [string, string[]] {
  const [program, ...rest] = isPinned ? ['taskset', '-c', String(core), ...command] : command;
  return [program!, rest];
}

let runs = 0;

export async function measure(address: string, scenario: Scenario, seconds: number): Promise<number> {
  runs += 1;
  const requestsFile = `${FOLDER}requests-${scenario.name}`;
  const { paths, create = { path: CREATE_PATH, body: CREATE_BODY }, credentials = CREDENTIALS } = scenario;
  const lines = paths.length > 0 ? paths : [`${create.path}\t${create.body}`];
  await writeFile(requestsFile, `${lines.join('\n')}\n`);
  const rest = [...credentials, requestsFile, `R${runs}-`];
  return loadTool === 'wrk' ? runWrk(address, seconds, rest) : runAutocannon(address, seconds, rest);
}

async function runWrk(address: string, seconds: number, rest: string[]): Promise<number> {
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}`, '-s', LUA, address, '--', ...rest];
  const output = await run(['wrk', ...options]);
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(output);
  if (failed) throw new Error(`${address}: ${failed[1]} answers were no success.`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)![1]);
}

async function runAutocannon(address: string, seconds: number, rest: string[]): Promise<number> {
  const options = [AUTOCANNON, address, String(CONNECTIONS), String(seconds), ...rest];
  const { perSecond, failed } = JSON.parse(await run([process.execPath, ...options]));
  if (failed > 0) throw new Error(`${address}: ${failed} answers were no success.`);
  return perSecond;
}

async function run(command: readonly string[]): Promise<string> {
  const [program, rest] = onCore(1, command);
  return (await promisify(execFile)(program, rest)).stdout;
}
