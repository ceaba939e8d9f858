/** Bulk writes and exports with slow, late or disconnecting clients, and with a killed server (sync.md §§3 and 4). */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LineReader } from '../../src/store/json-lines.ts';
import { Folder } from '../cli/program.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { asLines, bulk, LINES, readLines } from '../support/lines.ts';
import { startOf } from '../support/start-line.ts';
import { type Json, onEachDatabase, onOneDatabase, READ_WRITE_KEY, Store } from '../support/store.ts';

const run = promisify(execFile);
const HEADERS = { 'x-auth-token': READ_WRITE_KEY, 'content-type': LINES };

function startBulk({ address }: Store, path = '/api/products/bulk'): ClientRequest {
  return request(`${address}${path}`, { method: 'POST', headers: HEADERS });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

/** Asserts that the response is cut off. @returns the complete lines before that */
async function linesBeforeCut(response: IncomingMessage): Promise<Json[]> {
  let text = '';
  await assert.rejects(async () => {
    for await (const chunk of response) text += chunk;
  });
  return readLines(text.slice(0, text.lastIndexOf('\n') + 1));
}

const SHORT = { REQUEST_SECONDS_MAX: '1', BODY_SECONDS_MAX: '1', STALLED_SECONDS_MAX: '1' };

onOneDatabase('long bulk write', SHORT, (store) => {
  test('a bulk write streams its results and is exempt from the time limits of other requests', async () => {
    const outgoing = startBulk(store);
    const responded = once(outgoing, 'response');
    outgoing.write(asLines([{ sku: 'SLOW-0', name: 'Slow' }]));
    const [response] = (await responded) as [IncomingMessage];
    const chunks = response[Symbol.asyncIterator]();
    assert.equal(readLines(String((await chunks.next()).value))[0].result, 'created');
    for (let index = 1; index < 8; index += 1) {
      await sleep(500);
      outgoing.write(asLines([{ sku: `SLOW-${index}`, name: 'Slow' }]));
      assert.equal(readLines(String((await chunks.next()).value))[0].line, index + 1);
    }
    outgoing.end();
    assert.equal(readLines(String((await chunks.next()).value))[0].summary.complete, true);
    assert.equal((await chunks.next()).done, true);
  });
});

onOneDatabase('stalled bulk write', { BULK_STALLED_SECONDS_MAX: '1' }, (store) => {
  test('a bulk write that stalls before its first result gets a 408', async () => {
    const outgoing = startBulk(store);
    outgoing.write('{"sku":');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 408);
    await textOf(response);
    outgoing.destroy();
  });

  test('a bulk write that stalls after a result is cut off without a summary, and its result stays committed', async () => {
    const outgoing = startBulk(store);
    outgoing.on('error', () => {});
    outgoing.write(asLines([{ sku: 'STALLED', name: 'Stalled' }]));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const results = await linesBeforeCut(response);
    assert.deepEqual(
      results.map(({ result }) => result),
      ['created'],
    );
    assert.equal((await store.get('/api/products?sku=STALLED')).json.length, 1);
  });
});

test('a line received byte by byte uses memory in proportion to its length, not to the number of chunks', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const reader = new LineReader();
  const line = Buffer.from(JSON.stringify({ sku: 'x'.repeat(1_000_000) }));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let from = 0; from < line.length; from += 1)
    assert.deepEqual([...reader.read(line.subarray(from, from + 1))], []);
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  // Separate chunks would take about 100 MB.
  assert.ok(grown < 10_000_000, `${grown} bytes`);
  const [read] = [...reader.end()];
  assert.deepEqual([read!.number, read!.bytes, read!.sent], [1, line.length, JSON.parse(line.toString())]);
});

onOneDatabase('bulk write with empty lines', {}, (store) => {
  const EMPTY = 300_000;
  for (const query of ['', '?atomic'])
    test(`${query ? 'an atomic' : 'a'} bulk write with 600,000 empty lines does not block other requests`, async () => {
      const body = `${'\n'.repeat(EMPTY)}{"sku":"AMONG"}\n${' \r\n'.repeat(EMPTY)}`;
      let responded = 0;
      let isDone = false;
      const reading = (async () => {
        while (!isDone) responded += (await store.get('/api/tags')).status === 200 ? 1 : 0;
      })();
      const { text } = await store.request('POST', `/api/products/bulk${query}`, { body, headers: HEADERS });
      isDone = true;
      await reading;
      assert.ok(responded > 1, `${responded} responses`);
      const [result, { summary }] = text.includes('"lines":[')
        ? [JSON.parse(text).lines[0], { summary: {} }]
        : readLines(text);
      assert.equal(result.line, EMPTY + 1);
      if (query === '') assert.deepEqual([summary.lines, summary.empty], [1, 2 * EMPTY]);
    });
});

onEachDatabase('concurrent atomic bulk writes', {}, (store) => {
  test('concurrent atomic bulk writes of the same records in different orders all succeed', async () => {
    const named = Array.from({ length: 15 }, (_, index) => ({ sku: `SAME-${index}`, name: 'Made' }));
    await bulk(store, '/api/products/bulk', named);
    for (const round of ['one', 'two'])
      for (const { status, text } of await Promise.all(
        Array.from({ length: 3 }, (_, writer) => {
          const lines = named.map(({ sku }) => ({ sku, name: `${round} of ${writer}` }));
          const body = asLines(writer % 2 === 0 ? lines : lines.reverse());
          return store.request('POST', '/api/products/bulk?atomic', { body, headers: HEADERS });
        }),
      ))
        assert.equal(status, 200, text);
    const { json } = await store.get('/api/products?itemsPerPage=100');
    assert.equal(new Set(json.map(({ name }: Json) => name)).size, 1);
  });
});

describe('bulk write with a revoked key', () => {
  test('a bulk write is cut off after its key is revoked, and its committed lines stay', async () => {
    const folder = await Folder.make();
    const database = await freshDatabase('sqlite', 'migrated');
    const images = join(folder.path, 'images');
    const settings = { DATABASE_URL: database.url, IMAGES_URL: `file:${images}` };
    const store = new Store('sqlite', settings);
    await store.start();
    try {
      const { stdout } = await folder.run(['keys', 'create', 'bulky'], settings);
      const key = stdout.trim();
      const outgoing = request(`${store.address}/api/products/bulk`, {
        method: 'POST',
        headers: { ...HEADERS, 'x-auth-token': key },
      });
      outgoing.on('error', () => {});
      outgoing.write(asLines([{ sku: 'BEFORE', name: 'Before' }]));
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      assert.equal(response.statusCode, 200);
      assert.equal((await folder.run(['keys', 'revoke', 'bulky'], settings)).code, 0);
      let sent = 0;
      const sending = setInterval(() => outgoing.write(asLines([{ sku: `LINE-${sent++}`, name: 'Line' }])), 100);
      const results = await linesBeforeCut(response).finally(() => {
        clearInterval(sending);
        outgoing.destroy();
      });
      assert.equal(results[0]!.key, 'BEFORE');
      const { headers } = await store.get('/api/products');
      assert.equal(Number(headers['x-total-count']), results.length);
    } finally {
      await store.stop();
      await database.remove();
      await folder.remove();
    }
  });
});

/** Lines that fail quickly, each with a result of about 500 bytes. */
const WRONG = asLines(Array.from({ length: 60_000 }, () => ({ sku: 'WRONG', colour: 1 })));

onOneDatabase('bulk write with a client that reads late', { BULKS_AT_ONCE_MAX: '1' }, (store) => {
  test('a client can send a complete bulk write before it reads any result, and has its place until it has read all', async () => {
    const outgoing = startBulk(store);
    let incoming: IncomingMessage | undefined;
    outgoing.on('response', (response) => {
      incoming = response.pause();
    });
    outgoing.end(WRONG + asLines([{ sku: 'LATE', name: 'Late' }]));
    // The last line is committed before the client reads.
    while ((await store.get('/api/products?sku=LATE')).json.length === 0) await sleep(50);
    assert.ok(incoming);
    const next = () => store.request('POST', '/api/products/bulk', { body: asLines([]), headers: HEADERS });
    await sleep(200);
    assert.equal((await next()).status, 503);
    const results = readLines(await textOf(incoming));
    assert.deepEqual([results.at(-1).summary.failed, results.at(-1).summary.created], [60_000, 1]);
    assert.deepEqual(
      results.slice(0, -1).map(({ line }) => line),
      Array.from({ length: 60_001 }, (_, index) => index + 1),
    );
    while ((await next()).status === 503) await sleep(20);
  });
});

onOneDatabase(
  'bulk write with too many unread results',
  { BULK_UNREAD_BYTES_MAX: '1000000', BULKS_AT_ONCE_MAX: '1' },
  (store) => {
    test('a bulk write is cut off if its unread results exceed BULK_UNREAD_BYTES_MAX', async () => {
      const outgoing = startBulk(store);
      outgoing.on('error', () => {});
      const [response] = (await Promise.all([once(outgoing, 'response'), outgoing.end(WRONG)]))[0] as [IncomingMessage];
      response.pause();
      const next = () => store.request('POST', '/api/products/bulk', { body: asLines([]), headers: HEADERS });
      while ((await next()).status === 503) await sleep(100);
      const results = await linesBeforeCut(response);
      assert.ok(results.length > 0 && results.length < 60_000, String(results.length));
      assert.equal((await bulk(store, '/api/products/bulk', [{ sku: 'NEXT', name: 'Next' }])).counts, 'created 1');
    });
  },
);

onEachDatabase('bulk write with a disconnecting client', {}, (store) => {
  test('a bulk write keeps its committed lines if the client disconnects', async () => {
    const outgoing = startBulk(store);
    outgoing.on('error', () => {});
    outgoing.write(asLines([{ sku: 'GONE-1', name: 'Gone' }]));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    await once(response, 'data');
    outgoing.destroy();
    assert.equal((await store.get('/api/products?sku=GONE-1')).json.length, 1);
    assert.equal((await bulk(store, '/api/products/bulk', [{ sku: 'GONE-1', name: 'Gone' }])).counts, 'unchanged 1');
  });
});

onOneDatabase('bulk write with concurrent requests', {}, (store) => {
  test('other requests are served during a bulk write of 3,000 lines', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => ({ sku: `BESIDE-${index}`, name: `Beside ${index}` }));
    let isDone = false;
    const all = bulk(store, '/api/products/bulk', lines).finally(() => {
      isDone = true;
    });
    let responded = 0;
    while (!isDone) {
      const { id } = await store.product();
      assert.equal((await store.get(`/api/products/${id}`)).status, 200);
      responded += 1;
    }
    assert.equal((await all).counts, 'created 3000');
    assert.ok(responded >= 10, `${responded} products were created meanwhile`);
  });
});

onOneDatabase('third-party programs', {}, (store) => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'purveyor-lines-'));
    await writeFile(
      join(folder, 'lines'),
      asLines(Array.from({ length: 500 }, (_, index) => ({ sku: `P-${index}`, name: 'P' }))),
    );
  });
  after(() => rm(folder, { recursive: true }));

  test('curl sends a bulk and reads an export', async () => {
    const key = ['-sf', '-H', `X-Auth-Token: ${READ_WRITE_KEY}`];
    const body = ['-H', `Content-Type: ${LINES}`, '--data-binary', `@${join(folder, 'lines')}`];
    const sent = await run('curl', [...key, ...body, `${store.address}/api/products/bulk`]);
    assert.deepEqual(readLines(sent.stdout).at(-1).summary.created, 500);
    const read = await run('curl', [...key, '-H', `Accept: ${LINES}`, `${store.address}/api/products?fields=sku`]);
    assert.equal(readLines(read.stdout).length, 500);
  });

  test('Python sends a bulk and reads an export', async (context) => {
    const script = `
import json, sys, urllib.request
address, key, path = sys.argv[1:]
def ask(where, **more):
    return urllib.request.urlopen(urllib.request.Request(address + where, **more))
with open(path, 'rb') as lines, ask('/api/products/bulk', data=lines.read(), headers={'X-Auth-Token': key, 'Content-Type': '${LINES}'}) as response:
    results = [json.loads(line) for line in response]
with ask('/api/products', headers={'X-Auth-Token': key, 'Accept': '${LINES}'}) as response:
    records = [json.loads(line) for line in response]
print(results[-1]['summary']['complete'], len(results), len(records))
`;
    const python = spawn('python3', ['-c', script, store.address, READ_WRITE_KEY, join(folder, 'lines')]);
    let text = '';
    python.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const ended = await Promise.race([once(python, 'close'), once(python, 'error')]);
    if (ended[0] instanceof Error) return context.skip('Python is not installed');
    assert.equal(text.trim(), 'True 501 500');
  });
});

describe('server killed during a bulk write', () => {
  const COUNT = 1500;
  /** More lines than any kill waits for. */
  const SENT = 1000;
  const lines = Array.from({ length: COUNT }, (_, index) => ({
    ...{ sku: `KILLED-${index}`, name: `Killed ${index}`, tags: [`tag ${index % 7}`] },
    ...{ price: index, clean_url: `killed-${index}` },
  }));

  for (const database of databaseNames)
    test(`a killed server has every line that it acknowledged, and the repeated bulk write completes it (${database})`, async () => {
      const fresh = await freshDatabase(database);
      const folder = await Folder.make();
      const start = async () => {
        const running = folder.start(['serve'], {
          ...{ API_KEY_READ_WRITE: READ_WRITE_KEY, LOG_LEVEL: 'silent', DATABASE_URL: fresh.url },
        });
        const { address } = await startOf(running);
        return { running, address };
      };
      const acknowledged = new Set<string>();
      for (const results of [40, 400]) {
        const { running, address } = await start();
        const outgoing = request(`${address}/api/products/bulk`, { method: 'POST', headers: HEADERS });
        outgoing.on('error', () => {});
        // The request does not end, so the server is always in the middle of it when it is killed.
        outgoing.write(asLines(lines.slice(0, SENT)));
        const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
        let text = '';
        await assert.rejects(async () => {
          for await (const chunk of response) {
            text += chunk;
            if (text.split('\n').length > results) running.signal('SIGKILL');
          }
        });
        for (const { key, status } of readLines(text.slice(0, text.lastIndexOf('\n') + 1))) {
          assert.ok(status === 200 || status === 201, text);
          acknowledged.add(key);
        }
        await running.ended;
      }
      assert.ok(acknowledged.size >= 400 && acknowledged.size < COUNT, `${acknowledged.size} were acknowledged`);
      const { running, address } = await start();
      const send = (path: string, more: object) =>
        fetch(`${address}${path}`, { ...more, headers: { ...HEADERS, accept: LINES } }).then((response) =>
          response.text(),
        );
      const kept = readLines(await send('/api/products', {}));
      const skus = new Set(kept.map(({ sku }) => sku));
      assert.deepEqual(
        [...acknowledged].filter((sku) => !skus.has(sku)),
        [],
      );
      const again = readLines(await send('/api/products/bulk', { method: 'POST', body: asLines(lines) }));
      assert.deepEqual(again.pop().summary, {
        ...{ lines: COUNT, empty: 0, created: COUNT - kept.length, updated: 0, unchanged: kept.length, deleted: 0 },
        ...{ failed: 0, complete: true },
      });
      assert.deepEqual([...new Set(again.map(({ version }) => version))], [1]);
      const whole = readLines(await send('/api/products', {}));
      assert.deepEqual(
        whole.map(({ sku, price, tags }) => `${sku} ${price} ${tags[0].name}`).sort(),
        lines.map(({ sku, price, tags }) => `${sku} ${price} ${tags[0]}`).sort(),
      );
      running.signal('SIGTERM');
      await running.ended;
      await folder.remove();
      await fresh.remove();
    });
});
