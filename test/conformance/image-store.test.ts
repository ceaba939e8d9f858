/** The image store contract on a folder, and tests that are specific to folders. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openImageFolder } from '../../src/adapters/images-disk/index.ts';
import { ImagesUnavailable } from '../../src/engine/ports.ts';
import { file, namesIn, testImageStoreContract } from '../support/image-store-contract.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe('the image store in a folder', () => testImageStoreContract(async () => openImageFolder(await newFolder())));

describe('an image folder', () => {
  test('is created with its parents', async () => {
    const folder = join(await newFolder(), 'var', 'store', 'images');
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    assert.ok(bytes.equals(await readFile(join(folder, name.slice(0, 2), name.slice(2, 4), name))));
  });

  test('is readable only by its user and leaves no temporary files', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    await store.check();
    const { mode } = await stat(join(folder, name.slice(0, 2), name.slice(2, 4), name));
    assert.equal(mode & 0o177, 0, mode.toString(8));
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });

  test('stores its owner in an editable text file and leaves no temporary files', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    await store.claim('one', undefined);
    assert.equal(await readFile(join(folder, 'belongs-to'), 'utf8'), 'one\n');
    await writeFile(join(folder, 'belongs-to'), 'other\n');
    assert.equal(await store.owner(), 'other');
    assert.equal(await (await openImageFolder(folder)).claim('second', 'other'), 'second');
    await store.claim('third', 'other');
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });

  test('contains files from before it was reopened', async () => {
    const folder = await newFolder();
    const { name, bytes } = file('jpg');
    await (await openImageFolder(folder)).put(name, bytes);
    const reopened = await openImageFolder(folder);
    assert.ok(bytes.equals((await reopened.get(name))!));
    assert.deepEqual(await namesIn(reopened), [name]);
  });

  test('does not rewrite an existing file, but replaces a damaged one', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    const path = join(folder, name.slice(0, 2), name.slice(2, 4), name);
    await store.put(name, bytes);
    const before = await stat(path);
    await store.put(name, bytes);
    assert.equal((await stat(path)).ino, before.ino);
    const flipped = Buffer.from(bytes);
    flipped[500]! ^= 1;
    for (const damaged of [bytes.subarray(0, 10), Buffer.concat([bytes, bytes]), flipped, Buffer.alloc(0)]) {
      await writeFile(path, damaged);
      await store.put(name, bytes);
      assert.ok(bytes.equals(await readFile(path)));
    }
  });

  test('removes temporary files older than an hour when it is opened', async () => {
    const folder = await newFolder();
    await openImageFolder(folder);
    await writeFile(join(folder, 'tmp', 'old'), 'x');
    await writeFile(join(folder, 'tmp', 'young'), 'x');
    await writeFile(join(folder, 'tmp', 'almost old'), 'x');
    await changedAgo(join(folder, 'tmp', 'old'), 3700);
    await changedAgo(join(folder, 'tmp', 'almost old'), 3500);
    await openImageFolder(folder);
    assert.deepEqual((await readdir(join(folder, 'tmp'))).sort(), ['almost old', 'young']);
  });

  test('lists only images, with the age of each file', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    const directory = join(folder, name.slice(0, 2), name.slice(2, 4));
    const misplaced = `${name.startsWith('0') ? '1' : '0'}${name.slice(1)}`;
    await writeFile(join(folder, 'README'), 'x');
    await writeFile(join(directory, 'Thumbs.db'), 'x');
    await writeFile(join(directory, misplaced), 'x');
    await changedAgo(join(directory, name), 90_000);
    const listed = [];
    for await (const entry of store.list()) listed.push(entry);
    assert.deepEqual(
      listed.map((entry) => entry.name),
      [name],
    );
    assert.ok(listed[0]!.ageSeconds > 89_000 && listed[0]!.ageSeconds < 91_000);
  });

  test('fails writes and checks after its removal, and is not created again', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    await rm(folder, { recursive: true });
    const { name, bytes } = file('jpg');
    await assert.rejects(store.put(name, bytes), ImagesUnavailable);
    await assert.rejects(store.check(), { code: 'ENOENT' });
    assert.equal(await store.get(name), undefined);
    await assert.rejects(stat(folder), { code: 'ENOENT' });
  });

  test('leaves no temporary file after a failed write', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    // A directory with the file's name makes only the final rename fail.
    await mkdir(join(folder, name.slice(0, 2), name.slice(2, 4), name, 'in the way'), { recursive: true });
    await assert.rejects(
      store.put(name, bytes),
      (error) => error instanceof ImagesUnavailable && /rename/.test(error.message),
    );
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'image-store-'));
  folders.push(folder);
  return folder;
}

async function changedAgo(path: string, seconds: number): Promise<void> {
  const then = new Date(Date.now() - seconds * 1000);
  await utimes(path, then, then);
}
