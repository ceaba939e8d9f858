/** Whom an address stands for when it is counted: one IPv4 address, or a /64 of IPv6, which is one customer's. */
import ipaddr from 'ipaddr.js';

/** @param address the peer's, or what a trusted proxy says of it */
export function countedAs(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const read = ipaddr.process(address);
  if (read.kind() === 'ipv4') return read.toString();
  return `${(read as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
