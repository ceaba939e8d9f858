/**
 * Every problem that the service can answer with, once: its name, status, title and what a person can do about it.
 * Expected failures travel as `Problem` values; an exception is a bug (http.md §§2 and 3, RFC 9457).
 */

/** One broken rule of a body, at the field that breaks it. */
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
      'The request cannot be read: the body is not one JSON object in UTF-8, a key in it stands twice, or it is nested too deeply. Send the body again as strict JSON. A form breaks off, or has a part twice or without a name.',
  },
  'invalid-argument': {
    status: 400,
    title: 'Invalid argument',
    explanation:
      'A parameter of the address is unknown, is malformed, or names a parent record that does not exist; or Accept-Language names only languages that the store has not, while the body carries texts. The detail names it and what is possible instead. Parameters can be passed over with the header “Prefer: handling=lenient”.',
  },
  unauthorized: {
    status: 401,
    title: 'Missing or wrong API key',
    explanation:
      'Every request carries the header X-Auth-Token with one of the store’s API keys. Keys are made with “purveyor keys create”. A session of the admin page has ended, or the address that was to sign in has been used: sign in again.',
  },
  'read-only-key': {
    status: 403,
    title: 'This key may only read',
    explanation: 'The key in X-Auth-Token is a read-only key. Send the request with a read/write key.',
  },
  'foreign-page': {
    status: 403,
    title: 'Not sent by the admin page',
    explanation:
      'A session of the admin page counts only for requests that the browser says come from the store’s own pages, with Sec-Fetch-Site or Origin. Programs send a key in X-Auth-Token instead. A proxy in front should pass Host and Origin on as they are.',
  },
  'insecure-connection': {
    status: 403,
    title: 'The admin page needs HTTPS',
    explanation:
      'Over plain HTTP everybody on the way could read a key or a session, so the admin page takes it only from the same machine. Open it over HTTPS. Behind a proxy, tell the store which proxy it may believe.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: 'There is no such path, or no record with this identifier. The detail says which.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists, but not with this method. The header Allow lists the methods that it has.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    explanation: 'The header Accept names only formats that this path does not offer. The detail lists what it offers.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request not complete in time',
    explanation: 'The request did not arrive whole in time, and the connection was closed. Send it again.',
  },
  conflict: {
    status: 409,
    title: 'Conflict with the state of the store',
    explanation: 'The store as it is now forbids this change. The detail says what stands in the way.',
  },
  'cursor-gone': {
    status: 410,
    title: 'Changes are not told from so far back',
    explanation:
      'Changes behind the cursor in “after” are no longer told, because they are too old, or the cursor is of a store that this one has replaced, such as one that was restored from a backup. Read the whole store again: begin without “after”.',
  },
  'answer-erased': {
    status: 410,
    title: 'The first answer was erased',
    explanation:
      'The request with this Idempotency-Key was carried out, and is not carried out again. Its answer is kept no more, because it told of a person who was to be forgotten. Read the record where it still is.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The record has changed',
    explanation:
      'The tag in If-Match is not the record’s current one: somebody changed it since it was read. Read it again, apply the change to what it is now, and send the new ETag. Or If-None-Match asks that there is no record, or none with this tag, and there is.',
  },
  'content-too-large': {
    status: 413,
    title: 'Body too large',
    explanation: 'The body or the attached file is larger than the store’s limit, which the detail names.',
  },
  'uri-too-long': {
    status: 414,
    title: 'Address too long',
    explanation: 'The address is longer than 8 KiB. Use fewer or shorter filters.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Body not sent as JSON',
    explanation:
      'Send bodies as “Content-Type: application/json” or application/ld+json in UTF-8 without a Content-Encoding; PATCH also takes application/merge-patch+json, and paths of pictures take multipart/form-data.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation not supported',
    explanation: 'The only expectation that this server meets is “Expect: 100-continue”.',
  },
  'validation-failed': {
    status: 422,
    title: 'The body breaks a rule',
    explanation:
      'The body was understood, but fields in it break rules. “violations” lists every one with its field, a message and a code; nothing was saved.',
  },
  'lines-refused': {
    status: 422,
    title: 'Lines of the bulk are refused',
    explanation:
      'A bulk with “atomic” writes all of its lines or none, and some are refused: “lines” has each with its number and its problem. Nothing was saved.',
  },
  'key-reused': {
    status: 422,
    title: 'Idempotency-Key of another request',
    explanation:
      'The key in Idempotency-Key was sent with another path, query, body, Accept-Language, Content-Type or Prefer before, and its answer is kept. Send a new request with a new key.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The key has used up its requests of this minute, or too many wrong keys or secrets came from one address or for one record. Wait as many seconds as Retry-After says, then send the request again.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    explanation: 'The headers are larger than 8 KiB or more than 100. Send fewer.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation: 'The fault is the server’s. The log of the store has more under the request id in “instance”.',
  },
  'service-unavailable': {
    status: 503,
    title: 'Not available now',
    explanation:
      'The database is away, or the server is overloaded or stopping. Wait as many seconds as Retry-After says, then send the request again.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string }>;

export type ProblemType = keyof typeof problemTypes;

/** A class, so that nothing that a client sends can pass for one. */
export class Problem {
  readonly problem: ProblemType;
  /** A sentence that a person can act on. */
  readonly detail: string;
  readonly violations: readonly Violation[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of its body (RFC 9457 §3.2). */
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

/** More are counted, not shown (http.md §3). */
export const VIOLATIONS_SHOWN_MAX = 100;

/** The body of RFC 9457 with the contract's additions; `type` leads to the error's page in the reference. */
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

/** All violations of one body as one problem. */
export function validationFailed(violations: readonly Violation[]): Problem {
  const first = violations[0]!;
  const rest = violations.length - 1;
  const where = first.propertyPath === '' ? '' : `${first.propertyPath}: `;
  const more = rest === 0 ? '' : ` (and ${rest} more ${rest === 1 ? 'violation' : 'violations'})`;
  return new Problem('validation-failed', `${where}${first.message}${more}`, { violations });
}

/** Collects violations while a body is read; keeps reading after the first. */
export class Violations {
  readonly list: Violation[];

  constructor(list: readonly Violation[] = []) {
    this.list = [...list];
  }

  add(propertyPath: string, code: ViolationCode, message: string): void {
    this.list.push({ propertyPath, message, code });
  }

  /** @param path of the part that the others are about, as `images[2]` */
  addAll({ list }: Violations, path: string | undefined): void {
    const at = (own: string): string => (path === undefined || own === '' ? (path ?? own) : `${path}.${own}`);
    for (const each of list) this.list.push({ ...each, propertyPath: at(each.propertyPath) });
  }
}

/** The wording of rules that many fields share (http.md §3). */
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
