/**
 * Requests that are as one that was answered before: the same headers on the same connection, byte for byte, but for the
 * request's id and trace, for an answer that is kept. They get that answer, with the headers that it had, before the rest of the server looks at them; all that
 * it would find out about them it has found out before. Only what differs from request to request is left: whether the
 * answer still holds, and whether another request of the connection is to be answered first.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../engine/index.ts';
import type { KeyUses } from '../../store/key-uses.ts';
import { hashOf, type ValidKey } from '../../store/keys.ts';
import type { StoreState } from '../../store/state.ts';
import { type Coding, encodedBody } from '../responses/encodings.ts';
import { isLastResponseOfConnection } from '../server/node-internals.ts';
import { type Observer, routedRequest } from '../server/observer.ts';
import { requestId, traceOf, traceResponse } from '../server/request-ids.ts';
import { wantsTiming } from '../server/server-timing.ts';
import type { CacheValidator } from './cache-validator.ts';
import type { Rendered, ResponseCache } from './response-cache.ts';

/** The last request of a connection that got a kept answer, as far as the next may be like it. */
interface Known {
  /** The digest of its headers: a key is among them, and is never kept as it is. */
  readonly head: string;
  /** Begins the keys of the answers to requests with these headers. */
  readonly form: string;
  readonly coding: Coding | undefined;
  /** The keys and languages that it was admitted by: another request is, as long as the store has the same. */
  readonly state: StoreState;
  readonly key: ValidKey;
  /** Its address. */
  readonly client: string;
}

/** Of a request that has a body, or asks for more than the answer, the headers say so. */
const NEVER = [
  'content-length',
  'transfer-encoding',
  'if-none-match',
  'if-match',
  'range',
  'expect',
  'upgrade',
] as const;

/** An answer with one of these is not like the next: it is the last of its connection, or counted. */
const UNLIKE = ['connection', 'ratelimit'] as const;

/** An answer as it was sent. */
interface Sent {
  readonly route: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string | Buffer;
}

/** A request that may get the answer of the one before. */
interface RepeatedRequest {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
  readonly known: Known;
  readonly head: Head;
  /** Hands it to the rest of the server. */
  readonly goOn: () => void;
}

interface Surroundings {
  readonly cacheValidator: CacheValidator;
  readonly answers: ResponseCache<Rendered>;
  readonly observer: Observer;
  readonly keyUses: KeyUses;
  readonly clock: Clock;
}

export class FastPath {
  readonly #cacheValidator: CacheValidator;
  readonly #answers: ResponseCache<Rendered>;
  readonly #observer: Observer;
  readonly #keyUses: KeyUses;
  readonly #clock: Clock;
  readonly #known = new WeakMap<Socket, Known>();
  /** Those of this turn of the event loop. */
  #turn: RepeatedRequest[] = [];
  /** By form and coding. */
  readonly #sent = new WeakMap<Rendered, Map<string, Sent>>();

  constructor({ cacheValidator, answers, observer, keyUses, clock }: Surroundings) {
    this.#cacheValidator = cacheValidator;
    this.#answers = answers;
    this.#observer = observer;
    this.#keyUses = keyUses;
    this.#clock = clock;
  }

  /** A kept answer was sent: later ones of this form are sent as it was. */
  async remember(request: FastifyRequest, reply: FastifyReply, form: string, rendered: Rendered): Promise<void> {
    const { raw, coding, requestContext } = request;
    // A session is asked for each time, so that it ends everywhere at once.
    if (raw.method !== 'GET' || requestContext.isOfSession || NEVER.some((name) => raw.headers[name] !== undefined))
      return;
    if (UNLIKE.some((name) => reply.hasHeader(name)) || wantsTiming(raw.headers.prefer)) return;
    const { route } = routedRequest(request);
    const known = { form, coding, state: requestContext.state, key: requestContext.key, client: request.ip };
    this.#known.set(raw.socket, { ...known, head: readHead(raw).digest });
    const forms = this.#sent.get(rendered) ?? new Map<string, Sent>();
    this.#sent.set(rendered, forms);
    if (forms.has(`${form}${coding}`)) return;
    const { 'content-length': _, 'x-request-id': __, traceresponse: ___, ...headers } = reply.getHeaders();
    // An answer to a failed encoding is a problem, and no repeat has it.
    const body = coding === undefined ? rendered.body : await encodedBody(rendered, coding)?.catch(() => undefined);
    if (body === undefined) return;
    const told = { ...headers, 'content-length': Buffer.byteLength(body) };
    const lines = Object.entries(told).flatMap(([name, value]) => [name, String(value)]);
    forms.set(`${form}${coding}`, { route, headers: lines, body });
  }

  /** Answers requests that it knows; the others go on to the server. Call it once the server has its routes. */
  attach(app: FastifyInstance): void {
    const { server } = app;
    const listeners = server.listeners('request') as ((request: IncomingMessage, answer: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, answer: ServerResponse) => {
      const goOn = (): void => {
        for (const listener of listeners) listener.call(server, request, answer);
      };
      const known = this.#knownOf(request, answer);
      const head = known && readHead(request);
      if (head && head.digest === known.head) this.#answerSoon({ request, answer, known, head, goOn });
      else goOn();
    });
  }

  /** One look serves all requests of a turn of the event loop: it begins when they have all arrived. */
  #answerSoon(repeat: RepeatedRequest): void {
    if (this.#turn.push(repeat) === 1) setImmediate(() => this.#answerTurn());
  }

  #answerTurn(): void {
    const repeats = this.#turn;
    this.#turn = [];
    const answerAll = (): void => {
      for (const repeat of repeats) this.#answer(repeat) || repeat.goOn();
    };
    if (this.#cacheValidator.lookAtOnce()) answerAll();
    else
      this.#cacheValidator.look().then(answerAll, () => {
        // The server tells what is wrong.
        for (const { goOn } of repeats) goOn();
      });
  }

  /** The request before; undefined where this one is not the next to be answered. */
  #knownOf(request: IncomingMessage, answer: ServerResponse): Known | undefined {
    const { socket, method } = request;
    const known = this.#known.get(socket);
    if (!known || method !== 'GET' || answer.socket === null || isLastResponseOfConnection(answer)) return undefined;
    return known;
  }

  /** @returns whether there is an answer that holds */
  #answer({ request, answer, known, head }: RepeatedRequest): boolean {
    const { form, coding, state, key, client } = known;
    if (state !== this.#cacheValidator.state || answer.destroyed) return false;
    const rendered = this.#answers.get(`${form}${request.url}`);
    const sent = rendered && this.#sent.get(rendered)?.get(`${form}${coding}`);
    if (!sent || key.endsAt <= this.#clock.now()) return false;
    if (key.isStored) this.#keyUses.record(key.name);
    const names = { id: requestId(head.id, head.key), trace: traceOf(head.trace) };
    this.#observer.repeated(request, { route: sent.route, keyName: key.name, client }, names);
    const own = ['x-request-id', names.id, ...(names.trace ? ['traceresponse', traceResponse(names.trace)] : [])];
    answer.writeHead(200, [...sent.headers, ...own]);
    answer.end(sent.body);
    return true;
  }
}

/** The headers of a request: a digest of those that another has too, and those that are its own. */
interface Head {
  readonly digest: string;
  readonly id: string | undefined;
  readonly trace: string | undefined;
  readonly key: string | undefined;
}

/** By their lengths, which tell apart nearly all headers: those that differ from request to request, and the key. */
const OWN_HEADERS = ['x-request-id', 'traceparent', 'tracestate'];
const KEY_HEADER = 'x-auth-token';
const READ_LENGTHS = new Set([...OWN_HEADERS, KEY_HEADER].map(({ length }) => length));

/** A header that stands twice is no request's own: it goes into the digest. */
function readHead({ rawHeaders, httpVersion }: IncomingMessage): Head {
  const own = new Map<string, string>();
  let shared: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    const name = READ_LENGTHS.has(raw.length) ? raw.toLowerCase() : '';
    const isOwn = OWN_HEADERS.includes(name) && !own.has(name);
    if (isOwn) shared ??= rawHeaders.slice(0, index);
    if (isOwn || name === KEY_HEADER) own.set(name, rawHeaders[index + 1]!);
    if (!isOwn && shared) shared.push(raw, rawHeaders[index + 1]!);
  }
  return {
    digest: hashOf(`${httpVersion}\n${(shared ?? rawHeaders).join('\n')}`),
    id: own.get('x-request-id'),
    trace: own.get('traceparent'),
    key: own.get(KEY_HEADER),
  };
}
