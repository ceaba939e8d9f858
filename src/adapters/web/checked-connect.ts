/**
 * Connections to addresses that a client named. Each is checked when it is made, whatever led to it: it leads to the public
 * internet, or to where the store's owner allows.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { boundLookups, type Lookup } from './bounded-lookup.ts';
import { createAddressPolicy } from './public-address.ts';

interface AddressPolicy {
  /** Ranges in CIDR notation that may be reached, on any port, beside the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup | undefined;
  /** For a connection to be made. */
  readonly secondsMax: number;
  /** So long a connection waits for the next request; 0 closes it after each. */
  readonly staysOpenMs: number;
}

type Undici = typeof import('undici');

/** One for the process, as its threads are. */
const boundedLookup = boundLookups(systemLookup);

export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/** Most stores start without it, and undici takes a tenth of a start to load. */
export async function openWeb({
  allow,
  lookup = boundedLookup,
  secondsMax,
  staysOpenMs,
}: AddressPolicy): Promise<{ readonly undici: Undici; readonly agent: Agent }> {
  const undici = await import('undici');
  // An Agent of our own takes no notice of HTTP_PROXY and its kind. Time is limited once, by the signal of each request.
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
 * The only way to a connection. The addresses that were checked are the ones connected to: the name is not looked up again,
 * and one forbidden address among several refuses all.
 */
function checkedConnect(
  { buildConnector }: Undici,
  mayReach: (address: string, port: number) => boolean,
  lookup: Lookup,
  secondsMax: number,
): buildConnector.connector {
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
    // An address instead of a name is connected to without any look-up.
    if (isIP(target.hostname) !== 0 && !mayReach(target.hostname, port)) {
      return callback(new AddressNotAllowed(), null);
    }
    const checkedLookup: LookupFunction = (name, options, answer) => {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error) answer(error, []);
        else if (!first || !addresses.every(({ address }) => mayReach(address, port))) {
          answer(new AddressNotAllowed(), []);
        } else if (options.all) answer(null, addresses);
        else answer(null, first.address, first.family);
      });
    };
    return buildConnector({ timeout: secondsMax * 1000, lookup: checkedLookup })(target, callback);
  };
}
