/** Posts messages to receivers that clients named: checked when it connects, bounded in time, and no redirect is followed. */
import type { Message, Sender, Sent } from '../../engine/ports.ts';
import type { Lookup } from './bounded-lookup.ts';
import { openWeb } from './checked-connect.ts';
import { explain } from './explain.ts';

interface SenderOptions {
  /** Ranges in CIDR notation that may be reached, on any port, beside the public internet. */
  readonly allow: readonly string[];
  /** For all of one attempt, until its status is known. */
  readonly secondsMax?: number;
  readonly lookup?: Lookup;
}

const SECONDS_MAX = 15;

/** A status is an answer, whatever its body does: so long it may take to come. */
const BODY_MS_MAX = 1000;
const ANSWER_BYTES_MAX = 1024;

/** Events that follow each other use one connection. A server that closes idle ones sooner than this is hard to find. */
const STAYS_OPEN_MS = 1000;

const NOT_ALLOWED =
  'events are sent to the public internet, on port 80 or 443, and to the networks in WEBHOOK_ALLOWED_NETWORKS';

export function createSender({ allow, secondsMax = SECONDS_MAX, lookup }: SenderOptions): Sender {
  let web: ReturnType<typeof openWeb> | undefined;
  return {
    async send(address, message, stopped) {
      const begunAt = performance.now();
      const tooLong = AbortSignal.timeout(secondsMax * 1000);
      const outcome = await post(address, message, AbortSignal.any([tooLong, stopped])).catch((error: unknown) => ({
        status: undefined,
        answer: tooLong.aborted ? `There was no answer within ${secondsMax} s.` : explain(error, NOT_ALLOWED),
        retryAfterSeconds: undefined,
      }));
      return { ...outcome, durationMs: Math.round(performance.now() - begunAt) };
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
    const answer = await undici.request(address, {
      method: 'POST',
      headers: { ...headers, 'user-agent': 'Purveyor', 'accept-encoding': 'identity' },
      body,
      dispatcher: agent,
      signal,
    });
    // To leave a body unread emits 'error' on it, which without a listener would end the process.
    answer.body.on('error', () => {});
    const { 'retry-after': wait } = answer.headers;
    return {
      status: answer.statusCode,
      answer: await beginning(answer.body),
      retryAfterSeconds: typeof wait === 'string' ? secondsOf(wait) : undefined,
    };
  }
}

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): void;
}

/** As much of the body as is kept. One that is longer is left there, and its connection with it. */
async function beginning(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), BODY_MS_MAX);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // The part that came is kept.
  } finally {
    clearTimeout(timer);
  }
  // A database keeps no NUL.
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString().replaceAll('\0', '\uFFFD');
}

/** Seconds, or a date (RFC 9110 §10.2.3); undefined for anything else. */
function secondsOf(wait: string): number | undefined {
  if (/^\d{1,9}$/.test(wait)) return Number(wait);
  const date = Date.parse(wait);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
