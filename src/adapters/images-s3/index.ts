/**
 * Image files as objects of an S3 store, `<prefix><name>`; the object `<prefix>belongs-to` says whose they are. A file
 * that `put` has acknowledged is as safe as that store keeps it. Whatever is asked is done or refused within 20
 * seconds, and two more for each megabyte that is put; a store that was gone for a moment is not noticed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ImageStore, ImagesUnavailable, imageOf } from '../../engine/ports.ts';
import type { S3Address } from './address.ts';
import { S3Failure } from './failures.ts';
import { listObjects } from './list.ts';
import { isMissing } from './missing.ts';
import { Requests, type S3Credentials } from './requests.ts';
import { streamOf } from './stream.ts';

const OWNER_KEY = 'belongs-to';

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** For whoever gets the objects from the bucket itself: a name never changes its bytes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** A store that was there so long ago is taken to be there: a look costs three requests. */
const CHECK_LASTS_MS = 10_000;

/** In a store without conditional writes the last of those who write within this time has the word. */
const SETTLE_MS = 3000;

interface S3Options extends S3Credentials {
  readonly settleMs?: number;
}

/** Asks nothing of the store yet. */
export function openS3Images(address: S3Address, { settleMs = SETTLE_MS, ...credentials }: S3Options): ImageStore {
  const requests = new Requests(address, credentials);
  const probeKey = `probe-${randomUUID()}`;
  let checkedAt = Number.NEGATIVE_INFINITY;

  return {
    isApart: true,
    // Whatever happens to the store, this program can do nothing wrong with it.
    broken: new Promise(() => {}),

    async put(name, bytes) {
      if (imageOf(name) === undefined) throw new Error(`"${name}" is not the name of an image file.`);
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
      await put(name, bytes, { 'content-type': type, 'cache-control': FOR_EVER });
    },

    async has(name) {
      return (await sizeOf(name)) !== undefined;
    },

    sizeOf,

    async get(name) {
      return imageOf(name) === undefined ? undefined : (await get(name))?.bytes;
    },

    async open(name, part) {
      return imageOf(name) === undefined ? undefined : streamOf(requests, name, part);
    },

    async remove(name) {
      if (imageOf(name) === undefined) return;
      await remove(name);
      if (imageOf(name) !== name) return;
      for await (const { key } of listObjects(requests, `${name}.`)) if (imageOf(key) === name) await remove(key);
    },

    async *list() {
      let listed: string | undefined;
      // In the order of their names, so that a picture comes before its thumbnails.
      for await (const { key, ageSeconds } of listObjects(requests, '')) {
        const originalName = imageOf(key);
        if (originalName === undefined || originalName === listed) continue;
        listed = originalName;
        yield { name: originalName, ageSeconds };
      }
    },

    async owner() {
      return (await readOwner())?.owner;
    },

    async claim(owner, before) {
      const now = await readOwner();
      if (now !== undefined && now.owner !== before) return now.owner;
      const isHeeded = await heedsConditions();
      const condition: Record<string, string> = now === undefined ? { 'if-none-match': '*' } : { 'if-match': now.etag };
      const isPut = await put(OWNER_KEY, Buffer.from(`${owner}\n`), isHeeded ? condition : {});
      if (isPut && !isHeeded) await sleep(settleMs);
      return (await readOwner())?.owner;
    },

    async check() {
      if (performance.now() - checkedAt < CHECK_LASTS_MS) return;
      const bytes = Buffer.from(randomUUID());
      await put(probeKey, bytes, {}, true);
      const found = await get(probeKey, true);
      await remove(probeKey);
      if (!found?.bytes.equals(bytes)) throw new ImagesUnavailable('The S3 store gives back other bytes than it took');
      checkedAt = performance.now();
    },
  };

  async function sizeOf(key: string): Promise<number | undefined> {
    if (imageOf(key) === undefined) return undefined;
    return requests.send({ method: 'HEAD', key, accepts: [404] }, async ({ statusCode, headers, body }) => {
      await body.dump();
      return statusCode === 404 ? undefined : Number(headers['content-length']);
    });
  }

  async function get(key: string, isOnce = false): Promise<{ bytes: Buffer; etag: string } | undefined> {
    return requests.send({ method: 'GET', key, isOnce, accepts: [404] }, async (answer) => {
      if (await isMissing(requests, answer)) return undefined;
      return { bytes: Buffer.from(await answer.body.arrayBuffer()), etag: String(answer.headers.etag) };
    });
  }

  /** @returns false where a condition in the headers did not hold */
  function put(
    key: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    isOnce = false,
  ): Promise<boolean> {
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const ask = { method: 'PUT', key, body, bodyHash, headers, isOnce, accepts: UNMET } as const;
    return requests.send(ask, async (answer) => {
      await answer.body.dump();
      return !UNMET.includes(answer.statusCode);
    });
  }

  function remove(key: string): Promise<void> {
    return requests.send({ method: 'DELETE', key, accepts: [404] }, async ({ body }) => body.dump());
  }

  async function readOwner(): Promise<{ owner: string; etag: string } | undefined> {
    const found = await get(OWNER_KEY);
    return found && { owner: found.bytes.toString('utf8').trim(), etag: found.etag };
  }

  /** Some stores pass over conditions on writes, others refuse them. */
  async function heedsConditions(): Promise<boolean> {
    const isPut = (headers: Record<string, string>): Promise<boolean> =>
      put(probeKey, Buffer.alloc(0), headers).catch((error) => error instanceof S3Failure || Promise.reject(error));
    try {
      await put(probeKey, Buffer.alloc(0), {});
      return !(await isPut({ 'if-none-match': '*' })) && !(await isPut({ 'if-match': `"${'0'.repeat(32)}"` }));
    } finally {
      await remove(probeKey);
    }
  }
}

/** 409: another write of the same name was faster. */
const UNMET: readonly number[] = [409, 412];
