/**
 * Serves `/metrics` for Prometheus on a separate port, without authentication: anyone who can reach the port may read.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TIMEOUT_MS = 10_000;

/** A scraper needs one. Unread responses of more connections would take memory. */
const CONNECTIONS_MAX = 100;

/** Metrics of one process or of a whole server. */
export interface MetricsSource {
  /** In Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** @throws {Error} of the system if it cannot listen */
export async function serveMetrics(source: MetricsSource, host: string, port: number): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, async (request, response) => {
    const { method = '', url = '' } = request;
    const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
      const type = { 'content-type': 'text/plain; charset=utf-8', ...headers };
      response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(body) });
      response.end(method === 'HEAD' ? '' : body);
    };
    if (!/^\/metrics(?:\?|$)/.test(url)) send(404, 'Not found. The metrics are at /metrics.\n');
    else if (method !== 'GET' && method !== 'HEAD')
      send(405, 'Method not allowed. Use GET or HEAD.\n', { allow: 'GET, HEAD' });
    else
      await source.text().then(
        (text) => send(200, text, { 'content-type': source.contentType }),
        () => send(500, 'The metrics cannot be collected. Retry later.\n'),
      );
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.setTimeout(TIMEOUT_MS);
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
