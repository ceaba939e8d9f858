/**
 * Image files in a folder of this machine: `<folder>/ab/cd/<name>`, written beside it in `<folder>/tmp` first. The text
 * file `<folder>/belongs-to` says whose they are. A file that `put` has acknowledged survives a power cut. That the
 * bytes hash to the name is the caller's word, and two folders on two machines are not kept alike. After a failed fsync
 * nothing more is put: the system forgets what it could not write, so another try would succeed and mean nothing.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ImageStore, ImagesUnavailable, imageOf } from '../../engine/ports.ts';

/** A person may read it and write it. */
export const OWNER_FILE = 'belongs-to';

/** Longer than any upload takes, so what is older was left behind by a crash. */
const TEMPORARY_AGE_SECONDS_MAX = 3600;

/** Opens the folder, making it when it is not there, and removes what a crash left in `tmp`. */
export async function openImageFolder(folder: string): Promise<ImageStore> {
  const root = resolve(folder);
  const temporary = join(root, 'tmp');
  const ownerFile = join(root, OWNER_FILE);
  await makeFolder(temporary);
  if ((await stat(root)).dev !== (await stat(temporary)).dev) {
    throw new Error(`${temporary} is on another file system than ${root}; files could not be moved in one step.`);
  }
  await removeLeftovers(temporary);
  const breakage = Promise.withResolvers<Error>();
  let isBroken = false;

  return {
    isRemote: false,
    broken: breakage.promise,

    async put(name, bytes) {
      const path = pathOf(root, name);
      if (path === undefined) throw new Error(`"${name}" is not the name of an image file.`);
      if (isBroken) throw new ImagesUnavailable('Image files are not written any more, because their disk has failed.');
      await answering(async () => {
        // A client may send a picture again because the file is damaged.
        if (!(await holds(path, bytes))) await writeWhole(temporary, path, bytes);
        // Also when the file was there: another upload may have renamed it a moment ago and not come this far yet.
        for (const level of [dirname(path), dirname(dirname(path)), root]) await syncFolder(level);
      });
    },

    async has(name) {
      const path = pathOf(root, name);
      return path !== undefined && (await answering(() => sizeOf(path))) !== undefined;
    },

    async sizeOf(name) {
      const path = pathOf(root, name);
      return path === undefined ? undefined : answering(() => sizeOf(path));
    },

    async get(name) {
      const path = pathOf(root, name);
      return path === undefined ? undefined : await answering(() => unlessMissing(readFile(path)));
    },

    async open(name, part) {
      const path = pathOf(root, name);
      const file = path === undefined ? undefined : await answering(() => unlessMissing(open(path, 'r')));
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
    },

    async remove(name) {
      const path = pathOf(root, name);
      if (path === undefined) return;
      await answering(async () => {
        await rm(path, { force: true });
        if (imageOf(name) !== name) return;
        for (const other of (await unlessMissing(readdir(dirname(path)))) ?? [])
          if (imageOf(other) === name) await rm(join(dirname(path), other), { force: true });
      });
    },

    async *list() {
      for (const first of await pairsIn(root)) {
        for (const second of await pairsIn(join(root, first))) {
          const names = await readdir(join(root, first, second));
          const listed = new Set<string>();
          // Pictures before their thumbnails.
          for (const name of names.sort()) {
            const originalName = imageOf(name);
            const path = pathOf(root, name);
            if (originalName === undefined || listed.has(originalName) || path !== join(root, first, second, name))
              continue;
            const found = await unlessMissing(stat(path));
            if (found === undefined) continue;
            listed.add(originalName);
            yield { name: originalName, ageSeconds: ageSeconds(found.mtimeMs) };
          }
        }
      }
    },

    owner: () => answering(() => ownerIn(ownerFile)),

    claim: (owner, before) =>
      answering(async () => {
        const now = await ownerIn(ownerFile);
        if (now !== undefined && now !== before) return now;
        if (now !== undefined) await takeAway(ownerFile, before, join(temporary, randomUUID()));
        await writeFirst(join(temporary, randomUUID()), ownerFile, Buffer.from(`${owner}\n`));
        await syncFolder(root);
        return ownerIn(ownerFile);
      }),

    async check() {
      const path = join(temporary, randomUUID());
      try {
        await writeSynced(path, Buffer.from(path));
        if ((await readFile(path, 'utf8')) !== path)
          throw new Error(`${temporary} gives back other bytes than it took.`);
      } finally {
        await rm(path, { force: true });
      }
    },
  };

  async function answering<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isDiskFailure(error)) {
        isBroken = true;
        breakage.resolve(error as Error);
      }
      throw new ImagesUnavailable(`The image files cannot be used now: ${(error as Error).message}.`, { cause: error });
    }
  }
}

/** Any other (a full disk, a folder that is away, no descriptors left) may pass, and has lost nothing. */
function isDiskFailure(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'EIO' || syscall === 'fsync';
}

/** Undefined for what is no image's name, so that no name can lead out of the folder. */
function pathOf(root: string, name: string): string | undefined {
  return imageOf(name) !== undefined ? join(root, name.slice(0, 2), name.slice(2, 4), name) : undefined;
}

/**
 * Under its name there is the whole file or none. The temporary file comes first: where the folder has vanished (a
 * volume no longer mounted) that fails, and nothing is written into the empty place below.
 */
async function writeWhole(temporary: string, path: string, bytes: Uint8Array): Promise<void> {
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

/** By renaming, which of several only one can do. Another word, said a moment ago, is put back. */
async function takeAway(path: string, expected: string | undefined, aside: string): Promise<void> {
  if ((await unlessMissing(rename(path, aside).then(() => true))) === undefined) return;
  if ((await ownerIn(aside)) !== expected) await writeFirst(`${aside}-back`, path, await readFile(aside));
  await rm(aside);
}

/** On some file systems a file cannot have two names. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/** Does nothing where the file is there. Whoever comes second finds it whole; without links, perhaps still empty. */
async function writeFirst(draft: string, path: string, bytes: Uint8Array): Promise<void> {
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

/** Makes a folder's entries last: a name is lost in a power cut until the folder that holds it is synced. */
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
  return (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
}

/** A file that cannot be read is written anew, and that tells when it is the disk's fault. */
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
