/**
 * The method of SQLite's own tests: one write with the first call to the disk failing, then with the second, and so on
 * until none is left to fail; each once and for ever. Whatever fails, the write is done whole or not at all, what was
 * acknowledged before is there, and the server either goes on (no room) or ends by itself with an error (a failed disk).
 */
import { join } from 'node:path';
import { Checker } from './check.ts';
import { needTools } from './disk.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load, OPERATIONS, type Operation } from './load.ts';
import type { Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';
import { attach, type Fault } from './syscalls.ts';

export interface FailingCallsOptions {
  readonly operations?: readonly Operation[];
  readonly faults?: readonly FaultKind[];
  /** Of the calls of one operation, every how many-th fails; 1 is all. */
  readonly stride?: number;
}

export interface FaultKind extends Pick<Fault, 'call' | 'threads'> {
  readonly error: string;
  /** Whether the disk is in doubt afterwards. */
  readonly breaks: boolean;
  readonly operations?: readonly Operation[];
}

const IMAGE_OPERATIONS: readonly Operation[] = ['upload', 'replace'];

export const FAULTS: readonly FaultKind[] = [
  { call: 'fsync', error: 'EIO', threads: 'main', breaks: true },
  { call: 'fsync', error: 'ENOSPC', threads: 'main', breaks: true },
  { call: 'fsync', error: 'EIO', threads: 'all', breaks: true, operations: IMAGE_OPERATIONS },
  { call: 'pwrite64', error: 'EIO', threads: 'main', breaks: true },
  { call: 'pwrite64', error: 'ENOSPC', threads: 'main', breaks: false },
  { call: 'rename', error: 'ENOSPC', threads: 'all', breaks: false, operations: IMAGE_OPERATIONS },
  { call: 'mkdir', error: 'ENOSPC', threads: 'all', breaks: false, operations: IMAGE_OPERATIONS },
  { call: 'openat', error: 'EROFS', threads: 'all', breaks: false, operations: IMAGE_OPERATIONS },
  { call: 'unlink', error: 'EROFS', threads: 'all', breaks: false, operations: ['replace', 'delete image'] },
];

export interface FailingCallsResult {
  readonly failed: number;
  readonly ended: number;
  readonly acknowledged: number;
}

/** No single write makes so many calls of one kind. */
const CALLS_MAX = 400;

export async function failingCalls(
  { seed, folder, say }: Run,
  { operations = OPERATIONS, faults = FAULTS, stride = 1 }: FailingCallsOptions,
): Promise<FailingCallsResult> {
  needTools({ strace: 'strace' });
  const location = placeIn(folder);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, 1);
  const [worker] = load.workers;
  const checker = new Checker(ledger, location);
  let failed = 0;
  let ended = 0;
  // With one thread for files, "the n-th call of each thread" is the n-th of the files' and the n-th of SQLite's.
  const start = (): Server => new Server(location, { environment: { UV_THREADPOOL_SIZE: '1' } });
  let server = start();
  let address = await server.ready();
  try {
    await createStock(address);
    worker!.connect(address);
    for (const operation of OPERATIONS) await worker!.perform(operation);
    await checker.check(address, true);
    for (const kind of faults)
      for (const operation of operations.filter((each) => (kind.operations ?? OPERATIONS).includes(each)))
        for (const forEver of [false, true]) await untilNoneFails(kind, operation, forEver);
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  const swept = await checker.checkSweep();
  const acknowledged = ledger.counts.ok;
  say(
    `${failed} failing runs, ${ended} times the server ended by itself, ${acknowledged} writes acknowledged and ` +
      `${ledger.counts.unknown} not (${ledger.unknownDone} of those done), ${swept} orphans swept, nothing half done.`,
  );
  return { failed, ended, acknowledged };

  async function untilNoneFails(kind: FaultKind, operation: Operation, forEver: boolean): Promise<void> {
    const { call, error, threads, breaks } = kind;
    let nth = 1;
    for (; nth < CALLS_MAX; nth += stride) {
      await warmUp(operation);
      const attached = await attach(server.pid, { call, inject: `error=${error}`, nth, forEver, threads }, folder);
      const entry = (await worker!.perform(operation))!;
      const isOpen = entry.outcome !== 'ok';
      // A broken disk is noticed with the write itself, so the server is ending already.
      if (isOpen && breaks) {
        const { code, signal } = await server.ended;
        if (code !== 1)
          throw new Broken(`The server should have ended with 1; it ended with ${code ?? signal}.`, [entry]);
        ended += 1;
      }
      const count = await attached.detach();
      if (count > 0) failed += 1;
      if (server.hasEnded) {
        if (!isOpen || !breaks)
          throw new Broken(`The server has ended and should not have:\n${server.output}`, [entry]);
        server = start();
        address = await server.ready();
        worker!.connect(address);
      } else if (isOpen && entry.status !== 503) throw new Broken(`A failing ${call} should be a 503.`, [entry]);
      await checker.check(address);
      await load.retryOpen(address, true);
      await checker.check(address);
      if (count === 0) break;
    }
    say(`${operation}: ${call} ${error} ${forEver ? 'for ever' : 'once'} (${threads}), ended at call ${nth}`);
  }

  /** Makes the records that the operation needs, and starts the decoder, so that it makes no calls of its own. */
  async function warmUp(operation: Operation): Promise<void> {
    worker!.connect(address);
    if (IMAGE_OPERATIONS.includes(operation)) await worker!.perform('upload');
    if (operation === 'cancel') await worker!.perform('place');
    else await worker!.perform('patch');
    await worker!.perform('create');
  }
}
