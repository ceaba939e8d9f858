/**
 * Fetches the bytes behind an address that a client named, trusting neither the address nor the server behind it: where
 * it connects to, how long it takes, how much it reads and how often it is sent on are bounded. The content of the
 * bytes is not its concern.
 */
import type { Dispatcher } from 'undici';
import type { ImageRejection } from '../../engine/ports.ts';
import { createSemaphore } from '../semaphore.ts';
import type { Lookup } from '../web/bounded-lookup.ts';
import { openWeb } from '../web/checked-connect.ts';
import { explain } from '../web/explain.ts';

export interface DownloadOptions {
  /** 0 for no limit. */
  readonly bytesMax: number;
  /** For all of one download, redirects and the body included; at least 1. */
  readonly secondsMax: number;
  /** For a slot, before those. */
  readonly waitingSecondsMax?: number;
  /** Ranges in CIDR notation that may be reached, on any port, beside the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup | undefined;
}

interface Downloads {
  fetch(address: string): Promise<Uint8Array | ImageRejection>;
  close(): Promise<void>;
}

const AT_ONCE_MAX = 8;
const WAITING_MAX = 64;
const WAITING_SECONDS_MAX = 10;
const REDIRECTS_MAX = 3;

const NOT_ALLOWED =
  'pictures are fetched from the public internet, on port 80 or 443, and from networks that the store’s operator has allowed';

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
  lookup,
}: DownloadOptions): Downloads {
  const withPermit = createSemaphore({
    count: AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax,
    overloaded: 'Too many downloads are waiting.',
  });
  let client: ReturnType<typeof openWeb> | undefined;

  return {
    fetch: (address) =>
      withPermit(async () => {
        const signal = AbortSignal.timeout(secondsMax * 1000);
        const outcome = await follow(address, signal).catch((error: unknown) =>
          signal.aborted ? `The download took longer than ${secondsMax} s.` : explain(error, NOT_ALLOWED),
        );
        return typeof outcome === 'string' ? { refused: 'download', message: outcome } : outcome;
      }),
    close: async () => (await client)?.agent.destroy(),
  };

  /** Gives the bytes, or a sentence that says why there are none. */
  async function follow(address: string, signal: AbortSignal): Promise<Uint8Array | string> {
    client ??= openWeb({ allow, lookup, secondsMax, staysOpenMs: 0 });
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
