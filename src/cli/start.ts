/** Output of a start: a status screen on a terminal, otherwise one line of JSON. */
import { hostname } from 'node:os';
import type { FirstKeys } from '../store/keys.ts';
import { signInAddress } from './own-address.ts';

/** Standard output, or a test's substitute. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Start {
  readonly version: string;
  /** Public address of the store. */
  readonly baseUrl: string;
  /** Address of the admin page; undefined: off. */
  readonly admin: string | undefined;
  readonly metrics: string | undefined;
  /** The database, without a password. */
  readonly data: string;
  readonly images: string;
  /** Keys created by this start. */
  readonly made: FirstKeys | undefined;
  /** File with these keys; undefined on a terminal, which shows them. */
  readonly keysFile: string | undefined;
  /** Notes for the operator. */
  readonly notes: readonly string[];
}

export function printStart(output: Output, start: Start): void {
  if (output.isTTY) output.write(`${screen(start)}\n`);
  else printLine(output, 'The server is ready.', facts(start));
}

/** Prints a notice during the start. */
export function printNotice(output: Output, notice: string): void {
  if (output.isTTY) output.write(`${notice}\n\n`);
  else printLine(output, notice);
}

const LEVEL_INFO = 30;

/** Writes a line in the log's format, at any LOG_LEVEL. */
function printLine(output: Output, msg: string, more: object = {}): void {
  const origin = { level: LEVEL_INFO, time: Date.now(), pid: process.pid, hostname: hostname() };
  output.write(`${JSON.stringify({ ...origin, ...more, msg })}\n`);
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
      'Two API keys have been created. They are not shown again; the store contains only their hashes.',
      '',
      `  read/write  ${made.readWrite}`,
      `  read-only   ${made.readOnly}`,
      '',
      'Try a first request, which lists the store’s languages:',
      '',
      `  curl ${baseUrl}/api/languages -H 'X-Auth-Token: ${made.readWrite}'`,
    );
  if (admin !== undefined && made?.signInToken !== undefined)
    lines.push(
      '',
      'Open the admin page with this address. It signs in once, within 10 minutes:',
      '',
      `  ${signInAddress(admin, made.signInToken)}`,
    );
  for (const note of notes) lines.push('', note);
  lines.push('', 'Press Ctrl+C to stop.');
  return lines.join('\n');
}
