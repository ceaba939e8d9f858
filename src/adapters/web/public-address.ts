/**
 * Says which addresses may be connected to: the public internet on the ports of the web, and what the store's owner allows
 * beside it. It looks at addresses only; that a name was resolved, and every answer asked about, is the part of
 * `checked-connect.ts`.
 */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const WEB_PORTS = [80, 443];

/** Gives the question "may one connect there?"; throws when a range of `allow` is not in CIDR notation. */
export function createAddressPolicy(allow: readonly string[]): (address: string, port: number) => boolean {
  const allowed = allow.map(readRange);
  return (text, port) => {
    const outer = ipaddr.parse(text);
    const inner = unwrap(outer);
    if (within(outer, allowed) || within(inner, allowed)) return true;
    return isPublic(inner) && WEB_PORTS.includes(port);
  };
}

/** Azure's host answers its virtual machines here, with their credentials; no range tells it from the public ones. */
const AZURE_HOST = readRange('168.63.129.16/32');

/** The part of IPv6 that is given out to the internet; what is outside it is no place for a server. */
const IPV6_GLOBAL = readRange('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? !within(address, [AZURE_HOST]) : within(address, [IPV6_GLOBAL]);
}

/**
 * Ways to write an IPv4 address in an IPv6 one, and the 16-bit group where it begins. Teredo is not among them: its
 * range is refused as a whole.
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
