/** Webhooks as their owners and receivers see them (sync.md §2). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertProblem, assertViolations, choiceOf } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { Receiver, signatureOf } from '../support/receiver.ts';
import {
  type Json,
  onEachDatabaseAtOnce,
  onOneDatabase,
  READ_ONLY_KEY,
  READ_WRITE_KEY,
  type Store,
} from '../support/store.ts';

const SETTINGS = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WEBHOOK_RETRY_SECONDS: '0,1,1' };

/** Creates a receiver and a webhook that sends to it, both for one test. */
async function createWebhook(
  store: Store,
  context: { after(done: () => Promise<unknown>): void },
  fields: Json = {},
): Promise<{ receiver: Receiver; path: string; id: number; secret: string }> {
  const receiver = await Receiver.open();
  const { id, secret } = await store.made('/api/webhooks', { url: receiver.url, events: ['product.*'], ...fields });
  context.after(async () => {
    await store.delete(`/api/webhooks/${id}`);
    await receiver.close();
  });
  return { receiver, id, path: `/api/webhooks/${id}`, secret };
}

/** Waits until the record has the wanted values. */
async function until(store: Store, path: string, wanted: Json): Promise<Json> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { json } = await store.get(path);
    if (Object.entries(wanted).every(([name, value]) => json[name] === value)) return json;
    await sleep(50);
  }
  assert.fail(`${path} did not become ${JSON.stringify(wanted)}: ${(await store.get(path)).text}`);
}

const deliveriesOf = async (store: Store, path: string, query = '') =>
  (await store.get(`${path}/deliveries?order[date]=asc${query}`)).json;

/** Waits until this many deliveries are recorded as delivered; the receiver gets each one earlier. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
async function delivered(store: Store, path: string, count: number): Promise<any> {
  for (let tries = 0; tries < 400; tries += 1) {
    const deliveries = await deliveriesOf(store, path);
    if (deliveries.filter(({ status }: Json) => status === 'delivered').length >= count) return deliveries;
    await sleep(50);
  }
  assert.fail(`${path} has not ${count} deliveries`);
}

onEachDatabaseAtOnce('webhooks', SETTINGS, (store) => {
  test('deliver changes committed after their creation, signed and in order', async (context) => {
    await store.product();
    const { receiver, secret } = await createWebhook(store, context);
    const cursor = await now((path) => store.get(path));
    const { id } = await store.product();
    await receiver.has(1);
    await store.patch(`/api/products/${id}`, { price: 5 });
    await receiver.has(2);
    await store.delete(`/api/products/${id}`);
    const [first, second] = await receiver.has(3);
    assert.deepEqual(receiver.summaries(), [
      `product.created ${id} v1`,
      `product.updated ${id} v2`,
      `product.deleted ${id} v3`,
    ]);
    const { entries } = await pages((path) => store.get(path), `after=${cursor}`);
    const entry = entries.find((each) => each.id === id && each.version === 2)!;
    for (const received of receiver.received)
      assert.equal(received.headers['webhook-signature'], signatureOf(secret, received));
    assert.deepEqual(second!.json, {
      type: 'product.updated',
      timestamp: entry.date,
      data: { resource: 'Product', id, path: `/api/products/${id}`, version: 2, cursor: entry.cursor },
    });
    assert.equal(first!.method, 'POST');
    assert.equal(first!.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(String(first!.headers['webhook-timestamp']), /^\d{10}$/);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 3);
  });

  test('show their secret once', async (context) => {
    const { receiver, path, secret } = await createWebhook(store, context);
    assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32);
    const made = await store.post('/api/webhooks', { url: receiver.url, events: ['*'] });
    context.after(() => store.delete(`/api/webhooks/${made.json.id}`));
    assert.match(made.json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const own = `/api/webhooks/${made.json.id}`;
    const read = await store.get(own);
    assert.deepEqual(read.json, { ...made.json, secret: null });
    assert.equal(read.headers.etag, made.headers.etag, 'the ETag equals that of a later read');
    for (const json of (await store.get('/api/webhooks')).json) assert.equal(json.secret, null);
    const linked = await store.get(own, { accept: 'application/ld+json' });
    assert.equal(linked.json.secret, null);
    const etag = String(made.headers.etag);
    const renamed = await store.put(own, { ...made.json, description: 'Mine' }, { 'if-match': etag });
    assert.equal(renamed.status, 200, renamed.text);
    assert.equal(renamed.json.secret, null);
    const wrong = await store.patch(own, { secret: 'whsec_mine' });
    assert.equal(wrong.status, 422);
    assert.equal(wrong.json.violations[0].propertyPath, 'secret');
    // A wrong read-only value is rejected unless the body contains the whole record as read.
    const rejected = await store.patch(own, { status: 'paused', pending: 7 });
    assert.deepEqual(
      rejected.json.violations.map(({ propertyPath, code }: Json) => [propertyPath, code]),
      [
        ['status', 'read_only'],
        ['pending', 'read_only'],
      ],
    );
    const again = await store.patch(own, { ...made.json, secret: null, status: 'paused', description: 'Ours' });
    assert.deepEqual([again.status, again.json.status, again.json.description], [200, 'ok', 'Ours']);
    const choice = await store.patch(own, { payload: 'fat' });
    assert.equal(choice.json.violations[0].message, choiceOf('thin', 'record'));
    assert.equal((await store.post('/api/webhooks', { url: receiver.url, events: ['*'], secret })).status, 422);
    const exported = await store.get('/api/webhooks', { accept: 'application/x-ndjson' });
    assert.ok(!exported.text.includes('whsec_'));
    const changes = await store.get('/api/changes?include=record&resource[]=Webhook');
    assert.equal(changes.status, 200);
    assert.ok(!changes.text.includes('whsec_'));
    assert.ok(path.length > 0);
  });

  test('have two signatures during a secret rotation', async (context) => {
    const { receiver, path, secret } = await createWebhook(store, context);
    const rotated = await store.post(`${path}/rotate_secret`, {});
    assert.equal(rotated.status, 200, rotated.text);
    const fresh = rotated.json.secret;
    assert.notEqual(fresh, secret);
    await store.product();
    const [first] = await receiver.has(1);
    assert.equal(first!.headers['webhook-signature'], `${signatureOf(fresh, first!)} ${signatureOf(secret, first!)}`);
    const last = (await store.post(`${path}/rotate_secret`, { keep_old_hours: 0 })).json.secret;
    await store.product();
    const [, second] = await receiver.has(2);
    assert.equal(second!.headers['webhook-signature'], signatureOf(last, second!));
    const wrong = await store.post(`${path}/rotate_secret`, { keep_old_hours: 1000 });
    assert.equal(wrong.status, 422);
    assert.equal((await store.get(path)).json.secret, null);
  });

  test('deliver records as GET shows them unless they are too large', async (context) => {
    const { receiver } = await createWebhook(store, context, { payload: 'record' });
    const { id } = await store.product({ description: 'short' });
    const [first] = await receiver.has(1);
    assert.deepEqual(first!.json.data.record, (await store.get(`/api/products/${id}`)).json);
    await store.patch(`/api/products/${id}`, { description: 'x'.repeat(270_000) });
    const [, second] = await receiver.has(2);
    assert.equal(second!.json.data.record_omitted, true);
    assert.ok(!('record' in second!.json.data));
    await store.delete(`/api/products/${id}`);
    const [, , third] = await receiver.has(3);
    assert.equal(third!.json.data.record, null);
  });

  test('deliver the subscribed events only', async (context) => {
    const { receiver } = await createWebhook(store, context, { events: ['product.deleted', 'tax_class.*'] });
    const { id } = await store.product();
    const { id: tax } = await store.made('/api/tax_classes', { name: 'Told' });
    await store.made('/api/tags', { name: 'Not told' });
    await store.delete(`/api/products/${id}`);
    await receiver.has(2);
    assert.deepEqual(receiver.summaries(), [`tax_class.created ${tax} v1`, `product.deleted ${id} v2`]);
  });

  const rejections: readonly (readonly [body: Json, field: string, message: RegExp])[] = [
    [{ url: 'ftp://receiver.example/' }, 'url', /begins with https:/],
    [{ url: 'https://?a' }, 'url', /absolute URL/],
    [{ url: 'https://me:secret@receiver.example/' }, 'url', /user name or a password/],
    [{ url: 'https://receiver.example/#a' }, 'url', /must not contain a fragment/],
    [{ url: `https://receiver.example/${'a'.repeat(2048)}` }, 'url', /2048/],
    [{ url: 7 }, 'url', /string/],
    [{ events: [] }, 'events', /1 elements or more/],
    [{ events: 'product.*' }, 'events', /array/],
    [{ events: ['products.created'] }, 'events[0]', /start with one of .*product/],
    [{ events: ['product.made'] }, 'events[0]', /an event such as/],
    [{ events: ['product.*', 'product.*'] }, 'events[1]', /already in the list/],
    [{ events: ['product_image.created'] }, 'events[0]', /start with one of/],
    [{ events: ['webhook_delivery.created'] }, 'events[0]', /start with one of/],
    [{ events: Array.from({ length: 101 }, () => '*') }, 'events', /100 elements or less/],
    [{ payload: 'thick' }, 'payload', /choice|one of|valid/],
    [{ description: 'a'.repeat(256) }, 'description', /255/],
    [{ status: 'paused' }, 'status', /This value is read-only/],
    [{ cursor: 'abc' }, 'cursor', /Unknown field/],
    [{ old_secret: 'abc' }, 'old_secret', /Unknown field/],
  ];
  for (const [body, field, message] of rejections)
    test(`reject ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { status, json } = await store.post('/api/webhooks', {
        url: 'https://receiver.example/',
        events: ['*'],
        ...body,
      });
      assert.equal(status, 422);
      assert.equal(json.violations[0].propertyPath, field);
      assert.match(json.violations[0].message, message);
    });

  test('are readable but not writable with a read-only key', async (context) => {
    const { path } = await createWebhook(store, context);
    const read = await store.request('GET', path, { key: READ_ONLY_KEY });
    assert.equal(read.status, 200);
    assert.equal(read.json.secret, null);
    const body = { url: 'https://receiver.example/', events: ['*'] };
    for (const at of ['/api/webhooks', `${path}/test`, `${path}/rotate_secret`, `${path}/resume`])
      assert.equal((await store.request('POST', at, { key: READ_ONLY_KEY, body })).status, 403, at);
    assert.equal((await store.request('PATCH', path, { key: READ_ONLY_KEY, body })).status, 403);
    assert.equal((await store.request('DELETE', path, { key: READ_ONLY_KEY })).status, 403);
  });

  test('retry a failed delivery with the same id before later ones', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    const { promise: observed, resolve: proceed } = Promise.withResolvers<void>();
    receiver.respondNext(500, (response) => void observed.then(() => response.destroy()));
    const { id } = await store.product();
    await until(store, path, { status: 'failing' });
    proceed();
    const other = await store.product();
    await receiver.has(4);
    assert.deepEqual(receiver.summaries(), [
      ...Array.from({ length: 3 }, () => `product.created ${id} v1`),
      `product.created ${other.id} v1`,
    ]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids.slice(0, 3)).size, 1);
    const [first, second] = await delivered(store, path, 2);
    const ok = await until(store, path, { status: 'ok', pending: 0 });
    assert.deepEqual([ok.reason, ok.failing_since, ok.next_attempt], [null, null, null]);
    assert.equal(first.status, 'delivered');
    assert.equal(first.message_id, ids[0]);
    assert.deepEqual(
      first.attempts.map(({ status }: Json) => status),
      [500, null, 200],
    );
    assert.match(first.attempts[1].answer, /closed the connection/);
    assert.equal(first.cursor, receiver.received[0]!.json.data.cursor);
    assert.equal(second.attempts.length, 1);
    assert.deepEqual((await store.get(`${path}/deliveries/${first.id}`)).json, first);
    assert.deepEqual(await deliveriesOf(store, path, `&message_id=${ids[3]}`), [second]);
  });

  test('pause when every attempt has failed, count pending events, and resume with them', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    receiver.respondByDefault(503);
    const { id } = await store.product();
    const paused = await until(store, path, { status: 'paused' });
    assert.match(String(paused.reason), /status 503\. Delivery was attempted 4 times/);
    assert.notEqual(paused.failing_since, null);
    const { id: other } = await store.product();
    await until(store, path, { pending: 2 });
    assert.equal(receiver.received.length, 4);
    receiver.respondByDefault(200);
    assert.equal((await store.post(`${path}/resume`, { from: 'kept' })).json.status, 'ok');
    await receiver.has(6);
    assert.deepEqual(receiver.summaries().slice(4), [`product.created ${id} v1`, `product.created ${other} v1`]);
    await until(store, path, { status: 'ok', pending: 0 });
  });

  test('skip pending events when resumed from now', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    receiver.respondNext(410);
    await store.product();
    const paused = await until(store, path, { status: 'paused' });
    assert.match(String(paused.reason), /410.*wants no more events/);
    await store.product();
    const resumed = await store.post(`${path}/resume`, { from: 'now' });
    assert.equal(resumed.status, 200, resumed.text);
    const { id } = await store.product();
    await receiver.has(2);
    assert.deepEqual(receiver.summaries().slice(1), [`product.created ${id} v1`]);
  });

  test('redeliver the event that got a 410', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    receiver.respondNext(410);
    const { id } = await store.product();
    await until(store, path, { status: 'paused' });
    await store.post(`${path}/resume`, {});
    await receiver.has(2);
    assert.deepEqual(new Set(receiver.summaries()), new Set([`product.created ${id} v1`]));
    assert.equal(receiver.received[0]!.headers['webhook-id'], receiver.received[1]!.headers['webhook-id']);
  });

  test('set aside an event that is rejected five times, and redeliver it on request', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    const bad = await store.product();
    await receiver.has(1);
    receiver.respondBy(({ json }) => (json.data.id === bad.id ? 422 : undefined));
    await store.patch(`/api/products/${bad.id}`, { price: 3 });
    await store.product();
    await receiver.has(1 + 5 + 1);
    await until(store, path, { status: 'ok' });
    const [setAside] = await deliveriesOf(store, path, '&status=set_aside');
    assert.equal(setAside.attempts.length, 5);
    assert.equal(setAside.type, 'product.updated');
    receiver.respondBy(undefined);
    const retry = await store.post(`${path}/deliveries/${setAside.id}/retry`, {});
    assert.equal(retry.status, 200, retry.text);
    await receiver.has(8);
    assert.equal(receiver.received[7]!.headers['webhook-id'], setAside.message_id);
    await until(store, `${path}/deliveries/${setAside.id}`, { status: 'delivered' });
  });

  test('do not follow redirects', async (context) => {
    const other = await Receiver.open();
    context.after(() => other.close());
    const { receiver, path } = await createWebhook(store, context);
    receiver.respondNext((response) => void response.writeHead(308, { location: other.url }).end());
    await store.product();
    await receiver.has(2);
    assert.equal(other.received.length, 0);
    const [delivery] = await deliveriesOf(store, path);
    assert.deepEqual(delivery.attempts.map(({ status }: Json) => status).slice(0, 1), [308]);
  });

  const waits: Record<string, () => [wait: string, milliseconds: number]> = {
    '1 second': () => ['1', 1000],
    '9 seconds': () => ['9', 9000],
    'a date': () => {
      const date = new Date(Date.now() + 4000).toUTCString();
      return [date, Date.parse(date) - Date.now()];
    },
  };
  for (const [title, waitOf] of Object.entries(waits))
    test(`retry no earlier than Retry-After requests: ${title}`, async (context) => {
      const { receiver, path } = await createWebhook(store, context);
      let notBefore = 0;
      receiver.respondNext((response) => {
        const [wait, milliseconds] = waitOf();
        notBefore = performance.now() + milliseconds;
        response.writeHead(429, { 'retry-after': wait }).end('slowly');
      });
      await store.product();
      const failing = await until(store, path, { status: 'failing' });
      assert.notEqual(failing.next_attempt, null);
      const [, second] = await receiver.has(2);
      assert.ok(second!.at >= notBefore, `${notBefore - second!.at} ms early`);
      await until(store, path, { status: 'ok' });
    });

  test('accept oversized, endless and malformed responses', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    receiver.respondNext(
      (response) => void response.writeHead(200).end('x'.repeat(5_000_000)),
      (response) => void response.writeHead(200).write('and then nothing'),
      (response) => void response.writeHead(200, { 'content-length': '10' }).end('\0\0 \xff\xfe'.slice(0, 5)),
      (response) => void response.socket!.end('rubbish\r\n\r\n'),
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
      (response) => void response.socket!.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
    );
    for (let count = 0; count < 5; count += 1) await store.product();
    await receiver.has(7);
    const deliveries = await delivered(store, path, 5);
    assert.equal(deliveries.length, 5);
    const responses = deliveries.flatMap(({ attempts }: Json) => attempts as Json[]);
    assert.deepEqual(
      responses.map(({ status }: Json) => status),
      [200, 200, 200, null, 200, null, 200],
    );
    assert.equal(responses[0].answer, 'x'.repeat(1024));
    assert.equal(responses[1].answer, 'and then nothing');
    assert.match(responses[3].answer, /did not send a valid HTTP response|closed the connection/);
  });

  test('replay earlier deliveries with the same ids', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    const cursor = await now((at) => store.get(at));
    const made = [await store.product(), await store.product()];
    await receiver.has(2);
    const replayed = await store.post(`${path}/replay`, { after: cursor });
    assert.equal(replayed.status, 200, replayed.text);
    await receiver.has(4);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids.slice(2), ids.slice(0, 2));
    assert.deepEqual(
      receiver.summaries().slice(2),
      made.map(({ id }) => `product.created ${id} v1`),
    );
    const deliveries = await deliveriesOf(store, path);
    assert.equal(deliveries.length, 2);
    assert.equal(deliveries[0].attempts.length, 2);
    await store.post(`${path}/replay`, { after: receiver.received[0]!.json.data.cursor });
    await receiver.has(5);
    assert.equal(receiver.received[4]!.headers['webhook-id'], ids[1]);
    const wrong = await store.post(`${path}/replay`, { after: 'nothing' });
    assert.equal(wrong.status, 422);
    assert.equal(wrong.json.violations[0].propertyPath, 'after');
    const other = Buffer.from('another epoch,1,1').toString('base64url');
    assert.equal((await store.post(`${path}/replay`, { after: other })).status, 409);
    assert.equal((await store.post(`${path}/replay`, {})).status, 422);
    await store.patch(path, { enabled: false });
    const { id: waiting } = await store.product();
    for (const after of [await now((at) => store.get(at)), '2099-01-01'])
      assert.equal((await store.post(`${path}/replay`, { after })).status, 409, 'pending events would be skipped');
    await store.patch(path, { enabled: true });
    await receiver.has(6);
    assert.equal(receiver.summaries().at(-1), `product.created ${waiting} v1`);
  });

  test('resume by a replay after a pause', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    const cursor = await now((at) => store.get(at));
    receiver.respondBy(() => 410);
    await store.product();
    await until(store, path, { status: 'paused' });
    receiver.respondBy(() => 200);
    const replayed = await store.post(`${path}/replay`, { after: cursor });
    assert.deepEqual([replayed.status, replayed.json.status, replayed.json.reason], [200, 'ok', null]);
    await receiver.has(2);
  });

  test('accept a replay during a delivery', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    const cursor = await now((at) => store.get(at));
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
    await store.product();
    await receiver.has(1);
    receiver.respondNext(async (response) => {
      await blocked;
      response.writeHead(200).end();
    });
    await store.product();
    await receiver.has(2);
    const replayed = await store.post(`${path}/replay`, { after: cursor });
    assert.equal(replayed.status, 200, replayed.text);
    release();
    await receiver.has(4);
    assert.deepEqual(receiver.summaries().slice(2), receiver.summaries().slice(0, 2));
  });

  test('can be replayed from a point in time', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    const { id } = await store.product();
    await receiver.has(1);
    const { json } = await store.post(`${path}/replay`, { after: '2020-01-01' });
    assert.equal(json.status, 'ok');
    const times = (wanted: string): number => receiver.summaries().filter((changes) => changes === wanted).length;
    for (let tries = 0; tries < 400 && times(`product.created ${id} v1`) < 2; tries += 1) await sleep(50);
    assert.equal(times(`product.created ${id} v1`), 2, 'replayed after the events before the creation of the webhook');
    assert.equal((await store.post(`${path}/replay`, { after: '2020-13-01' })).status, 422);
  });

  test('accept actions without a body', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    for (const action of ['test', 'rotate_secret', 'resume']) {
      const bare = await store.request('POST', `${path}/${action}`);
      assert.equal(bare.status, 200, bare.text);
      const empty = await store.request('POST', `${path}/${action}`, { body: '' });
      assert.equal(empty.status, 200, empty.text);
    }
    await receiver.has(2);
    assertProblem(await store.request('POST', `${path}/replay`), 415);
    assertProblem(await store.request('POST', `${path}/replay`, { body: '' }), 400);
    const typed = await store.request('POST', `${path}/test`, { body: 'x', headers: { 'content-type': 'text/plain' } });
    assertProblem(typed, 415);
  });

  test('send a test event in any status', async (context) => {
    const { receiver, path, id, secret } = await createWebhook(store, context, { enabled: false });
    const response = await store.post(`${path}/test`, {});
    assert.equal(response.status, 200, response.text);
    const [first] = await receiver.has(1);
    assert.equal(first!.json.type, 'webhook.test');
    assert.deepEqual(first!.json.data, { resource: 'Webhook', id, path, version: 1, cursor: null });
    assert.equal(first!.headers['webhook-signature'], signatureOf(secret, first!));
    const [delivery] = await deliveriesOf(store, path);
    await until(store, `${path}/deliveries/${delivery.id}`, { status: 'delivered' });
    receiver.respondNext(500);
    await store.post(`${path}/test`, {});
    await receiver.has(2);
    const [, failed] = await deliveriesOf(store, path);
    await until(store, `${path}/deliveries/${failed.id}`, { status: 'set_aside' });
    assert.equal((await store.get(path)).json.status, 'ok');
  });

  test('omit updates that a newer one supersedes, and no other events', async (context) => {
    const { receiver, path } = await createWebhook(store, context, { enabled: false });
    const { id } = await store.product();
    for (let price = 1; price <= 5; price += 1) await store.patch(`/api/products/${id}`, { price });
    const deleted = await store.product();
    await store.patch(`/api/products/${deleted.id}`, { price: 1 });
    await store.delete(`/api/products/${deleted.id}`);
    assert.equal((await store.patch(path, { enabled: true })).status, 200);
    await receiver.has(4);
    assert.deepEqual(receiver.summaries(), [
      `product.created ${id} v1`,
      `product.updated ${id} v6`,
      `product.created ${deleted.id} v1`,
      `product.deleted ${deleted.id} v3`,
    ]);
    await until(store, path, { pending: 0 });
    assert.equal(receiver.received.length, 4);
  });

  test('do not delay each other', async (context) => {
    const slow = await createWebhook(store, context);
    const quick = await createWebhook(store, context);
    slow.receiver.respondByDefault(() => {});
    for (let count = 0; count < 3; count += 1) await store.product();
    await quick.receiver.has(3);
    assert.equal(slow.receiver.received.length, 1);
    slow.receiver.respondByDefault(200);
  });

  test('are delivered without entries in the feed', async (context) => {
    const { receiver, path } = await createWebhook(store, context, { events: ['*'] });
    receiver.respondNext(500);
    const cursor = await now((at) => store.get(at));
    const { id } = await store.product();
    await receiver.has(2);
    await until(store, path, { status: 'ok' });
    const { entries } = await pages((at) => store.get(at), `after=${cursor}`);
    assert.deepEqual(
      entries.map((entry) => `${entry.resource} ${entry.id}`),
      [`Product ${id}`],
    );
    assert.equal((await store.get('/api/changes?resource[]=WebhookDelivery')).status, 400);
  });

  test('deliver nothing after deletion, which deletes their deliveries', async (context) => {
    const { receiver, path } = await createWebhook(store, context);
    await store.product();
    await receiver.has(1);
    const [delivery] = await delivered(store, path, 1);
    assert.equal((await store.delete(path)).status, 204);
    await store.product();
    assert.equal((await store.get(`${path}/deliveries`)).status, 404);
    assert.equal((await store.get(`${path}/deliveries/${delivery.id}`)).status, 404);
    await sleep(300);
    assert.equal(receiver.received.length, 1);
  });
});

type SendAs = (method: string, path: string, body?: unknown) => Promise<{ status: number; json: Json; text: string }>;

/** Sends requests with the credentials of somebody. The responses lack fields, so they are not compared with the document. */
const callerWith =
  (store: Store, headers: Readonly<Record<string, string>>): SendAs =>
  async (method, path, body) => {
    const response = await fetch(`${store.address}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === '' ? {} : JSON.parse(text) };
  };

let keys = 0;

/** Creates a scoped key. */
async function scoped(store: Store, scopes: readonly string[], masks: readonly string[] = [], known?: string) {
  keys += 1;
  const name = known ?? `partner ${keys}`;
  const made = await store.made('/api/keys', { name, kind: 'scoped', scopes, masks });
  return { id: made.id as string, name, as: callerWith(store, { 'x-auth-token': made.key }) };
}

/** Invites a user with one role, and signs in. */
async function signedIn(store: Store, name: string, scopes: readonly string[]) {
  const role = await store.made('/api/roles', { name, scopes });
  const user = await store.made('/api/users', { email: `${name}@example.com`, name, role_ids: [role.id] });
  const { json } = await store.post(`/api/users/${user.id}/invite`, {});
  const own = { 'sec-fetch-site': 'same-origin' };
  const session = await store.request('POST', '/admin/session', {
    ...{ key: null, headers: own },
    body: { token: json.url.split('#token=')[1], password: 'a sentence for the tests' },
  });
  assert.equal(session.status, 200, session.text);
  const cookie = String(session.headers['set-cookie']).split(';')[0]!;
  return { id: user.id as number, role: `/api/roles/${role.id}`, as: callerWith(store, { cookie, ...own }) };
}

const FOR_ORDERS = ['orders:read', 'webhooks:write'];
const PROGRESS = ['status', 'reason', 'failing_since', 'next_attempt', 'pending'];

onEachDatabaseAtOnce('owners of webhooks', SETTINGS, (store) => {
  let sold: number;
  before(async () => {
    sold = (await store.product({ inventory_traceable: false })).id;
  });
  const order = () => store.made('/api/orders', { email: 'ada@example.com', items: [{ product_id: sold, amount: 1 }] });

  /** Creates a webhook as somebody. */
  async function owned(context: { after(done: () => Promise<unknown>): void }, as: SendAs, fields: Json) {
    const receiver = await Receiver.open();
    const { status, json, text } = await as('POST', '/api/webhooks', { url: receiver.url, ...fields });
    assert.equal(status, 201, text);
    context.after(async () => {
      await store.delete(`/api/webhooks/${json.id}`);
      await receiver.close();
    });
    return { receiver, json, path: `/api/webhooks/${json.id}` };
  }

  test('get the events that they can read, and pass a webhook on to who takes it over', async (context) => {
    const { id, name, as } = await scoped(store, FOR_ORDERS);
    const events = ['order.*', 'product.*', 'tag.*'];
    const { receiver, path, json } = await owned(context, as, { events, payload: 'record' });
    assert.deepEqual(json.owner, { type: 'key', id, name });
    await store.product();
    const first = await order();
    await receiver.has(1);
    assert.deepEqual(receiver.received[0]!.json.data.record, (await as('GET', `/api/orders/${first.id}`)).json);
    await until(store, path, { status: 'ok', pending: 0 });

    // A change by another caller that does not concern the events leaves the owner.
    const noted = await store.patch(path, { description: 'Partner', events, url: receiver.url });
    assert.deepEqual(noted.json.owner, json.owner);
    assert.equal((await store.delete(`/api/keys/${id}`)).status, 204);
    const [second] = [await order(), await store.product()];
    const paused = await until(store, path, { status: 'paused' });
    assert.match(
      String(paused.reason),
      new RegExp(`The key “${name}” was revoked\\. The webhook sends only what its owner can see`),
    );
    assert.equal(receiver.received.length, 1);

    // Neither a test nor a retry uses rights that the owner has lost.
    await store.post(`${path}/test`, {});
    const [delivery] = await deliveriesOf(store, path, '&type=webhook.test');
    const refused = await until(store, `${path}/deliveries/${delivery.id}`, { status: 'set_aside' });
    assert.match((refused.attempts as Json[])[0]!.answer as string, /was revoked/);
    assert.equal(receiver.received.length, 1);

    const other = await scoped(store, [...FOR_ORDERS, 'tags:read']);
    const resumed = await other.as('POST', `${path}/resume`, {});
    assert.deepEqual(resumed.json.owner, { type: 'key', id: other.id, name: other.name });
    const tag = await store.made('/api/tags', { name: `Tag ${store.database}` });
    await receiver.has(3);
    assert.deepEqual(receiver.summaries().slice(1), [`order.created ${second.id} v1`, `tag.created ${tag.id} v1`]);
  });

  test('change with what decides the events, the secret and the position', async (context) => {
    const [one, other] = [await scoped(store, FOR_ORDERS), await scoped(store, FOR_ORDERS)];
    const cursor = await now((at) => store.get(at));
    // A webhook begins with its second. The replay would skip changes of earlier tests in that second.
    await sleep(1000);
    const { path, receiver } = await owned(context, one.as, { events: ['order.*'] });
    const ownerAfter = async (as: SendAs, method: string, at: string, body: Json): Promise<unknown> => {
      const { status, json, text } = await as(method, `${path}${at}`, body);
      assert.equal(status, 200, text);
      return (json.owner as Json).id;
    };
    const steps: readonly (readonly [string, string, Json])[] = [
      ['PATCH', '', { url: `${receiver.url}/other` }],
      ['PATCH', '', { events: ['order.created'] }],
      ['PATCH', '', { payload: 'record' }],
      ['POST', '/rotate_secret', {}],
      ['POST', '/resume', {}],
      ['POST', '/replay', { after: cursor }],
    ];
    for (const [index, step] of steps.entries()) {
      const { as, id } = index % 2 === 0 ? other : one;
      assert.equal(await ownerAfter(as, ...step), id, JSON.stringify(step));
    }
    assert.equal(await ownerAfter(other.as, 'PATCH', '', { enabled: true, description: 'Mine' }), one.id);
    assert.equal(await ownerAfter(other.as, 'POST', '/test', {}), one.id);
    const { json } = await store.get(path);
    assert.deepEqual(json.former_events, ['order.*']);
    const again = await store.put(path, { ...json, events: ['order.*'] });
    assert.deepEqual([again.status, again.json.owner.name], [200, 'read/write']);
    assert.deepEqual(again.json.former_events, ['order.created']);
  });

  test('see of other events neither the state of a webhook nor its deliveries', async (context) => {
    const { as } = await scoped(store, FOR_ORDERS);
    const masked = await scoped(store, ['*:*'], ['Order.email']);
    const { path } = await owned(context, callerWith(store, { 'x-auth-token': READ_WRITE_KEY }), {
      events: ['order.*'],
    });
    const shown = async (caller: SendAs): Promise<string[]> => {
      const found = Object.keys((await caller('GET', `${path}?fields=id,${PROGRESS.join()}`)).json);
      const whole = Object.keys((await caller('GET', path)).json);
      assert.deepEqual(whole.filter((name) => PROGRESS.includes(name)).toSorted(), found.slice(1).toSorted());
      return found;
    };
    assert.deepEqual(await shown(as), ['id', ...PROGRESS]);
    assert.deepEqual(await shown(masked.as), ['id']);
    assert.equal((await as('GET', `${path}/deliveries`)).status, 200);
    const hidden = await masked.as('GET', `${path}/deliveries`);
    assert.deepEqual([hidden.status, hidden.json.masked_fields], [403, ['Order.email']]);

    await store.patch(path, { events: ['product.*'] });
    await store.patch(path, { events: ['order.*'] });
    assert.deepEqual(await shown(as), ['id'], 'its deliveries may be about products');
    for (const [method, at] of [
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
      ['POST', '/deliveries/1/retry'],
    ] as const) {
      const { status, json } = await as(method, `${path}${at}`);
      assert.deepEqual([status, json.missing_scopes], [403, ['products:read']], at);
    }
    const guessed = await as('PATCH', path, { status: 'ok' });
    assert.deepEqual([guessed.status, guessed.json.missing_scopes], [403, ['products:read']]);
    const filtered = await as('GET', '/api/webhooks?status=ok');
    assert.equal(filtered.status, 403);
    assert.ok((filtered.json.missing_scopes as string[]).includes('tags:read'));
  });

  test('get records without what a mask hides', async (context) => {
    const { as } = await scoped(store, ['*:*'], ['Product.cost_price']);
    const { receiver } = await owned(context, as, { events: ['product.*'], payload: 'record' });
    const { id } = await store.product({ cost_price: 4 });
    const { record } = (await receiver.has(1))[0]!.json.data;
    assert.deepEqual(record, (await as('GET', `/api/products/${id}`)).json);
    assert.ok(!('cost_price' in record));
  });

  test('that are users get what their roles allow now, until they are disabled', async (context) => {
    const { id, role, as } = await signedIn(store, 'ada', FOR_ORDERS);
    const { receiver, path, json } = await owned(context, as, { events: ['order.*', 'product.*'] });
    assert.deepEqual(json.owner, { type: 'user', id, name: 'ada' });
    const { id: ordered } = await order();
    await receiver.has(1);
    assert.equal((await store.patch(role, { scopes: ['products:read', 'webhooks:write'] })).status, 200);
    await order();
    const product = await store.product();
    await receiver.has(2);
    assert.deepEqual(receiver.summaries(), [`order.created ${ordered} v1`, `product.created ${product.id} v1`]);
    assert.equal((await store.patch(`/api/users/${id}`, { status: 'disabled' })).status, 200);
    // No event is waiting.
    const paused = await until(store, path, { status: 'paused' });
    assert.match(String(paused.reason), /The user “ada” is disabled/);
    assert.equal((await store.post(`${path}/resume`, {})).json.owner.name, 'read/write');
    const last = await order();
    await receiver.has(3);
    assert.equal(receiver.summaries()[2], `order.created ${last.id} v1`);
  });

  test('are not replaced by a later key with the same name', async (context) => {
    const { id, name, as } = await scoped(store, FOR_ORDERS);
    const { receiver, path } = await owned(context, as, { events: ['*'], enabled: false });
    await store.delete(`/api/keys/${id}`);
    assert.notEqual((await scoped(store, ['*:*'], [], name)).id, id);
    assert.equal((await store.patch(path, { enabled: true })).status, 200);
    await order();
    await until(store, path, { status: 'paused' });
    assert.equal(receiver.received.length, 0);
  });
});

onOneDatabase('webhooks to private addresses', { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' }, (store) => {
  const events = ['tag.*'];
  const PRIVATE = [
    ...['http://127.0.0.1:9/', 'http://[::1]/', 'http://169.254.169.254/latest/', 'http://192.168.1.7/', 'http://0/'],
    ...[
      'http://localhost/',
      'http://LOCALHOST.:8080/',
      'http://api.localhost/',
      'http://0x7f.1/',
      'http://2130706433/',
    ],
    ...['http://[::ffff:127.0.0.1]/', 'http://[fd00::1]/', 'http://[64:ff9b::7f00:1]/'],
  ];
  for (const url of PRIVATE)
    test(`are rejected when they are saved: ${url}`, async () => {
      const { id } = await store.made('/api/webhooks', { url: 'https://receiver.example/', events, enabled: false });
      const path = `/api/webhooks/${id}`;
      for (const response of [
        await store.post('/api/webhooks', { url, events }),
        await store.put(path, { url, events }),
        await store.patch(path, { url }),
      ])
        assertViolations(response, ['url', 'format', /private/]);
      assert.equal((await store.get(path)).json.url, 'https://receiver.example/');
      await store.delete(path);
    });

  test('are accepted in an allowed network, on every port, as are public addresses and names', async () => {
    for (const url of [
      'http://10.1.2.3:8080/',
      'https://93.184.216.34/',
      'https://[2606:2800:220:1::1]/',
      'https://x.example/',
    ]) {
      const { id } = await store.made('/api/webhooks', { url, events, enabled: false });
      await store.delete(`/api/webhooks/${id}`);
    }
  });

  test('are limited to a hundred webhooks', async () => {
    const body = { url: 'https://receiver.example/', events: ['tag.*'], enabled: false };
    const { headers } = await store.get('/api/webhooks');
    for (let count = Number(headers['x-total-count']); count < 100; count += 1) await store.made('/api/webhooks', body);
    const { status, json } = await store.post('/api/webhooks', body);
    assert.equal(status, 409);
    assert.match(json.detail, /at most 100 webhooks/);
  });
});
