/** A raw TCP connection: the test controls what is sent when and reads every received byte. There are no timeouts. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class Connection {
  readonly socket: Socket;
  received = '';
  readonly #closed: Promise<string>;

  constructor(address: string) {
    const { hostname, port } = new URL(address);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    // A server that rejects a request early may reset the connection; the bytes received before still count.
    this.socket.on('error', () => {});
    this.#closed = new Promise((resolve) => this.socket.once('close', () => resolve(this.received)));
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /**
   * Waits until the received text matches the pattern.
   * @throws {Error} if the connection closes before
   */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.received);
      if (found) return found;
      const closed = await Promise.race([once(this.socket, 'data').then(() => false), this.#closed.then(() => true)]);
      if (closed && !pattern.test(this.received))
        throw new Error(`the connection closed without ${pattern}: ${this.received}`);
    }
  }

  /** Waits until the server closes the connection. @returns all received text */
  untilClosed(): Promise<string> {
    return this.#closed;
  }

  async close(): Promise<void> {
    this.socket.destroy();
    await this.#closed;
  }
}

/** The status codes of all responses, in order, without 100 (Continue). */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((each) => each !== 100);
}
