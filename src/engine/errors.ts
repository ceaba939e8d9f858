/**
 * All problem types of the API: status, title and a hint on how to solve each. Expected failures are returned as
 * `Problem` values; an exception is a bug (http.md §§2 and 3, RFC 9457).
 */

/** One violated rule of a body, at the field that violates it. */
interface Violation {
  /** `sku`, `memberships[0]`, `items[2].amount` */
  readonly propertyPath: string;
  readonly message: string;
  readonly code: ViolationCode;
}

export type ViolationCode =
  | 'blank'
  | 'required'
  | 'null'
  | 'too_short'
  | 'too_long'
  | 'type'
  | 'range'
  | 'decimals'
  | 'choice'
  | 'format'
  | 'not_unique'
  | 'unknown_link'
  | 'unknown_field'
  | 'read_only'
  | 'contradiction'
  | 'conflict'
  | 'file'
  | 'download';

export const problemTypes = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    explanation:
      'The request cannot be parsed: the body is not one JSON object in UTF-8, contains a duplicate key, or is nested too deeply. Or a multipart form is truncated, or has a duplicate or unnamed part. Correct the body and send it again.',
  },
  'invalid-argument': {
    status: 400,
    title: 'Invalid argument',
    explanation:
      'A query parameter is unknown or malformed, or names a parent record that does not exist. Or Accept-Language names only languages that the store does not have, while the body contains texts. The detail names the argument and the valid choices. Send “Prefer: handling=lenient” to ignore unknown parameters.',
  },
  unauthorized: {
    status: 401,
    title: 'Missing or invalid credentials',
    explanation:
      'Send one of the store’s API keys in the header X-Auth-Token. Create keys with “purveyor keys create”. At the sign-in: check the password, the code or the link. If a session of the admin page has expired, sign in again.',
  },
  'read-only-key': {
    status: 403,
    title: 'Read-only API key',
    explanation:
      'The key in X-Auth-Token is a read-only key, which cannot be used for this request. Send the request with a read/write key.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Insufficient scope',
    explanation:
      'The key in X-Auth-Token, or the account of the session, lacks scopes that this request needs. “missing_scopes” lists them, and “masked_fields” the fields that it needs and cannot see. Use a key or an account that has them.',
  },
  'reauthentication-required': {
    status: 403,
    title: 'Confirmation required',
    explanation:
      'In a session of the admin page, this request needs a sign-in within the last 15 minutes. Confirm the session with POST /admin/session/confirm, then send the request again. Requests with a key in X-Auth-Token do not need it.',
  },
  'second-factor-required': {
    status: 403,
    title: 'Second factor required',
    explanation:
      'This store requires two-step sign-in for the admin page, and the account of this session has not set it up. Open the admin page and follow the setup. Until then, the session can only use its own account.',
  },
  'sign-in-rejected': {
    status: 403,
    title: 'Sign-in rejected',
    explanation:
      'The store does not accept this way to sign in, or what the identity provider has reported (OpenID Connect). The detail names the reason. Sign in at /admin.',
  },
  'network-not-allowed': {
    status: 403,
    title: 'Network not allowed',
    explanation:
      'The key in X-Auth-Token is not accepted from the address of this client. Send the request from one of the key’s “networks”. Behind a reverse proxy, configure the store to trust it.',
  },
  'wrong-key-kind': {
    status: 403,
    title: 'Wrong kind of key',
    explanation:
      'Publishable keys (“pv_pk_…”) work only below /storefront, and these paths accept no other keys. All other keys are secret and must not be in a web page or an app. If one is, revoke it.',
  },
  'origin-not-allowed': {
    status: 403,
    title: 'Origin not allowed',
    explanation:
      'Pages of this origin may not send the request: the publishable key does not list it in “origins”. Create a key that lists it. Requests with the session cookie need a listed Origin too, except for reads from pages of the same site. Clients that are not browsers send the session token in Authorization.',
  },
  'password-change-required': {
    status: 403,
    title: 'New password required',
    explanation:
      'This account needs a new password before any other request. Send PUT /storefront/me/password, then log in again.',
  },
  'foreign-page': {
    status: 403,
    title: 'Request not from the admin page',
    explanation:
      'A session of the admin page is accepted only if the browser identifies the store’s own pages as the origin, with Sec-Fetch-Site or Origin. Other clients must send a key in X-Auth-Token. A reverse proxy must forward Host and Origin unchanged.',
  },
  'insecure-connection': {
    status: 403,
    title: 'HTTPS required',
    explanation:
      'The admin page accepts keys and sessions over plain HTTP only from the same machine, because they could be intercepted. Open it over HTTPS. Behind a reverse proxy, configure the store to trust it.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: 'The path does not exist, or there is no record with this identifier. The detail names which.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path does not support this method. The header Allow lists the supported methods.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    explanation: 'The header Accept names no media type that this path offers. The detail lists them.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation: 'The request was not complete in time, and the connection was closed. Send it again.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    explanation: 'The current state of the store does not allow this change. The detail names the reason.',
  },
  'cursor-gone': {
    status: 410,
    title: 'Cursor expired',
    explanation:
      'Changes after the cursor in “after” are no longer available, because they are too old. Or the cursor belongs to a store that this one has replaced, as after a restore from a backup. Read all changes again, without “after”.',
  },
  'answer-erased': {
    status: 410,
    title: 'Response erased',
    explanation:
      'The request with this Idempotency-Key was already processed and is not repeated. Its response is no longer available, because it contained personal data that was erased. Read the record instead, if it still exists.',
  },
  'token-invalid': {
    status: 410,
    title: 'Invalid token',
    explanation:
      'The token from the mail is unknown, already used or expired, or the e-mail address now belongs to another account. Request another mail.',
  },
  'cart-gone': {
    status: 410,
    title: 'Cart gone',
    explanation: 'The cart expired or was merged into another cart. Discard its token, and create a cart.',
  },
  'version-erased': {
    status: 410,
    title: 'Version erased',
    explanation:
      'Personal data in this version was erased, so the audit no longer has all of its values. Restore another version, or change the record with PATCH.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    explanation:
      'If-Match: the record has changed since its ETag was read. Read it again, apply the change to the current state, and send the new ETag. If-None-Match: the record exists already, or has an ETag that the header lists.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content too large',
    explanation: 'The body or the uploaded file exceeds the limit of the store, which the detail names.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    explanation: 'The request URI is longer than 16 KiB. Use fewer or shorter filters.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    explanation:
      'Send the body as “Content-Type: application/json” or application/ld+json, in UTF-8 and without Content-Encoding. PATCH also accepts application/merge-patch+json, and image paths accept multipart/form-data.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    explanation: 'The only supported expectation is “Expect: 100-continue”.',
  },
  'validation-failed': {
    status: 422,
    title: 'Validation failed',
    explanation:
      'The body is well-formed, but some fields are invalid. “violations” lists each with its field, a message and a code. The store was not changed.',
  },
  'lines-refused': {
    status: 422,
    title: 'Bulk lines rejected',
    explanation:
      'A bulk with “atomic” writes all of its lines or none, and some are invalid. “lines” lists each with its number and problem. The store was not changed.',
  },
  'key-reused': {
    status: 422,
    title: 'Idempotency-Key reused',
    explanation:
      'The Idempotency-Key was already used for a request with another path, query, body, Accept-Language, Content-Type or Prefer. Send a new request with a new key.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The API key has exceeded its requests per minute, or there were too many requests, wrong keys or wrong secrets from one address or for one record. Wait for the number of seconds in Retry-After, then send the request again.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    explanation: 'The headers exceed 8 KiB or 100 fields. Send fewer.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation: 'An error occurred in the server. Find details in the store’s log by the request id in “instance”.',
  },
  'mail-not-configured': {
    status: 503,
    title: 'Mail not configured',
    explanation:
      'The request asks for a mail that this store is not configured to send. Omit “mail” if the body has it, or ask the operator of the store to configure mail.',
  },
  'service-unavailable': {
    status: 503,
    title: 'Service unavailable',
    explanation:
      'The database is unavailable, or the server is overloaded or stopping. Wait for the seconds in Retry-After, then send the request again.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string }>;

export type ProblemType = keyof typeof problemTypes;

/** A class, so that no client input can be mistaken for one. */
export class Problem {
  readonly problem: ProblemType;
  /** A sentence that states the cause and what to do. */
  readonly detail: string;
  readonly violations: readonly Violation[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Extension members of the body (RFC 9457 §3.2). */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    type: ProblemType,
    detail: string,
    {
      violations,
      headers = {},
      more = {},
    }: {
      violations?: readonly Violation[];
      headers?: Readonly<Record<string, string>>;
      more?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    this.problem = type;
    this.detail = detail;
    this.violations = violations;
    this.headers = headers;
    this.more = more;
  }
}

export function problem(type: ProblemType, detail: string, headers: Record<string, string> = {}): Problem {
  return new Problem(type, detail, { headers });
}

export function isProblem(value: unknown): value is Problem {
  return value instanceof Problem;
}

/** Further violations are counted, not listed (http.md §3). */
export const VIOLATIONS_SHOWN_MAX = 100;

/**
 * The problem details body of RFC 9457 with the contract's additions. `type` links to the reference page of the error.
 */
export function problemBody(
  { problem: type, detail, violations, more }: Problem,
  reference: string,
  instance: string,
): Record<string, unknown> {
  const { status, title } = problemTypes[type];
  const body: Record<string, unknown> = { type: `${reference}/${type}`, title, status, detail, instance, ...more };
  if (violations) {
    body.violations = violations.slice(0, VIOLATIONS_SHOWN_MAX);
    if (violations.length > VIOLATIONS_SHOWN_MAX) body.violations_omitted = violations.length - VIOLATIONS_SHOWN_MAX;
  }
  return body;
}

/** Combines all violations of one body into one problem. */
export function validationFailed(violations: readonly Violation[]): Problem {
  const first = violations[0]!;
  const rest = violations.length - 1;
  const where = first.propertyPath === '' ? '' : `${first.propertyPath}: `;
  const more = rest === 0 ? '' : ` (and ${rest} more ${rest === 1 ? 'violation' : 'violations'})`;
  return new Problem('validation-failed', `${where}${first.message}${more}`, { violations });
}

/** Violations of the form of a body. They were found without reading records. */
const ofForm = new WeakSet<Violation>();

/** Whether the parser of the body found a violation. Its message only describes what the client sent. */
export function isOfForm(violation: Violation): boolean {
  return ofForm.has(violation);
}

/** Collects the violations of a body, so that one response reports them all. */
export class Violations {
  readonly list: Violation[];

  constructor(list: readonly Violation[] = []) {
    this.list = [...list];
  }

  add(propertyPath: string, code: ViolationCode, message: string): void {
    this.list.push({ propertyPath, message, code });
  }

  /** @param path of the nested element that the others are relative to, e.g. `images[2]` */
  addAll({ list }: Violations, path: string | undefined): void {
    const at = (own: string): string => (path === undefined || own === '' ? (path ?? own) : `${path}.${own}`);
    for (const each of list) {
      const added = { ...each, propertyPath: at(each.propertyPath) };
      if (ofForm.has(each)) ofForm.add(added);
      this.list.push(added);
    }
  }

  /** Marks the violations so far as those of the body’s form. The parser of a body calls it at its end. */
  endForm(): void {
    for (const each of this.list) ofForm.add(each);
  }
}

/** Messages of rules that many fields share (http.md §3). */
export const messages = {
  blank: 'This value should not be blank.',
  null: 'This value should not be null.',
  tooLong: (max: number) => `This value is too long. It should have ${max} ${characters(max)} or less.`,
  tooShort: (min: number) => `This value is too short. It should have ${min} ${characters(min)} or more.`,
  notNegative: 'This value should be either positive or zero.',
  positive: 'This value should be positive.',
  choice: (values: readonly string[]) =>
    `The value you selected is not a valid choice. It should be one of ${values.map((value) => JSON.stringify(value)).join(', ')}.`,
  notUnique: 'This value is already used.',
  duplicate: (other: string) =>
    `This value is already used: ${JSON.stringify(other)} differs from it only by case, outer white space or the form of its characters.`,
  type: (type: string) => `This value should be of type ${type}.`,
} as const;

function characters(count: number): string {
  return count === 1 ? 'character' : 'characters';
}
