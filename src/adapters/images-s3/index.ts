/**
 * Image store on S3: objects `<prefix><name>`, attachments included; the object `<prefix>belongs-to` contains the id of the owning store.
 * Durability is that of the S3 store. Every operation completes or fails within 20 seconds, plus two for each megabyte
 * that is put. Short outages are retried.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type FilePart,
  type ImageStore,
  ImagesUnavailable,
  imageOf,
  isAttachment,
  originalOf,
  RemovalInDoubt,
  type StoredImage,
} from '../../engine/ports.ts';
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

/** For clients that read from the bucket itself: the content of a name never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Clients read attachments from the server only, which checks their access. */
const ATTACHED = { 'content-type': 'application/octet-stream', 'cache-control': 'private, no-store' };

/** Time for which a successful check is reused, because a check costs three requests. */
const CHECK_LASTS_MS = 10_000;

/** Without conditional writes, the last of several writers within this time wins. */
const SETTLE_MS = 3000;

interface S3Options extends S3Credentials {
  readonly settleMs?: number;
}

/** Sends no request yet. */
export function openS3Images(address: S3Address, { settleMs = SETTLE_MS, ...credentials }: S3Options): ImageStore {
  return new S3Images(new Requests(address, credentials), settleMs);
}

class S3Images implements ImageStore {
  readonly #requests: Requests;
  readonly #settleMs: number;
  readonly #probeKey = `probe-${randomUUID()}`;
  readonly isRemote = true;
  /** Never resolves: no failure of the S3 store makes further writes unsafe. */
  readonly broken = new Promise<Error>(() => {});
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(requests: Requests, settleMs: number) {
    this.#requests = requests;
    this.#settleMs = settleMs;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    if (originalOf(name) === undefined) throw new Error(`"${name}" is not the name of a stored file.`);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
    await this.#put(name, bytes, isAttachment(name) ? ATTACHED : { 'content-type': type, 'cache-control': FOR_EVER });
  }

  async has(name: string): Promise<boolean> {
    return (await this.sizeOf(name)) !== undefined;
  }

  async sizeOf(name: string): Promise<number | undefined> {
    if (originalOf(name) === undefined) return undefined;
    const head = { method: 'HEAD', key: name, accepts: [404] } as const;
    return this.#requests.send(head, async ({ statusCode, headers, body }) => {
      await body.dump();
      return statusCode === 404 ? undefined : Number(headers['content-length']);
    });
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return originalOf(name) === undefined ? undefined : (await this.#get(name))?.bytes;
  }

  async open(name: string, part?: FilePart): Promise<StoredImage | undefined> {
    return originalOf(name) === undefined ? undefined : streamOf(this.#requests, name, part);
  }

  async remove(name: string): Promise<void> {
    if (originalOf(name) === undefined) return;
    await this.#remove(name);
    if (imageOf(name) !== name) return;
    for await (const { key } of listObjects(this.#requests, `${name}.`))
      if (imageOf(key) === name) await this.#remove(key);
  }

  async *list(): AsyncGenerator<{ name: string; ageSeconds: number }> {
    let listed: string | undefined;
    // Sorted by name, so that an image comes before its thumbnails.
    for (const folder of ['', 'files/'])
      for await (const { key, ageSeconds } of listObjects(this.#requests, folder)) {
        const originalName = originalOf(key);
        if (originalName === undefined || originalName === listed) continue;
        listed = originalName;
        yield { name: originalName, ageSeconds };
      }
  }

  async owner(): Promise<string | undefined> {
    return (await this.#readOwner())?.owner;
  }

  async claim(owner: string, before: string | undefined): Promise<string | undefined> {
    const now = await this.#readOwner();
    if (now !== undefined && now.owner !== before) return now.owner;
    const isConditional = await this.#supportsConditions();
    const condition: Record<string, string> = now === undefined ? { 'if-none-match': '*' } : { 'if-match': now.etag };
    const isPut = await this.#put(OWNER_KEY, Buffer.from(`${owner}\n`), isConditional ? condition : {});
    if (isPut && !isConditional) await sleep(this.#settleMs);
    return (await this.#readOwner())?.owner;
  }

  async check(): Promise<void> {
    if (performance.now() - this.#checkedAt < CHECK_LASTS_MS) return;
    const bytes = Buffer.from(randomUUID());
    await this.#put(this.#probeKey, bytes, {}, true);
    const found = await this.#get(this.#probeKey, true);
    await this.#remove(this.#probeKey);
    if (!found?.bytes.equals(bytes)) throw new ImagesUnavailable('The S3 store returned different bytes than were put');
    this.#checkedAt = performance.now();
  }

  #get(key: string, isOnce = false): Promise<{ bytes: Buffer; etag: string } | undefined> {
    return this.#requests.send({ method: 'GET', key, isOnce, accepts: [404] }, async (response) => {
      if (await isMissing(this.#requests, response)) return undefined;
      return { bytes: Buffer.from(await response.body.arrayBuffer()), etag: String(response.headers.etag) };
    });
  }

  /** @returns false if a condition in the headers was not met */
  #put(key: string, body: Uint8Array, headers: Readonly<Record<string, string>>, isOnce = false): Promise<boolean> {
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const putRequest = { method: 'PUT', key, body, bodyHash, headers, isOnce, accepts: UNMET } as const;
    return this.#requests.send(putRequest, async (response) => {
      await response.body.dump();
      return !UNMET.includes(response.statusCode);
    });
  }

  #remove(key: string): Promise<void> {
    const request = { method: 'DELETE', key, accepts: [404] } as const;
    return this.#requests
      .send(request, async ({ body }) => body.dump())
      .catch((error) => {
        throw error instanceof S3Failure && error.isInDoubt
          ? new RemovalInDoubt(error.message, { cause: error })
          : error;
      });
  }

  async #readOwner(): Promise<{ owner: string; etag: string } | undefined> {
    const found = await this.#get(OWNER_KEY);
    return found && { owner: found.bytes.toString('utf8').trim(), etag: found.etag };
  }

  /** Some S3 stores ignore conditions on writes, others reject them. */
  async #supportsConditions(): Promise<boolean> {
    const isPut = (headers: Record<string, string>): Promise<boolean> =>
      this.#put(this.#probeKey, Buffer.alloc(0), headers).catch(
        (error) => error instanceof S3Failure || Promise.reject(error),
      );
    try {
      await this.#put(this.#probeKey, Buffer.alloc(0), {});
      return !(await isPut({ 'if-none-match': '*' })) && !(await isPut({ 'if-match': `"${'0'.repeat(32)}"` }));
    } finally {
      await this.#remove(this.#probeKey);
    }
  }
}

/** 409: a concurrent write of the same name was faster. */
const UNMET: readonly number[] = [409, 412];
