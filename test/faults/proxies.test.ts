/**
 * The reverse proxies of docs/guides/production.md with their documented configuration, in front of two servers on one
 * PostgreSQL: requests arrive unchanged, and servers can be restarted one by one without a failed request.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type RequestOptions } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Folder, type Running } from '../cli/program.ts';
import { withBackgroundClients } from '../support/background-clients.ts';
import { freshDatabase } from '../support/databases.ts';
import { COMPOSE_PROXY, FrontProxy, isInstalled, PROXIES } from '../support/front-proxy.ts';
import { noisePng } from '../support/images.ts';
import { freePort } from '../support/postgres-server.ts';
import { startOf } from '../support/start-line.ts';
import { READ_WRITE_KEY } from '../support/store.ts';

const BASE_URL = 'https://shop.example';
/** Retries with the same `Idempotency-Key`, like those of `purveyor-client`. */
const RETRIES_MAX = 10;
const KEY = { 'x-auth-token': READ_WRITE_KEY };
const JSON_KEY = { ...KEY, 'content-type': 'application/json' };

for (const kind of PROXIES)
  describe(`store behind ${kind.program}`, {
    skip: !isInstalled(kind.program) && `${kind.program} is not installed`,
  }, () => {
    let folder: Folder;
    let proxy: FrontProxy;
    let ports: number[];
    let environment: Record<string, string>;
    const running: Running[] = [];
    const startServer = async (index: number): Promise<void> => {
      running[index] = folder.start(['serve'], { ...environment, PORT: String(ports[index]) });
      await startOf(running[index]);
    };
    before(async () => {
      folder = await Folder.make();
      const database = await freshDatabase('postgres', 'migrated');
      environment = {
        ...{ DATABASE_URL: database.url, API_KEY_READ_WRITE: READ_WRITE_KEY, BASE_URL, TRUST_PROXY: '127.0.0.1' },
        // Without admission control, which would reject writes on a busy machine.
        ...{ LOG_REQUESTS: '1', WAIT_MS_MAX: '0' },
      };
      ports = [await freePort(), await freePort()];
      for (const index of [0, 1]) await startServer(index);
      proxy = await FrontProxy.before(
        kind,
        ports.map((port) => `127.0.0.1:${port}`),
      );
    });
    after(async () => {
      await proxy?.stop();
      await folder?.remove();
    });

    test(`${kind.program} forwards paths, large bodies and the client's address unchanged`, async () => {
      const body = JSON.stringify({ sku: 'SHIRT', name: 'T-shirt', price: 20 });
      const made = await proxy.send('POST', '/api/products', { headers: JSON_KEY, body });
      assert.deepEqual([made.status, made.headers.location], [201, `${BASE_URL}/api/products/1`]);
      const attachment = (await noisePng(1500, 1500)).toString('base64');
      assert.ok(attachment.length > 8_000_000);
      const upload = JSON.stringify({ filename: 'shirt.png', attachment });
      const uploaded = await proxy.send('POST', '/api/products/1/images', { headers: JSON_KEY, body: upload });
      assert.equal(uploaded.status, 201);
      const { url } = JSON.parse(uploaded.text);
      assert.ok(url.startsWith(`${BASE_URL}/images/`));
      assert.equal((await proxy.send('GET', new URL(url).pathname)).status, 200);

      const escaped = '/api/products/1%2F2?search=%2B%20%26';
      const direct = await fetch(`http://127.0.0.1:${ports[0]}${escaped}`, { headers: KEY });
      const behind = await proxy.send('GET', escaped, { headers: { ...KEY, 'x-forwarded-for': '203.0.113.9' } });
      assert.equal(behind.status, direct.status);
      for (const server of running) server.signal('SIGTERM');
      const outputs = await Promise.all(running.map(({ ended }) => ended));
      const clients = outputs.flatMap(({ stdout }) => [...stdout.matchAll(/"client":"([^"]*)"/g)].map(([, at]) => at));
      assert.ok(clients.length > 3);
      assert.deepEqual([...new Set(clients)], ['127.0.0.1']);
      for (const index of [0, 1]) await startServer(index);
      await untilServed();
    });

    test(`${kind.program} forwards events and lines without buffering`, async () => {
      const headers = { ...KEY, accept: 'text/event-stream' };
      const events = await proxy.open('GET', '/api/changes?after=now', { headers });
      assert.equal(events.statusCode, 200);
      const eventArrived = (async () => {
        let text = '';
        for await (const chunk of events) {
          text += chunk;
          if (/"Tag"/.test(text)) return true;
        }
        return false;
      })();
      assert.equal(
        (await proxy.send('POST', '/api/tags', { headers: JSON_KEY, body: '{"name": "Summer"}' })).status,
        201,
      );
      assert.ok(await eventArrived);
      events.destroy();
      const lines = await proxy.send('GET', '/api/tags', { headers: { ...KEY, accept: 'application/x-ndjson' } });
      assert.match(lines.text, /^\{"id":1,.*"Summer"/);
    });

    test(`no request through ${kind.program} fails while servers are restarted one by one`, async () => {
      const failed: string[] = [];
      let responded = 0;
      const client = (number: number) => {
        let count = 0;
        return async (): Promise<void> => {
          count += 1;
          const isWrite = count % 3 === 0;
          const [method, path, headers] = isWrite
            ? (['POST', '/api/tags', { ...JSON_KEY, 'idempotency-key': `${number}-${count}` }] as const)
            : (['GET', '/api/products/1', KEY] as const);
          const body = isWrite ? JSON.stringify({ name: `Tag ${number} ${count}` }) : undefined;
          const send = () =>
            proxy.send(method, path, { headers, body }).catch(({ message }: Error) => ({ status: message, text: '' }));
          let { status, text } = await send();
          for (
            let retries = 0;
            kind.losesBodies && isWrite && (status === 502 || status === 503) && retries < RETRIES_MAX;
            retries += 1
          ) {
            await sleep(100);
            ({ status, text } = await send());
          }
          if (status === 200 || status === 201) responded += 1;
          else failed.push(`${method} ${status} ${text}`);
          await sleep(10);
        };
      };
      await withBackgroundClients([0, 1, 2, 3].map(client), async () => {
        for (const index of [0, 1]) {
          running[index]!.signal('SIGTERM');
          assert.equal((await running[index]!.ended).code, 0);
          await startServer(index);
          // Waits until the proxy uses the server again.
          await running[index]!.says(/"route":"\/api\/products\/\{id\}"/);
        }
      });
      assert.deepEqual(failed, []);
      assert.ok(responded > 100, `${responded} succeeded`);
    });

    /** Waits until the proxy's health checks have found both servers. */
    async function untilServed(): Promise<void> {
      for (let served = 0; served < 4; served += 1) {
        if ((await proxy.send('GET', '/readyz')).status !== 200) served = -1;
        await sleep(300);
      }
    }
  });

for (const kind of PROXIES)
  describe(`store of compose.postgres.yaml behind ${kind.program} with TLS`, {
    skip: ['haproxy', kind.program].some((program) => !isInstalled(program)) && 'a proxy is not installed',
  }, () => {
    let folder: Folder;
    let inner: FrontProxy;
    let outer: FrontProxy;
    let server: Running;
    before(async () => {
      folder = await Folder.make();
      const port = await freePort();
      const environment = { API_KEY_READ_WRITE: READ_WRITE_KEY, BASE_URL, TRUST_PROXY: '127.0.0.1', LOG_REQUESTS: '1' };
      server = folder.start(['serve'], { ...environment, PORT: String(port) });
      await startOf(server);
      inner = await FrontProxy.before(COMPOSE_PROXY, [`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
      outer = await FrontProxy.before(kind, [inner.address, inner.address]);
    });
    after(async () => {
      await outer?.stop();
      await inner?.stop();
      await folder?.remove();
    });

    test(`signs in to the admin page through ${kind.program}, which reports the client's address and HSTS`, async () => {
      const headers = { host: 'shop.example', origin: BASE_URL, 'content-type': 'application/json' };
      const body = JSON.stringify({ key: READ_WRITE_KEY });
      const localAddress = '127.0.0.5';
      const signedIn = await outer.send('POST', '/admin/session', { headers, body, localAddress });
      assert.equal(signedIn.status, 200, signedIn.text);
      assert.match(String(signedIn.headers['set-cookie']), /^__Host-purveyor-443=.*; Secure/);
      assert.equal(signedIn.headers['strict-transport-security'], 'max-age=31536000');
      // A client that reaches the inner proxy directly cannot name another address or scheme.
      const forged = { ...KEY, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
      assert.equal(
        await statusOf(`http://${inner.address}/api/tags`, { headers: forged, localAddress: '127.0.0.9' }),
        200,
      );
      server.signal('SIGTERM');
      const { stdout } = await server.ended;
      const clients = [...stdout.matchAll(/"client":"([^"]*)"/g)].map(([, at]) => at);
      assert.deepEqual(new Set(clients.filter((at) => at !== '127.0.0.1')), new Set(['127.0.0.5', '127.0.0.9']));
    });
  });

async function statusOf(url: string, options: RequestOptions): Promise<number> {
  const [answer] = await once(get(url, options), 'response');
  answer.resume();
  return answer.statusCode;
}
