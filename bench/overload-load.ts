/**
 * The load of `overload.ts`, in a process of its own: many connections, one request outstanding on each, at a given rate.
 * Prints what came back as JSON. It speaks just enough HTTP to cost little.
 */
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly address: string;
  readonly key: string;
  readonly connections: number;
  /** Requests a second that are wanted of all connections together; 0: each as soon as it has its answer. */
  readonly perSecond: number;
  /** After a 503 a client waits as `Retry-After` says, with a little jitter. */
  readonly isPolite: boolean;
  readonly seconds: number;
  /** Each time one of them, at random. */
  readonly requests: readonly LoadRequest[];
}

export interface LoadRequest {
  readonly method: string;
  /** `{id}` is a number up to `idMax`; in the key as well. */
  readonly path: string;
  readonly body?: string;
  readonly idMax: number;
}

export interface LoadResult {
  readonly acceptedPerSecond: number;
  readonly refusedPerSecond: number;
  /** Neither a success nor a 503, and connections that broke. */
  readonly failed: number;
  /** Of accepted requests, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly refusedP99: number;
}

const WARM_UP_SECONDS = 1;
const RETRY_MS = 1000;

const options: LoadOptions = JSON.parse(process.argv[2]!);
const accepted: number[] = [];
const refused: number[] = [];
let failed = 0;
// The kernel keeps new connections waiting while the server is busy; what is measured begins when all are open.
const sockets = await Promise.all(Array.from({ length: options.connections }, connected));
const beganAt = performance.now();
const countsFrom = beganAt + WARM_UP_SECONDS * 1000;
const endsAt = countsFrom + options.seconds * 1000;
const intervalMs = options.perSecond === 0 ? 0 : (1000 * options.connections) / options.perSecond;

await Promise.all(Array.from({ length: options.connections }, (_, index) => client(index)));
const result: LoadResult = {
  acceptedPerSecond: accepted.length / options.seconds,
  refusedPerSecond: refused.length / options.seconds,
  failed,
  p50: percentile(accepted, 0.5),
  p99: percentile(accepted, 0.99),
  refusedP99: percentile(refused, 0.99),
};
console.log(JSON.stringify(result));

async function client(index: number): Promise<void> {
  let socket = sockets[index]!;
  let next = beganAt + (intervalMs * index) / options.connections;
  while (performance.now() < endsAt) {
    await until(next);
    if (socket.destroyed) socket = open();
    const sentAt = performance.now();
    const status = await ask(socket, options.requests[Math.floor(Math.random() * options.requests.length)]!);
    const now = performance.now();
    next = Math.max(next + intervalMs, now);
    if (sentAt >= countsFrom && now <= endsAt) {
      if (status >= 200 && status < 300) accepted.push(now - sentAt);
      else if (status === 503) refused.push(now - sentAt);
      else failed += 1;
    }
    if (status === 503 && options.isPolite) next = now + RETRY_MS * (1 + Math.random());
  }
  socket.destroy();
}

async function connected(): Promise<Socket> {
  const socket = open();
  await ask(socket, { method: 'GET', path: '/healthz', idMax: 1 });
  return socket;
}

function open(): Socket {
  const { hostname, port } = new URL(options.address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => {});
  return socket;
}

function until(moment: number): Promise<void> | undefined {
  const wait = Math.min(moment, endsAt) - performance.now();
  return wait < 1 ? undefined : new Promise((resolve) => setTimeout(resolve, wait));
}

/** @returns the status, 0 where there was no answer */
function ask(socket: Socket, { method, path, body = '', idMax }: LoadRequest): Promise<number> {
  const id = String(1 + Math.floor(Math.random() * idMax));
  const length = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(
    `${method} ${path.replace('{id}', id)} HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${options.key.replace('{id}', id)}\r\n${length}\r\n${body}`,
  );
  return new Promise((resolve) => {
    let received = '';
    const done = (status: number): void => {
      socket.off('data', read);
      socket.off('close', gone);
      resolve(status);
    };
    const gone = (): void => done(0);
    const read = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const [, announced = '0'] = /content-length: (\d+)/i.exec(received) ?? [];
      if (received.length >= headEnd + 4 + Number(announced)) done(Number(received.slice(9, 12)));
    };
    socket.on('data', read);
    socket.on('close', gone);
  });
}

function percentile(values: number[], share: number): number {
  const sorted = values.sort((one, other) => one - other);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
