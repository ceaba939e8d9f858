/** Explains failed requests to an identity provider, without tokens, codes and secrets. */

export interface ProviderFailure {
  /** `denied`: the provider reports an error; `unavailable`: it does not respond; `invalid`: its response is not accepted. */
  readonly failure: 'denied' | 'unavailable' | 'invalid';
  /** For the log. */
  readonly reason: string;
}

/** Error codes of OAuth 2.0, of the library and of Node. Other texts of a provider are not logged. */
const CODE = /^[\w.-]{1,60}$/;

/** Messages of these errors are the library's own. Those of other errors may have a part of the response. */
const OWN_MESSAGES = ['ClientError', 'OperationProcessingError'];

export function explainFailure(error: unknown): ProviderFailure {
  const { name, code, error: reported, message, cause } = error as Readonly<Record<string, unknown>>;
  const status = memberOf(error, 'status') ?? memberOf(cause, 'status');
  const codes = [code, reported, memberOf(cause, 'code'), memberOf(memberOf(cause, 'cause'), 'code')].filter(isCode);
  const parts = [name, ...codes, ...(typeof status === 'number' ? [status] : [])];
  const own = [cause, { name, message }].find((each) => OWN_MESSAGES.includes(String(memberOf(each, 'name'))));
  const reason = [[...new Set(parts)].join(' '), ...(own ? [memberOf(own, 'message')] : [])].join(': ');
  if (name === 'AuthorizationResponseError') return { failure: 'denied', reason };
  return { failure: isUnreachable(codes, status) ? 'unavailable' : 'invalid', reason };
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined;
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** Codes of Node's network, such as ECONNREFUSED. */
const NETWORK = /^E[A-Z]+$/;
/** Codes of undici, of TLS and of time limits. */
const UNREACHABLE = /^(?:UND_ERR_|ERR_SSL|ERR_TLS|UNABLE_TO_|OAUTH_TIMEOUT$|OAUTH_ABORT$|RESPONSE_TOO_LARGE$)|CERT/;

const SERVER_ERROR = 500;

function isUnreachable(codes: readonly string[], status: unknown): boolean {
  return (
    codes.some((code) => NETWORK.test(code) || UNREACHABLE.test(code)) ||
    (typeof status === 'number' && status >= SERVER_ERROR)
  );
}
