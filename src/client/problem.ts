/** The error that the client throws for error responses. */
import type { ProblemType } from './shapes.ts';
import type { Violation } from './types.ts';

export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
  /** Problem type. `about:blank` if the response is not a problem of the store, for example that of a proxy. */
  readonly type: ProblemType | 'about:blank';
  /** URL of a page about this type of problem. */
  readonly page: string | undefined;
  readonly status: number;
  readonly title: string;
  /** What went wrong, and what to do. */
  readonly detail: string;
  /** Request id, which is also in the store's log. */
  readonly instance: string | undefined;
  /** Invalid fields of the body; empty unless `type` is `validation-failed`. */
  readonly violations: readonly Violation[];
  /** Members that only some problems have, such as `missing_scopes`. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Number of violations that are not listed. */
  readonly violationsOmitted: number;
  /** Current ETag of the record, if the status is 412. */
  readonly etag: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /**
   * Whether an earlier attempt got no response and may have been executed. The cause of a 412 may then be this request's own
   * change.
   */
  readonly wasPerhapsDone: boolean;

  constructor(reply: ProblemReply) {
    const { status, body, method, path } = reply;
    const isProblem = typeof body?.type === 'string' && typeof body.detail === 'string';
    const detail = isProblem ? (body.detail as string) : (reply.explanation ?? `The response has status ${status}.`);
    super(`${method} ${path}: ${status} ${detail}`);
    // A newer store may have types that this client does not know.
    this.type = isProblem ? ((body.type as string).split('/').at(-1) as ProblemType) : 'about:blank';
    this.page = isProblem ? (body.type as string) : undefined;
    this.status = status;
    this.title = text(body?.title) ?? `Status ${status}`;
    this.detail = detail;
    this.instance = text(body?.instance);
    this.violations = Array.isArray(body?.violations) ? (body.violations as Violation[]) : [];
    const others = Object.entries(isProblem ? body : {}).filter(([name]) => !STANDARD.has(name));
    this.extensions = Object.fromEntries(others);
    this.violationsOmitted = typeof body?.violations_omitted === 'number' ? body.violations_omitted : 0;
    this.etag = reply.etag;
    this.retryAfterSeconds = reply.retryAfterSeconds;
    this.wasPerhapsDone = reply.wasPerhapsDone;
  }
}

/** Members that have properties of their own. */
const STANDARD = new Set(['type', 'title', 'status', 'detail', 'instance', 'violations', 'violations_omitted']);

export interface ProblemReply {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Detail of the error if the body is not a problem. */
  readonly explanation?: string;
  readonly etag: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly wasPerhapsDone: boolean;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
