/** Groups client addresses for rate limits: one IPv4 address, or a /64 of IPv6, which providers assign to one customer. */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** @param address of the peer, or the one that a trusted proxy forwards */
export function rateLimitGroup(address: string): string {
  // Without parsing, because each request of a shopper is counted.
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const read = ipaddr.process(address);
  if (read.kind() === 'ipv4') return read.toString();
  return `${(read as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
