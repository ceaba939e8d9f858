/**
 * Power cuts under load, again and again on one store: an ext4 in a file is shut down while the server writes, the server
 * killed, the file system mounted again, which loses all that was not synced, and everything compared with the ledger.
 * Some cuts come while the server starts after the cut before, some while the log is folded into the file or the file is
 * written anew (VACUUM). It loses the page cache as a cut does; it tears no sectors.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Checker } from './check.ts';
import { EXT4_TOOLS, Ext4, needRoot, needTools } from './disk.ts';
import { Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

export interface PowerCutResult {
  readonly acknowledged: number;
  readonly cutsAtStart: number;
}

const DISK_MEGABYTES = 256;
const ACKNOWLEDGED_MAX = 120;
const FULL_CHECK_EVERY = 25;

export async function powerCuts(
  { seed, folder, say }: Run,
  { cycles, clients, workers }: { cycles: number; clients?: number; workers?: number },
): Promise<PowerCutResult> {
  needRoot('A power cut');
  needTools(EXT4_TOOLS);
  const random = new Random(seed, 'power cut');
  const disk = await Ext4.make(folder, DISK_MEGABYTES);
  const location = placeIn(join(disk.folder, 'data'), undefined, workers);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, clients);
  const checker = new Checker(ledger, location);
  let cutsAtStart = 0;
  let cutsDuringCheckpoints = 0;
  let lateAnswers = 0;
  let server = new Server(location);
  try {
    let address = await server.ready();
    await createStock(address);
    await checker.check(address, true);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const folds = random.chance(0.3);
      if (folds) cutsDuringCheckpoints += 1;
      const folder = folds ? await startCheckpoints(location.file!) : undefined;
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, ACKNOWLEDGED_MAX)), running]);
      await cut();
      await running;
      await folder?.terminate();
      await disk.unmount();
      await disk.mount();
      while (random.chance(0.2)) {
        cutsAtStart += 1;
        server = new Server(location);
        const started = server.ready().catch(() => {});
        // By chance somewhere between the first instruction and the first request.
        await Promise.race([started, new Promise((resolve) => setTimeout(resolve, random.whole(100, 1000)))]);
        await cut();
        await disk.unmount();
        await disk.mount();
      }
      server = new Server(location);
      address = await server.ready();
      await checker.check(address);
      await load.retryOpen(address, true);
      await checker.check(address, cycle % FULL_CHECK_EVERY === 0 || cycle === cycles);
      if (cycle % FULL_CHECK_EVERY === 0) say(`${cycle} cuts: ${tell()}`);
    }
    await stop(server);
    const swept = await checker.checkSweep();
    say(
      `${cycles} cuts (${cutsDuringCheckpoints} while the log was folded) and ${cutsAtStart} during starts: ${tell()}, ` +
        `${lateAnswers} answers came after a cut, ${swept} orphans swept, nothing lost.`,
    );
    return { acknowledged: ledger.counts.ok, cutsAtStart };
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
    await disk.unmount();
  }

  /** No answer after the cut counts: the machine would be dark. */
  async function cut(): Promise<void> {
    const armed = await disk.armCut();
    const at = await armed.cut();
    await server.end('SIGKILL');
    lateAnswers += ledger.discardResponsesSince(at);
  }

  function tell(): string {
    const { ok, unknown } = ledger.counts;
    return `${ok} writes acknowledged, ${unknown} without an response (${ledger.unknownDone} of them done), ${checker.files} images whole`;
  }
}

/** Beside the server, as a backup or an administrator might: checkpoints without a pause, a VACUUM now and then. */
async function startCheckpoints(file: string): Promise<Worker> {
  const worker = new Worker(CHECKPOINTS, { eval: true, workerData: file });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // The disk it works on is about to vanish.
  worker.on('error', () => {});
  return worker;
}

const CHECKPOINTS = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const database = new DatabaseSync(workerData, { timeout: 100 });
  parentPort.postMessage('ready');
  let round = 0;
  function fold() {
    round += 1;
    try {
      database.exec(round % 10 === 0 ? 'VACUUM' : 'PRAGMA wal_checkpoint(RESTART)');
    } catch {}
    setTimeout(fold, 5);
  }
  fold();
`;
