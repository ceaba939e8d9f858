/**
 * An import of a file with a JSON object on each line: the lines go through a bulk in their order, and what became of each is
 * told as it is known. Never more than a few lines are held, however large the file.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonObject, shortened } from '../../engine/index.ts';
import type { Config } from '../../wiring/config.ts';
import { openApi } from '../api/open.ts';
import type { RemoteStore } from '../api/remote-store.ts';
import { type BulkOptions, type LineResult, type StoreApi, sentenceOf } from '../api/store-api.ts';
import { type Line, readLines } from './lines.ts';
import { type LineReport, LinesReport, type Outcome, type Stopped } from './lines-report.ts';
import { type Measure, measuredDisplay } from './progress.ts';
import { EXIT_FAILURE, type Terminal, unreadableLine } from './report.ts';

export interface LinesOptions {
  readonly dryRun: boolean;
  /** Ends the import behind the lines that it is at. */
  readonly interrupted?: AbortSignal | undefined;
  /** Another store than that of the settings. */
  readonly store?: RemoteStore | undefined;
}

/** The content of a line, or why it is not taken. */
export type ReadLine =
  | { readonly name: string; readonly body: JsonObject }
  | { readonly name?: string; readonly left: 'skipped' | 'failed'; readonly reason: string }
  | { readonly name: string; readonly left: 'unchanged' };

/** One kind of records that lines are imported of. */
export interface LinesKind {
  readonly collection: string;
  /** The outcomes that there may be, in the order of the totals. */
  readonly outcomes: readonly Outcome[];
  readonly bulk: BulkOptions;
  readonly read: (text: string) => ReadLine;
  /** A refusal that is no fault of the line. */
  readonly isSkipped: (status: number) => boolean;
  readonly told?: (body: JsonObject, outcome: Outcome) => void;
}

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
    const { api, close } = await openApi(config, store);
    try {
      const report = new LinesReport(kind.collection.slice(1), kind.outcomes, dryRun, (line) =>
        display.above(() => stdout.write(`${line}\n`)),
      );
      const stopped = await takeLines(api, readLines(chunksOf(file)), kind, {
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

interface StoreCopy {
  readonly dryRun: boolean;
  readonly interrupted: AbortSignal | undefined;
  report(line: LineReport): void;
  onProgress(lines: number, bytesDone: number): void;
}

/** A line between its reading and its outcome. */
type Underway = { readonly number: number; readonly end: number } & ReadLine;

/** @returns where the import stopped before the end of the file */
async function takeLines(
  api: StoreApi,
  lines: AsyncIterable<Line>,
  kind: LinesKind,
  { dryRun, interrupted, report, onProgress }: StoreCopy,
): Promise<Stopped | undefined> {
  /** In the order of the file; those that nobody sends have their outcome already. */
  const underway: Underway[] = [];
  let next = 1;
  let isInterrupted = false;
  const printOutcome = ({ number, end, name = '' }: Underway, outcome: Outcome, reason?: string): void => {
    report({ line: number, name: shortened(name), outcome, reason });
    next = number + 1;
    onProgress(number, end);
  };
  const tellLeft = (): void => {
    for (let first = underway[0]; first && 'left' in first; first = underway[0]) {
      underway.shift();
      printOutcome(first, first.left, 'reason' in first ? first.reason : undefined);
    }
  };
  async function* bodies(): AsyncGenerator<JsonObject> {
    for await (const line of lines) {
      // An embedded database answers at once: without a turn for others no signal would be heard.
      await nextTurn();
      isInterrupted = interrupted?.aborted ?? false;
      if (isInterrupted) return;
      const read: ReadLine = 'unreadable' in line ? { left: 'failed', reason: line.unreadable } : kind.read(line.text);
      underway.push({ number: line.number, end: line.end, ...read });
      if ('body' in read) yield read.body;
      else if (underway.length === 1) tellLeft();
    }
  }
  try {
    for await (const result of api.bulk(kind.collection, bodies(), { ...kind.bulk, dryRun })) {
      const line = underway.shift()!;
      const outcome = outcomeOf(kind, result);
      if ('body' in line) kind.told?.(line.body, outcome);
      printOutcome(line, outcome, result.rejection && sentenceOf(result.rejection.problems));
      tellLeft();
    }
    return isInterrupted ? { line: next, reason: 'it was interrupted.' } : undefined;
  } catch (error) {
    // The store or the file cannot answer. A further run goes on from here.
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
