/** `purveyor health`: checks whether the server of these settings is ready, for a container's health check. */
import { callableAddress } from './own-address.ts';

const SECONDS_MAX = 5;

/**
 * Requests `/readyz`.
 * @returns the status and its warnings, a line each
 * @throws {Error} with a message if the server is not ready or does not respond
 */
export async function checkHealth({ host, port }: { host: string; port: number }): Promise<string> {
  if (port === 0) throw new Error('PORT is 0, so the server’s port is unknown. Set PORT to the server’s port.');
  const address = `${callableAddress(host, port)}/readyz`;
  const signal = AbortSignal.timeout(SECONDS_MAX * 1000);
  const response = await fetch(address, { signal, headers: { connection: 'close' } }).catch((error: Error) => {
    const why = error.name === 'TimeoutError' ? `no response within ${SECONDS_MAX} seconds` : (error.cause ?? error);
    throw new Error(`No server responds at ${address}: ${why instanceof Error ? why.message : why}.`);
  });
  const { status, detail, warnings } = (await response.json()) as {
    status: string;
    detail?: string;
    warnings?: string[];
  };
  if (!response.ok) throw new Error(detail ?? `${address} returned status ${response.status}.`);
  return [status, ...(warnings ?? [])].join('\n');
}
