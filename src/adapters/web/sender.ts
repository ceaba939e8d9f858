/**
 * Posts messages to receivers that clients provide: addresses are checked on connect, time is limited, redirects are
 * not followed.
 */
import type { Message, Sender, Sent } from '../../engine/ports.ts';
import type { Lookup } from './bounded-lookup.ts';
import { openWeb } from './checked-connect.ts';
import { explain } from './explain.ts';

interface SenderOptions {
  /** Ranges in CIDR notation that may be reached on any port, in addition to the public internet. */
  readonly allow: readonly string[];
  /** Time limit of one attempt, until the response status is known. */
  readonly secondsMax?: number;
  readonly lookup?: Lookup;
}

const SECONDS_MAX = 15;

/** The status decides the result, so the body gets only this much time. */
const BODY_MS_MAX = 1000;
const BODY_BYTES_MAX = 1024;

/** Consecutive events share a connection. Hardly any server closes idle connections sooner than this. */
const STAYS_OPEN_MS = 1000;

const NOT_ALLOWED =
  'events are sent to the public internet, on port 80 or 443, and to the networks in WEBHOOK_ALLOWED_NETWORKS';

export function createSender({ allow, secondsMax = SECONDS_MAX, lookup }: SenderOptions): Sender {
  let web: ReturnType<typeof openWeb> | undefined;
  return {
    async send(address, message, stopped) {
      const startedAt = performance.now();
      const tooLong = AbortSignal.timeout(secondsMax * 1000);
      const result = await post(address, message, AbortSignal.any([tooLong, stopped])).catch((error: unknown) => ({
        status: undefined,
        response: tooLong.aborted ? `There was no response within ${secondsMax} s.` : explain(error, NOT_ALLOWED),
        retryAfterSeconds: undefined,
      }));
      return { ...result, durationMs: Math.round(performance.now() - startedAt) };
    },
    close: async () => (await web)?.agent.destroy(),
  };

  async function post(
    address: string,
    { headers, body }: Message,
    signal: AbortSignal,
  ): Promise<Omit<Sent, 'durationMs'>> {
    web ??= openWeb({ allow, lookup, secondsMax, staysOpenMs: STAYS_OPEN_MS });
    const { undici, agent } = await web;
    const response = await undici.request(address, {
      method: 'POST',
      headers: { ...headers, 'user-agent': 'Purveyor', 'accept-encoding': 'identity' },
      body,
      dispatcher: agent,
      signal,
    });
    // An unread body emits 'error', which would end the process without a listener.
    response.body.on('error', () => {});
    const { 'retry-after': wait } = response.headers;
    const retryAfterSeconds = typeof wait === 'string' ? secondsOf(wait) : undefined;
    return { status: response.statusCode, response: await startOf(response.body), retryAfterSeconds };
  }
}

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

/** Reads the start of the body. The rest of a longer one is discarded together with its connection. */
async function startOf(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), BODY_MS_MAX);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > BODY_BYTES_MAX) break;
    }
  } catch {
    // Use the part that was received.
  } finally {
    clearTimeout(timer);
  }
  // Databases cannot store NUL.
  return Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX).toString().replaceAll('\0', '\uFFFD');
}

/** Parses seconds or a date (RFC 9110 §10.2.3). @returns undefined for anything else */
function secondsOf(wait: string): number | undefined {
  if (/^\d{1,9}$/.test(wait)) return Number(wait);
  const date = Date.parse(wait);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
