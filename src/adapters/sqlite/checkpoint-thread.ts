/**
 * Thread that checkpoints or rewrites a database file on request, on its own connection. Its fsyncs take longer than
 * those of a commit, and must not block the event loop.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';

/** `workerData` of the thread. */
export interface CheckpointOptions {
  readonly path: string;
  readonly how: 'PASSIVE' | 'FULL';
  /** Maximum wait for a writer, or for a reader of an older snapshot. */
  readonly waitMs: number;
}

const { path, how, waitMs } = workerData as CheckpointOptions;
const connection = new Connection(path, 'writer', waitMs);

export type Order = 'checkpoint' | 'rewrite' | 'close';

parentPort!.on('message', (order: Order) => {
  if (order === 'checkpoint') return parentPort!.postMessage(connection.checkpoint(how));
  if (order === 'rewrite') return parentPort!.postMessage(connection.rewrite());
  connection.close();
  parentPort!.close();
});
