/** The options of the HTTP server, and what it knows about an admitted request. */

import type { Rights } from '../../access/rights.ts';
import type { Problem, Service } from '../../engine/index.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { ShopDocuments } from '../../shop/shop-documents.ts';
import type { StorefrontSettings } from '../../shop/storefront/view.ts';
import type { FeedWatch } from '../../store/feed-watch.ts';
import type { KnownKey, ValidKey } from '../../store/keys.ts';
import type { MailLimits } from '../../store/mails/limits.ts';
import type { Sessions } from '../../store/sessions.ts';
import type { StoreState } from '../../store/state.ts';
import type { RelyingParty } from '../../store/users/webauthn.ts';
import type { IdentityProvider } from '../admin/identity-provider.ts';
import type { Limits } from '../admission/limits.ts';
import type { RequestCounts } from '../admission/rate-limits.ts';
import type { CacheValidator } from '../cache/cache-validator.ts';

export interface HttpOptions {
  readonly service: Service;
  readonly cacheValidator: CacheValidator;
  readonly feedWatch: FeedWatch;
  /** The secret key of cursors (`readCursorKey`). */
  readonly cursorKey: Buffer;
  /** API keys from the environment. */
  readonly keys: readonly KnownKey[];
  /** `5.5`: every request is lenient, and a PUT leaves omitted fields unchanged. */
  readonly compatibility: 'none' | '5.5';
  /** Bytes; 0 disables the limit. */
  readonly jsonBodyBytesMax: number;
  readonly attachmentBodyBytesMax: number;
  /** The log of erased records. */
  readonly erasuresFile: string;
  readonly imageBytesMax: number;
  readonly fileBytesMax: number;
  /** Bytes; 0 disables the cache. */
  readonly responseCacheBytesMax: number;
  readonly limits: Limits;
  readonly shopDocuments: ShopDocuments;
  /** Undefined if there is no catalog for shoppers. */
  readonly storefront?: StorefrontSettings | undefined;
  /** Counters shared with other processes; without them, this process counts by itself. */
  readonly counts?: RequestCounts | undefined;
  readonly logLevel: string;
  /** Members of each log line, instead of process id and host name. */
  readonly logNames?: Readonly<Record<string, unknown>> | undefined;
  /** Writes a log line for each request. */
  readonly logRequests: boolean;
  /** Receives log lines instead of stdout. */
  readonly logStream?: { write(line: string): void } | undefined;
  /** Base URL of image files, e.g. of a CDN. If empty, this server serves them. */
  readonly imagesPublicUrl?: string;
  /** Undefined if metrics are disabled. */
  readonly metrics?: Metrics | undefined;
  readonly trustProxy: readonly string[];
  /** Responses contain the host of their request instead of the configured base URL. */
  readonly followsHost: boolean;
  /** Whether users must have a second factor; not if undefined. */
  readonly secondFactor?: 'optional' | 'required';
  /** To whom passkeys belong; undefined if users cannot have passkeys. */
  readonly passkeys?: RelyingParty | undefined;
  /** Undefined if the store sends no mails. */
  readonly mail?: { readonly limits: MailLimits; readonly storeName: string } | undefined;
  /** Undefined if the admin page is disabled. */
  readonly admin?: AdminOptions | undefined;
  /** The version of the program. */
  readonly version: string;
}

export interface AdminOptions {
  readonly sessions: Sessions;
  /** The folder of the built admin page. */
  readonly folder: string;
  /** Allows plain HTTP from other machines. */
  readonly allowsPlainHttp: boolean;
  /** The origin of `BASE_URL`, if it is set. Pages of other origins cannot write. */
  readonly origin?: string | undefined;
  /** Shown before the sign-in. Empty: none. */
  readonly storeName?: string;
  /** Sign-in with OpenID Connect. Needs `origin`. */
  readonly oidc?: { readonly provider: IdentityProvider; readonly isOnly: boolean } | undefined;
}

/** What admission has found out about a request with a valid key. */
export interface RequestContext {
  /** The keys and languages at its admission. */
  readonly state: StoreState;
  readonly key: ValidKey;
  readonly rights: Rights;
  /** The request was authenticated by a session of the admin page instead of a key. */
  readonly isOfSession: boolean;
  readonly keyName: string;
  readonly language: string;
  readonly defaultLanguage: string;
  /** The languages in which this client may read texts: for a read-only key only the enabled ones. */
  readonly languages: readonly string[];
  /** The problem for a write of texts, if `Accept-Language` contains no language of the store. */
  readonly unknownLanguage: Problem | undefined;
  readonly lenient: boolean;
}
