/**
 * `purveyor export products FILE`, and other collections: writes all records of one snapshot, one JSON object per line
 * (sync.md §3). The file gets its name after it is complete.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Config } from '../../wiring/settings/index.ts';
import { openApi } from '../api/open.ts';
import type { RemoteStore } from '../api/remote-store.ts';
import type { StoreApi } from '../api/store-api.ts';
import { exportProductsCsv } from '../import/products-csv/write.ts';
import { measuredDisplay } from '../import/progress.ts';
import type { Terminal } from '../import/report.ts';

interface ExportOptions {
  /** Of products only: `csv` for spreadsheets. Default: JSON Lines. */
  readonly format?: 'jsonl' | 'csv' | undefined;
  /** The store to export, if not the one in the settings. */
  readonly store?: RemoteStore | undefined;
  readonly interrupted: AbortSignal;
}

const EXIT_DONE = 0;
const EXIT_FAILURE = 1;

/** @param path output file; `-` for stdout @returns the exit code */
export async function exportRecords(
  config: Config,
  collection: string,
  path: string,
  { format, store, interrupted }: ExportOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const unfinished = `${path}.part`;
  const file = path === '-' ? undefined : await open(unfinished, 'w').catch((error: Error) => error);
  if (file instanceof Error) {
    stderr.write(`Cannot write ${path}: ${file.message}.\n`);
    return EXIT_FAILURE;
  }
  try {
    const { api, close } = await openApi(config, store, { type: 'command', id: `export ${collection}` });
    try {
      const { total, parts } = format === 'csv' ? await exportProductsCsv(api) : await exportLines(api, collection);
      const write = file ? (text: string) => file.write(text) : (text: string) => writeOut(stdout, text);
      const count = await writeParts({ total, parts }, write, interrupted, stderr);
      if (file) await publish(file, unfinished, path);
      stderr.write(`Exported ${count} ${collection.replaceAll('_', ' ')}${file ? ` to ${path}` : ''}.\n`);
      return EXIT_DONE;
    } finally {
      await close();
    }
  } catch (error) {
    await file?.close().catch(() => {});
    if (file) await rm(unfinished, { force: true });
    stderr.write(`${(error as Error).message}\n`);
    return EXIT_FAILURE;
  }
}

/** Lines are buffered up to this length. */
const TEXT_LENGTH_MAX = 65_536;
const RECORDS_PER_LINE = 10_000;

interface ExportProgress {
  readonly count: number;
  readonly total: number;
}

/** A file in parts: a header, then one for each record. */
interface Parts {
  readonly total: number;
  readonly parts: AsyncIterable<string>;
}

async function exportLines(api: StoreApi, collection: string): Promise<Parts> {
  const { total, records } = await api.export(`/${collection}`);
  async function* parts(): AsyncGenerator<string> {
    // The header of this format is empty.
    yield '';
    for await (const record of records) yield `${JSON.stringify(record)}\n`;
  }
  return { total, parts: parts() };
}

/** @returns the number of records, which is one less than the number of parts */
async function writeParts(
  { total, parts }: Parts,
  write: (text: string) => Promise<unknown>,
  interrupted: AbortSignal,
  stderr: Terminal['stderr'],
): Promise<number> {
  const display = measuredDisplay<ExportProgress>(stderr, {
    done: ({ count }) => count,
    total: (progress) => progress.total,
    bar: '{bar} {value} of {total} records, {eta_formatted} left',
    line: ({ count }) => (count % RECORDS_PER_LINE === 0 ? `${count} of ${total} records` : undefined),
  });
  let text = '';
  let count = -1;
  try {
    for await (const part of parts) {
      text += part;
      count += 1;
      if (count > 0) display.show({ count, total });
      if (text.length < TEXT_LENGTH_MAX) continue;
      await write(text);
      text = '';
      // SQLite never waits for I/O events, so signals would not be delivered without yielding here.
      await yieldToEvents();
      interrupted.throwIfAborted();
    }
    await write(text);
    interrupted.throwIfAborted();
  } finally {
    display.end();
  }
  return count;
}

/** Renames the file atomically: after a crash it is complete or does not exist. */
async function publish(file: FileHandle, unfinished: string, path: string): Promise<void> {
  await file.sync();
  await file.close();
  await rename(unfinished, path);
}

function writeOut(stdout: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stdout.write(text)) resolve();
    else stdout.once('drain', resolve);
  });
}
