/** An HTTP client with one connection, which reports failed requests as results. */
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { KEY } from './server.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: callers know the content
  readonly json: any;
}

/** A request without a response. `sent` is false if no byte can have reached the server. */
export interface NoResponse {
  readonly status: 0;
  readonly sent: boolean;
  readonly why: string;
}

/** A hanging server must not block a run forever. */
const RESPONSE_SECONDS_MAX = 60;

export class Client {
  readonly address: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(address: string) {
    this.address = address;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse | NoResponse> {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const outgoing = request(`${this.address}${path}`, {
      agent: this.#agent,
      method,
      signal: AbortSignal.timeout(RESPONSE_SECONDS_MAX * 1000),
      headers: {
        'x-auth-token': KEY,
        ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    });
    try {
      outgoing.end(bytes);
      const [incoming] = await once(outgoing, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      return {
        status: incoming.statusCode,
        headers: incoming.headers,
        text,
        json: text === '' ? null : JSON.parse(text),
      };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { status: 0, sent: code !== 'ECONNREFUSED', why: code ?? message };
    }
  }

  /** @throws {Error} unless the response is a 2xx */
  async expect(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> {
    const response = await this.send(method, path, body, headers);
    if (response.status >= 200 && response.status < 300) return response as HttpResponse;
    throw new Error(`${method} ${path}: ${'why' in response ? response.why : `${response.status} ${response.text}`}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}
