/**
 * Requests to an identity provider. The operator has chosen it, so it may be in a private network. Time and size are limited, and
 * redirects are not followed.
 */
import type { CustomFetch } from 'openid-client';
import type { Dispatcher } from 'undici';
import { openWeb } from '../web/checked-connect.ts';

const EVERY_ADDRESS = ['0.0.0.0/0', '::/0'];

/** Metadata and keys of large providers have less than 100 kB. */
const BYTES_MAX = 1_048_576;

export function createProviderFetch(secondsMax: number): CustomFetch {
  let web: ReturnType<typeof openWeb> | undefined;
  return async (url, { method, headers, body, signal }) => {
    web ??= openWeb({ allow: EVERY_ADDRESS, secondsMax, staysOpenMs: 0 });
    const { undici, agent } = await web;
    const tooLong = AbortSignal.timeout(secondsMax * 1000);
    const response = await undici.request(url, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, 'user-agent': 'Purveyor', 'accept-encoding': 'identity' },
      body: body instanceof URLSearchParams ? body.toString() : (body as string | null | undefined) || null,
      dispatcher: agent,
      signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
    });
    const bytes = await readBody(response.body);
    const received = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      for (const each of [value ?? []].flat()) received.append(name, each);
    return new Response(bytes.length === 0 ? null : bytes, { status: response.statusCode, headers: received });
  };
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (size > BYTES_MAX) throw Object.assign(new Error('The response is too large.'), { code: 'RESPONSE_TOO_LARGE' });
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
