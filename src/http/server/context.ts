/** The HTTP side's surroundings, given once, and its knowledge of each request. */

import type { Problem, Service } from '../../engine/index.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { FeedWatch } from '../../store/feed-watch.ts';
import type { KnownKey, ValidKey } from '../../store/keys.ts';
import type { Sessions } from '../../store/sessions.ts';
import type { StoreState } from '../../store/state.ts';
import type { Limits } from '../admission/limits.ts';
import type { RequestCounts } from '../admission/rate-limits.ts';
import type { CacheValidator } from '../cache/cache-validator.ts';

export interface HttpOptions {
  readonly service: Service;
  readonly cacheValidator: CacheValidator;
  readonly feedWatch: FeedWatch;
  /** Keys from the environment. */
  readonly keys: readonly KnownKey[];
  /** `5.5`: every request counts as lenient, and a PUT keeps what it leaves out. */
  readonly compatibility: 'none' | '5.5';
  /** Bytes; 0 is no limit. */
  readonly jsonBodyBytesMax: number;
  readonly attachmentBodyBytesMax: number;
  /** Keeps which records were erased. */
  readonly erasuresFile: string;
  readonly imageBytesMax: number;
  /** Bytes; 0 keeps no answers. */
  readonly responseCacheBytesMax: number;
  readonly limits: Limits;
  /** Where others count for this process, too; else it counts by itself. */
  readonly counts?: RequestCounts | undefined;
  readonly logLevel: string;
  /** Members of each line of the log, in the place of the usual ones. */
  readonly logNames?: Readonly<Record<string, unknown>> | undefined;
  /** A line for each request. */
  readonly logRequests: boolean;
  /** Where browsers get image files from instead; empty: from here. */
  readonly imagesPublicUrl?: string;
  /** Where figures are wanted. */
  readonly metrics?: Metrics | undefined;
  readonly trustProxy: readonly string[];
  /** Answers name the host that each request asks by, instead of the one address of the world. */
  readonly followsHost: boolean;
  /** Undefined where it is switched off. */
  readonly admin?: AdminOptions | undefined;
  /** The program's own version. */
  readonly version: string;
}

/** The admin page. */
export interface AdminOptions {
  readonly sessions: Sessions;
  /** The folder of its built files. */
  readonly folder: string;
  /** It may be used over plain HTTP from other machines, too. */
  readonly allowsPlainHttp: boolean;
}

/** Facts about an admitted request. */
export interface RequestContext {
  /** The keys and languages that it was admitted by. */
  readonly state: StoreState;
  readonly key: ValidKey;
  /** A session of the admin page was sent, and no key. */
  readonly isOfSession: boolean;
  readonly keyName: string;
  readonly language: string;
  readonly defaultLanguage: string;
  /** The store's languages that this visitor may read texts of: a read-only key those that are enabled. */
  readonly languages: readonly string[];
  /** The refusal of a write of texts whose request names only languages that the store does not have. */
  readonly unknownLanguage: Problem | undefined;
  readonly lenient: boolean;
  /** The client asked for leniency itself, so the answer says that it was applied. */
  readonly saysLenient: boolean;
}
