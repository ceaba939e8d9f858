/** Other limits than a full disk: no file descriptors left, and an image folder that is missing or read-only. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Checker } from './check.ts';
import { Client, type HttpResponse, type NoResponse } from './client.ts';
import { needRoot, SmallDisk } from './disk.ts';
import { randomImage } from './images.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server, type StartOptions, type StoreLocation, stop } from './server.ts';

const execute = promisify(execFile);

/** Enough for a few connections and another decoder process. */
const SPARE_DESCRIPTORS = 16;

/** Connections use all descriptors: requests succeed or get no connection, and afterwards everything works again. */
export async function descriptors(run: Run): Promise<void> {
  if (process.platform !== 'linux') return;
  const counted = new Server(placeIn(join(run.folder, 'counted')));
  const address = await counted.ready();
  await createStock(address);
  // After an image the server has also opened its watchdog thread and a decoder process.
  const client = new Client(address);
  await client.expect('POST', IMAGES, image(new Random(run.seed, 'counted')));
  client.close();
  const own = readdirSync(`/proc/${counted.pid}/fd`).length;
  await stop(counted);
  const through = ['sh', '-c', `ulimit -n ${own + SPARE_DESCRIPTORS}; exec "$@"`, 'sh'];
  await withStore(run, placeIn(run.folder), { through }, async ({ address, client, load, random }) => {
    await client.expect('GET', '/healthz');
    const { hostname, port } = new URL(address);
    const idle: Socket[] = [];
    for (let count = 0; count < 3 * SPARE_DESCRIPTORS; count += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      idle.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    }
    // This client's connection is older than the others: it is served, but the server cannot open a file.
    const row = await client.send('POST', '/api/tags', { name: 'needs no descriptor' });
    const file = await client.send('POST', IMAGES, image(random));
    for (const socket of idle) socket.destroy();
    await Promise.all(idle.map((socket) => socket.closed || once(socket, 'close')));
    reported(run, 'no descriptors', row, file);
    expectStatus(row, 201, 503);
    expectStatus(file, 201, 503);
    await untilWorks(client, random);
    await load.run(address, 10);
  });
}

/** The image folder is missing, as if a volume were not mounted: rows are written, files are not, and no folder is created. */
export async function imagesAway(run: Run): Promise<void> {
  const location = placeIn(run.folder);
  await withStore(run, location, {}, async ({ address, client, load, random }) => {
    renameSync(location.imagesFolder, `${location.imagesFolder}.away`);
    const file = await client.send('POST', IMAGES, image(random));
    const row = await client.send('POST', '/api/tags', { name: 'needs no file' });
    const read = await client.send('GET', '/api/products');
    reported(run, 'image folder away', row, file);
    if (readdirSync(run.folder).includes('images')) throw new Broken('The missing image folder was created.');
    renameSync(`${location.imagesFolder}.away`, location.imagesFolder);
    expectStatus(file, 503);
    expectStatus(row, 201);
    expectStatus(read, 200);
    await untilWorks(client, random);
    await load.run(address, 10);
  });
}

/** The file system of the image folder becomes read-only. */
export async function imagesReadOnly(run: Run): Promise<void> {
  needRoot('A file system that becomes read-only');
  const disk = await SmallDisk.make(run.folder, 'size=64m');
  const location: StoreLocation = { ...placeIn(run.folder), imagesFolder: join(disk.folder, 'images') };
  const turn = (how: 'ro' | 'rw') => execute('mount', ['-o', `remount,${how}`, disk.folder]);
  try {
    await withStore(run, location, {}, async ({ address, client, load, random }) => {
      await turn('ro');
      const file = await client.send('POST', IMAGES, image(random));
      const row = await client.send('POST', '/api/tags', { name: 'needs no file' });
      const ready = await client.send('GET', '/readyz');
      await turn('rw');
      reported(run, 'images read-only', row, file);
      expectStatus(file, 503);
      expectStatus(row, 201);
      expectStatus(ready, 503);
      await untilWorks(client, random);
      await load.run(address, 10);
    });
  } finally {
    await disk.unmount();
  }
}

const IMAGES = '/api/products/1/images';

function image(random: Random): unknown {
  return { attachment: randomImage(random, 32).bytes.toString('base64'), filename: 'a.png', alt: 'x' };
}

interface Scene {
  readonly address: string;
  readonly client: Client;
  readonly load: Load;
  readonly random: Random;
}

async function withStore(
  { seed, folder }: Run,
  location: StoreLocation,
  options: StartOptions,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, 2);
  const checker = new Checker(ledger, location);
  const server = new Server(location, options);
  try {
    const address = await server.ready();
    const client = new Client(address);
    await createStock(address);
    await load.run(address, 10);
    await checker.check(address);
    await play({ address, client, load, random: new Random(seed, 'limits') });
    client.close();
    await checker.check(address, true);
    await stop(server);
  } catch (error) {
    (error as Error).message += `\n${server.output}`;
    throw error;
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  await checker.checkSweep();
}

const TRIES_MAX = 100;

/** Retries until an upload succeeds: the kernel releases descriptors with a delay. */
async function untilWorks(client: Client, random: Random): Promise<void> {
  for (let count = 0; count < TRIES_MAX; count += 1) {
    const response = await client.send('POST', IMAGES, image(random));
    if (response.status === 201) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Broken('The server still rejects images.');
}

function expectStatus(response: HttpResponse | NoResponse, ...statuses: number[]): void {
  if (!statuses.includes(response.status))
    throw new Broken(`Expected ${statuses.join(' or ')}: ${JSON.stringify(response)}`);
}

function reported({ say }: Run, when: string, row: HttpResponse | NoResponse, file: HttpResponse | NoResponse): void {
  say(`${when}: a write of a row returned ${row.status}, an image upload ${file.status}`);
}
