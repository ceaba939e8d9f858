/** The promises of every image store, and those of the folder alone. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openImageFolder } from '../../src/adapters/images-disk/index.ts';
import { type ImageStore, ImagesUnavailable } from '../../src/engine/ports.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const stores: { name: string; open: () => Promise<ImageStore> }[] = [
  { name: 'a folder', open: async () => openImageFolder(await newFolder()) },
];

for (const { name, open } of stores) describe(`the image store in ${name}`, () => promises(open));

function promises(open: () => Promise<ImageStore>): void {
  test('gives back what was put, and nothing before', async () => {
    const store = await open();
    const { name, bytes } = file('jpg');
    assert.equal(await store.has(name), false);
    assert.equal(await store.get(name), undefined);
    await store.put(name, bytes);
    assert.equal(await store.has(name), true);
    assert.deepEqual(Buffer.from((await store.get(name))!), bytes);
  });

  test('keeps all five kinds, and an empty and a large file', async () => {
    const store = await open();
    const files = [
      ...['jpg', 'png', 'gif', 'webp', 'avif'].map((extension) => file(extension)),
      file('png', Buffer.alloc(0)),
      file('png', randomBytes(20_000_000)),
    ];
    for (const { name, bytes } of files) await store.put(name, bytes);
    for (const { name, bytes } of files) assert.ok(bytes.equals((await store.get(name))!), name);
  });

  test('reads an open file in parts, though it is removed meanwhile', async () => {
    const store = await open();
    const { name, bytes } = file('png', randomBytes(300_000));
    assert.equal(await store.open(name), undefined);
    await store.put(name, bytes);
    for (const [first, last] of [
      [0, 299_999],
      [0, 0],
      [299_999, 299_999],
      [100_000, 199_999],
    ] as const) {
      const image = (await store.open(name))!;
      assert.equal(image.sizeBytes, 300_000);
      await store.remove(name);
      const pieces = await Array.fromAsync(image.read(first, last));
      assert.ok(Buffer.concat(pieces).equals(bytes.subarray(first, last + 1)), `${first}-${last}`);
      assert.ok(
        pieces.every((piece) => piece.byteLength <= 65_536),
        'in small pieces',
      );
      await store.put(name, bytes);
    }
    await (await store.open(name))!.close();
  });

  test('takes a view into a larger buffer for what it shows', async () => {
    const store = await open();
    const { name, bytes } = file('png', randomBytes(3000).subarray(1000, 2000));
    await store.put(name, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    assert.ok(bytes.equals((await store.get(name))!));
  });

  test('the same name again changes nothing', async () => {
    const store = await open();
    const { name, bytes } = file('gif');
    await store.put(name, bytes);
    await store.put(name, bytes);
    assert.ok(bytes.equals((await store.get(name))!));
    assert.deepEqual(await namesIn(store), [name]);
  });

  test('many puts at once, of the same and of other names, all succeed', async () => {
    const store = await open();
    const files = Array.from({ length: 20 }, () => file('webp'));
    await Promise.all([...files, ...files, ...files].map(({ name, bytes }) => store.put(name, bytes)));
    assert.deepEqual(await namesIn(store), files.map(({ name }) => name).sort());
    for (const { name, bytes } of files) assert.ok(bytes.equals((await store.get(name))!));
  });

  test('whoever reads while it is put sees the whole file or none', async () => {
    const store = await open();
    const { name, bytes } = file('avif', randomBytes(5_000_000));
    let written = false;
    const writing = store.put(name, bytes).then(() => {
      written = true;
    });
    while (!written) {
      const seen = await store.get(name);
      assert.ok(seen === undefined || bytes.equals(seen));
    }
    await writing;
  });

  test('removes a file, and one that is not there without complaint', async () => {
    const store = await open();
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    await store.remove(name);
    await store.remove(name);
    assert.equal(await store.has(name), false);
    assert.equal(await store.get(name), undefined);
    assert.deepEqual(await namesIn(store), []);
    await store.put(name, bytes);
    assert.equal(await store.has(name), true);
  });

  test('lists every file with its age', async () => {
    const store = await open();
    const files = Array.from({ length: 30 }, () => file('png'));
    for (const { name, bytes } of files) await store.put(name, bytes);
    assert.deepEqual(await namesIn(store), files.map(({ name }) => name).sort());
    for await (const { ageSeconds } of store.list()) assert.ok(ageSeconds >= 0 && ageSeconds < 600, `${ageSeconds}`);
  });

  test('remembers whose it is, and changes its mind only for who knows its last word', async () => {
    const store = await open();
    assert.equal(await store.owner(), undefined);
    assert.equal(await store.claim('one', undefined), 'one');
    assert.equal(await store.claim('another', undefined), 'one');
    assert.equal(await store.claim('another', 'nobody'), 'one');
    assert.equal(await store.claim('one', undefined), 'one');
    assert.equal(await store.owner(), 'one');
    assert.equal(await store.claim('another', 'one'), 'another');
    assert.equal(await store.claim('one', 'one'), 'another');
    assert.equal(await store.owner(), 'another');
    assert.equal(await store.claim('another', 'another'), 'another');
  });

  for (const before of [undefined, 'nobody'])
    test(`of many that claim it at once one gets it, and all hear which (before: ${before})`, async () => {
      for (let round = 0; round < 20; round += 1) {
        const store = await open();
        if (before !== undefined) assert.equal(await store.claim(before, undefined), before);
        const names = Array.from({ length: 8 }, (_, index) => `store ${index}`);
        const heard = await Promise.all(names.map((name) => store.claim(name, before)));
        const owner = await store.owner();
        assert.ok(owner !== undefined && names.includes(owner), String(owner));
        assert.deepEqual(new Set(heard), new Set([owner]));
      }
    });

  test('whose it is concerns no file', async () => {
    const store = await open();
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    await store.claim('one', undefined);
    assert.deepEqual(await namesIn(store), [name]);
    assert.equal(await store.get('belongs-to'), undefined);
    await store.remove('belongs-to');
    assert.equal(await store.owner(), 'one');
  });

  test('answers the check', async () => {
    const store = await open();
    await store.check();
    assert.deepEqual(await namesIn(store), []);
  });

  const hash = 'a'.repeat(64);
  // biome-ignore format: a table
  const badNames = [
    '', '.', '..', '/', 'a.jpg', `${hash}`, `${hash}.`, `${hash}.svg`, `${hash}.jpeg`, `${hash}.JPG`, `${hash}.jpg\n`,
    `${hash}.jpg/`, `${hash}.jpg\0`, `${hash}.png.exe`, `${'A'.repeat(64)}.jpg`, `${'g'.repeat(64)}.jpg`,
    `${'a'.repeat(63)}.jpg`, `${'a'.repeat(65)}.jpg`, `/${hash}.jpg`, `../${hash}.jpg`, `..\\${hash}.jpg`,
    `../../../../../../tmp/${hash}.jpg`, `%2e%2e/${hash}.jpg`, `ab/cd/${hash}.jpg`, 'tmp', `tmp/${hash}.jpg`,
    `\u202e${hash}.jpg`, `${'a'.repeat(300)}.jpg`,
  ];
  for (const name of badNames) {
    test(`${JSON.stringify(name.slice(0, 80))} is no name of an image`, async () => {
      const store = await open();
      await assert.rejects(store.put(name, Buffer.from('x')), /not the name of an image file/);
      assert.equal(await store.has(name), false);
      assert.equal(await store.get(name), undefined);
      assert.equal(await store.open(name), undefined);
      await store.remove(name);
      assert.deepEqual(await namesIn(store), []);
    });
  }
}

describe('the folder', () => {
  test('is made when it is not there, parents too', async () => {
    const folder = join(await newFolder(), 'var', 'store', 'images');
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    assert.ok(bytes.equals(await readFile(join(folder, name.slice(0, 2), name.slice(2, 4), name))));
  });

  test('keeps its files from other users, and leaves nothing in tmp', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    await store.check();
    const { mode } = await stat(join(folder, name.slice(0, 2), name.slice(2, 4), name));
    assert.equal(mode & 0o177, 0, mode.toString(8));
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });

  test('says whose it is in a file that a person can read and write, and leaves nothing in tmp', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    await store.claim('one', undefined);
    assert.equal(await readFile(join(folder, 'belongs-to'), 'utf8'), 'one\n');
    await writeFile(join(folder, 'belongs-to'), 'nobody\n');
    assert.equal(await store.owner(), 'nobody');
    assert.equal(await (await openImageFolder(folder)).claim('another', 'nobody'), 'another');
    await store.claim('third', 'nobody');
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });

  test('holds what an earlier opening put', async () => {
    const folder = await newFolder();
    const { name, bytes } = file('jpg');
    await (await openImageFolder(folder)).put(name, bytes);
    const reopened = await openImageFolder(folder);
    assert.ok(bytes.equals((await reopened.get(name))!));
    assert.deepEqual(await namesIn(reopened), [name]);
  });

  test('does not write an existing file anew, but replaces one that is not whole', async () => {
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

  test('opening removes from tmp what is older than an hour and leaves what may be in work', async () => {
    const folder = await newFolder();
    await openImageFolder(folder);
    await writeFile(join(folder, 'tmp', 'old'), 'x');
    await writeFile(join(folder, 'tmp', 'young'), 'x');
    await writeFile(join(folder, 'tmp', 'hardly young'), 'x');
    await changedAgo(join(folder, 'tmp', 'old'), 3700);
    await changedAgo(join(folder, 'tmp', 'hardly young'), 3500);
    await openImageFolder(folder);
    assert.deepEqual((await readdir(join(folder, 'tmp'))).sort(), ['hardly young', 'young']);
  });

  test('lists images only, whatever else lies about, with the age of the file', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    const place = join(folder, name.slice(0, 2), name.slice(2, 4));
    const misplaced = `${name.startsWith('0') ? '1' : '0'}${name.slice(1)}`;
    await writeFile(join(folder, 'README'), 'x');
    await writeFile(join(place, 'Thumbs.db'), 'x');
    await writeFile(join(place, misplaced), 'x');
    await changedAgo(join(place, name), 90_000);
    const listed = [];
    for await (const entry of store.list()) listed.push(entry);
    assert.deepEqual(
      listed.map((entry) => entry.name),
      [name],
    );
    assert.ok(listed[0]!.ageSeconds > 89_000 && listed[0]!.ageSeconds < 91_000);
  });

  test('once removed, fails writes and the check with the code of the system, and comes to no new life', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    await rm(folder, { recursive: true });
    const { name, bytes } = file('jpg');
    await assert.rejects(store.put(name, bytes), ImagesUnavailable);
    await assert.rejects(store.check(), { code: 'ENOENT' });
    assert.equal(await store.get(name), undefined);
    await assert.rejects(stat(folder), { code: 'ENOENT' });
  });

  test('a put that fails half-way leaves nothing in tmp', async () => {
    const folder = await newFolder();
    const store = await openImageFolder(folder);
    const { name, bytes } = file('jpg');
    // A folder in the file's place lets everything succeed but the last step.
    await mkdir(join(folder, name.slice(0, 2), name.slice(2, 4), name, 'in the way'), { recursive: true });
    await assert.rejects(
      store.put(name, bytes),
      (error) => error instanceof ImagesUnavailable && /rename/.test(error.message),
    );
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });
});

function file(extension: string, bytes: Buffer = randomBytes(1000)): { name: string; bytes: Buffer } {
  return { name: `${createHash('sha256').update(bytes).digest('hex')}.${extension}`, bytes };
}

async function namesIn(store: ImageStore): Promise<string[]> {
  const names = [];
  for await (const { name } of store.list()) names.push(name);
  return names.sort();
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'image-store-'));
  folders.push(folder);
  return folder;
}

async function changedAgo(path: string, seconds: number): Promise<void> {
  const then = new Date(Date.now() - seconds * 1000);
  await utimes(path, then, then);
}
