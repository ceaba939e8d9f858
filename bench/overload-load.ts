/**
 * The load generator of `overload.ts`, a separate process: many connections with one outstanding request each, at a given
 * rate. Prints the results as JSON. Implements a minimal subset of HTTP to save processor time.
 */
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly address: string;
  readonly key: string;
  readonly connections: number;
  /** Target rate of all connections together; 0: each connection sends as soon as it has its response. */
  readonly perSecond: number;
  /** Whether clients respect `Retry-After` after a 503, with some jitter. */
  readonly isPolite: boolean;
  readonly seconds: number;
  /** Each request is a random one of these. */
  readonly requests: readonly LoadRequest[];
}

export interface LoadRequest {
  readonly method: string;
  /** `{id}` is replaced by a random number up to `idMax`, also in the key. */
  readonly path: string;
  readonly body?: string;
  readonly idMax: number;
}

export interface LoadResult {
  readonly acceptedPerSecond: number;
  readonly rejectedPerSecond: number;
  /** Responses other than 2xx and 503, and broken connections. */
  readonly failed: number;
  /** Accepted requests, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly rejectedP99: number;
}

const WARM_UP_SECONDS = 1;
const RETRY_MS = 1000;

const options: LoadOptions = JSON.parse(process.argv[2]!);
const accepted: number[] = [];
const rejected: number[] = [];
let failed = 0;
// The measurement starts after all connections are open: while the server is busy, new ones wait in the kernel.
const sockets = await Promise.all(Array.from({ length: options.connections }, connected));
const startedAt = performance.now();
const countsFrom = startedAt + WARM_UP_SECONDS * 1000;
const endsAt = countsFrom + options.seconds * 1000;
const intervalMs = options.perSecond === 0 ? 0 : (1000 * options.connections) / options.perSecond;

await Promise.all(Array.from({ length: options.connections }, (_, index) => client(index)));
const result: LoadResult = {
  acceptedPerSecond: accepted.length / options.seconds,
  rejectedPerSecond: rejected.length / options.seconds,
  failed,
  p50: percentile(accepted, 0.5),
  p99: percentile(accepted, 0.99),
  rejectedP99: percentile(rejected, 0.99),
};
console.log(JSON.stringify(result));

async function client(index: number): Promise<void> {
  let socket = sockets[index]!;
  let next = startedAt + (intervalMs * index) / options.connections;
  while (performance.now() < endsAt) {
    await until(next);
    if (socket.destroyed) socket = open();
    const sentAt = performance.now();
    const status = await send(socket, options.requests[Math.floor(Math.random() * options.requests.length)]!);
    const now = performance.now();
    next = Math.max(next + intervalMs, now);
    if (sentAt >= countsFrom && now <= endsAt) {
      if (status >= 200 && status < 300) accepted.push(now - sentAt);
      else if (status === 503) rejected.push(now - sentAt);
      else failed += 1;
    }
    if (status === 503 && options.isPolite) next = now + RETRY_MS * (1 + Math.random());
  }
  socket.destroy();
}

async function connected(): Promise<Socket> {
  const socket = open();
  await send(socket, { method: 'GET', path: '/healthz', idMax: 1 });
  return socket;
}

function open(): Socket {
  const { hostname, port } = new URL(options.address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => {});
  return socket;
}

function until(time: number): Promise<void> | undefined {
  const wait = Math.min(time, endsAt) - performance.now();
  return wait < 1 ? undefined : new Promise((resolve) => setTimeout(resolve, wait));
}

/** @returns the status, or 0 if the connection was closed */
function send(socket: Socket, { method, path, body = '', idMax }: LoadRequest): Promise<number> {
  const id = String(1 + Math.floor(Math.random() * idMax));
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(
    `${method} ${path.replace('{id}', id)} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${options.key.replace('{id}', id)}\r\n${length}\r\n${body}`,
  );
  return new Promise((resolve) => {
    let received = '';
    const done = (status: number): void => {
      socket.off('data', read);
      socket.off('close', closed);
      resolve(status);
    };
    const closed = (): void => done(0);
    const read = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const [, announced = '0'] = /content-length: (\d+)/i.exec(received) ?? [];
      if (received.length >= headEnd + 4 + Number(announced)) done(Number(received.slice(9, 12)));
    };
    socket.on('data', read);
    socket.on('close', closed);
  });
}

function percentile(values: number[], share: number): number {
  const sorted = values.sort((one, other) => one - other);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
