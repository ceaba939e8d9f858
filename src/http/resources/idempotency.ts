/**
 * Safe retries of POST (http.md §10): a request with an `Idempotency-Key` runs once; sent again, it gets the first answer
 * again. The key is looked at before anything else of the store, and kept in the transaction of the change.
 */
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
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
import { credentialText } from '../admission/authentication.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { sendEncoded, tagFor } from '../responses/encodings.ts';
import { contentType, sendOutcome, sendProblem } from '../responses/response.ts';
import { FORM_TYPE, Form } from './multipart-form.ts';

export type Answer = Rendered & { readonly status: number };

/** Does the work of a unit, and keeps its answer in that unit where the request has a key. */
type Once = (unit: Unit, work: () => Promise<Answer | Problem>) => Promise<Answer | Problem>;

/** A request as it may have come before: what it would have been known by, then. */
interface SentAgain extends Intended {
  readonly earlierFingerprint: string;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * @param run the write, whose unit does its work in `once`
 * @param aside gives the request's place to others while it waits for the first one with its key, which may need one
 * @param hasSecrets the body may have a text of which nothing but a slow hash is to be kept
 */
export async function answerOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  run: (once: Once) => Promise<Answer | Problem>,
  releaseSlotDuring: <T>(work: () => Promise<T>) => Promise<T>,
  hasSecrets = false,
): Promise<FastifyReply> {
  const { service } = request;
  const send = (outcome: Answer | Problem): FastifyReply => sendOutcome(request, reply, outcome);
  const intended = readIntended(request, hasSecrets);
  if (isProblem(intended)) return send(intended);
  if (!intended) return send(await run((_, work) => work()));
  const name = `${intended.apiKey} ${intended.key}`;
  const running = runningIn(service);
  const first = running.get(name);
  if (first) {
    const hasEnded = await releaseSlotDuring(() =>
      Promise.race([first.then(() => true), sleep(WAIT_MS, false, { ref: false })]),
    );
    return hasEnded ? answerOnce(request, reply, run, releaseSlotDuring, hasSecrets) : send(stillRuns());
  }
  const { promise, resolve: end } = Promise.withResolvers<void>();
  running.set(name, promise);
  try {
    const { language, defaultLanguage } = request.requestContext;
    const known = await findIdempotencyRecord(committed(service, { language, defaultLanguage }), intended);
    if (known) return replay(reply, known, intended);
    const attempt = new Attempt(intended, request);
    const outcome = await run((unit, work) => attempt.once(unit, work));
    return attempt.known ? replay(reply, attempt.known, intended) : send(outcome);
  } finally {
    running.delete(name);
    end();
  }
}

/** How long a request waits for the first one with its key. */
const WAIT_MS = 5_000;

/**
 * Requests that run in this process, by key and for every address of the store. A request is here before its
 * transaction too, while its picture is downloaded.
 */
const RUNNING = new WeakMap<Database, Map<string, Promise<void>>>();

function runningIn({ database }: Service): Map<string, Promise<void>> {
  const running = RUNNING.get(database) ?? new Map<string, Promise<void>>();
  RUNNING.set(database, running);
  return running;
}

/** One run of a request whose key nobody had used when it came. */
class Attempt {
  readonly #intended: Intended;
  readonly #request: FastifyRequest;
  /** The answer that another request with the same key has got meanwhile. */
  known: IdempotencyRecord | undefined;

  constructor(intended: Intended, request: FastifyRequest) {
    this.#intended = intended;
    this.#request = request;
  }

  /** Waits for who uses the same key and takes over its answer, or does the work and keeps its own. */
  async once(unit: Unit, work: () => Promise<Answer | Problem>): Promise<Answer | Problem> {
    try {
      await unit.lock(`Idempotency-Key ${this.#intended.apiKey} ${this.#intended.key}`);
    } catch (error) {
      if (error instanceof LockedTooLong) return stillRuns();
      throw error;
    }
    this.known = await findIdempotencyRecord(unit, this.#intended);
    // Ends the unit; what is sent is the known answer.
    if (this.known) return stillRuns();
    const outcome = await work();
    if (isProblem(outcome)) return outcome;
    const { status, body, etag, headers } = outcome;
    const kept = { 'content-type': contentType(this.#request), ...headers, ...(etag === '' ? {} : { etag }) };
    await saveIdempotencyRecord(unit, this.#intended, { status, headers: kept, body }, aboutOf(this.#request, headers));
    return outcome;
  }
}

/** The path of the record at the top that an answer is about: the new one, or the one in the request's path. */
function aboutOf({ service, url }: FastifyRequest, { location }: Rendered['headers']): string {
  const path = location === undefined ? url : location.slice(service.environment.baseUrl.length);
  return /^(?:\/[^/?]*){1,3}/.exec(path)![0];
}

function stillRuns(): Problem {
  return problem('conflict', 'The first request with this Idempotency-Key still runs; send it again in a second.', {
    'retry-after': '1',
  });
}

/**
 * Headers that also decide what a request writes: its language, how its body is read, and which parts of it may be
 * ignored.
 */
const DECIDING_HEADERS = ['accept-language', 'content-type', 'prefer'] as const;

/** Begins the fingerprints that headers belong to. Those of answers kept by earlier versions are of address and body alone. */
const WITH_HEADERS = 'h:';

/** Begins the fingerprints of bodies with secrets, which nobody can guess at without what the client has proved itself by: the store keeps it not. */
const OF_SECRETS = 's:';

function readIntended(request: FastifyRequest, hasSecrets: boolean): SentAgain | Problem | undefined {
  const { headers, method, url, body, requestContext } = request;
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined) return undefined;
  if (typeof key !== 'string' || !VISIBLE.test(key))
    return problem('malformed-request', 'Idempotency-Key should be 1 to 255 visible ASCII characters.');
  const identity = body instanceof Form ? body.identity : ((body as Buffer | undefined) ?? '');
  const said = (name: string): string => {
    // The same form has another boundary each time that it is sent.
    return body instanceof Form && name === 'content-type' ? FORM_TYPE : String(headers[name] ?? '').trim();
  };
  const deciding = DECIDING_HEADERS.map((name) => `${name}: ${said(name)}\n`).join('');
  const whole = digestOf(`${method} ${url}\n${deciding}`, identity);
  const fingerprint = hasSecrets ? OF_SECRETS + keyedDigestOf(credentialText(request)!, whole) : WITH_HEADERS + whole;
  const earlierFingerprint = digestOf(`${method} ${url}\n`, identity);
  return { apiKey: requestContext.key.hash, key, fingerprint, earlierFingerprint };
}

function keyedDigestOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function digestOf(head: string, body: Buffer | string): string {
  return createHash('sha256').update(head).update(body).digest('hex');
}

const ERASED =
  'The request with this Idempotency-Key was carried out, and is not carried out again; its answer was erased with the data of a person.';

/** Whether the answer is to this request, by what the version that kept it knew of requests. */
function isAnswerTo({ fingerprint: kept }: IdempotencyRecord, { fingerprint, earlierFingerprint }: SentAgain): boolean {
  const isOfNow = kept.startsWith(WITH_HEADERS) || kept.startsWith(OF_SECRETS);
  return kept === (isOfNow ? fingerprint : earlierFingerprint);
}

function replay(reply: FastifyReply, known: IdempotencyRecord, intended: SentAgain): FastifyReply {
  if (known.status === ERASED_STATUS) return sendProblem(reply, problem('answer-erased', ERASED));
  if (!isAnswerTo(known, intended)) {
    const detail =
      'This Idempotency-Key was used for another request: its address, body, Accept-Language, Content-Type or Prefer differs. A new request needs a new key.';
    return sendProblem(reply, problem('key-reused', detail));
  }
  const { etag, ...headers } = known.headers;
  reply.code(known.status).headers(headers).header('idempotency-replayed', 'true');
  if (etag !== undefined) reply.header('etag', tagFor(reply.request, etag, known.body));
  return sendEncoded(reply, known.body);
}
