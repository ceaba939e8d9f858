/** Addresses, processes, logs and metrics of the server. */
import { availableParallelism } from 'node:os';
import { setting } from './setting.ts';
import { addressRanges, hostName, isOne, oneOf, optional, webAddress, whole } from './values.ts';

/** More workers would only compete for processors and PostgreSQL connections. */
const WORKERS_MAX = 64;

export const serverSettings = {
  host: setting('HOST', '127.0.0.1', 'address to listen on', hostName),
  port: setting('PORT', '8080', 'port to listen on; 0 chooses a free port', whole(0, 65535)),
  /** Empty: derived from host and port. */
  baseUrl: setting(
    'BASE_URL',
    '',
    'public address of the store, for links; empty: from HOST and PORT',
    optional(webAddress),
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    '',
    'comma-separated address ranges of proxies whose X-Forwarded-For is trusted',
    addressRanges,
  ),
  /** Number of server processes. With more than one, a primary process supervises them. */
  workers: setting('WORKERS', '1', 'worker processes behind one port; auto: one for each processor', (text) =>
    text === 'auto' ? availableParallelism() : whole(1, WORKERS_MAX, 'auto, or ')(text),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace or silent',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  /** Writes a log line for each request. */
  logRequests: setting('LOG_REQUESTS', '0', '1: write a log line for each request', isOne),
  /** Port of `/metrics`; undefined: no metrics. */
  metricsPort: setting(
    'METRICS_PORT',
    '',
    'port of /metrics, on HOST; 0 chooses a free port; empty: no metrics',
    (text) => (text === '' ? undefined : whole(0, 65535)(text)),
  ),
  blockedLogSeconds: setting(
    'BLOCKED_LOG_SECONDS',
    '5',
    'seconds of a blocked event loop after which the location is logged; 0: never',
    whole(0),
  ),
  blockedExitSeconds: setting(
    'BLOCKED_EXIT_SECONDS',
    '30',
    'seconds of a blocked event loop after which the process is ended; 0: never',
    whole(0),
  ),
};
