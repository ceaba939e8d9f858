/** Signs events as specified by Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * Returns the headers of an event.
 * @param secrets during a rotation the new and the old one; each gets a signature
 * @param timestamp of this attempt, in seconds since 1970
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
