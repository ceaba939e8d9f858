/** The networks from which a key is accepted, as CIDR ranges (RFC 4632, RFC 4291 §2.3). */
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  // The library also reads octal and hexadecimal numbers, and addresses with fewer parts.
  const isPlain = address.includes(':') ? /^[0-9a-f:.]+$/i.test(address) : ipaddr.IPv4.isValidFourPartDecimal(address);
  return rest.length === 0 && isPlain && /^\d{1,3}$/.test(bits) && ipaddr.isValidCIDR(text);
}

/** Whether all addresses of a range are in one of these. @param networks empty: any address */
export function isWithin(network: string, networks: readonly string[]): boolean {
  const [range, bits] = ipaddr.parseCIDR(network);
  return (
    networks.length === 0 ||
    networks.some((outer) => {
      const [of, length] = ipaddr.parseCIDR(outer);
      return of.kind() === range.kind() && bits >= length && range.match([of, length] as never);
    })
  );
}

const known = new WeakMap<readonly string[], readonly Range[]>();

/** @param networks valid ranges; empty: any address is accepted */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const ranges = known.get(networks) ?? networks.map((network): Range => ipaddr.parseCIDR(network));
  known.set(networks, ranges);
  // An IPv4 client of an IPv6 socket has a mapped address.
  const client = ipaddr.process(address);
  return ranges.some(([range, bits]) => range.kind() === client.kind() && client.match([range, bits] as never));
}
