/** A receiver of webhooks: a real server on this machine that keeps what it is sent, and answers as a test says. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  readonly json: any;
  readonly at: number;
}

/** How a receiver answers: a status, or anything else that a server may do. */
export type Reply = number | ((response: ServerResponse, received: Received) => void | Promise<void>);

export class Receiver {
  readonly received: Received[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers } = request;
      const received = { method, path: url, headers, text, json: JSON.parse(text), at: performance.now() };
      this.received.push(received);
      const reply = this.#next(received);
      if (typeof reply === 'number') response.writeHead(reply).end();
      else void reply(response, received);
    });
    request.on('error', () => {});
  });
  #replies: Reply[] = [];
  #usual: Reply | ((received: Received) => Reply) = 200;
  #byEvent: ((received: Received) => Reply | undefined) | undefined;

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** The next answers, one after the other; after them the usual one. */
  willAnswer(...replies: readonly Reply[]): void {
    this.#replies.push(...replies);
  }

  usually(reply: Reply): void {
    this.#usual = reply;
  }

  /** Answers by what is sent; undefined is answered as usual. */
  judge(judge: ((received: Received) => Reply | undefined) | undefined): void {
    this.#byEvent = judge;
  }

  #next(received: Received): Reply {
    return this.#byEvent?.(received) ?? this.#replies.shift() ?? (this.#usual as Reply);
  }

  /** Resolves when so many were received in all. */
  async has(count: number, seconds = 20): Promise<readonly Received[]> {
    const until = performance.now() + seconds * 1000;
    while (this.received.length < count) {
      if (performance.now() > until)
        throw new Error(`${this.received.length} of ${count} events came: ${this.told().join(', ')}`);
      await sleep(20);
    }
    return this.received;
  }

  /** All that was received, in words: `product.updated 7 v2`. */
  told(): string[] {
    return this.received.map(({ json }) => `${json.type} ${json.data.id} v${json.data.version}`);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** The signature of Standard Webhooks, worked out apart from the program. */
export function signatureOf(secret: string, { headers, text }: Pick<Received, 'headers' | 'text'>): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
