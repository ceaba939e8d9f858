/** A way to an S3 server that can be slow, cut, or answer with errors in its place; the server behind it is a real one. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Fault {
  /** Requests that it concerns; all when not said. */
  readonly of?: (method: string, url: string) => boolean;
  /** So many of them; any number when not said. */
  times?: number;
  /** In place of the answer: a status, silence, or the end of the connection before the request or the answer arrives. */
  readonly answer?: number | 'silence' | 'cut before' | 'cut after';
  /** The answer stops here, and the connection ends. */
  readonly cutAfterBytes?: number;
  readonly delayMs?: number;
  /** The answer as text, told otherwise. */
  readonly tells?: (body: string) => string;
}

export class S3Proxy {
  fault: Fault | undefined;
  /** Those that came, as `GET /bucket/key`. */
  readonly seen: string[] = [];
  readonly #target: URL;
  readonly #server: Server;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
    this.#server.listen(0, '127.0.0.1');
  }

  static async to(endpoint: string): Promise<S3Proxy> {
    const proxy = new S3Proxy(new URL(endpoint));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    this.seen.push(`${method} ${url}`);
    const fault = this.#faultOf(method, url);
    const body = Buffer.concat(await incoming.toArray());
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    if (typeof fault?.answer === 'number') return void outgoing.writeHead(fault.answer).end();
    if (fault?.answer === 'silence') return;
    if (fault?.answer === 'cut before') return void outgoing.destroy();
    const { hostname, port } = this.#target;
    // The Host stays as it was signed.
    const forward = request({ hostname, port, method, path: url, headers: incoming.headers });
    forward.end(body);
    const [answer] = (await once(forward, 'response')) as [IncomingMessage];
    const bytes = Buffer.concat(await answer.toArray());
    if (fault?.answer === 'cut after') return void outgoing.destroy();
    const { 'transfer-encoding': _, ...headers } = answer.headers;
    const told = fault?.tells ? Buffer.from(fault.tells(bytes.toString())) : bytes;
    if (method !== 'HEAD') headers['content-length'] = String(told.length);
    outgoing.writeHead(answer.statusCode!, headers);
    if (fault?.cutAfterBytes === undefined || told.length <= fault.cutAfterBytes) return void outgoing.end(told);
    outgoing.write(told.subarray(0, fault.cutAfterBytes), () => setTimeout(() => outgoing.destroy(), 20));
  }

  #faultOf(method: string, url: string): Fault | undefined {
    const { fault } = this;
    if (fault === undefined || fault.of?.(method, url) === false) return undefined;
    if (fault.times !== undefined && --fault.times < 0) return undefined;
    return fault;
  }
}
