/**
 * Folds the log of a database file whenever it is told to, on a connection of its own: the flushes of a fold take longer than
 * those of a commit, and the event loop goes on meanwhile.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';

/** `workerData` of the thread. */
export interface Fold {
  readonly path: string;
  readonly how: 'PASSIVE' | 'FULL';
  /** The longest wait for whoever writes, or reads an old state. */
  readonly waitMs: number;
}

const { path, how, waitMs } = workerData as Fold;
const connection = new Connection(path, 'writer', waitMs);

parentPort!.on('message', (order: 'fold' | 'close') => {
  if (order === 'fold') return parentPort!.postMessage(connection.foldLog(how));
  connection.close();
  parentPort!.close();
});
