/** HTTP proxy for a real S3 server that can delay, cut or replace responses. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Fault {
  /** Selects the requests; by default all. */
  readonly matches?: (method: string, url: string) => boolean;
  /** The number of requests; by default unlimited. */
  times?: number;
  /** Replaces the response: a status, silence, or a closed connection before the request or the response is forwarded. */
  readonly response?: number | 'silence' | 'cut before' | 'cut after';
  /** Closes the connection after this many bytes of the response. */
  readonly cutAfterBytes?: number;
  readonly delayMs?: number;
  /** Changes the body of the response. */
  readonly rewrite?: (body: string) => string;
}

export class S3Proxy {
  fault: Fault | undefined;
  /** All requests, as `GET /bucket/key`. */
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
    const requestBody = Buffer.concat(await incoming.toArray());
    if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
    if (typeof fault?.response === 'number') return void outgoing.writeHead(fault.response).end();
    if (fault?.response === 'silence') return;
    if (fault?.response === 'cut before') return void outgoing.destroy();
    const { hostname, port } = this.#target;
    // The Host header is unchanged, because it is signed.
    const forward = request({ hostname, port, method, path: url, headers: incoming.headers });
    forward.end(requestBody);
    const [response] = (await once(forward, 'response')) as [IncomingMessage];
    const bytes = Buffer.concat(await response.toArray());
    if (fault?.response === 'cut after') return void outgoing.destroy();
    const { 'transfer-encoding': _, ...headers } = response.headers;
    const body = fault?.rewrite ? Buffer.from(fault.rewrite(bytes.toString())) : bytes;
    if (method !== 'HEAD') headers['content-length'] = String(body.length);
    outgoing.writeHead(response.statusCode!, headers);
    if (fault?.cutAfterBytes === undefined || body.length <= fault.cutAfterBytes) return void outgoing.end(body);
    outgoing.write(body.subarray(0, fault.cutAfterBytes), () => setTimeout(() => outgoing.destroy(), 20));
  }

  #faultOf(method: string, url: string): Fault | undefined {
    const { fault } = this;
    if (fault === undefined || fault.matches?.(method, url) === false) return undefined;
    if (fault.times !== undefined && --fault.times < 0) return undefined;
    return fault;
  }
}
