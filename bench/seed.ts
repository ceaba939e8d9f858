/** Creates the benchmark's store through the engine's operations, again only if the schema, seed or declarations change. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { isProblem } from '../src/engine/errors.ts';
import { writeRecord } from '../src/engine/operations/write-record.ts';
import type { DecodedImage, FileRejection, Value } from '../src/engine/ports.ts';
import type { Service } from '../src/engine/unit/service.ts';
import { createKey } from '../src/store/keys.ts';
import { ownRequestOptions, routeOf, targetAt } from '../src/store/own-requests.ts';
import { readConfig } from '../src/wiring/config.ts';
import { fillSettings } from '../src/wiring/first-start.ts';
import { claimImages } from '../src/wiring/image-owner.ts';
import { openStore } from '../src/wiring/open.ts';
import type { Config } from '../src/wiring/settings/index.ts';
import { CLASSES, createRandom, MEMBERSHIPS, productBody, STICKERS, TAGS, TAX_CLASSES } from './catalog.ts';
import { BASE_URL, FOLDER, IMAGES_FOLDER, PRODUCTS, SHOP_KEY, STORE_FILE } from './constants.ts';

const IMAGES_PER_PRODUCT = 2;
const DISTINCT_IMAGES = 40;
const START = Date.UTC(2025, 0, 1) / 1000;
/** Files that determine the content of the store. */
const SOURCES = ['bench/seed.ts', 'bench/catalog.ts', 'src/domain/**/*'];
const MARK_FILE = `${FOLDER}made-of`;
const COPIED_IMAGES = `${FOLDER}postgres-images`;

export function storeConfig(): Config {
  return readConfig({ DATABASE_URL: `sqlite:${STORE_FILE}`, IMAGES_URL: `file:${IMAGES_FOLDER}`, BASE_URL });
}

/** Creates the store unless an up-to-date one exists. */
export async function seedStore(print: (line: string) => void): Promise<void> {
  const mark = markOfSources();
  if (existsSync(MARK_FILE) && readFileSync(MARK_FILE, 'utf8') === mark) return;
  print(`Building a store of ${PRODUCTS} products in ${FOLDER} (once) …`);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await fillStore(print);
  await writeFile(MARK_FILE, mark);
}

/**
 * Copies the seeded store to an empty PostgreSQL database with backup and restore.
 * @returns the settings of a server for the copy
 */
export async function copyToPostgres(url: string): Promise<Record<string, string>> {
  const folder = `${FOLDER}backup`;
  const run = (command: string, databaseUrl: string, images: string): void => {
    const program = fileURLToPath(new URL('../bin/purveyor.js', import.meta.url));
    execFileSync(process.execPath, [program, command, folder], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, IMAGES_URL: `file:${images}`, BASE_URL },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  for (const left of [folder, COPIED_IMAGES]) await rm(left, { recursive: true, force: true });
  run('backup', `sqlite:${STORE_FILE}`, IMAGES_FOLDER);
  run('restore', url, COPIED_IMAGES);
  await rm(folder, { recursive: true });
  return { DATABASE_URL: url, IMAGES_URL: `file:${COPIED_IMAGES}` };
}

function markOfSources(): string {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile()))
    hash.update(readFileSync(`${file.parentPath}/${file.name}`));
  return hash.digest('hex');
}

async function fillStore(print: (line: string) => void): Promise<void> {
  const config = storeConfig();
  const store = await openStore(config);
  try {
    await fillSettings(store.service, config);
    // Claims the image folder now, so that every copy of the store owns it.
    await claimImages(store.service, config);
    const shopKey = { name: 'Shop', kind: 'publishable', origins: [BASE_URL], key: SHOP_KEY } as const;
    await createKey(store.service, shopKey, ownRequestOptions('en').actor);
    const service = forSeeding(store.service);
    const attachments = await makeImages();
    for (const name of TAGS) await make(service, 'Tag', { name });
    for (const name of MEMBERSHIPS) await make(service, 'Membership', { name });
    for (const name of CLASSES) await make(service, 'ProductClass', { name });
    for (const name of TAX_CLASSES) await make(service, 'TaxClass', { name });
    for (const name of STICKERS) await make(service, 'Sticker', { name });
    const random = createRandom(0);
    for (let number = 1; number <= PRODUCTS; number += 1) {
      const id = await make(service, 'Product', productBody(number));
      for (let position = 0; position < IMAGES_PER_PRODUCT; position += 1) {
        const attachment = attachments[Math.floor(random() * attachments.length)]!;
        const image = { alt: `View ${position + 1}`, position, attachment, filename: 'view.png' };
        await make(service, 'ProductImage', image, [id]);
      }
      if (number % 1000 === 0) print(`  ${number} products`);
    }
  } finally {
    await store.close();
  }
}

async function make(service: Service, resource: string, body: object, parents: Value[] = []): Promise<Value> {
  const target = targetAt(routeOf(service, resource), { parents });
  const created = await writeRecord(
    service,
    ownRequestOptions('en'),
    target,
    'create',
    body as Record<string, unknown>,
  );
  if (isProblem(created)) throw new Error(`${resource}: ${created.detail} ${JSON.stringify(created.violations)}`);
  return created.record.id as Value;
}

/** Wraps the service: its clock advances with each call, and each distinct image is decoded and written once. */
function forSeeding(service: Service): Service {
  let now = START;
  const decoded = new Map<string, Promise<DecodedImage | FileRejection>>();
  const written = new Set<string>();
  return {
    ...service,
    clock: { ...service.clock, now: () => (now += 7) },
    imageDecoder: {
      ...service.imageDecoder,
      fromBytes(bytes) {
        const key = Buffer.from(bytes).toString('base64');
        const known = decoded.get(key) ?? service.imageDecoder.fromBytes(bytes);
        decoded.set(key, known);
        return known;
      },
    },
    images: {
      ...service.images,
      async put(name, bytes) {
        if (!written.has(name)) await service.images.put(name, bytes);
        written.add(name);
      },
    },
  };
}

/** Creates small, distinct PNG images in base64. */
function makeImages(): Promise<string[]> {
  return Promise.all(
    Array.from({ length: DISTINCT_IMAGES }, async (_, index) => {
      const background = { r: index * 6, g: 255 - index * 6, b: 100 };
      const image = sharp({ create: { width: 4 + index, height: 44 - index, channels: 3, background } });
      return (await image.png().toBuffer()).toString('base64');
    }),
  );
}
