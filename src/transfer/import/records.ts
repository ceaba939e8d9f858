/**
 * `purveyor import products FILE.jsonl`, and of other collections: sends the lines of a file as a bulk (sync.md §4), and tells what
 * became of each; gives the exit code.
 */
import { isJsonObject, type JsonObject, JsonProblem, parseJson } from '../../engine/index.ts';
import type { Config } from '../../wiring/config.ts';
import { importLines, type LinesOptions, type ReadLine } from './lines-import.ts';
import type { Terminal } from './report.ts';

interface RecordsOptions extends LinesOptions {
  /** The field that names records, where it is not the usual one. */
  readonly by?: string | undefined;
  readonly mode?: 'upsert' | 'create' | 'update' | undefined;
  readonly write?: 'patch' | 'put' | undefined;
}

/** @param collection `products`, and @param by the field that names its records usually */
export function importRecords(
  config: Config,
  collection: string,
  usualKey: string,
  path: string,
  { by, mode, write, ...options }: RecordsOptions,
  terminal: Terminal,
): Promise<number> {
  const kind = {
    collection: `/${collection}`,
    outcomes: ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const,
    bulk: { key: by, mode, write },
    read: (text: string) => readRecord(text, by ?? usualKey),
    isSkipped: () => false,
  };
  return importLines(config, path, kind, options, terminal);
}

function readRecord(text: string, by: string): ReadLine {
  try {
    const body = parseJson(text);
    if (isJsonObject(body)) return { name: nameIn(body, by), body };
    return { left: 'failed', reason: 'The line should be one JSON object, between { and }.' };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return {
      left: 'failed',
      reason: error.message.replace('The body', 'The line').replace(' at line 1, column', ' at column'),
    };
  }
}

function nameIn({ key, body, ...line }: JsonObject, by: string): string {
  const name = key ?? (isJsonObject(body) ? body[by] : line[by]);
  return typeof name === 'string' || typeof name === 'number' ? String(name) : '';
}
