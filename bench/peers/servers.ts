/** Installs and starts the peers on copies of their stores, and translates the scenarios to their requests. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/postgres-server.ts';
import { FOLDER, KEY, PRODUCTS } from '../constants.ts';
import { onCore } from '../load.ts';
import { type Credentials, PAGES, priceRanges, type Scenario, SKU_PLACEHOLDER } from '../scenarios.ts';
import { copyStore, type RunningServer, type ServerName, startProcess, startServer } from '../servers.ts';
import { addProducts, describeToDirectus, newRow } from './store.ts';

const PEER_NAMES = ['Platformatic DB', 'Directus', 'Directus + cache'] as const;
type PeerName = (typeof PEER_NAMES)[number];
export const NAMES = ['purveyor', 'purveyor + cache', ...PEER_NAMES] as const satisfies (ServerName | PeerName)[];
export type Name = (typeof NAMES)[number];

const PEERS_FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PAGE_SIZE = 30;
const NEW_TAGS = [2, 3, 5];

interface Peer {
  readonly storeFile: string;
  readonly credentials: Credentials;
  readonly one: (id: number) => string;
  readonly list: (page: number) => string;
  readonly filtered: (from: number, to: number) => string;
  readonly create: { readonly path: string; readonly body: string };
}

const PLATFORMATIC: Peer = {
  storeFile: `${FOLDER}platformatic-store.db`,
  credentials: ['x-platformatic-admin-secret', KEY],
  one: (id) => `/products/${id}`,
  list: (page) => `/products?limit=${PAGE_SIZE}&offset=${(page - 1) * PAGE_SIZE}&totalCount=true&orderby.id=asc`,
  filtered: (from, to) =>
    `/products?limit=${PAGE_SIZE}&totalCount=true&where.price.gte=${from}&where.price.lte=${to}&where.enabled.eq=1&orderby.price=asc`,
  create: { path: '/products', body: JSON.stringify(inCamelCase(newRow(SKU_PLACEHOLDER))) },
};

function inCamelCase(row: Record<string, unknown>): Record<string, unknown> {
  const renamed = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [renamed(name), value]));
}

const FIELDS = 'fields=*,pictures.*,tags.tag_id.*';
const DIRECTUS: Peer = {
  storeFile: `${FOLDER}directus-store.db`,
  credentials: ['authorization', `Bearer ${KEY}`],
  one: (id) => `/items/products/${id}?${FIELDS}`,
  list: (page) => `/items/products?${FIELDS}&limit=${PAGE_SIZE}&page=${page}&meta=filter_count&sort=id`,
  filtered: (from, to) =>
    `/items/products?${FIELDS}&limit=${PAGE_SIZE}&meta=filter_count&filter[price][_between]=${from},${to}&filter[enabled][_eq]=true&sort=price`,
  create: {
    path: `/items/products?${FIELDS}`,
    body: JSON.stringify({ ...newRow(SKU_PLACEHOLDER), tags: NEW_TAGS.map((tag_id) => ({ tag_id })) }),
  },
};

function peerOf(name: Name): Peer | undefined {
  if (name === 'Platformatic DB') return PLATFORMATIC;
  return name.startsWith('Directus') ? DIRECTUS : undefined;
}

/** Translates a scenario to the requests of a server. */
export function scenarioFor(scenario: Scenario, name: Name): Scenario {
  const peer = peerOf(name);
  if (!peer) return scenario;
  const { credentials, create } = peer;
  const paths = {
    get: () => Array.from({ length: PRODUCTS }, (_, index) => peer.one(index + 1)),
    list: () => Array.from({ length: PAGES }, (_, index) => peer.list(index + 1)),
    filtered: () => priceRanges().map(({ from, to }) => peer.filtered(from, to)),
    create: () => [],
  }[scenario.name]();
  return { ...scenario, paths, credentials, create };
}

/** Installs the peers in this folder, unless they are newer than the lock file. */
export function install(print: (line: string) => void): void {
  const installed = `${PEERS_FOLDER}node_modules/.installed`;
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(`${PEERS_FOLDER}package-lock.json`).mtimeMs)
    return;
  print('Installing the peers in bench/peers (once; some minutes) …');
  const home = dirname(dirname(process.execPath));
  const env = {
    ...process.env,
    // Builds the driver of Directus for this Node, with its own headers if they are included.
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    ...(existsSync(`${home}/include/node/node.h`) ? { npm_config_nodedir: home } : {}),
  };
  const npm = (...words: string[]) =>
    execFileSync('npm', ['--prefix', PEERS_FOLDER, ...words], { env, stdio: 'inherit' });
  npm('ci');
  // The only dependency that must be compiled.
  npm('rebuild', 'sqlite3', '--ignore-scripts=false');
  execFileSync('touch', [installed]);
}

/** Recreates the stores of the peers. */
export async function seedPeers(): Promise<void> {
  for (const { storeFile } of [PLATFORMATIC, DIRECTUS])
    for (const ending of ['', '-wal', '-shm']) await rm(`${storeFile}${ending}`, { force: true });
  addProducts(PLATFORMATIC.storeFile);
  execFileSync(process.execPath, [`${PEERS_FOLDER}node_modules/directus/cli.js`, 'bootstrap'], {
    cwd: FOLDER,
    env: { PATH: process.env.PATH, ...directusEnvironment(DIRECTUS.storeFile) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  addProducts(DIRECTUS.storeFile);
  describeToDirectus(DIRECTUS.storeFile);
}

export async function start(name: Name): Promise<RunningServer<Name>> {
  const peer = peerOf(name);
  if (!peer) return startServer(name as ServerName) as Promise<RunningServer<Name>>;
  const port = String(await freePort());
  const storeFile = await copyStore(peer.storeFile, name);
  const [words, environment] =
    peer === PLATFORMATIC
      ? [[`${PEERS_FOLDER}platformatic.js`, storeFile, port, KEY], {}]
      : [[`${PEERS_FOLDER}node_modules/directus/cli.js`, 'start'], directusEnvironment(storeFile, port, name)];
  return startProcess({
    name,
    command: onCore(0, [process.execPath, ...words]),
    environment: { NODE_ENV: 'production', ...environment },
    address: `http://127.0.0.1:${port}`,
    // Directus reads settings from its working directory.
    folder: FOLDER,
    probe: peer.one(1),
    credentials: peer.credentials,
  });
}

function directusEnvironment(storeFile: string, port = '0', name: Name = 'Directus'): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: port,
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: storeFile,
    SECRET: 'secret-of-the-benchmark-of-32-characters',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'password-of-the-benchmark',
    ADMIN_TOKEN: KEY,
    LOG_LEVEL: 'error',
    SERVE_APP: 'false',
    WEBSOCKETS_ENABLED: 'false',
    // Otherwise it rejects requests while its core is busy.
    PRESSURE_LIMITER_ENABLED: 'false',
    EXTENSIONS_PATH: `${FOLDER}directus-extensions`,
    STORAGE_LOCATIONS: 'local',
    STORAGE_LOCAL_ROOT: `${FOLDER}directus-uploads`,
    ...(name === 'Directus + cache'
      ? { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_AUTO_PURGE: 'true', CACHE_TTL: '30m' }
      : {}),
  };
}
