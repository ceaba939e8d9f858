/** The server's own address, derived from its settings. */
import type { Config } from '../wiring/settings/index.ts';

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Address for clients on this machine, also if the server listens on all addresses. */
export function callableAddress(host: string, port: number): string {
  return addressOf(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port);
}

/** Address that signs in to the admin page once. Browsers do not send the part after `#`, so the token is in no log. */
export function signInAddress(admin: string, token: string): string {
  return `${admin}#token=${token}`;
}

/**
 * Whether responses use the host of each request in addresses. A server that other machines can reach does not know its
 * public name unless BASE_URL is set.
 */
export function followsHost({ baseUrl, host }: Pick<Config, 'baseUrl' | 'host'>): boolean {
  return baseUrl === '' && !/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}
