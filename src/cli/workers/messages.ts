/** The words between the first process of a server and its workers. Plain values: they cross as JSON. */
import type { Counted, RequestCounts } from '../../http/admission/rate-limits.ts';
import type { ProcessFigures } from '../../metrics/metrics.ts';

/** The variable by which a process knows that it is a worker, and which one, from 1. */
export const WORKER_VARIABLE = 'PURVEYOR_WORKER';
/** The number of a socket that the first process was handed, for its workers. */
export const SOCKET_VARIABLE = 'PURVEYOR_SOCKET';

export type FromWorker =
  /** It listens, or says why it cannot. */
  | { readonly say: 'ready'; readonly port: number }
  | { readonly say: 'failed'; readonly message: string }
  /** The store must not be written any more, by nobody. */
  | { readonly say: 'broken'; readonly message: string }
  /** One more for a rate; `rated` answers. */
  | { readonly say: 'count'; readonly id: number; readonly rate: keyof RequestCounts; readonly who: string }
  | { readonly say: 'uncount'; readonly rate: keyof RequestCounts; readonly who: string }
  /** The answer to `figures`, and the last ones of a worker that ends. */
  | { readonly say: 'figures'; readonly id: number | undefined; readonly figures: ProcessFigures };

export type FromFirst =
  | { readonly say: 'rated'; readonly id: number; readonly counted: Counted }
  | { readonly say: 'figures'; readonly id: number }
  /** Finish what runs, and end. */
  | { readonly say: 'stop'; readonly isForGood: boolean };
