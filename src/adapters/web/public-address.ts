/**
 * Decides which addresses may be connected to: the public internet on ports 80 and 443, and what the operator allows in
 * addition. It only checks addresses; `checked-connect.ts` resolves names and checks every result.
 */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const WEB_PORTS = [80, 443];

/** Returns a predicate for address and port. @throws if a range of `allow` is not in CIDR notation */
export function createAddressPolicy(allow: readonly string[]): (address: string, port: number) => boolean {
  const allowed = allow.map(readRange);
  return (text, port) => {
    const outer = ipaddr.parse(text);
    const inner = unwrap(outer);
    if (within(outer, allowed) || within(inner, allowed)) return true;
    return isPublic(inner) && WEB_PORTS.includes(port);
  };
}

/** Azure's hosts serve credentials to their virtual machines at this address, which lies in a public range. */
const AZURE_HOST = readRange('168.63.129.16/32');

/** The part of IPv6 that is allocated to the internet. No public server is outside it. */
const IPV6_GLOBAL = readRange('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !within(address, [AZURE_HOST]) : within(address, [IPV6_GLOBAL]);
}

/**
 * Forms of IPv4 addresses embedded in IPv6, and the 16-bit group at which they start. Teredo is missing because its
 * whole range is rejected.
 */
const WRAPPINGS = [
  { range: readRange('::/96'), group: 6 }, // compatible, RFC 4291 §2.5.5.1
  { range: readRange('::ffff:0:0/96'), group: 6 }, // mapped, RFC 4291 §2.5.5.2
  { range: readRange('::ffff:0:0:0/96'), group: 6 }, // translated, RFC 6145
  { range: readRange('64:ff9b::/96'), group: 6 }, // NAT64, RFC 6052
  { range: readRange('2002::/16'), group: 1 }, // 6to4, RFC 3056
];

function unwrap(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const wrapping = WRAPPINGS.find(({ range }) => within(address, [range]));
  if (!wrapping) return address;
  const start = wrapping.group * 2;
  return new ipaddr.IPv4(address.toByteArray().slice(start, start + 4));
}

function within(address: Address, ranges: [Address, number][]): boolean {
  return ipaddr.subnetMatch(address, { listed: ranges }, 'none') === 'listed';
}

function readRange(text: string): [Address, number] {
  try {
    if (!ipaddr.isValid(text)) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (error) {
    throw new Error(`"${text}" is not a range of addresses; write it like 10.0.0.0/8.`, { cause: error });
  }
}
