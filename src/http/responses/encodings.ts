/** Content encoding of responses (RFC 9110 §§8.4 and 12.5.3), chosen by `Accept-Encoding`. zlib runs outside the event loop. */
import { pipeline, type Readable } from 'node:stream';
import { brotliCompress, constants, createGzip, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ENCODING_MARKS } from './entity-tags.ts';

export type Coding = keyof typeof ENCODING_MARKS;

declare module 'fastify' {
  interface FastifyRequest {
    /** The encoding to apply to the response body. */
    coding: Coding | undefined;
    /** The cached response or file of the body. Its encoded forms live as long as it does. */
    encodedOf: object | undefined;
  }
}

/** Smaller bodies fit into one packet without compression. */
const PLAIN_BYTES_MAX = 1024;

/** In order of cost: the first of equally preferred ones is used. */
const CODINGS: readonly Coding[] = ['zstd', 'gzip', 'br'];

type Content = string | Buffer;
type Done = (error: Error | null, encoded: Buffer) => void;

const GZIP = { level: 4 };

/** Most responses are sent once, so these levels have the best ratio of bytes saved to time. */
const ENCODERS: Readonly<Record<Coding, (content: Content, done: Done) => void>> = {
  zstd: (content, done) => zstdCompress(content, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }, done),
  gzip: (content, done) => gzip(content, GZIP, done),
  br: (content, done) => brotliCompress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
};

/** Applies the encoding that `sendEncoded` has chosen. */
export function registerContentEncoding(app: FastifyInstance): void {
  app.decorateRequest('coding');
  app.decorateRequest('encodedOf');
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { coding, encodedOf } = request;
    if (coding === undefined || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) done(null, payload);
    else encode(payload, coding, encodedOf).then((encoded) => done(null, encoded), done);
  });
}

/**
 * @param made encodings that already exist, the best first
 * @returns the entity tag of the response for this client
 */
export function tagFor({ headers }: FastifyRequest, etag: string, body: Content, made: readonly Coding[] = []): string {
  const coding = chooseCoding(headers['accept-encoding'], body, made);
  return coding === undefined ? etag : `${etag.slice(0, -1)};${ENCODING_MARKS[coding]}"`;
}

/**
 * Sends the body in the encoding that the client prefers.
 * @param of the response that the body belongs to, if it may be cached
 * @param made encodings that already exist, the best first
 */
export function sendEncoded(
  reply: FastifyReply,
  body: Content,
  of?: object,
  made: readonly Coding[] = [],
): FastifyReply {
  const { request } = reply;
  request.encodedOf = of ?? (typeof body === 'string' ? undefined : body);
  request.coding = chooseCoding(request.headers['accept-encoding'], body, made);
  if (request.coding !== undefined) reply.header('content-encoding', request.coding);
  return reply.send(body);
}

/** Sends a stream, compressed with gzip if the client accepts it. The other encoders need megabytes of memory for each stream. */
export function sendEncodedStream(reply: FastifyReply, stream: Readable): FastifyReply {
  const accepted = reply.request.headers['accept-encoding'];
  if (accepted === undefined || readPreferred(String(accepted), ['gzip']) === undefined) return reply.send(stream);
  reply.header('content-encoding', 'gzip');
  // An error destroys both streams, and Fastify reports it.
  return reply.send(pipeline(stream, createGzip(GZIP), () => {}));
}

/** Encoded forms of cached responses and files. */
const encodedForms = new WeakMap<object, Map<Coding, Promise<Buffer>>>();

/** Adds an encoded form that was made elsewhere. */
export function addEncoded(file: Buffer, coding: Coding, encoded: Buffer): void {
  encodingsOf(file).set(coding, Promise.resolve(encoded));
}

/** @returns the encoded form of a response that was sent; undefined if there is none */
export function encodedBody(of: object, coding: Coding): Promise<Buffer> | undefined {
  return encodedForms.get(of)?.get(coding);
}

function encode(content: Content, coding: Coding, of: object | undefined): Promise<Buffer> {
  if (of === undefined) return run(content, coding);
  const encodings = encodingsOf(of);
  const known = encodings.get(coding);
  if (known) return known;
  const encoded = run(content, coding);
  encodings.set(coding, encoded);
  return encoded;
}

function encodingsOf(of: object): Map<Coding, Promise<Buffer>> {
  const known = encodedForms.get(of) ?? new Map<Coding, Promise<Buffer>>();
  encodedForms.set(of, known);
  return known;
}

function run(content: Content, coding: Coding): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    ENCODERS[coding](content, (error, encoded) => (error ? reject(error) : resolve(encoded)));
  });
}

function chooseCoding(
  accepted: string | string[] | undefined,
  body: Content,
  made: readonly Coding[],
): Coding | undefined {
  if (accepted === undefined || Buffer.byteLength(body) <= PLAIN_BYTES_MAX) return undefined;
  return (made.length > 0 && readPreferred(String(accepted), made)) || preferred(String(accepted));
}

/** Clients send few different values of `Accept-Encoding`. */
const known = new Map<string, Coding | undefined>();
const KNOWN_MAX = 100;

function preferred(accepted: string): Coding | undefined {
  if (known.has(accepted)) return known.get(accepted);
  if (known.size === KNOWN_MAX) known.clear();
  const coding = readPreferred(accepted, CODINGS);
  known.set(accepted, coding);
  return coding;
}

/** @returns undefined if the client prefers the plain body, or accepts none of the encodings */
function readPreferred(accepted: string, codings: readonly Coding[]): Coding | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
        return [name === 'x-gzip' ? 'gzip' : name, weightIn(parameters)];
      }),
  );
  // Proxies that send `*` mean encodings that every client decodes.
  const anyOf = (coding: Coding): number => (coding === 'gzip' ? (weights.get('*') ?? 0) : 0);
  const weightOf = (coding: Coding): number => weights.get(coding) ?? anyOf(coding);
  const best = Math.max(...codings.map(weightOf));
  return best > 0 && best >= (weights.get('identity') ?? 0)
    ? codings.find((each) => weightOf(each) === best)
    : undefined;
}

/** An invalid weight counts as 0. */
function weightIn(parameters: readonly string[]): number {
  const [name, value] = (parameters.find((each) => each.startsWith('q')) ?? 'q=1')
    .split('=')
    .map((each) => each.trim());
  return name === 'q' && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value ?? '') ? Number(value) : 0;
}
