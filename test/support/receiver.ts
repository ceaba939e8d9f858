/** A local receiver of webhooks that records the requests and responds as the test determines. */
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

/** A status, or a function that sends the response. */
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
  #default: Reply | ((received: Received) => Reply) = 200;
  #select: ((received: Received) => Reply | undefined) | undefined;

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** The next responses, in order; then the default again. */
  respondNext(...replies: readonly Reply[]): void {
    this.#replies.push(...replies);
  }

  respondByDefault(reply: Reply): void {
    this.#default = reply;
  }

  /** Selects a response by the request; undefined falls back to the other responses. */
  respondBy(select: ((received: Received) => Reply | undefined) | undefined): void {
    this.#select = select;
  }

  #next(received: Received): Reply {
    return this.#select?.(received) ?? this.#replies.shift() ?? (this.#default as Reply);
  }

  /** Waits until this many requests were received in total. */
  async has(count: number, seconds = 20): Promise<readonly Received[]> {
    const until = performance.now() + seconds * 1000;
    while (this.received.length < count) {
      if (performance.now() > until)
        throw new Error(`received ${this.received.length} of ${count} events: ${this.summaries().join(', ')}`);
      await sleep(20);
    }
    return this.received;
  }

  /** All received events in short: `product.updated 7 v2`. */
  summaries(): string[] {
    return this.received.map(({ json }) => `${json.type} ${json.data.id} v${json.data.version}`);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** The signature of Standard Webhooks, calculated independently of the program. */
export function signatureOf(secret: string, { headers, text }: Pick<Received, 'headers' | 'text'>): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
