/** TCP proxy for PostgreSQL that can be slow or silent, or cut connections, also in the middle of a COMMIT. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `silent` discards all bytes. `cut before commit` closes the connection before the server receives COMMIT, `cut after
 * commit` when the server responds to it.
 */
export type ProxyMode = 'open' | 'slow' | 'silent' | 'cut before commit' | 'cut after commit';

const SLOW_MILLISECONDS = 15;

export class ChaosProxy {
  mode: ProxyMode = 'open';
  #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#connect(client)).listen(0, '127.0.0.1');
  }

  static async to(url: string): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(new URL(url));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** For `DATABASE_URL`. */
  get url(): string {
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Redirects new connections, as when an address moves to another machine. */
  redirectTo(url: string): void {
    this.#target = new URL(url);
  }

  /** Resets every connection, as a restarted machine does. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #connect(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    let isCommitting = false;
    let [toServer, toClient] = [Promise.resolve(), Promise.resolve()];
    client.on('data', (bytes: Buffer) => {
      if (this.mode.startsWith('cut')) isCommitting ||= bytes.includes('COMMIT\0');
      if (isCommitting && this.mode === 'cut before commit') client.destroy();
      else toServer = this.#pass(toServer, bytes, server);
    });
    server.on('data', (bytes: Buffer) => {
      if (isCommitting) client.destroy();
      else toClient = this.#pass(toClient, bytes, client);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
    }
  }

  async #pass(before: Promise<void>, bytes: Buffer, to: Socket): Promise<void> {
    await before;
    if (this.mode === 'silent') return;
    if (this.mode === 'slow') await sleep(SLOW_MILLISECONDS);
    to.write(bytes);
  }
}
