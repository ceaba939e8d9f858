/**
 * Child process that runs searches for the server, one at a time, on its own connection. Fork it with the path of the
 * database file. The parent ends it with SIGKILL, even during a search; it only reads, so nothing is lost.
 */
import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../engine/ports.ts';
import { Connection } from './connection.ts';

/**
 * Memory-maps the file as far as SQLite can (2 GiB), which halves the time of a search through most of a large store. A
 * page that cannot be read then ends the process that reads it (SIGBUS), so only this process does it.
 */
const MAPPED_BYTES_MAX = 2 ** 31;

/** Request of the parent. */
export interface Search {
  readonly sql: string;
  readonly bound: SQLInputValue[];
}

/** Result; an error has SQLite's code, if any. */
export type Searched =
  | { readonly rows: Row[]; readonly milliseconds: number }
  | { readonly message: string; readonly errcode: number | undefined };

const connection = new Connection(process.argv[2]!, 'reader');
connection.run(`pragma mmap_size = ${MAPPED_BYTES_MAX}`, []);

process.on('message', (search: Search) => process.send?.(run(search)));
process.on('disconnect', () => process.exit());
// Signals to the process group (Ctrl-C, systemd) are for the parent, which finishes its requests and then ends this
// process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.send?.('ready');

function run({ sql, bound }: Search): Searched {
  const startedAt = performance.now();
  try {
    return { rows: connection.run(sql, bound), milliseconds: performance.now() - startedAt };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { message, errcode };
  }
}
