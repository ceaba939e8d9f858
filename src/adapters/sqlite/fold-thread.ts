/**
 * Folds the log of the database file in `workerData` whenever it is told to, on a connection of its own: the flushes of a fold
 * take longer than those of a commit, and the event loop goes on meanwhile.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from './connection.ts';

const connection = new Connection(workerData as string, 'writer');

parentPort!.on('message', (order: 'fold' | 'close') => {
  if (order === 'fold') return parentPort!.postMessage(connection.foldLog('PASSIVE'));
  connection.close();
  parentPort!.close();
});
