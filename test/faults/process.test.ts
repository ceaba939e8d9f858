/** Stops, crashes and starts of the process (docs/reliability/g-crash.md). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { drain } from '../../src/http/server/drain.ts';
import { Client } from '../../torture/client.ts';
import { KEY, placeIn, Server, stop } from '../../torture/server.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest('a second SIGTERM ends a hanging stop', async ({ folder }) => {
  const { server, address, close } = await startHanging(folder);
  server.signal('SIGTERM');
  await untilStopping(Number(address.port), address.hostname);
  assert.equal((await server.end('SIGTERM')).code, 1);
  close();
});

stressTest('a hanging stop ends after its time limit', async ({ folder }) => {
  // The body's time limit is longer than that of the stop. Otherwise the request would be rejected and the stop succeed.
  const { server, close } = await startHanging(folder, { BODY_SECONDS_MAX: '40' });
  assert.equal((await server.end('SIGTERM')).code, 1);
  close();
});

stressTest('connections that are queued when the server is stopped are accepted and answered', async ({ folder }) => {
  const preload = join(folder, 'preload.mjs');
  const blocked = join(folder, 'blocked');
  const released = join(folder, 'released');
  writeFileSync(
    preload,
    `import { existsSync, writeFileSync } from 'node:fs';
     process.on('SIGUSR2', () => {
       writeFileSync(${JSON.stringify(blocked)}, '');
       while (!existsSync(${JSON.stringify(released)}));
     });`,
  );
  const server = new Server(placeIn(folder), { nodeArguments: ['--import', preload] });
  const { hostname, port } = new URL(await server.ready());
  server.signal('SIGUSR2');
  while (!existsSync(blocked)) await turn();
  const connected = Array.from({ length: 50 }, async () => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  });
  const sockets = await Promise.all(connected);
  server.signal('SIGTERM');
  writeFileSync(released, '');
  const responses = await Promise.all(sockets.map(async (socket) => String((await once(socket, 'data'))[0])));
  assert.deepEqual(new Set(responses.map((response) => response.slice(0, 15))), new Set(['HTTP/1.1 200 OK']));
  for (const socket of sockets) socket.destroy();
  assert.equal((await server.ended).code, 0);
});

for (const [what, throwing] of [
  ['exception', 'setTimeout(() => { throw new Error("of the test"); })'],
  ['rejection', 'Promise.reject(new Error("of the test"))'],
])
  stressTest(
    `an unhandled ${what} ends the process, and the next one has all acknowledged writes`,
    async ({ folder }) => {
      const preload = join(folder, 'preload.mjs');
      writeFileSync(preload, `process.on('SIGUSR2', () => { ${throwing} });`);
      const route = placeIn(folder);
      const server = new Server(route, { nodeArguments: ['--import', preload] });
      const client = new Client(await server.ready());
      await client.expect('POST', '/api/tags', { name: 'saved' });
      const { code, output } = await server.end('SIGUSR2');
      client.close();
      assert.equal(code, 1);
      assert.match(output, /of the test/);
      await assertTagExists(route);
    },
  );

stressTest('the lock, WAL and temporary files of a killed server do not prevent the next start', async ({ folder }) => {
  const route = placeIn(folder);
  const server = new Server(route);
  const client = new Client(await server.ready());
  await client.expect('POST', '/api/tags', { name: 'saved' });
  await server.end('SIGKILL');
  client.close();
  assert.ok(existsSync(`${route.file}.lock`) && existsSync(`${route.file}-wal`));
  // The index of the WAL is rebuilt from the WAL.
  rmSync(`${route.file}-shm`);
  const leftover = join(route.imagesFolder, 'tmp', 'half-an-upload');
  writeFileSync(leftover, 'x');
  const longAgo = new Date(Date.now() - 7200 * 1000);
  utimesSync(leftover, longAgo, longAgo);
  await assertTagExists(route);
  assert.ok(!existsSync(leftover));
});

test('a request on an open connection of a stopping server is answered with Connection: close', async () => {
  const server = createServer((_request, response) => response.end('answered')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  assert.equal((await headersOf(port, agent)).connection, 'keep-alive');
  const draining = drain(server);
  while (server.listening) await turn();
  assert.equal((await headersOf(port, agent)).connection, 'close', 'on the same connection');
  await draining;
  await assert.rejects(headersOf(port, agent), { code: 'ECONNREFUSED' });
  agent.destroy();
});

async function headersOf(port: number, agent: Agent) {
  const [response] = await once(get({ host: '127.0.0.1', port, agent }), 'response');
  response.resume();
  await once(response, 'end');
  return response.headers;
}

async function assertTagExists(route: ReturnType<typeof placeIn>): Promise<void> {
  const server = new Server(route);
  const client = new Client(await server.ready());
  const { json } = await client.expect('GET', '/api/tags');
  assert.deepEqual(
    json.map(({ name }: { name: string }) => name),
    ['saved'],
  );
  client.close();
  await stop(server);
}

/** Starts a server with a request whose body never arrives. */
async function startHanging(folder: string, environment: Readonly<Record<string, string>> = {}) {
  const server = new Server(placeIn(folder), { environment });
  const address = new URL(await server.ready());
  const socket = connect(Number(address.port), address.hostname);
  socket.on('error', () => {});
  socket.write(
    `POST /api/tags HTTP/1.1\r\nHost: x\r\nX-Auth-Token: ${KEY}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 10\r\nExpect: 100-continue\r\n\r\n',
  );
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100/);
  return { server, address, close: () => socket.destroy() };
}

/** Waits until the server accepts no connections, which means that its stop has begun. */
async function untilStopping(port: number, host: string): Promise<void> {
  for (;;) {
    const socket = connect(port, host);
    const isAccepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!isAccepted) return;
  }
}
