/**
 * `purveyor import orders FILE.jsonl`: takes down the orders of another store, line by line; gives the exit code. No stock
 * moves, and an order that is there already stays as it is, so that a second run changes nothing.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable, shortened } from '../../engine/index.ts';
import { readStoreState } from '../../store/state.ts';
import type { Config } from '../../wiring/config.ts';
import { fillSettings } from '../../wiring/first-start.ts';
import { claimImages } from '../../wiring/image-owner.ts';
import { openStore } from '../../wiring/open.ts';
import { readOrder } from './orders-body.ts';
import { type Line, readLines } from './orders-lines.ts';
import { failed, type LineReport, OrdersReport, type Stopped } from './orders-report.ts';
import { type TakeOrder, takeOrders } from './orders-store.ts';
import { type Measure, measuredDisplay } from './progress.ts';
import { EXIT_FAILURE, type Terminal, unreadableLine } from './report.ts';

interface OrdersOptions {
  readonly dryRun: boolean;
  /** Ends the import behind the line that it is at. */
  readonly interrupted?: AbortSignal;
}

export async function importOrders(
  config: Config,
  path: string,
  { dryRun, interrupted }: OrdersOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const file = await openFile(path).catch((error: NodeJS.ErrnoException) => error);
  if (file instanceof Error) {
    stderr.write(`${unreadableLine(path, file)}\n`);
    return EXIT_FAILURE;
  }
  const display = measuredDisplay(stderr, LINES);
  try {
    const bytesTotal = (await file.stat()).size;
    const { service, close } = await openStore(config);
    try {
      await claimImages(service, config);
      await fillSettings(service, config);
      const { defaultLanguage } = await readStoreState(service);
      const report = new OrdersReport(dryRun, (line) => display.above(() => stdout.write(`${line}\n`)));
      const take = takeOrders(service, defaultLanguage, dryRun);
      const stopped = await takeLines(readLines(chunksOf(file)), take, {
        interrupted,
        report: (line) => report.add(line),
        onProgress: (lines, bytesDone) => display.show({ lines, bytesDone, bytesTotal }),
      });
      display.end();
      return report.end(stopped);
    } finally {
      await close();
    }
  } finally {
    display.end();
    await file.close();
  }
}

interface Course {
  readonly interrupted: AbortSignal | undefined;
  report(line: LineReport): void;
  onProgress(lines: number, bytesDone: number): void;
}

/** @returns where the import stopped before the end of the file */
async function takeLines(
  lines: AsyncIterable<Line>,
  take: TakeOrder,
  { interrupted, report, onProgress }: Course,
): Promise<Stopped | undefined> {
  let next = 1;
  try {
    for await (const line of lines) {
      next = line.number;
      // An embedded database answers at once: without a turn for others no signal would be heard.
      await nextTurn();
      if (interrupted?.aborted) return { line: next, reason: 'it was interrupted.' };
      report(await takeLine(line, take));
      next += 1;
      onProgress(line.number, line.end);
    }
    return undefined;
  } catch (error) {
    // The store or the file cannot answer. A further run goes on from here.
    return { line: next, reason: (error as Error).message };
  }
}

async function takeLine(line: Line, take: TakeOrder): Promise<LineReport> {
  const nameless = { line: line.number, order: '' };
  if ('unreadable' in line) return { ...nameless, ...failed(line.unreadable) };
  const order = readOrder(line.text);
  if ('unreadable' in order) return { ...nameless, ...failed(order.unreadable) };
  if ('skipped' in order) return { ...nameless, outcome: 'skipped', reason: order.skipped };
  const place = { line: line.number, order: shortened(order.number ?? '') };
  try {
    return { ...place, ...(await take(order)) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    // A fault of the program's own, at this line: the others may pass.
    return { ...place, ...failed((error as Error).message) };
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path);
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
}

const CHUNK_BYTES = 64 * 1024;

/** Each chunk counts only until the next one is asked for. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { buffer, bytesRead } = await file
      .read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null)
      .catch(({ message }: Error) => Promise.reject(new Error(`the file cannot be read on: ${message}.`)));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

interface LinesDone {
  readonly lines: number;
  readonly bytesDone: number;
  /** 0 where the file does not tell its size. */
  readonly bytesTotal: number;
}

const LINES_PER_LINE = 1000;

const LINES: Measure<LinesDone> = {
  done: ({ bytesDone }) => bytesDone,
  total: ({ bytesTotal }) => bytesTotal,
  bar: '{bar} {percentage}%, {lines} lines, {eta_formatted} left',
  line({ lines, bytesDone, bytesTotal }) {
    if (lines % LINES_PER_LINE !== 0 && bytesDone !== bytesTotal) return undefined;
    return bytesTotal === 0 ? `${lines} lines` : `${lines} lines, ${Math.floor((100 * bytesDone) / bytesTotal)}%`;
  },
};
