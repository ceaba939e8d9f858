/** IPC messages between the primary process and its workers. Plain values, because they cross as JSON. */
import type { Counted, RequestCount } from '../../http/admission/rate-limits.ts';
import type { ProcessMetrics } from '../../metrics/metrics.ts';

/** Environment variable with a worker's number, from 1. Only workers have it. */
export const WORKER_VARIABLE = 'PURVEYOR_WORKER';
/** Environment variable with the file descriptor of a socket that a supervisor passed to the primary. */
export const SOCKET_VARIABLE = 'PURVEYOR_SOCKET';

export type FromWorker =
  /** The worker listens, or failed to start. */
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'failed'; readonly message: string }
  /** No process may write to the store any more. */
  | { readonly type: 'broken'; readonly message: string }
  /** Counts one request in this order, until it exceeds a limit; the reply is `counted`. */
  | { readonly type: 'count'; readonly id: number; readonly counts: readonly RequestCount[] }
  | ({ readonly type: 'uncount' } & RequestCount)
  /** Reply to `metrics`; without an id the last metrics of a worker that exits. */
  | { readonly type: 'metrics'; readonly id: number | undefined; readonly metrics: ProcessMetrics };

export type FromPrimary =
  | { readonly type: 'counted'; readonly id: number; readonly counted: readonly Counted[] }
  | { readonly type: 'metrics'; readonly id: number }
  /** Finish running requests and exit. */
  | { readonly type: 'stop'; readonly isForGood: boolean };
