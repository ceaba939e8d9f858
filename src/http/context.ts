/** What the HTTP side of the program is given once, and what it keeps of each request. */

import type { Service } from '../engine/service.ts';
import type { StoreState } from '../engine/store-state.ts';
import type { KnownKey } from './authentication.ts';
import type { Limits } from './limits.ts';

export interface HttpOptions {
  readonly service: Service;
  readonly readState: () => Promise<StoreState>;
  /** Keys from the environment. */
  readonly keys: readonly KnownKey[];
  /** `5.5`: every request counts as lenient, and a PUT keeps what it leaves out. */
  readonly compatibility: 'none' | '5.5';
  /** Bytes; 0 is no limit. */
  readonly jsonBodyBytesMax: number;
  readonly attachmentBodyBytesMax: number;
  /** Bytes; 0 keeps no answers. */
  readonly responseCacheBytesMax: number;
  readonly limits: Limits;
  readonly logLevel: string;
  readonly trustProxy: readonly string[];
  /** Answers name the host that each request asks by, instead of the one address of the world. */
  readonly followsHost: boolean;
  /** The program's own version. */
  readonly version: string;
}

/** What is known of an admitted request. */
export interface Visit {
  /** The database's generation when the request began, where it has one. */
  readonly generation: number | undefined;
  readonly keyName: string;
  readonly language: string;
  readonly defaultLanguage: string;
  readonly lenient: boolean;
  /** The client asked for leniency itself, so the answer says that it was applied. */
  readonly saysLenient: boolean;
}
