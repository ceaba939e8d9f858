/**
 * Runs searches for the server, one at a time, on a connection of its own: `fork` it with the path of the database file.
 * Its parent ends it with SIGKILL, also in the middle of a search; it only reads, so nothing is lost.
 */
import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../engine/ports.ts';
import { Connection } from './connection.ts';

/**
 * The file is read as memory, as far as SQLite can (2 GiB), which takes half the time where most of a large store is looked
 * at. A page that the disk cannot give then ends the process that reads it (SIGBUS), so only this one may.
 */
const MAPPED_BYTES_MAX = 2 ** 31;

/** The parent's question. */
export interface Search {
  readonly sql: string;
  readonly bound: SQLInputValue[];
}

/** The outcome; an error with SQLite's number, where it has one. */
export type Searched =
  | { readonly rows: Row[]; readonly milliseconds: number }
  | { readonly message: string; readonly errcode: number | undefined };

const connection = new Connection(process.argv[2]!, 'reader');
connection.run(`pragma mmap_size = ${MAPPED_BYTES_MAX}`, []);

process.on('message', (search: Search) => process.send?.(answer(search)));
process.on('disconnect', () => process.exit());
// A signal to the whole group (Ctrl-C, systemd) is for the parent, which finishes its requests and then ends this.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.send?.('ready');

function answer({ sql, bound }: Search): Searched {
  const startedAt = performance.now();
  try {
    return { rows: connection.run(sql, bound), milliseconds: performance.now() - startedAt };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { message, errcode };
  }
}
