/** Runs the load generator on its own core: wrk if it is installed, otherwise autocannon. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FOLDER } from './constants.ts';
import { isInstalled } from './machine.ts';
import { CREATE_BODY, CREATE_PATH, CREDENTIALS, type Scenario } from './scenarios.ts';

const CONNECTIONS = 32;

/** Long enough to request every random address three times: from then on the fast path sends the response. */
export const WARMING_SECONDS = 15;
const LUA = fileURLToPath(new URL('load.lua', import.meta.url));
const AUTOCANNON = fileURLToPath(new URL('autocannon-load.ts', import.meta.url));

export const loadTool = isInstalled('wrk') ? 'wrk' : 'autocannon';

/** Whether servers run on core 0 and the load on core 1. */
export const isPinned = isInstalled('taskset') && availableParallelism() > 1;

export function onCore(core: 0 | 1, command: readonly string[]): [string, string[]] {
  const [program, ...rest] = isPinned ? ['taskset', '-c', String(core), ...command] : command;
  return [program!, rest];
}

let runs = 0;

/** Runs one scenario. @returns requests per second @throws {Error} if a request fails */
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
  if (failed) throw new Error(`${address}: ${failed[1]} requests failed.`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)![1]);
}

async function runAutocannon(address: string, seconds: number, rest: string[]): Promise<number> {
  const options = [AUTOCANNON, address, String(CONNECTIONS), String(seconds), ...rest];
  const { perSecond, failed } = JSON.parse(await run([process.execPath, ...options]));
  if (failed > 0) throw new Error(`${address}: ${failed} requests failed.`);
  return perSecond;
}

async function run(command: readonly string[]): Promise<string> {
  const [program, rest] = onCore(1, command);
  return (await promisify(execFile)(program, rest)).stdout;
}
