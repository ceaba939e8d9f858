/** A connection of one's own, on which a test says when what is sent, and sees what comes back. Nothing ends by the clock. */
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
    // A server that refuses early may reset the connection; the bytes before that count.
    this.socket.on('error', () => {});
    this.#closed = new Promise((resolve) => this.socket.once('close', () => resolve(this.received)));
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Waits until what has come back holds the pattern. @throws when the connection is closed without */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.received);
      if (found) return found;
      const closed = await Promise.race([once(this.socket, 'data').then(() => false), this.#closed.then(() => true)]);
      if (closed && !pattern.test(this.received)) throw new Error(`closed without ${pattern}: ${this.received}`);
    }
  }

  /** All that came back until the server closed the connection. */
  closes(): Promise<string> {
    return this.#closed;
  }

  async leave(): Promise<void> {
    this.socket.destroy();
    await this.#closed;
  }
}

/** The statuses of all answers, in their order; those of “100-continue” are none. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((each) => each !== 100);
}
