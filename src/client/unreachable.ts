/** The error that the client throws if the store does not respond. */

/** The request got no response, or only a part of it. `cause` is the error of `fetch`. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';
  readonly method: string;
  /** URL of the request, without its query. */
  readonly address: string;
  /** Code of the system, such as `ECONNREFUSED`; undefined if there is none, as in browsers. */
  readonly code: string | undefined;

  constructor(method: string, url: string, cause: unknown) {
    const address = addressOf(url);
    const code = codeOf(cause);
    super(
      `${method} ${address}: The store does not respond (${code ?? messageOf(cause)}). Check its URL, and that it runs.`,
      {
        cause,
      },
    );
    this.method = method;
    this.address = address;
    this.code = code;
  }
}

/** Removes the query, because filters may be personal. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Node.js reports the code in the cause of the error, or in the errors of all addresses of a host name. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (typeof code === 'string') return code;
  return codeOf(cause) ?? codeOf(errors?.[0]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
