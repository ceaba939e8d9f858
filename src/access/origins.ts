/** Origins of the pages that use a publishable key, in the form in which browsers send them (storefront.md §1). */
import ipaddr from 'ipaddr.js';

const WILDCARD = 'https://*.';

/** Whether the text is an origin as browsers send it, or a pattern for the subdomains of a host. */
export function isOrigin(text: string): boolean {
  const isPattern = text.startsWith(WILDCARD);
  const plain = isPattern ? `https://${text.slice(WILDCARD.length)}` : text;
  if (!URL.canParse(plain)) return false;
  const { origin, protocol, hostname } = new URL(plain);
  if (origin !== plain || plain.includes('*') || hostname.split('.').includes('')) return false;
  // A pattern of a whole top-level domain would match every shop in it.
  if (isPattern) return hostname.includes('.') && !isAddress(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Whether a list of origins and patterns has this origin. */
export function isListedOrigin(listed: readonly string[], origin: string): boolean {
  return entriesFor(origin).some((each) => listed.includes(each));
}

/** Origins and patterns, with the time at which the last key that lists them expires. */
export type OriginIndex = ReadonlyMap<string, number>;

/** Indexes the origins of keys, which may have expired. */
export function indexOrigins(
  keys: Iterable<{ readonly origins: readonly string[]; readonly expires: number | null }>,
): OriginIndex {
  const index = new Map<string, number>();
  for (const { origins, expires } of keys)
    for (const origin of origins)
      index.set(origin, Math.max(index.get(origin) ?? 0, expires ?? Number.POSITIVE_INFINITY));
  return index;
}

/** Whether a key that has not expired lists this origin. */
export function isLiveOrigin(index: OriginIndex, origin: string, now: number): boolean {
  return entriesFor(origin).some((each) => (index.get(each) ?? 0) > now);
}

/** The entries of a list that match an origin: itself, and the pattern with `*` instead of its first label. */
function entriesFor(origin: string): readonly string[] {
  const [, parent] = /^https:\/\/[^.:/]+(\..+)$/.exec(origin) ?? [];
  return parent === undefined ? [origin] : [origin, `https://*${parent}`];
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (ipaddr.IPv4.isValid(hostname) && hostname.startsWith('127.'))
  );
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || ipaddr.IPv4.isValid(hostname);
}
