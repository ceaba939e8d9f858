/** Requests as bytes on a connection of their own, for what no HTTP client would send. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MILLISECONDS = 3000;

/** All that came back until the server closed the connection, or `no answer` when it waits for what will not come. */
export function sendRaw(address: string, text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  // A server that refuses early may reset the connection; what it said before that counts.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  const late = sleep(WAIT_MILLISECONDS, 'no answer', { ref: false }).finally(() => socket.destroy());
  socket.write(text);
  return Promise.race([closed, late]);
}

/** The head of a request: its first line without the version, then its headers. */
export function head(line: string, ...headers: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: store', ...headers].join('\r\n')}\r\n\r\n`;
}
