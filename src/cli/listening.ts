/** Listening sockets: ports, errors, and a socket passed in by a supervisor. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type MetricsServer, type MetricsSource, serveMetrics } from '../metrics/server.ts';
import type { Config } from '../wiring/settings/index.ts';

/** First file descriptor that a supervisor passes (sd_listen_fds(3)). */
const FIRST_SOCKET = 3;

/**
 * Returns the file descriptor of a listening socket that the supervisor owns. Because the socket outlives this process,
 * clients that connect during a restart wait for the next one.
 * @returns undefined if the supervisor passed no socket to this process
 */
export function socketOfSupervisor(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = environment;
  return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1' ? FIRST_SOCKET : undefined;
}

/** @returns the configured port, or a free one if it is 0 @throws {Error} that names the setting to change */
export async function knownPort({ host, port }: Config): Promise<number> {
  if (port !== 0) return port;
  const probe = createServer().listen({ host, port });
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw listenError(error, host, 'PORT', port);
  }
  const free = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return free;
}

/** @throws {Error} that names the setting to change */
export async function listenForMetrics(source: MetricsSource, { host, metricsPort }: Config): Promise<MetricsServer> {
  try {
    return await serveMetrics(source, host, metricsPort!);
  } catch (error) {
    throw listenError(error, host, 'METRICS_PORT', metricsPort!);
  }
}

/** Turns the system's error into a message that names the setting to change. */
export function listenError(error: unknown, host: string, setting: string, port: number): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use. Set ${setting} to another port, or to 0 for a free one.`);
  if (code === 'EACCES')
    return new Error(`This user may not listen on port ${port}. Set ${setting} to 1024 or higher.`);
  return new Error(`HOST ${host} is not an address of this machine (${message}). Set HOST to one, such as 127.0.0.1.`);
}
