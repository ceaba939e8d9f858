/**
 * `purveyor import products FILE.jsonl`, and other collections: writes the lines of a file as a bulk request does
 * (sync.md §4) and reports the outcome of each.
 */
import { isJsonObject, type JsonObject, JsonProblem, parseJson } from '../../engine/index.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { importLines, type LinesOptions, type ReadLine } from './lines-import.ts';
import { NOT_AN_OBJECT, ofLine } from './orders-body.ts';
import type { Terminal } from './report.ts';

interface RecordsOptions extends LinesOptions {
  /** The field that identifies records, if it is not the collection's default. */
  readonly by?: string | undefined;
  readonly mode?: 'upsert' | 'create' | 'update' | undefined;
  readonly write?: 'patch' | 'put' | undefined;
}

/**
 * @param collection for example `products`
 * @param usualKey the field that identifies its records by default
 * @returns the exit code
 */
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
    return { outcome: 'failed', reason: NOT_AN_OBJECT };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { outcome: 'failed', reason: ofLine(error.message) };
  }
}

function nameIn({ key, body, ...line }: JsonObject, by: string): string {
  const name = key ?? (isJsonObject(body) ? body[by] : line[by]);
  return typeof name === 'string' || typeof name === 'number' ? String(name) : '';
}
