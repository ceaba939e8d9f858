/** A request whose body arrives late. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

interface LateRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless it is a text. */
  readonly body: unknown;
}

/** Sends the headers, runs `meanwhile` when the server has checked them, and then sends the body. @returns the status */
export async function sendLate(
  url: string,
  { method, headers, body }: LateRequest,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers, 'content-length': Buffer.byteLength(text) },
  });
  const answered = once(sent, 'response');
  sent.flushHeaders();
  // Time for the server to check the key or session.
  await setTimeout(200);
  await meanwhile();
  sent.end(text);
  const [response] = (await answered) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}
