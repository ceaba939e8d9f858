/** Tells an address of this store's interface, and texts that say the same with different hosts in them. */
/** Every path of a place stands below this one. */
export const API_PATH = '/api';

/** Of the keys, which are no resource: below `/api`. */
export const KEYS_PATH = '/keys';

/** Of the figures of a shop's day, which are no resource either. */
export const STATISTICS_PATH = '/statistics';

/** Of the values of the whole store, which are none. */
export const STORE_PATH = '/store';

/** Of persons who are no record: below `/api`. */
export const PRIVACY_PATH = '/privacy';

/** Whether a text is an address below this store's interface, of whatever is there or is not. */
export function isOwnAddress(text: string, baseUrl: string): boolean {
  return ownPath(text, baseUrl) !== undefined;
}

/** The path of an address below this store's interface. Scheme and host count as RFC 3986 §6.2.2 compares them. */
export function ownPath(address: string, baseUrl: string): string | undefined {
  if (address.startsWith(`${API_PATH}/`)) return address;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address) || !URL.canParse(baseUrl)) return undefined;
  const [sent, own] = [new URL(address), new URL(baseUrl)];
  const base = own.pathname.replace(/\/$/, '');
  return sent.origin === own.origin && sent.pathname.startsWith(`${base}${API_PATH}/`)
    ? sent.pathname.slice(base.length)
    : undefined;
}

/**
 * Whether two texts with addresses in them say the same of a store that has several: the host in front of each may be any
 * of them.
 */
export function isSameAtAnyHost(one: string, other: string): boolean {
  return withoutHosts(one) === withoutHosts(other);
}

function withoutHosts(text: string): string {
  return text.replace(/https?:\/\/[^/"'\s<>]+/g, 'http://');
}
