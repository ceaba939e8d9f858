/**
 * Repeated power cuts of one store under load: an ext4 file system is shut down while the server writes, the server is killed,
 * and the file system is mounted again without unsynced data. Then everything is compared with the ledger. Some cuts happen
 * during startup after the previous cut, some during a checkpoint or VACUUM. The simulation loses the page cache but does not
 * tear sectors.
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
  let lateResponses = 0;
  let server = new Server(location);
  try {
    let address = await server.ready();
    await createStock(address);
    await checker.check(address, true);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const hasCheckpoints = random.chance(0.3);
      if (hasCheckpoints) cutsDuringCheckpoints += 1;
      const checkpoints = hasCheckpoints ? await startCheckpoints(location.file!) : undefined;
      const running = load.run(address);
      await Promise.race([load.acknowledged(random.whole(1, ACKNOWLEDGED_MAX)), running]);
      await cut();
      await running;
      await checkpoints?.terminate();
      await disk.unmount();
      await disk.mount();
      while (random.chance(0.2)) {
        cutsAtStart += 1;
        server = new Server(location);
        const started = server.ready().catch(() => {});
        // At a random point between the first instruction and the first request.
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
      if (cycle % FULL_CHECK_EVERY === 0) say(`${cycle} cuts: ${summary()}`);
    }
    await stop(server);
    const swept = await checker.checkSweep();
    say(
      `${cycles} cuts (${cutsDuringCheckpoints} during checkpoints) and ${cutsAtStart} during starts: ${summary()}, ` +
        `${lateResponses} responses arrived after a cut, ${swept} orphaned files swept, no acknowledged write lost.`,
    );
    return { acknowledged: ledger.counts.ok, cutsAtStart };
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
    await disk.unmount();
  }

  /** Discards responses that arrived after the cut, because the real machine could not have sent them. */
  async function cut(): Promise<void> {
    const armed = await disk.armCut();
    const at = await armed.cut();
    await server.end('SIGKILL');
    lateResponses += ledger.discardResponsesSince(at);
  }

  function summary(): string {
    const { ok, unknown } = ledger.counts;
    return `${ok} writes acknowledged, ${unknown} without an response (${ledger.unknownDone} of them done), ${checker.files} images verified`;
  }
}

/** Runs continuous checkpoints and an occasional VACUUM in another thread, as a backup or an administrator might. */
async function startCheckpoints(file: string): Promise<Worker> {
  const worker = new Worker(CHECKPOINTS, { eval: true, workerData: file });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // The disk is about to fail.
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
