/**
 * Image store in a local folder: images at `<folder>/ab/cd/<name>`, attachments at `<folder>/files/ab/cd/<hash>`, written
 * to `<folder>/tmp` first. The text file
 * `<folder>/belongs-to` contains the id of the owning store. A file that `put` has acknowledged survives a power
 * failure. The caller ensures that the name matches the content's hash. Folders on several machines are not
 * synchronized. After a failed fsync all further puts are rejected: the system discards the data, so a second attempt
 * would succeed without having written it.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  attachmentName,
  type FilePart,
  hashIn,
  type ImageStore,
  ImagesUnavailable,
  imageOf,
  isAttachment,
  originalOf,
  type StoredImage,
} from '../../engine/ports.ts';

/** Operators may read and write this file. */
export const OWNER_FILE = 'belongs-to';

/** Longer than any upload takes, so older files were left by a crash. */
const TEMPORARY_AGE_SECONDS_MAX = 3600;

/** Opens the folder, creating it if necessary, and removes leftovers of a crash from `tmp`. */
export async function openImageFolder(folder: string): Promise<ImageStore> {
  const root = resolve(folder);
  const temporary = join(root, 'tmp');
  await makeFolder(temporary);
  if ((await stat(root)).dev !== (await stat(temporary)).dev) {
    throw new Error(`${temporary} and ${root} must be on the same file system, so that files can be moved atomically.`);
  }
  await removeLeftovers(temporary);
  return new ImageFolder(root, temporary);
}

class ImageFolder implements ImageStore {
  readonly #root: string;
  readonly #temporary: string;
  readonly #ownerFile: string;
  readonly #failure = Promise.withResolvers<Error>();
  readonly isRemote = false;
  readonly broken = this.#failure.promise;
  #isBroken = false;

  constructor(root: string, temporary: string) {
    this.#root = root;
    this.#temporary = temporary;
    this.#ownerFile = join(root, OWNER_FILE);
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(this.#root, name);
    if (path === undefined) throw new Error(`"${name}" is not the name of a stored file.`);
    if (this.#isBroken) throw new ImagesUnavailable('Image files cannot be stored because their disk has failed.');
    await this.#translated(async () => {
      // An identical upload may be an attempt to repair a damaged file.
      if (!(await holds(path, bytes))) await writeAtomically(this.#temporary, path, bytes);
      // Even if the file existed: a concurrent upload may have renamed it and not synced the folders yet.
      for (let level = dirname(path); level.length >= this.#root.length; level = dirname(level))
        await syncFolder(level);
    });
  }

  async has(name: string): Promise<boolean> {
    return (await this.sizeOf(name)) !== undefined;
  }

  async sizeOf(name: string): Promise<number | undefined> {
    const path = pathOf(this.#root, name);
    return path === undefined ? undefined : this.#translated(() => sizeOf(path));
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const path = pathOf(this.#root, name);
    return path === undefined ? undefined : this.#translated(() => unlessMissing(readFile(path)));
  }

  async open(name: string, part?: FilePart): Promise<StoredImage | undefined> {
    const path = pathOf(this.#root, name);
    const file = path === undefined ? undefined : await this.#translated(() => unlessMissing(open(path, 'r')));
    if (file === undefined) return undefined;
    try {
      const { size } = await file.stat();
      return {
        sizeBytes: size,
        read: () => file.createReadStream(part && { start: part.first, end: part.last }),
        close: () => file.close(),
      };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const path = pathOf(this.#root, name);
    if (path === undefined) return;
    await this.#translated(async () => {
      await rm(path, { force: true });
      if (imageOf(name) !== name) return;
      for (const other of (await unlessMissing(readdir(dirname(path)))) ?? [])
        if (imageOf(other) === name) await rm(join(dirname(path), other), { force: true });
    });
  }

  async *list(): AsyncGenerator<{ name: string; ageSeconds: number }> {
    for (const folder of [this.#root, join(this.#root, ATTACHMENTS)])
      for (const first of await pairsIn(folder))
        for (const second of await pairsIn(join(folder, first))) yield* this.#listPair(join(folder, first, second));
  }

  owner(): Promise<string | undefined> {
    return this.#translated(() => ownerIn(this.#ownerFile));
  }

  claim(owner: string, before: string | undefined): Promise<string | undefined> {
    return this.#translated(async () => {
      const now = await ownerIn(this.#ownerFile);
      if (now !== undefined && now !== before) return now;
      if (now !== undefined) await removeExpected(this.#ownerFile, before, this.#newTemporary());
      await createExclusively(this.#newTemporary(), this.#ownerFile, Buffer.from(`${owner}\n`));
      await syncFolder(this.#root);
      return ownerIn(this.#ownerFile);
    });
  }

  async check(): Promise<void> {
    const path = this.#newTemporary();
    try {
      await writeSynced(path, Buffer.from(path));
      if ((await readFile(path, 'utf8')) !== path)
        throw new Error(`${this.#temporary} returned different bytes than were written.`);
    } finally {
      await rm(path, { force: true });
    }
  }

  async *#listPair(folder: string): AsyncGenerator<{ name: string; ageSeconds: number }> {
    const listed = new Set<string>();
    // Sorted, so that images come before their thumbnails.
    for (const file of (await readdir(folder)).sort()) {
      const name = isAttachment(attachmentName(file)) ? attachmentName(file) : file;
      const originalName = originalOf(name);
      const path = pathOf(this.#root, name);
      if (originalName === undefined || listed.has(originalName) || path !== join(folder, file)) continue;
      const found = await unlessMissing(stat(path));
      if (found === undefined) continue;
      listed.add(originalName);
      yield { name: originalName, ageSeconds: ageSeconds(found.mtimeMs) };
    }
  }

  #newTemporary(): string {
    return join(this.#temporary, randomUUID());
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isDiskFailure(error)) {
        this.#isBroken = true;
        this.#failure.resolve(error as Error);
      }
      throw new ImagesUnavailable(`The image files cannot be used at present: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  }
}

/** Other errors (full disk, missing folder, no file descriptors) may be temporary and lose no data. */
function isDiskFailure(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'EIO' || syscall === 'fsync';
}

/** The subfolder of attachments. */
const ATTACHMENTS = 'files';

/** Returns undefined unless the name is that of a stored file, so that no name leads out of the folder. */
function pathOf(root: string, name: string): string | undefined {
  if (originalOf(name) === undefined) return undefined;
  const hash = hashIn(name);
  const pairs = [hash.slice(0, 2), hash.slice(2, 4)];
  return isAttachment(name) ? join(root, ATTACHMENTS, ...pairs, hash) : join(root, ...pairs, name);
}

/**
 * Writes a file atomically. The temporary file is created first: if the folder has vanished (an unmounted volume), this
 * fails before anything is written to the mount point.
 */
async function writeAtomically(temporary: string, path: string, bytes: Uint8Array): Promise<void> {
  const draft = join(temporary, randomUUID());
  try {
    await writeSynced(draft, bytes);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // The first failure is the one to report.
    throw error;
  }
}

async function ownerIn(path: string): Promise<string | undefined> {
  return (await unlessMissing(readFile(path, 'utf8')))?.trim();
}

/** Removes the file if it has the expected content. Renaming ensures that only one of several callers succeeds. */
async function removeExpected(path: string, expected: string | undefined, aside: string): Promise<void> {
  if ((await unlessMissing(rename(path, aside).then(() => true))) === undefined) return;
  if ((await ownerIn(aside)) !== expected) await createExclusively(`${aside}-back`, path, await readFile(aside));
  await rm(aside);
}

/** Errors of file systems that do not support hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/** Creates a file unless it exists, atomically. Without hard links, a concurrent reader may see it empty. */
async function createExclusively(draft: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeSynced(draft, bytes);
    await link(draft, path).catch((error) =>
      NO_LINKS.has(error.code) ? writeSynced(path, bytes) : Promise.reject(error),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs a folder, so that names in it survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function makeFolder(path: string): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = path; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function removeLeftovers(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name);
    const found = await unlessMissing(stat(path));
    if (found !== undefined && ageSeconds(found.mtimeMs) > TEMPORARY_AGE_SECONDS_MAX) {
      await rm(path, { force: true, recursive: true });
    }
  }
}

async function pairsIn(folder: string): Promise<string[]> {
  return ((await unlessMissing(readdir(folder))) ?? []).filter((name) => /^[0-9a-f]{2}$/.test(name));
}

/** Compares a file with bytes. An unreadable file counts as different; writing it again reveals a disk failure. */
async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  let compared = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (!chunk.equals(bytes.subarray(compared, compared + chunk.length))) return false;
      compared += chunk.length;
    }
  } catch {
    return false;
  }
  return compared === bytes.byteLength;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await unlessMissing(stat(path)))?.size;
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function ageSeconds(changedMilliseconds: number): number {
  return Math.max(0, (Date.now() - changedMilliseconds) / 1000);
}
