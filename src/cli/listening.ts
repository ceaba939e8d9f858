/** Where the program listens: ports, their refusals, and a socket that a supervisor holds. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { type Figures, type MetricsServer, serveMetrics } from '../metrics/server.ts';
import type { Config } from '../wiring/config.ts';

/** The first socket of a supervisor (sd_listen_fds(3)). */
const FIRST_SOCKET = 3;

/**
 * A socket that listens already and stays with the supervisor, so that whoever connects while the program is restarted waits
 * for the next one. @returns its number, where the supervisor has handed one over to this process
 */
export function socketOfSupervisor(environment: Readonly<Record<string, string | undefined>>): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = environment;
  return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1' ? FIRST_SOCKET : undefined;
}

/** @returns the port, where it is said; else one that is free just now @throws {Error} that names the setting to change */
export async function knownPort({ host, port }: Config): Promise<number> {
  if (port !== 0) return port;
  const probe = createServer().listen({ host, port });
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw refusalOf(error, host, 'PORT', port);
  }
  const free = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return free;
}

/** @throws {Error} that names the setting to change */
export async function listenForMetrics(figures: Figures, { host, metricsPort }: Config): Promise<MetricsServer> {
  try {
    return await serveMetrics(figures, host, metricsPort!);
  } catch (error) {
    throw refusalOf(error, host, 'METRICS_PORT', metricsPort!);
  }
}

export function refusalOf(error: unknown, host: string, setting: string, port: number): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken on ${host}: set ${setting} to another, or to 0 for any free one.`);
  if (code === 'EACCES')
    return new Error(`Port ${port} needs rights that this user does not have: set ${setting} to one from 1024.`);
  return new Error(`HOST ${host} is no address of this machine (${message}): set HOST to one, such as 127.0.0.1.`);
}
