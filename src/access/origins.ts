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
  return listed.some((each) => each === origin || matchesPattern(each, origin));
}

/** A pattern matches one label instead of `*`. */
function matchesPattern(pattern: string, origin: string): boolean {
  if (!pattern.startsWith(WILDCARD)) return false;
  const parent = pattern.slice(WILDCARD.length - 1);
  const label = origin.slice('https://'.length, -parent.length);
  return /^[^.:/]+$/.test(label) && origin === `https://${label}${parent}`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (ipaddr.IPv4.isValid(hostname) && hostname.startsWith('127.'))
  );
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || ipaddr.IPv4.isValid(hostname);
}
