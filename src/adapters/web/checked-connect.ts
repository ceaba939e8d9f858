/**
 * Connections to addresses that clients provide. Each one is checked when it is made, redirects included: it must lead
 * to the public internet or to a network that the operator allows.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { boundLookups, type Lookup } from './bounded-lookup.ts';
import { createAddressPolicy } from './public-address.ts';

interface AddressPolicy {
  /** Ranges in CIDR notation that may be reached on any port, in addition to the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup | undefined;
  /** Time limit for establishing a connection. */
  readonly secondsMax: number;
  /** Time for which a connection waits for the next request; 0 closes it after each one. */
  readonly staysOpenMs: number;
}

type Undici = typeof import('undici');

/** One for the process, because all lookups share the threads of the process. */
const boundedLookup = boundLookups(systemLookup);

export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/** Imports undici on first use: most starts do not need it, and it takes a tenth of a start to load. */
export async function openWeb({
  allow,
  lookup = boundedLookup,
  secondsMax,
  staysOpenMs,
}: AddressPolicy): Promise<{ readonly undici: Undici; readonly agent: Agent }> {
  const undici = await import('undici');
  // A separate Agent ignores HTTP_PROXY and similar variables. The signal of each request limits its time.
  const agent = new undici.Agent({
    connect: checkedConnect(undici, createAddressPolicy(allow), lookup, secondsMax),
    pipelining: staysOpenMs > 0 ? 1 : 0,
    ...(staysOpenMs > 0 ? { keepAliveTimeout: staysOpenMs, keepAliveMaxTimeout: staysOpenMs } : {}),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { undici, agent };
}

/**
 * The only way to open a connection. It connects to the checked addresses without another lookup. One forbidden address
 * among several rejects all.
 */
function checkedConnect(
  { buildConnector }: Undici,
  mayReach: (address: string, port: number) => boolean,
  lookup: Lookup,
  secondsMax: number,
): buildConnector.connector {
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    // An IP address is connected to without a lookup.
    if (isIP(target.hostname) !== 0 && !mayReach(target.hostname, port)) {
      return callback(new AddressNotAllowed(), null);
    }
    const checkedLookup: LookupFunction = (name, options, reply) => {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error) reply(error, []);
        else if (!first || !addresses.every(({ address }) => mayReach(address, port))) {
          reply(new AddressNotAllowed(), []);
        } else if (options.all) reply(null, addresses);
        else reply(null, first.address, first.family);
      });
    };
    return buildConnector({ timeout: secondsMax * 1000, lookup: checkedLookup })(target, callback);
  };
}
