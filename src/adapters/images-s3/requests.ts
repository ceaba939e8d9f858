/**
 * Signed requests to an S3 store, in path style. A request without a response, or with a 5xx or 429, is retried a few
 * times within some seconds. After that, and for any other error, it throws `S3Failure`. A request may take effect
 * twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import type { S3Address } from './address.ts';
import { noResponse, rejected, S3Failure } from './failures.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** After the prefix; undefined: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** SHA-256 of the body in hex, which the store verifies. */
  readonly bodyHash?: string;
  /** Statuses other than 2xx that are no failure. */
  readonly accepts?: readonly number[];
  /** Its body may be read for any length of time. */
  readonly isStream?: boolean;
  /** No retries; for frequent availability checks. */
  readonly isOnce?: boolean;
}

export type S3Response = Dispatcher.ResponseData;

const ATTEMPTS_MAX = 4;
/** No attempt starts later than this after the first one. */
const TRYING_MS_MAX = 10_000;
const PAUSE_MS = 100;

const CONNECT_MS_MAX = 3000;
/** For the head of a response, plus the time to send the body at the rate below. */
const RESPONSE_MS_MAX = 5000;
const SENT_BYTES_PER_MS = 500;
/** Maximum time between two chunks of a body. */
const CHUNK_MS_MAX = 10_000;

/** Without streams, whose number is that of their clients. */
const AT_ONCE_MAX = 32;

/** Minimum clock difference to correct: S3 allows 15 minutes. */
const SKEW_MS_MIN = 60_000;

const FAILURE_BYTES_MAX = 4096;

export class Requests {
  readonly address: S3Address;
  readonly #credentials: S3Credentials;
  readonly #agent = new Agent({ connections: AT_ONCE_MAX, connect: { timeout: CONNECT_MS_MAX } });
  readonly #streams = new Agent({ connect: { timeout: CONNECT_MS_MAX } });
  readonly #keys = new Map<string, ArrayBuffer>();
  /** How far the store's clock is ahead of the local one. */
  #aheadMs = 0;

  constructor(address: S3Address, credentials: S3Credentials) {
    this.address = address;
    this.#credentials = credentials;
  }

  /**
   * Sends a request, with retries.
   * @param use reads the response body, or passes it on; an error in it counts as a broken response
   * @throws {S3Failure}
   */
  async send<T>(s3Request: S3Request, use: (response: S3Response) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let isInDoubt = false;
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#attempt(s3Request, use);
      } catch (error) {
        if (error instanceof S3Failure) isInDoubt = error.isInDoubt ||= isInDoubt;
        const isLast = s3Request.isOnce || attempt >= ATTEMPTS_MAX || performance.now() - startedAt > TRYING_MS_MAX;
        if (!(error instanceof S3Failure) || !error.isTransient || isLast) throw error;
        await sleep(PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
      }
  }

  async #attempt<T>(s3Request: S3Request, use: (response: S3Response) => Promise<T>): Promise<T> {
    const response = await this.#request(s3Request).catch((error) => Promise.reject(noResponse(this.address, error)));
    const { statusCode: status } = response;
    if (status < 300 || s3Request.accepts?.includes(status)) {
      try {
        return await use(response);
      } catch (error) {
        response.body.on('error', () => {}).destroy();
        throw error instanceof S3Failure ? error : noResponse(this.address, error);
      }
    }
    const failure = rejected(this.address, status, await startOf(response));
    if (status === 403 && this.#adjustClock(response)) throw new S3Failure(failure.message, true);
    throw failure;
  }

  async #request({ method, key, query, headers, body, bodyHash, isStream }: S3Request): Promise<S3Response> {
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
      headersTimeout: RESPONSE_MS_MAX + (body?.byteLength ?? 0) / SENT_BYTES_PER_MS,
      bodyTimeout: CHUNK_MS_MAX,
    });
  }

  /** Adopts the time of a store that may have rejected the local one. @returns whether the difference has changed */
  #adjustClock({ headers }: S3Response): boolean {
    const aheadMs = Date.parse(String(headers.date)) - Date.now();
    if (!(Math.abs(aheadMs - this.#aheadMs) > SKEW_MS_MIN)) return false;
    this.#aheadMs = aheadMs;
    return true;
  }
}

/** SHA-256 of an empty body. */
const NO_BODY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Reads the start of an error response for the message. An unreadable part is omitted. */
async function startOf({ body }: S3Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += chunk;
      if (text.length > FAILURE_BYTES_MAX) break;
    }
  } catch {
    // The status is sufficient.
  }
  return text;
}
