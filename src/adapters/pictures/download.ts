/**
 * Fetches the bytes behind an address that a client named, trusting neither the address nor the server behind it: where
 * it connects to, how long it takes, how much it reads and how often it is sent on are bounded. The content of the
 * bytes is not its concern.
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import type { PictureRefusal } from '../../engine/ports.ts';
import { createReach } from './public-address.ts';
import { createSlots } from './slots.ts';

export type Lookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface DownloadOptions {
  /** 0 for no limit. */
  readonly bytesMax: number;
  /** For all of one download, redirects and the body included; at least 1. */
  readonly secondsMax: number;
  /** For a slot, before those. */
  readonly waitingSecondsMax?: number;
  /** Ranges in CIDR notation that may be reached, on any port, beside the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup;
}

type Undici = typeof import('undici');

interface Client {
  readonly undici: Undici;
  readonly agent: Agent;
}

interface Downloads {
  fetch(address: string): Promise<Uint8Array | PictureRefusal>;
  close(): Promise<void>;
}

const AT_ONCE_MAX = 8;
const WAITING_MAX = 64;
const WAITING_SECONDS_MAX = 10;
const REDIRECTS_MAX = 3;

const HEADERS = {
  accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
  'accept-encoding': 'identity', // A packed answer can be a thousand times larger than it looks.
  'user-agent': 'Purveyor',
};

export function createDownloads({
  bytesMax,
  secondsMax,
  waitingSecondsMax = WAITING_SECONDS_MAX,
  allow,
  lookup = systemLookup,
}: DownloadOptions): Downloads {
  const inSlot = createSlots({
    count: AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax,
    overloaded: 'Too many downloads are waiting.',
  });
  let client: Promise<Client> | undefined;

  return {
    fetch: (address) =>
      inSlot(async () => {
        const signal = AbortSignal.timeout(secondsMax * 1000);
        const outcome = await follow(address, signal).catch((error: unknown) =>
          signal.aborted ? `The download took longer than ${secondsMax} s.` : explain(error),
        );
        return typeof outcome === 'string' ? { refused: 'download', message: outcome } : outcome;
      }),
    close: async () => (await client)?.agent.destroy(),
  };

  /** Gives the bytes, or a sentence that says why there are none. */
  async function follow(address: string, signal: AbortSignal): Promise<Uint8Array | string> {
    client ??= createClient();
    const { undici, agent } = await client;
    let url = readAddress(address);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      if (typeof url === 'string') return url;
      const response = await undici.request(url, { dispatcher: agent, headers: HEADERS, signal });
      // To leave a body unread emits 'error' on it, which without a listener would end the process.
      response.body.on('error', () => {});
      const location = redirectOf(response);
      if (location === undefined) return receive(response);
      response.body.destroy();
      url = readAddress(location, url);
    }
    return `The address redirects more than ${REDIRECTS_MAX} times.`;
  }

  /** Most stores start without a download, and undici takes a tenth of a start to load. */
  async function createClient(): Promise<Client> {
    const undici = await import('undici');
    // An Agent of our own takes no notice of HTTP_PROXY and its kind. Time is limited once, by the signal.
    const agent = new undici.Agent({
      connect: checkedConnect(undici, createReach(allow), lookup, secondsMax),
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { undici, agent };
  }

  async function receive({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Uint8Array | string> {
    const refusal = refusalOf(statusCode, headers);
    if (refusal !== undefined) {
      body.destroy();
      return refusal;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (isTooLarge(size)) return tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  function refusalOf(status: number, headers: Dispatcher.ResponseData['headers']): string | undefined {
    if (status !== 200) return `The server answered with status ${status}; 200 was expected.`;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      return 'The server sent the picture in a compressed encoding.';
    if (isTooLarge(Number(headers['content-length'] ?? 0))) return tooLarge();
    return undefined;
  }

  function isTooLarge(size: number): boolean {
    return bytesMax > 0 && size > bytesMax;
  }

  function tooLarge(): string {
    return `The picture at this address is larger than ${bytesMax.toLocaleString('en')} bytes.`;
  }
}

/** The address to fetch, or a sentence that says why it cannot be. */
function readAddress(text: string, base?: URL): URL | string {
  const url = URL.parse(text, base);
  if (url === null) return 'The address could not be read; it should look like https://example.com/picture.jpg.';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'The address must begin with http:// or https://.';
  if (url.username !== '' || url.password !== '') return 'The address must not hold a user name or a password.';
  return url;
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const location = headers.location;
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string' ? location : undefined;
}

class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/**
 * The only way to a connection, so that each is checked whatever led to it. The addresses that were checked are the
 * ones connected to: the name is not looked up again, and one forbidden address among several refuses all.
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

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name of the address was not found.',
  EAI_AGAIN: 'The host name of the address could not be looked up.',
  ECONNREFUSED: 'The server refused the connection.',
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
  ETIMEDOUT: 'The server did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The server did not answer in time.',
  ECONNRESET: 'The server broke off the connection.',
  EPIPE: 'The server broke off the connection.',
  UND_ERR_SOCKET: 'The server broke off the connection.',
};

/** OpenSSL's and node:tls's codes for a certificate that cannot be trusted, or a failed handshake. */
const TLS_CODE = /CERT|UNABLE_TO_VERIFY|^ERR_(SSL|TLS)|^EPROTO$/;

/** Every failure of a fetch is the far side's doing, so every error becomes a sentence. */
function explain(error: unknown): string {
  if (error instanceof AddressNotAllowed) {
    return 'The address is not allowed: pictures are fetched from the public internet, on port 80 or 443.';
  }
  const code = String((error as { code?: unknown }).code);
  if (TLS_CODE.test(code)) return `The server could not be reached securely: TLS failed (${code}).`;
  return EXPLANATIONS[code] ?? 'The server did not answer as a web server should.';
}
