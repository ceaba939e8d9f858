/** `/metrics` on a port of its own, for Prometheus. It asks for no key: whoever reaches the port may read. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TIMEOUT_MS = 10_000;

/** Of one process, or of several together. */
export interface Figures {
  /** As Prometheus reads them. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** @throws {Error} of the system, where it cannot listen there */
export async function serveMetrics(figures: Figures, host: string, port: number): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, async (request, answer) => {
    const { method = '', url = '' } = request;
    const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
      const type = { 'content-type': 'text/plain; charset=utf-8', ...headers };
      answer.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body) });
      answer.end(method === 'HEAD' ? '' : body);
    };
    if (!/^\/metrics(?:\?|$)/.test(url)) send(404, 'The figures are at /metrics.\n');
    else if (method !== 'GET' && method !== 'HEAD')
      send(405, 'GET and HEAD are offered here.\n', { allow: 'GET, HEAD' });
    else
      await figures.text().then(
        (text) => send(200, text, { 'content-type': figures.contentType }),
        () => send(500, 'The figures cannot be put together now.\n'),
      );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
