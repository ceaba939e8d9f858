/** Sends requests as raw bytes on a new connection, for requests that no HTTP client sends. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MILLISECONDS = 3000;

/** @returns all text received until the server closed the connection; `no response` after 3 s */
export function sendRaw(address: string, text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  // A server that rejects a request early may reset the connection; the bytes received before still count.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  const late = sleep(WAIT_MILLISECONDS, 'no response', { ref: false }).finally(() => socket.destroy());
  socket.write(text);
  return Promise.race([closed, late]);
}

/** @param line the request line without the version */
export function head(line: string, ...headers: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: store', ...headers].join('\r\n')}\r\n\r\n`;
}
