/**
 * Requests that are as one that was answered before: the same headers on the same connection, byte for byte, for an answer
 * that is kept. They get that answer, with the headers that it had, before the rest of the server looks at them; all that
 * it would find out about them it has found out before. Only what differs from request to request is left: whether the
 * answer still holds, and whether another request of the connection is to be answered first.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Freshness } from '../store/freshness.ts';
import { hashOf } from '../store/keys.ts';
import type { StoreState } from '../store/state.ts';
import { type Coding, encodedBody } from './encodings.ts';
import type { Kept, Rendered } from './kept.ts';

/** The last request of a connection that got a kept answer, as far as the next may be like it. */
interface Known {
  /** The digest of its headers: a key is among them, and is never kept as it is. */
  readonly head: string;
  /** Begins the keys of the answers to requests with these headers. */
  readonly form: string;
  readonly coding: Coding | undefined;
  /** The keys and languages that it was admitted by: another request is, as long as the store has the same. */
  readonly state: StoreState;
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
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string | Buffer;
}

/** A request that may get the answer of the one before. */
interface Repeat {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
  readonly known: Known;
  /** Hands it to the rest of the server. */
  readonly goOn: () => void;
}

export class Repeats {
  readonly #freshness: Freshness;
  readonly #answers: Kept<Rendered>;
  readonly #known = new WeakMap<Socket, Known>();
  /** Those of this turn of the event loop. */
  #turn: Repeat[] = [];
  /** By form and coding. */
  readonly #sent = new WeakMap<Rendered, Map<string, Sent>>();

  constructor(freshness: Freshness, answers: Kept<Rendered>) {
    this.#freshness = freshness;
    this.#answers = answers;
  }

  /** A kept answer was sent: later ones of this form are sent as it was. */
  async remember(request: FastifyRequest, reply: FastifyReply, form: string, rendered: Rendered): Promise<void> {
    const { raw, coding, visit } = request;
    if (raw.method !== 'GET' || NEVER.some((name) => raw.headers[name] !== undefined)) return;
    if (UNLIKE.some((name) => reply.hasHeader(name))) return;
    this.#known.set(raw.socket, { head: headOf(raw), form, coding, state: visit.state });
    const forms = this.#sent.get(rendered) ?? new Map<string, Sent>();
    this.#sent.set(rendered, forms);
    if (forms.has(`${form}${coding}`)) return;
    const { 'content-length': _, ...headers } = reply.getHeaders();
    // An answer to a failed encoding is a problem, and no repeat has it.
    const body = coding === undefined ? rendered.body : await encodedBody(rendered, coding)?.catch(() => undefined);
    if (body === undefined) return;
    const told = { ...headers, 'content-length': Buffer.byteLength(body) };
    const lines = Object.entries(told).flatMap(([name, value]) => [name, String(value)]);
    forms.set(`${form}${coding}`, { headers: lines, body });
  }

  /** Answers requests that it knows; the others go on to the server. Call it once the server has its routes. */
  stand(app: FastifyInstance): void {
    const { server } = app;
    const listeners = server.listeners('request') as ((request: IncomingMessage, answer: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, answer: ServerResponse) => {
      const goOn = (): void => {
        for (const listener of listeners) listener.call(server, request, answer);
      };
      const known = this.#knownOf(request, answer);
      if (known) this.#answerSoon({ request, answer, known, goOn });
      else goOn();
    });
  }

  /** One look serves all requests of a turn of the event loop: it begins when they have all arrived. */
  #answerSoon(repeat: Repeat): void {
    if (this.#turn.push(repeat) === 1) setImmediate(() => this.#answerTurn());
  }

  #answerTurn(): void {
    const repeats = this.#turn;
    this.#turn = [];
    const answerAll = (): void => {
      for (const repeat of repeats) this.#answer(repeat) || repeat.goOn();
    };
    if (this.#freshness.lookAtOnce()) answerAll();
    else
      this.#freshness.look().then(answerAll, () => {
        // The server tells what is wrong.
        for (const { goOn } of repeats) goOn();
      });
  }

  /** The request before, where this one's headers are the same; undefined where it is not the next to be answered. */
  #knownOf(request: IncomingMessage, answer: ServerResponse): Known | undefined {
    const { socket, method } = request;
    const known = this.#known.get(socket);
    if (!known || method !== 'GET' || answer.socket === null || isLast(answer)) return undefined;
    return known.head === headOf(request) ? known : undefined;
  }

  /** @returns whether there is an answer that holds */
  #answer({ request: { url }, answer, known: { form, coding, state } }: Repeat): boolean {
    if (state !== this.#freshness.state || answer.destroyed) return false;
    const rendered = this.#answers.get(`${form}${url}`);
    const sent = rendered && this.#sent.get(rendered)?.get(`${form}${coding}`);
    if (!sent) return false;
    answer.writeHead(200, sent.headers);
    answer.end(sent.body);
    return true;
  }
}

function headOf({ rawHeaders, httpVersion }: IncomingMessage): string {
  return hashOf(`${httpVersion}\n${rawHeaders.join('\n')}`);
}

function isLast(answer: ServerResponse & { maxRequestsOnConnectionReached?: boolean }): boolean {
  return answer.maxRequestsOnConnectionReached === true;
}
