/** The address of a server by the settings that say where it listens. */
import type { Config } from '../wiring/config.ts';

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Where a client on this machine calls a server that listens on all of its addresses. */
export function callableAddress(host: string, port: number): string {
  return addressOf(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port);
}

/** The address that signs in to the admin page once. The part behind `#` is sent to no server, and so stands in no log. */
export function signInAddress(admin: string, token: string): string {
  return `${admin}#token=${token}`;
}

/** Reached from elsewhere, the store is not told by which name: each answer names the host that it was asked by. */
export function followsHost({ baseUrl, host }: Pick<Config, 'baseUrl' | 'host'>): boolean {
  return baseUrl === '' && !/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}
