/**
 * Signed requests to an S3 store, in path style. A request that got no answer, a 5xx or a 429 is sent again, a few
 * times and for some seconds; then, and for every other refusal, it raises `S3Failure`. A request may be done twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import type { S3Address } from './address.ts';
import { refused, S3Failure, unanswered } from './failures.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface Ask {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Behind the prefix; none for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** SHA-256 of the body in hex, so that the store takes no other. */
  readonly bodyHash?: string;
  /** Answers besides the good ones that are no failure. */
  readonly accepts?: readonly number[];
  /** Its body is read for as long as somebody likes. */
  readonly isStream?: boolean;
  /** For who asks often whether the store is there. */
  readonly isOnce?: boolean;
}

export type Answer = Dispatcher.ResponseData;

const ATTEMPTS_MAX = 4;
/** No attempt begins later than this after the first one. */
const TRYING_MS_MAX = 10_000;
const PAUSE_MS = 100;

const CONNECT_MS_MAX = 3000;
/** For the head of an answer; a body that is sent has so much more for each of its bytes. */
const ANSWER_MS_MAX = 5000;
const SENT_BYTES_PER_MS = 500;
/** From one piece of a body to the next. */
const CHUNK_MS_MAX = 10_000;

/** Streams are as many as the clients that read them. */
const AT_ONCE_MAX = 32;

/** A difference of clocks that matters: S3 allows 15 minutes. */
const SKEW_MS_MIN = 60_000;

const FAILURE_BYTES_MAX = 4096;

export class Requests {
  readonly address: S3Address;
  readonly #credentials: S3Credentials;
  readonly #agent = new Agent({ connections: AT_ONCE_MAX, connect: { timeout: CONNECT_MS_MAX } });
  readonly #streams = new Agent({ connect: { timeout: CONNECT_MS_MAX } });
  readonly #keys = new Map<string, ArrayBuffer>();
  /** The clock of the store beside ours. */
  #aheadMs = 0;

  constructor(address: S3Address, credentials: S3Credentials) {
    this.address = address;
    this.#credentials = credentials;
  }

  /**
   * @param use reads the answer's body, or leaves it to somebody; what it raises is a broken answer
   * @throws {S3Failure}
   */
  async send<T>(ask: Ask, use: (answer: Answer) => Promise<T>): Promise<T> {
    const begun = performance.now();
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#attempt(ask, use);
      } catch (error) {
        const isLast = ask.isOnce || attempt >= ATTEMPTS_MAX || performance.now() - begun > TRYING_MS_MAX;
        if (!(error instanceof S3Failure) || !error.passes || isLast) throw error;
        await sleep(PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
      }
  }

  async #attempt<T>(ask: Ask, use: (answer: Answer) => Promise<T>): Promise<T> {
    const answer = await this.#ask(ask).catch((error) => Promise.reject(unanswered(this.address, error)));
    const { statusCode: status } = answer;
    if (status < 300 || ask.accepts?.includes(status)) {
      try {
        return await use(answer);
      } catch (error) {
        answer.body.on('error', () => {}).destroy();
        throw error instanceof S3Failure ? error : unanswered(this.address, error);
      }
    }
    const failure = refused(this.address, status, await beginning(answer));
    if (status === 403 && this.#learnsTime(answer)) throw new S3Failure(failure.message, true);
    throw failure;
  }

  async #ask({ method, key, query, headers, body, bodyHash, isStream }: Ask): Promise<Answer> {
    const { bucket, prefix, endpoint, region } = this.address;
    const url = new URL(`${endpoint}/${bucket}${key === undefined ? '' : `/${prefix}${key}`}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      ...{ ...this.#credentials, region, service: 's3', cache: this.#keys },
      ...{ method, url: url.href, headers: { ...headers, 'x-amz-content-sha256': bodyHash ?? NO_BODY_HASH } },
      datetime: new Date(Date.now() + this.#aheadMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign();
    return request(signed.url, {
      ...{ method, headers: signed.headers, body: body ?? null },
      dispatcher: isStream ? this.#streams : this.#agent,
      headersTimeout: ANSWER_MS_MAX + (body?.byteLength ?? 0) / SENT_BYTES_PER_MS,
      bodyTimeout: CHUNK_MS_MAX,
    });
  }

  /** Takes over the time of a store that may have refused ours. @returns whether that is another time */
  #learnsTime({ headers }: Answer): boolean {
    const aheadMs = Date.parse(String(headers.date)) - Date.now();
    if (!(Math.abs(aheadMs - this.#aheadMs) > SKEW_MS_MIN)) return false;
    this.#aheadMs = aheadMs;
    return true;
  }
}

/** SHA-256 of nothing. */
const NO_BODY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Of a refusal, to be told; what cannot be read is left out. */
async function beginning({ body }: Answer): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += chunk;
      if (text.length > FAILURE_BYTES_MAX) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}
