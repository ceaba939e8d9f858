/**
 * Safe retries of POST (http.md §10): a request with an `Idempotency-Key` runs once; sent again, it gets the first answer
 * again. The key is looked at before anything else of the store, and kept in the transaction of the change.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../engine/errors.ts';
import { findAnswer, type Intended, type KeptAnswer, keepAnswer } from '../engine/operations/kept-answers.ts';
import { type Run, runIn } from '../engine/operations/stored.ts';
import { type Database, LockedTooLong, type Transaction } from '../engine/ports.ts';
import type { Found, Request, Service } from '../engine/service.ts';
import { contentType, sendProblem, sendRendered } from './answer.ts';
import { hashOf } from './authentication.ts';
import { sendEncoded, tagFor } from './encodings.ts';
import { FORM_TYPE, Form } from './form.ts';
import type { Rendered } from './response-cache.ts';

/** A write that answers, as far as it is known before it runs. */
export interface Post {
  readonly run: (hooks: Pick<Request, 'first' | 'alongside'>) => Promise<Found | Problem>;
  /** What is sent for its outcome. */
  readonly render: (found: Found) => Rendered & { readonly status: number };
}

/** A request as it may have come before: what it would have been known by, then. */
interface SentAgain extends Intended {
  readonly earlierFingerprint: string;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** @param aside gives the request's place to others while it waits for the first one with its key, which may need one */
export async function answerOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  post: Post,
  aside: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<FastifyReply> {
  const { service } = request;
  const refuse = (refused: Problem): FastifyReply => sendProblem(reply, refused);
  const send = (found: Found): FastifyReply => {
    const { status, ...rendered } = post.render(found);
    return sendRendered(request, reply, rendered, status);
  };
  const intended = readIntended(request);
  if (isProblem(intended)) return refuse(intended);
  if (!intended) {
    const found = await post.run({});
    return isProblem(found) ? refuse(found) : send(found);
  }
  const name = `${intended.apiKey} ${intended.key}`;
  const running = runningIn(service);
  const first = running.get(name);
  if (first) {
    const hasEnded = await aside(() => Promise.race([first.then(() => true), sleep(WAIT_MS, false, { ref: false })]));
    return hasEnded ? answerOnce(request, reply, post, aside) : refuse(stillRuns());
  }
  const { promise, resolve: end } = Promise.withResolvers<void>();
  running.set(name, promise);
  try {
    const committed: Run = (statement, values) => service.database.query(statement, values);
    const known = await findAnswer(service, committed, intended);
    if (known) return replay(reply, known, intended);
    const attempt = new Attempt(service, intended, post, contentType(request));
    const outcome = await attempt.run();
    if (attempt.known) return replay(reply, attempt.known, intended);
    return isProblem(outcome) ? refuse(outcome) : send(outcome);
  } finally {
    running.delete(name);
    end();
  }
}

/** How long a request waits for the first one with its key. */
const WAIT_MS = 5_000;

/** What runs in this process by its key, whatever address the store is asked by: also before its transaction, while a picture is downloaded. */
const RUNNING = new WeakMap<Database, Map<string, Promise<void>>>();

function runningIn({ database }: Service): Map<string, Promise<void>> {
  const running = RUNNING.get(database) ?? new Map<string, Promise<void>>();
  RUNNING.set(database, running);
  return running;
}

/** One run of a request whose key nobody had used when it came. */
class Attempt {
  readonly #service: Service;
  readonly #intended: Intended;
  readonly #post: Post;
  readonly #contentType: string;
  /** What another request with the same key has answered meanwhile. */
  known: KeptAnswer | undefined;
  #isWaiting = false;

  constructor(service: Service, intended: Intended, post: Post, contentType: string) {
    this.#service = service;
    this.#intended = intended;
    this.#post = post;
    this.#contentType = contentType;
  }

  async run(): Promise<Found | Problem> {
    try {
      return await this.#post.run({
        first: (transaction) => this.#first(transaction),
        alongside: (transaction, found) => this.#keep(transaction, found),
      });
    } catch (error) {
      if (this.#isWaiting && error instanceof LockedTooLong) return stillRuns();
      throw error;
    }
  }

  /** Waits for who uses the same key, and takes over its answer. */
  async #first(transaction: Transaction): Promise<Problem | undefined> {
    this.#isWaiting = true;
    await transaction.lock(`Idempotency-Key ${this.#intended.apiKey} ${this.#intended.key}`);
    this.#isWaiting = false;
    this.known = await findAnswer(this.#service, runIn(transaction), this.#intended);
    // Ends the transaction; what is sent is the known answer.
    return this.known && stillRuns();
  }

  async #keep(transaction: Transaction, found: Found): Promise<void> {
    const { status, body, etag, headers } = this.#post.render(found);
    const kept = { 'content-type': this.#contentType, ...headers, etag };
    await keepAnswer(this.#service, runIn(transaction), this.#intended, { status, headers: kept, body });
  }
}

function stillRuns(): Problem {
  return problem('conflict', 'The first request with this Idempotency-Key still runs; send it again in a second.', {
    'retry-after': '1',
  });
}

/** What else decides what a request writes: its language, how its body is read, and what of it may be passed over. */
const DECIDING_HEADERS = ['accept-language', 'content-type', 'prefer'] as const;

/** Begins the fingerprints that headers belong to. Those of answers kept by earlier versions are of address and body alone. */
const WITH_HEADERS = 'h:';

function readIntended({ headers, method, url, body }: FastifyRequest): SentAgain | Problem | undefined {
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
  const fingerprint = WITH_HEADERS + digestOf(`${method} ${url}\n${deciding}`, identity);
  const earlierFingerprint = digestOf(`${method} ${url}\n`, identity);
  return { apiKey: hashOf(headers['x-auth-token'] as string), key, fingerprint, earlierFingerprint };
}

function digestOf(head: string, body: Buffer | string): string {
  return createHash('sha256').update(head).update(body).digest('hex');
}

/** Whether the answer is to this request, by what the version that kept it knew of requests. */
function isAnswerTo({ fingerprint: kept }: KeptAnswer, { fingerprint, earlierFingerprint }: SentAgain): boolean {
  return kept === (kept.startsWith(WITH_HEADERS) ? fingerprint : earlierFingerprint);
}

function replay(reply: FastifyReply, known: KeptAnswer, intended: SentAgain): FastifyReply {
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
