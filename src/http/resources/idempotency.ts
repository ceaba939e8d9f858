/**
 * Safe retries of POST (http.md §10): a request with an `Idempotency-Key` runs once, and a repeated request gets the first
 * response again. The idempotency record is read before anything else and stored in the transaction of the change.
 */
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { grantedMasks, grantedScopes } from '../../access/rights.ts';
import {
  committed,
  type Database,
  isProblem,
  LockedTooLong,
  type Problem,
  problem,
  type Service,
  type Unit,
} from '../../engine/index.ts';
import {
  ERASED_STATUS,
  findIdempotencyRecord,
  type IdempotencyRecord,
  type Intended,
  saveIdempotencyRecord,
} from '../../store/idempotency-records.ts';
import type { ValidKey } from '../../store/keys.ts';
import { credentialText } from '../admission/authentication.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { sendEncoded, tagFor } from '../responses/encodings.ts';
import { contentType, sendOutcome, sendProblem } from '../responses/response.ts';
import { FORM_TYPE, Form } from './multipart-form.ts';

/** The response to a write. */
export type WriteResponse = Rendered & { readonly status: number };

/** One run of a write. Without an `Idempotency-Key` its methods do nothing. */
export interface Attempt {
  /**
   * Call it first in the unit of the write. It waits for a request with the same key in another process.
   * @returns a problem if that request has completed: the unit must end with it
   */
  begin(unit: Unit): Promise<Problem | undefined>;
  /** Call it last in the unit. It stores the response with the change. */
  complete(unit: Unit, response: WriteResponse): Promise<void>;
}

interface IdempotencyOptions {
  /** Gives the request's slot to others while it waits for an earlier request, which may need one. */
  readonly releaseSlotDuring: <T>(work: () => Promise<T>) => Promise<T>;
  /** The body may contain secrets. Only slow hashes of them may be stored. */
  readonly hasSecrets?: boolean;
  /** The path of the record that an idempotency key belongs to, instead of the API key. */
  readonly owner?: string;
}

/** A request as it is identified now, and as earlier versions identified it. */
interface Fingerprints extends Intended {
  readonly earlierFingerprint: string;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a write and sends its response, or sends the stored response of an earlier request with the same key.
 * @param run does the write in a unit that calls the attempt's `begin` and `complete`
 */
export async function respondOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  options: IdempotencyOptions,
  run: (attempt: Attempt) => Promise<WriteResponse | Problem>,
): Promise<FastifyReply> {
  const { service } = request;
  const intended = readFingerprints(request, options);
  if (!intended) return sendOutcome(request, reply, await run(WITHOUT_KEY));
  if (isProblem(intended)) return sendProblem(reply, intended);
  const name = `${intended.apiKey} ${intended.key}`;
  const running = runningIn(service);
  for (let first = running.get(name); first; first = running.get(name))
    if (!(await options.releaseSlotDuring(() => hasEnded(first!)))) return sendProblem(reply, stillRuns());
  const { promise, resolve: end } = Promise.withResolvers<void>();
  running.set(name, promise);
  try {
    const { language, defaultLanguage } = request.requestContext;
    const earlier = await findIdempotencyRecord(committed(service, { language, defaultLanguage }), intended);
    if (earlier) return replay(reply, earlier, intended);
    const attempt = new KeyedAttempt(intended, request, options.owner);
    const outcome = await run(attempt);
    return attempt.earlier ? replay(reply, attempt.earlier, intended) : sendOutcome(request, reply, outcome);
  } finally {
    running.delete(name);
    end();
  }
}

/** How long a request waits for an earlier one with its key. */
const WAIT_MS = 5_000;

async function hasEnded(running: Promise<void>): Promise<boolean> {
  return Promise.race([running.then(() => true), sleep(WAIT_MS, false, { ref: false })]);
}

/**
 * Running requests of this process by key, for all base URLs of the store. They include requests that have not yet opened
 * their transaction, for example while an image is downloaded.
 */
const RUNNING = new WeakMap<Database, Map<string, Promise<void>>>();

function runningIn({ database }: Service): Map<string, Promise<void>> {
  const running = RUNNING.get(database) ?? new Map<string, Promise<void>>();
  RUNNING.set(database, running);
  return running;
}

const WITHOUT_KEY: Attempt = {
  begin: async () => undefined,
  complete: async () => {},
};

class KeyedAttempt implements Attempt {
  readonly #intended: Intended;
  readonly #request: FastifyRequest;
  readonly #owner: string | undefined;
  /** The record of a request with the same key that completed in another process meanwhile. */
  earlier: IdempotencyRecord | undefined;

  constructor(intended: Intended, request: FastifyRequest, owner: string | undefined) {
    this.#intended = intended;
    this.#request = request;
    this.#owner = owner;
  }

  async begin(unit: Unit): Promise<Problem | undefined> {
    try {
      await unit.lock(`Idempotency-Key ${this.#intended.apiKey} ${this.#intended.key}`);
    } catch (error) {
      if (error instanceof LockedTooLong) return stillRuns();
      throw error;
    }
    this.earlier = await findIdempotencyRecord(unit, this.#intended);
    // The problem only ends the unit. The client gets the earlier response.
    return this.earlier && stillRuns();
  }

  async complete(unit: Unit, { status, body, etag, headers }: WriteResponse): Promise<void> {
    const stored = { 'content-type': contentType(this.#request), ...headers, ...(etag === '' ? {} : { etag }) };
    const subject = this.#owner ?? subjectOf(this.#request, headers);
    await saveIdempotencyRecord(unit, this.#intended, { status, headers: stored, body }, subject);
  }
}

/** The path of the top-level record that a response is about: the new one, or the one in the request's path. */
function subjectOf({ service, url }: FastifyRequest, { location }: Rendered['headers']): string {
  const path = location === undefined ? url : location.slice(service.environment.baseUrl.length);
  return /^(?:\/[^/?]*){1,3}/.exec(path)![0];
}

function stillRuns(): Problem {
  return problem('conflict', 'The first request with this Idempotency-Key is still running. Retry in a second.', {
    'retry-after': '1',
  });
}

/** Headers that decide what a request writes: the language, how the body is parsed, and which parts may be ignored. */
const DECIDING_HEADERS = ['accept-language', 'content-type', 'prefer'] as const;

/** Prefix of fingerprints that include headers. Records of earlier versions cover URL and body only. */
const WITH_HEADERS = 'h:';

/**
 * Prefix of fingerprints of bodies with secrets. They are keyed with the client's credential, which the store does not
 * have, so that a stolen database does not allow guessing the secret.
 */
const OF_SECRETS = 's:';

/** @returns undefined if the request has no key */
function readFingerprints(
  request: FastifyRequest,
  { hasSecrets = false, owner }: IdempotencyOptions,
): Fingerprints | Problem | undefined {
  const { headers, method, url, body, requestContext } = request;
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined) return undefined;
  if (typeof key !== 'string' || !VISIBLE.test(key))
    return problem('malformed-request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  const identity = body instanceof Form ? body.identity : ((body as Buffer | undefined) ?? '');
  const headerText = (name: string): string => {
    // Clients choose a new boundary each time they send the same form.
    return body instanceof Form && name === 'content-type' ? FORM_TYPE : String(headers[name] ?? '').trim();
  };
  const deciding = DECIDING_HEADERS.map((name) => `${name}: ${headerText(name)}\n`).join('');
  const digest = digestOf(`${method} ${url}\n${deciding}`, identity);
  const fingerprint = hasSecrets ? OF_SECRETS + keyedDigestOf(credentialText(request)!, digest) : WITH_HEADERS + digest;
  const earlierFingerprint = digestOf(`${method} ${url}\n`, identity);
  const rights = rightsMark(requestContext.key);
  return { apiKey: owner ?? requestContext.key.hash, key, fingerprint: rights + fingerprint, earlierFingerprint };
}

/** Marks the fingerprint with the rights of a scoped key, because a key that replaces it may have others. */
function rightsMark(key: ValidKey): string {
  return key.kind === 'scoped' ? `r:${digestOf('', [...grantedScopes(key), ...grantedMasks(key)].join())}:` : '';
}

const RIGHTS_MARK = /^(?:r:[0-9a-f]{64}:)?/;

const OTHER_RIGHTS =
  'This Idempotency-Key was first used with other rights, which decide what the response shows. Use a new key.';

function keyedDigestOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function digestOf(head: string, body: Buffer | string): string {
  return createHash('sha256').update(head).update(body).digest('hex');
}

const ERASED =
  'The request with this Idempotency-Key was completed and is not run again. Its response was erased with the data of a person.';

const REUSED =
  'This Idempotency-Key was used for another request: its URL, body, Accept-Language, Content-Type or Prefer differs. Use a new key for a new request.';

function markOf({ fingerprint }: Pick<Intended, 'fingerprint'>): string {
  return RIGHTS_MARK.exec(fingerprint)![0];
}

/** Whether the record belongs to this request, by the fingerprint of the version that stored it. */
function isRecordOf({ fingerprint: stored }: IdempotencyRecord, sent: Fingerprints): boolean {
  const own = stored.replace(RIGHTS_MARK, '');
  const isCurrent = own.startsWith(WITH_HEADERS) || own.startsWith(OF_SECRETS);
  return stored === (isCurrent ? sent.fingerprint : sent.earlierFingerprint);
}

function replay(reply: FastifyReply, record: IdempotencyRecord, intended: Fingerprints): FastifyReply {
  if (record.status === ERASED_STATUS) return sendProblem(reply, problem('answer-erased', ERASED));
  if (markOf(record) !== markOf(intended)) return sendProblem(reply, problem('conflict', OTHER_RIGHTS));
  if (!isRecordOf(record, intended)) return sendProblem(reply, problem('key-reused', REUSED));
  const { etag, ...headers } = record.headers;
  reply.code(record.status).headers(headers).header('idempotency-replayed', 'true');
  if (etag !== undefined) reply.header('etag', tagFor(reply.request, etag, record.body));
  return sendEncoded(reply, record.body);
}
