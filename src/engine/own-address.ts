/** Recognizes addresses of this store's API, and compares texts that contain them regardless of host. */
/** All routes are below this path. */
export const API_PATH = '/api';

/** API keys, below `/api`. Not a resource. */
export const KEYS_PATH = '/keys';

/** The scopes that a key can have, below `/api`. Not a resource. */
export const SCOPES_PATH = '/scopes';

/** Records by a text of any kind, below `/api`. Not a resource. */
export const LOOKUP_PATH = '/lookup';

/** Statistics, below `/api`. Not a resource. */
export const STATISTICS_PATH = '/statistics';

/** Data subjects without a record, below `/api`. */
export const PRIVACY_PATH = '/privacy';

/** Whether a text is an address below the API path of this store, existing or not. */
export function isOwnAddress(text: string, baseUrl: string): boolean {
  return ownPath(text, baseUrl) !== undefined;
}

/** Returns the path of an address below the API path. Scheme and host are compared by RFC 3986 §6.2.2. */
export function ownPath(address: string, baseUrl: string): string | undefined {
  if (address.startsWith(`${API_PATH}/`)) return address;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address) || !URL.canParse(baseUrl)) return undefined;
  const [sent, own] = [new URL(address), new URL(baseUrl)];
  const base = own.pathname.replace(/\/$/, '');
  return sent.origin === own.origin && sent.pathname.startsWith(`${base}${API_PATH}/`)
    ? sent.pathname.slice(base.length)
    : undefined;
}

/** Whether two texts are equal except for the hosts of the addresses in them, for a store with several hosts. */
export function isSameAtAnyHost(one: string, other: string): boolean {
  return withoutHosts(one) === withoutHosts(other);
}

function withoutHosts(text: string): string {
  return text.replace(/https?:\/\/[^/"'\s<>]+/g, 'http://');
}
