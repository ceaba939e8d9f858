/** The webhook sender with receivers that are slow, unreachable or at forbidden addresses. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { after, describe, test } from 'node:test';
import type { Lookup } from '../../src/adapters/web/bounded-lookup.ts';
import { createSender } from '../../src/adapters/web/sender.ts';
import { Receiver } from '../support/receiver.ts';

const MESSAGE = { headers: { 'content-type': 'application/json' }, body: '{"data":{}}' };
const NEVER = new AbortController().signal;

/** Resolves every name to these addresses. */
function named(...addresses: readonly string[]): Lookup {
  return (_, __, response) =>
    response(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

describe('the webhook sender', async () => {
  const receiver = await Receiver.open();
  const sender = createSender({ allow: ['127.0.0.1'] });
  const hasty = createSender({ allow: ['127.0.0.1'], secondsMax: 2 });
  after(async () => {
    await sender.close();
    await hasty.close();
    await receiver.close();
  });
  const send = () => sender.send(receiver.url, MESSAGE, NEVER);

  test('returns the status and the start of the response body', async () => {
    receiver.respondNext((response) => void response.writeHead(202, { 'retry-after': '7' }).end('Grüße\0'));
    const { durationMs, ...sent } = await send();
    assert.deepEqual(sent, { status: 202, response: 'Grüße\ufffd', retryAfterSeconds: 7 });
    assert.ok(durationMs >= 0);
    assert.equal(receiver.received.at(-1)!.text, MESSAGE.body);
    assert.equal(receiver.received.at(-1)!.headers['accept-encoding'], 'identity');
  });

  test('parses Retry-After as seconds or a date, and ignores other values', async () => {
    const respond = (wait: string) =>
      receiver.respondNext((response) => void response.writeHead(503, { 'retry-after': wait }).end());
    respond(new Date(Date.now() + 60_000).toUTCString());
    const { retryAfterSeconds } = await send();
    assert.ok(retryAfterSeconds! >= 58 && retryAfterSeconds! <= 61, String(retryAfterSeconds));
    respond(new Date(Date.now() - 60_000).toUTCString());
    assert.equal((await send()).retryAfterSeconds, 0);
    respond('soon');
    assert.equal((await send()).retryAfterSeconds, undefined);
  });

  test('times out if the receiver does not respond', async () => {
    receiver.respondNext(() => {});
    const { status, response } = await hasty.send(receiver.url, MESSAGE, NEVER);
    assert.deepEqual([status, response], [undefined, 'There was no response within 2 s.']);
  });

  test('returns the status of a response whose body never ends', async () => {
    receiver.respondNext((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const { status, response: text } = await hasty.send(receiver.url, MESSAGE, NEVER);
    assert.equal(status, 200);
    assert.match(text, /^\.+$/);
  });

  test('returns the reason if there is no response', async () => {
    const gone = await Receiver.open();
    const { url } = gone;
    await gone.close();
    assert.deepEqual((await sender.send(url, MESSAGE, NEVER)).response, 'The server refused the connection.');
    const insecure = receiver.url.replace('http:', 'https:');
    assert.match((await sender.send(insecure, MESSAGE, NEVER)).response, /TLS failed/);
  });

  test('cancels an attempt when its signal is aborted', async () => {
    receiver.respondNext(() => {});
    const stopping = new AbortController();
    const sending = sender.send(receiver.url, MESSAGE, stopping.signal);
    await receiver.has(receiver.received.length);
    stopping.abort();
    assert.equal((await sending).status, undefined);
  });
});

describe('addresses that the webhook sender may reach', () => {
  const cases: readonly (readonly [title: string, addresses: readonly string[]])[] = [
    ['this machine', ['127.0.0.1']],
    ['a private network', ['10.0.0.7']],
    ['credentials of a cloud', ['169.254.169.254']],
    ['IPv6 of this machine', ['::1']],
    ['IPv4 inside IPv6', ['::ffff:127.0.0.1']],
    ['one good address and one that is not', ['93.184.216.34', '192.168.0.1']],
  ];
  for (const [title, addresses] of cases)
    test(`exclude ${title}`, async () => {
      const sender = createSender({ allow: [], lookup: named(...addresses), secondsMax: 2 });
      const { status, response } = await sender.send('https://receiver.example/', MESSAGE, NEVER);
      assert.equal(status, undefined);
      assert.match(response, /^The address is not allowed: .*WEBHOOK_ALLOWED_NETWORKS\.$/);
      await sender.close();
    });

  test('include a name that resolves to an allowed network', async () => {
    const receiver = await Receiver.open();
    const sender = createSender({ allow: ['127.0.0.0/8'], lookup: named('127.0.0.1'), secondsMax: 2 });
    const { port } = new URL(receiver.url);
    assert.equal((await sender.send(`http://receiver.example:${port}/`, MESSAGE, NEVER)).status, 200);
    assert.equal(receiver.received[0]!.headers.host, `receiver.example:${port}`);
    await sender.close();
    await receiver.close();
  });
});
