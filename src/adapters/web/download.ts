/**
 * Downloads files from addresses that clients provide, trusting neither the address nor its server. Limits where it
 * connects, how long it takes, how much it reads and how many redirects it follows. The content is not checked here.
 */
import type { Dispatcher } from 'undici';
import type { FileRejection } from '../../engine/ports.ts';
import { createBoundedQueue } from '../bounded-queue.ts';
import type { Lookup } from './bounded-lookup.ts';
import { openWeb } from './checked-connect.ts';
import { explain } from './explain.ts';

export interface DownloadOptions {
  /** 0: no limit. */
  readonly bytesMax: number;
  /** Time limit of a whole download, including redirects and body; at least 1. */
  readonly secondsMax: number;
  /** Time limit for getting a slot, before the download. */
  readonly waitingSecondsMax?: number;
  /** Ranges in CIDR notation that may be reached on any port, in addition to the public internet. */
  readonly allow: readonly string[];
  readonly lookup?: Lookup | undefined;
  /** What is downloaded, for messages. */
  readonly noun?: 'image' | 'file';
}

interface Downloads {
  fetch(address: string): Promise<Uint8Array | FileRejection>;
  close(): Promise<void>;
}

const AT_ONCE_MAX = 8;
const WAITING_MAX = 64;
const WAITING_SECONDS_MAX = 10;
const REDIRECTS_MAX = 3;

const NOT_ALLOWED =
  'are downloaded from the public internet, on port 80 or 443, and from the networks in IMAGE_DOWNLOAD_ALLOW';

const ACCEPT = { image: 'image/avif, image/webp, image/png, image/jpeg, image/gif', file: '*/*' };

const HEADERS = {
  'accept-encoding': 'identity', // A compressed body can be a thousand times larger than its size suggests.
  'user-agent': 'Purveyor',
};

export function createDownloads({
  bytesMax,
  secondsMax,
  waitingSecondsMax = WAITING_SECONDS_MAX,
  allow,
  lookup,
  noun = 'image',
}: DownloadOptions): Downloads {
  const runInQueue = createBoundedQueue({
    concurrencyMax: AT_ONCE_MAX,
    waitingMax: WAITING_MAX,
    waitingSecondsMax,
    overloaded: 'Too many downloads are waiting.',
  });
  let client: ReturnType<typeof openWeb> | undefined;

  return {
    fetch: (address) =>
      runInQueue(async () => {
        const signal = AbortSignal.timeout(secondsMax * 1000);
        const result = await follow(address, signal).catch((error: unknown) =>
          signal.aborted ? `The download took longer than ${secondsMax} s.` : explain(error, `${noun}s ${NOT_ALLOWED}`),
        );
        return typeof result === 'string' ? { refused: 'download', message: result } : result;
      }),
    close: async () => (await client)?.agent.destroy(),
  };

  /** Returns the bytes, or a message that says why there are none. */
  async function follow(address: string, signal: AbortSignal): Promise<Uint8Array | string> {
    client ??= openWeb({ allow, lookup, secondsMax, staysOpenMs: 0 });
    const { undici, agent } = await client;
    let url = readAddress(address);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      if (typeof url === 'string') return url;
      const response = await undici.request(url, {
        ...{ dispatcher: agent, signal },
        headers: { accept: ACCEPT[noun], ...HEADERS },
      });
      // An unread body emits 'error', which would end the process without a listener.
      response.body.on('error', () => {});
      const location = redirectOf(response);
      if (location === undefined) return receive(response);
      response.body.destroy();
      url = readAddress(location, url);
    }
    return `The address redirects more than ${REDIRECTS_MAX} times.`;
  }

  async function receive({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Uint8Array | string> {
    const rejection = rejectionOf(statusCode, headers);
    if (rejection !== undefined) {
      body.destroy();
      return rejection;
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

  function rejectionOf(status: number, headers: Dispatcher.ResponseData['headers']): string | undefined {
    if (status !== 200) return `The server returned status ${status} instead of 200.`;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      return `The server sent the ${noun} in a compressed encoding.`;
    if (isTooLarge(Number(headers['content-length'] ?? 0))) return tooLarge();
    return undefined;
  }

  function isTooLarge(size: number): boolean {
    return bytesMax > 0 && size > bytesMax;
  }

  function tooLarge(): string {
    return `The ${noun} at this address is larger than ${bytesMax.toLocaleString('en')} bytes.`;
  }
}

/** Returns the URL to download, or a message that says why it is invalid. */
function readAddress(text: string, base?: URL): URL | string {
  const url = URL.parse(text, base);
  if (url === null) return 'The address is invalid; it must be like https://example.com/image.jpg.';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'The address must start with http:// or https://.';
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user name or a password.';
  return url;
}

function redirectOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  const location = headers.location;
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string' ? location : undefined;
}
