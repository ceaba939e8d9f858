/**
 * Imports a JSON Lines file: writes the lines in order as a bulk request does and reports each outcome as soon as it is
 * known. Memory use does not depend on the size of the file.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type JsonObject, shortened } from '../../engine/index.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { openApi } from '../api/open.ts';
import type { RemoteStore } from '../api/remote-store.ts';
import { type BulkOptions, type LineResult, type StoreApi, sentenceOf } from '../api/store-api.ts';
import { type Line, readLines } from './lines.ts';
import { type LineReport, LinesReport, type Outcome, type Stopped } from './lines-report.ts';
import { type Measure, measuredDisplay } from './progress.ts';
import { EXIT_FAILURE, type Terminal, unreadableLine } from './report.ts';

export interface LinesOptions {
  readonly dryRun: boolean;
  /** Stops the import after the lines that are being written. */
  readonly interrupted?: AbortSignal | undefined;
  /** The store to import into, if not the one in the settings. */
  readonly store?: RemoteStore | undefined;
}

/** A line to be written, or one whose outcome is known without asking the store. */
export type ReadLine =
  | { readonly name: string; readonly body: JsonObject }
  | { readonly name?: string; readonly outcome: 'skipped' | 'failed'; readonly reason: string }
  | { readonly name: string; readonly outcome: 'unchanged' };

/** How to import one kind of record. */
export interface LinesKind {
  readonly collection: string;
  /** Possible outcomes, in the order of the totals. */
  readonly outcomes: readonly Outcome[];
  readonly bulk: BulkOptions;
  readonly read: (text: string) => ReadLine;
  /** Whether a rejection with this status counts as skipped instead of failed. */
  readonly isSkipped: (status: number) => boolean;
  readonly onOutcome?: (body: JsonObject, outcome: Outcome) => void;
}

/** @returns the exit code */
export async function importLines(
  config: Config,
  path: string,
  kind: LinesKind,
  { dryRun, interrupted, store }: LinesOptions,
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
    const { api, close } = await openApi(config, store, { type: 'import', id: kind.collection.slice(1) });
    try {
      const report = new LinesReport(kind.collection.slice(1), kind.outcomes, dryRun, (line) =>
        display.above(() => stdout.write(`${line}\n`)),
      );
      const stopped = await writeLines(api, readLines(chunksOf(file)), kind, {
        dryRun,
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

interface WriteOptions {
  readonly dryRun: boolean;
  readonly interrupted: AbortSignal | undefined;
  report(line: LineReport): void;
  onProgress(lines: number, bytesDone: number): void;
}

/** A line that has been read but not reported. `end` is the byte offset of the next line. */
type PendingLine = { readonly number: number; readonly end: number } & ReadLine;

/** @returns where and why the import stopped before the end of the file */
async function writeLines(
  api: StoreApi,
  lines: AsyncIterable<Line>,
  kind: LinesKind,
  { dryRun, interrupted, report, onProgress }: WriteOptions,
): Promise<Stopped | undefined> {
  /** In file order. */
  const pending: PendingLine[] = [];
  let next = 1;
  let isInterrupted = false;
  const printOutcome = ({ number, end, name = '' }: PendingLine, outcome: Outcome, reason?: string): void => {
    report({ line: number, name: shortened(name), outcome, reason });
    next = number + 1;
    onProgress(number, end);
  };
  const printKnownOutcomes = (): void => {
    for (let first = pending[0]; first && 'outcome' in first; first = pending[0]) {
      pending.shift();
      printOutcome(first, first.outcome, 'reason' in first ? first.reason : undefined);
    }
  };
  async function* bodies(): AsyncGenerator<JsonObject> {
    for await (const line of lines) {
      // SQLite never waits for I/O events, so signals would not be delivered without yielding here.
      await yieldToEvents();
      isInterrupted = interrupted?.aborted ?? false;
      if (isInterrupted) return;
      const read: ReadLine =
        'unreadable' in line ? { outcome: 'failed', reason: line.unreadable } : kind.read(line.text);
      pending.push({ number: line.number, end: line.end, ...read });
      if ('body' in read) yield read.body;
      else if (pending.length === 1) printKnownOutcomes();
    }
  }
  try {
    for await (const result of api.bulk(kind.collection, bodies(), { ...kind.bulk, dryRun })) {
      const line = pending.shift()!;
      const outcome = outcomeOf(kind, result);
      if ('body' in line) kind.onOutcome?.(line.body, outcome);
      printOutcome(line, outcome, result.rejection && sentenceOf(result.rejection.problems));
      printKnownOutcomes();
    }
    return isInterrupted ? { line: next, reason: 'The import was interrupted.' } : undefined;
  } catch (error) {
    // The store or the file is unavailable. Another run continues from here.
    return { line: next, reason: (error as Error).message };
  }
}

function outcomeOf(kind: LinesKind, { result, rejection }: LineResult): Outcome {
  return rejection && kind.isSkipped(rejection.status) ? 'skipped' : result;
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path);
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
}

const CHUNK_BYTES = 64 * 1024;

/** Yields the file in chunks. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { buffer, bytesRead } = await file
      .read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null)
      .catch(({ message }: Error) => Promise.reject(new Error(`The file cannot be read: ${message}.`)));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

interface LinesDone {
  readonly lines: number;
  readonly bytesDone: number;
  /** 0 if the size is unknown, as with a pipe. */
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
