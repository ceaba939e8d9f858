/** Parses the JSON line that the server writes at its start if its output is not a terminal. */
import type { Output } from '../../src/cli/start.ts';
import type { Running } from '../cli/program.ts';

export interface StartLine {
  /** The store's address, without a path. */
  readonly address: string;
  readonly metrics: string | undefined;
  readonly firstKeysFile: string | undefined;
  /** All messages so far, one per line. */
  readonly said: string;
  /** The fields of the line. */
  readonly startLine: Readonly<Record<string, unknown>>;
}

const START_LINE = /^\{.*"msg":"The server is ready\."\}$/m;

/** @returns undefined if the line is not in the output yet */
export function startLineIn(output: string): StartLine | undefined {
  const [line] = START_LINE.exec(output) ?? [];
  if (line === undefined) return undefined;
  const startLine = JSON.parse(line);
  return {
    ...{ address: new URL(startLine.api).origin, metrics: startLine.metrics, firstKeysFile: startLine.first_keys_file },
    ...{ said: saidIn(output), startLine },
  };
}

/** The messages of JSON log lines, one per line. */
export function saidIn(output: string): string {
  // A crashing process writes lines that are not JSON.
  const lines = output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, notes = [] }) => [...notes, msg])
    .join('\n');
}

/** Waits until the store is served. @throws {Error} if the program exits before */
export async function startOf(running: Running): Promise<StartLine> {
  const [output] = await running.says(new RegExp(`[^]*${START_LINE.source}`, 'm'));
  return startLineIn(output)!;
}

/** Discards the output of a server. */
export const NO_OUTPUT: Output = { isTTY: true, write() {} };
