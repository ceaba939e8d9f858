/**
 * Thread that checkpoints a database file on request, on its own connection. Its fsyncs take longer than those of a
 * commit, and must not block the event loop.
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

parentPort!.on('message', (order: 'checkpoint' | 'close') => {
  if (order === 'checkpoint') return parentPort!.postMessage(connection.checkpoint(how));
  connection.close();
  parentPort!.close();
});
