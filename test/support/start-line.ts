/** The line that a start writes where its output is no terminal, for whoever starts the program. */
import type { Output } from '../../src/cli/start.ts';
import type { Running } from '../cli/program.ts';

export interface StartLine {
  /** The store's address, without a path. */
  readonly address: string;
  readonly metrics: string | undefined;
  readonly firstKeysFile: string | undefined;
  /** All sentences so far, a line each. */
  readonly said: string;
  /** Names and values as they were written. */
  readonly told: Readonly<Record<string, unknown>>;
}

const START_LINE = /^\{.*"msg":"The server is ready\."\}$/m;

/** @returns undefined where the program has not come so far */
export function startLineIn(output: string): StartLine | undefined {
  const [line] = START_LINE.exec(output) ?? [];
  if (line === undefined) return undefined;
  const told = JSON.parse(line);
  return {
    ...{ address: new URL(told.api).origin, metrics: told.metrics, firstKeysFile: told.first_keys_file },
    ...{ said: saidIn(output), told },
  };
}

/** The sentences in lines of JSON, a line each. */
export function saidIn(output: string): string {
  // A process that dies says so in lines of its own.
  const lines = output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, notes = [] }) => [...notes, msg])
    .join('\n');
}

/** Resolves when the store is served. @throws when the program ends without it */
export async function startOf(running: Running): Promise<StartLine> {
  const [output] = await running.says(new RegExp(`[^]*${START_LINE.source}`, 'm'));
  return startLineIn(output)!;
}

/** The output of a server that nobody listens to. */
export const UNHEARD: Output = { isTTY: true, write() {} };
