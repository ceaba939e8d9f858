/** The tale of a start: a screen for a person at a terminal, one line of JSON for everybody else. */
import { hostname } from 'node:os';
import type { FirstKeys } from '../store/keys.ts';
import { signInAddress } from './own-address.ts';

/** Standard output, or what a test has in its place. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Start {
  readonly version: string;
  /** Where clients call the store. */
  readonly baseUrl: string;
  /** Of the admin page, where there is one. */
  readonly admin: string | undefined;
  readonly metrics: string | undefined;
  /** The database, without a password. */
  readonly data: string;
  readonly images: string;
  /** Made by this start, with the file that they are in where nobody reads a screen. */
  readonly made: FirstKeys | undefined;
  readonly keysFile: string | undefined;
  /** Of what the operator should know, a text each. */
  readonly notes: readonly string[];
}

export function printStart(output: Output, start: Start): void {
  if (output.isTTY) output.write(`${screen(start)}\n`);
  else printLine(output, 'The store is served.', facts(start));
}

/** A remark while the store is made ready. */
export function printNotice(output: Output, notice: string): void {
  if (output.isTTY) output.write(`${notice}\n\n`);
  else printLine(output, notice);
}

const LEVEL_INFO = 30;

/** In the form of the log's lines, whatever LOG_LEVEL is. */
function printLine(output: Output, msg: string, more: object = {}): void {
  const whose = { level: LEVEL_INFO, time: Date.now(), pid: process.pid, hostname: hostname() };
  output.write(`${JSON.stringify({ ...whose, ...more, msg })}\n`);
}

function facts({ version, baseUrl, admin, metrics, data, images, keysFile, notes }: Start): object {
  return {
    ...{ version, api: `${baseUrl}/api/products`, reference: `${baseUrl}/api`, data, images },
    ...(admin !== undefined && { admin }),
    ...(metrics !== undefined && { metrics }),
    ...(keysFile !== undefined && { first_keys_file: keysFile }),
    ...(notes.length > 0 && { notes }),
  };
}

function screen({ version, baseUrl, admin, metrics, data, images, made, notes }: Start): string {
  const lines = [
    `Purveyor ${version}`,
    '',
    `  API        ${baseUrl}/api/products`,
    `  Reference  ${baseUrl}/api`,
    `  Data       ${data}`,
    `  Images     ${images}`,
  ];
  if (admin !== undefined) lines.splice(2, 0, `  Admin      ${admin}`);
  if (metrics !== undefined) lines.push(`  Metrics    ${metrics}`);
  if (made)
    lines.push(
      '',
      'Two API keys were made for you. They are shown this once; the store keeps only their hashes.',
      '',
      `  read/write  ${made.readWrite}`,
      `  read-only   ${made.readOnly}`,
      '',
      'A first request, which reads the store’s languages:',
      '',
      `  curl ${baseUrl}/api/languages -H 'X-Auth-Token: ${made.readWrite}'`,
    );
  if (admin !== undefined && made?.signInToken !== undefined)
    lines.push(
      '',
      'The admin page, in a browser; this address signs in once, within 10 minutes:',
      '',
      `  ${signInAddress(admin, made.signInToken)}`,
    );
  for (const note of notes) lines.push('', note);
  lines.push('', 'Stop with Ctrl+C.');
  return lines.join('\n');
}
