/**
 * `npm run bench:journal`: the processor time that the journal adds to a create. Alternates between creates with the journal
 * and creates without its statement, on both databases. On PostgreSQL the changes are ordered after the commits, as a server
 * does, and the time of its processes counts too. HTTP is not included; it would reduce the share.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isProblem } from '../src/engine/errors.ts';
import { writeRecord } from '../src/engine/operations/write-record.ts';
import type { Database } from '../src/engine/ports.ts';
import { Commits } from '../src/engine/unit/commits.ts';
import type { Service } from '../src/engine/unit/service.ts';
import { startJobs } from '../src/store/jobs.ts';
import { ownRequestOptions, routeOf, targetAt } from '../src/store/own-requests.ts';
import { readConfig } from '../src/wiring/config.ts';
import { fillSettings } from '../src/wiring/first-start.ts';
import { openStore } from '../src/wiring/open.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { newProductBody } from './catalog.ts';
import { describeMachine } from './machine.ts';

interface Setting {
  readonly name: string;
  readonly databaseUrl: string;
  /** Numbers of concurrent writers, measured separately. */
  readonly writers: readonly number[];
  /** Returns the processor time of the database's processes so far, in milliseconds. */
  readonly serverTime: () => number;
}

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '15' }, creates: { type: 'string', default: '300' } },
});
/** Nanoseconds by process; the last reading for processes that have ended. */
const PROCESS_TIMES = new Map<string, number>();
const [pairs, creates] = [Number(values.pairs), Number(values.creates)];
const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-journal-'));
const postgres = await PostgresServer.make();
try {
  const file = `sqlite:${join(folder, 'store.db')}`;
  const serverTime = (): number => processorMilliseconds(postgres.dataFolder);
  console.log(`${describeMachine()}; ${pairs} pairs of ${creates} creates each, medians [lowest–highest]\n`);
  console.log('| | without, ms a create | with, ms a create | with ÷ without |');
  console.log('| --- | --- | --- | --- |');
  await measure({ name: 'SQLite', databaseUrl: file, writers: [1], serverTime: () => 0 });
  await measure({ name: 'PostgreSQL', databaseUrl: postgres.url, writers: [1, 8], serverTime });
} finally {
  await postgres.remove();
  rmSync(folder, { recursive: true });
}

async function measure({ name, databaseUrl, writers, serverTime }: Setting): Promise<void> {
  const config = readConfig({ DATABASE_URL: databaseUrl, IMAGES_URL: `file:${join(folder, 'images')}` });
  const { service, close } = await openStore(config);
  await fillSettings(service, config);
  await createLinked(service);
  const journaled = { ...service, commits: new Commits() };
  const plain = { ...service, commits: new Commits(), database: withoutJournal(service.database) };
  const log = { info() {}, warn: (details: object, message: string) => console.error(message, details) };
  const jobs = startJobs(journaled, log, { changesKeepDays: 30, auditKeepDays: 365 });
  for (const atOnce of writers) {
    const timed = async (of: Service): Promise<number> => {
      const startedAt = ownTime() + serverTime();
      await createMany(of, atOnce, creates);
      await jobs.settled();
      return (ownTime() + serverTime() - startedAt) / creates;
    };
    const cells = await alternate(
      () => timed(plain),
      () => timed(journaled),
    );
    console.log(`| ${[`${name}, ${atOnce === 1 ? 'one writer' : `${atOnce} writers`}`, ...cells].join(' | ')} |`);
  }
  await jobs.stop();
  await close();
}

/** @returns the cost of each, and the ratio of the second to the first: medians of pairs */
async function alternate(first: () => Promise<number>, second: () => Promise<number>): Promise<string[]> {
  const rounds: (readonly [first: number, second: number])[] = [];
  for (let round = -1; round < pairs; round += 1) {
    const isReversed = round % 2 === 1;
    const one = await (isReversed ? second : first)();
    const other = await (isReversed ? first : second)();
    // The first pair is the warm-up.
    if (round >= 0) rounds.push(isReversed ? [other, one] : [one, other]);
  }
  const ratios = rounds.map(([without, journaled]) => journaled / without);
  return [rounds.map(([without]) => without), rounds.map(([, journaled]) => journaled), ratios].map(medianOf);
}

async function createMany(service: Service, writers: number, count: number): Promise<void> {
  let left = count;
  const write = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await make(service, 'Product', newProductBody(crypto.randomUUID().replaceAll('-', '')));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

/** Creates the records to which the benchmark's products link. */
async function createLinked(service: Service): Promise<void> {
  for (let number = 1; number <= 5; number += 1) await make(service, 'Tag', { name: `Tag ${number}` });
  for (const resource of ['Membership', 'ProductClass', 'TaxClass']) await make(service, resource, { name: resource });
}

async function make(service: Service, resource: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const outcome = await writeRecord(
    service,
    ownRequestOptions('en'),
    targetAt(routeOf(service, resource)),
    'create',
    body,
  );
  if (isProblem(outcome)) throw new Error(`${resource}: ${outcome.detail} ${JSON.stringify(outcome.violations)}`);
}

/** Wraps a database so that it ignores inserts into the journal. */
function withoutJournal(database: Database): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction((inner) =>
      work({
        run: (statement, given) =>
          statement.sql.startsWith('insert into "change') ? Promise.resolve([]) : inner.run(statement, given),
        lock: (name) => inner.lock(name),
      }),
    );
  return new Proxy(database, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      const own = target[name as keyof Database];
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/** @returns the processor time of this process, in milliseconds */
function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @returns the processor time of all processes of a PostgreSQL server, in milliseconds; requires Linux */
function processorMilliseconds(dataFolder: string): number {
  const postmaster = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]!;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(/\s+/);
  for (const pid of [postmaster, ...children])
    try {
      PROCESS_TIMES.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]));
    } catch {
      // The process has just ended.
    }
  return [...PROCESS_TIMES.values()].reduce((sum, one) => sum + one, 0) / 1e6;
}

function medianOf(figures: readonly number[]): string {
  const sorted = [...figures].sort((one, other) => one - other);
  const [lowest, median, highest] = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
  return `${median.toFixed(3)} [${lowest.toFixed(3)}–${highest.toFixed(3)}]`;
}
