/** A way to a PostgreSQL server that can be slow, silent, or cut, also in the middle of a COMMIT. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** `silent`: bytes are taken and go nowhere. `before commit`: cut before the server hears of it; `after`: once it answers. */
export type Way = 'open' | 'slow' | 'silent' | 'cut before commit' | 'cut after commit';

const SLOW_MILLISECONDS = 15;

export class ChaosProxy {
  way: Way = 'open';
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

  /** As a store's configuration takes it. */
  get url(): string {
    const way = new URL(this.#target);
    way.port = String((this.#server.address() as AddressInfo).port);
    return way.href;
  }

  /** Where new connections lead from now on, as when an address is given to another machine. */
  leadTo(url: string): void {
    this.#target = new URL(url);
  }

  /** Ends every connection with a reset, as a machine does that knows of none. */
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
      if (this.way.startsWith('cut')) isCommitting ||= bytes.includes('COMMIT\0');
      if (isCommitting && this.way === 'cut before commit') client.destroy();
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
    if (this.way === 'silent') return;
    if (this.way === 'slow') await sleep(SLOW_MILLISECONDS);
    to.write(bytes);
  }
}
