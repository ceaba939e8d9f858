/** `purveyor health`: asks the server that the settings name whether it is ready, for a container's health check. */
import { callableAddress } from './own-address.ts';

const SECONDS_MAX = 5;

/** @returns what the server says when it is ready @throws {Error} with a sentence when it is not, or does not answer */
export async function askHealth({ host, port }: { host: string; port: number }): Promise<string> {
  if (port === 0) throw new Error('PORT is 0, so nobody knows where the server listens: set it to the server’s.');
  const address = `${callableAddress(host, port)}/readyz`;
  const signal = AbortSignal.timeout(SECONDS_MAX * 1000);
  const answer = await fetch(address, { signal, headers: { connection: 'close' } }).catch((error: Error) => {
    const why = error.name === 'TimeoutError' ? `nothing within ${SECONDS_MAX} seconds` : (error.cause ?? error);
    throw new Error(`No server answers at ${address}: ${why instanceof Error ? why.message : why}.`);
  });
  const { status, detail, warnings } = (await answer.json()) as {
    status: string;
    detail?: string;
    warnings?: string[];
  };
  if (!answer.ok) throw new Error(detail ?? `${address} answers ${answer.status}.`);
  return [status, ...(warnings ?? [])].join('\n');
}
