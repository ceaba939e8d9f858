/**
 * Sends one HTTP request as a script would, without default headers such as `Accept` and without normalizing the path. A body
 * that is neither text nor bytes is sent as JSON.
 */
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { assertDescribed } from './openapi-conformance.ts';

export interface RequestOptions {
  readonly body?: unknown;
  /** A header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The API key; null sends none. */
  readonly key?: string | null;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, decoded. */
  readonly text: string;
  /** The body as received, possibly compressed. */
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  readonly json: any;
}

/**
 * The timeout buffer closes idle connections 3 s before the server does. Otherwise, on a busy machine, a request could go out
 * on a connection that the server is closing.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 100, agentKeepAliveTimeoutBuffer: 3_000 });

/** Closes the idle connections to a server before it stops: a stopping server waits for a last request on each. */
export function closeIdleConnections(address: string): void {
  const { hostname, port } = new URL(address);
  for (const socket of agent.freeSockets[agent.getName({ host: hostname, port: Number(port) })] ?? []) socket.destroy();
}

export async function sendRequest(
  address: string,
  method: string,
  path: string,
  { body, headers = {}, key = null }: RequestOptions,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(address);
  const bytes = bytesOf(body);
  const sent: OutgoingHttpHeaders = {};
  if (key !== null) sent['x-auth-token'] = key;
  if (bytes) sent['content-type'] = 'application/json';
  if (bytes) sent['content-length'] = bytes.length;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) delete sent[name.toLowerCase()];
    else sent[name.toLowerCase()] = value as string | string[];
  }
  const outgoing = request({ agent, hostname, port, method, path, headers: sent });
  outgoing.end(bytes);
  const [incoming] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  const text = decoded(whole, incoming.headers['content-encoding']).toString();
  const response: HttpResponse = {
    status: incoming.statusCode,
    headers: incoming.headers,
    text,
    bytes: whole,
    get json() {
      return JSON.parse(text);
    },
  };
  assertDescribed(method, path, response);
  return response;
}

/** Responses to HEAD and responses without a body have a content coding but no bytes. */
function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === undefined || bytes.length === 0) return bytes;
  const decoder = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }[coding];
  if (!decoder) throw new Error(`unknown content coding: ${coding}`);
  return decoder(bytes);
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}
