/** The contract of `ImageStore`: tests that every implementation must pass. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { ImageStore } from '../../src/engine/ports.ts';

interface Limitations {
  /** Why writes are not atomic. */
  readonly nonAtomic?: string;
  /** How often the race for the ownership of a store runs. */
  readonly races?: number;
}

export function testImageStoreContract(
  open: () => Promise<ImageStore>,
  { nonAtomic, races = 20 }: Limitations = {},
): void {
  test('returns no file before put, and its bytes after', async () => {
    const store = await open();
    const { name, bytes } = file('jpg');
    assert.equal(await store.has(name), false);
    assert.equal(await store.get(name), undefined);
    await store.put(name, bytes);
    assert.equal(await store.has(name), true);
    assert.deepEqual(Buffer.from((await store.get(name))!), bytes);
  });

  test('stores files of all five formats, an empty file and a file of 20 MB', async () => {
    const store = await open();
    const files = [
      ...['jpg', 'png', 'gif', 'webp', 'avif'].map((extension) => file(extension)),
      file('png', Buffer.alloc(0)),
      file('png', randomBytes(20_000_000)),
    ];
    for (const { name, bytes } of files) await store.put(name, bytes);
    for (const { name, bytes } of files) assert.ok(bytes.equals((await store.get(name))!), name);
  });

  test('reads an open file in chunks, even if the file is removed meanwhile', async () => {
    const store = await open();
    const { name, bytes } = file('png', randomBytes(300_000));
    assert.equal(await store.open(name), undefined);
    assert.equal(await store.open(name, { first: 0, last: 9 }), undefined);
    assert.equal(await store.sizeOf(name), undefined);
    await store.put(name, bytes);
    assert.equal(await store.sizeOf(name), 300_000);
    for (const [first, last] of [
      [0, 299_999],
      [0, 0],
      [299_999, 299_999],
      [100_000, 199_999],
    ] as const) {
      const isWhole = last - first === 299_999;
      const image = (await store.open(name, isWhole ? undefined : { first, last }))!;
      assert.equal(image.sizeBytes, 300_000);
      await store.remove(name);
      const chunks = await Array.fromAsync(image.read());
      assert.ok(Buffer.concat(chunks).equals(bytes.subarray(first, last + 1)), `${first}-${last}`);
      assert.ok(
        chunks.every((chunk) => chunk.byteLength <= 131_072),
        'chunks have at most 128 KiB',
      );
      await store.put(name, bytes);
    }
    await (await store.open(name))!.close();
  });

  test('stores only the viewed part of a larger buffer', async () => {
    const store = await open();
    const { name, bytes } = file('png', randomBytes(3000).subarray(1000, 2000));
    await store.put(name, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    assert.ok(bytes.equals((await store.get(name))!));
  });

  test('stores a file once if it is put twice', async () => {
    const store = await open();
    const { name, bytes } = file('gif');
    await store.put(name, bytes);
    await store.put(name, bytes);
    assert.ok(bytes.equals((await store.get(name))!));
    assert.deepEqual(await namesIn(store), [name]);
  });

  test('accepts many concurrent puts of the same and of different names', async () => {
    const store = await open();
    const files = Array.from({ length: 20 }, () => file('webp'));
    await Promise.all([...files, ...files, ...files].map(({ name, bytes }) => store.put(name, bytes)));
    assert.deepEqual(await namesIn(store), files.map(({ name }) => name).sort());
    for (const { name, bytes } of files) assert.ok(bytes.equals((await store.get(name))!));
  });

  test('returns the complete file or none while it is being put', { skip: nonAtomic ?? false }, async () => {
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

  test('removes a file, and ignores the removal of a missing file', async () => {
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

  test('removes thumbnails with their image, and lists only images', async () => {
    const store = await open();
    const [one, other] = [file('png'), file('png')];
    const thumbnail = `${one.name}.320.webp`;
    await store.put(one.name, one.bytes);
    await store.put(other.name, other.bytes);
    for (const name of [thumbnail, `${one.name}.1280.avif`, `${other.name}.160.png`])
      await store.put(name, Buffer.from(name));
    assert.deepEqual(await namesIn(store), [one.name, other.name].sort());
    assert.equal(Buffer.from((await store.get(thumbnail))!).toString(), thumbnail);
    await store.remove(`${one.name}.1280.avif`);
    assert.equal(await store.has(`${one.name}.1280.avif`), false);
    await store.remove(one.name);
    assert.equal(await store.has(thumbnail), false);
    assert.ok(await store.has(`${other.name}.160.png`));
    assert.deepEqual(await namesIn(store), [other.name]);
    // As if the thumbnail was generated while its image was removed.
    await store.put(thumbnail, Buffer.from('left'));
    assert.deepEqual(await namesIn(store), [one.name, other.name].sort());
    await store.remove(one.name);
    assert.equal(await store.has(thumbnail), false);
  });

  test('lists every file with its age in seconds', async () => {
    const store = await open();
    const files = Array.from({ length: 30 }, () => file('png'));
    for (const { name, bytes } of files) await store.put(name, bytes);
    assert.deepEqual(await namesIn(store), files.map(({ name }) => name).sort());
    for await (const { ageSeconds } of store.list()) assert.ok(ageSeconds >= 0 && ageSeconds < 600, `${ageSeconds}`);
  });

  test('stores its owner, and changes it only for a caller that names the current owner', async () => {
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
    test(`grants one of eight concurrent claims and returns its owner to all (owner before: ${before})`, {
      skip: nonAtomic ?? false,
    }, async () => {
      for (let round = 0; round < races; round += 1) {
        const store = await open();
        if (before !== undefined) assert.equal(await store.claim(before, undefined), before);
        const names = Array.from({ length: 8 }, (_, index) => `store ${index}`);
        const returned = await Promise.all(names.map((name) => store.claim(name, before)));
        const owner = await store.owner();
        assert.ok(owner !== undefined && names.includes(owner), String(owner));
        assert.deepEqual(new Set(returned), new Set([owner]));
      }
    });

  test('does not list, read or remove the record of its owner as a file', async () => {
    const store = await open();
    const { name, bytes } = file('jpg');
    await store.put(name, bytes);
    await store.claim('one', undefined);
    assert.deepEqual(await namesIn(store), [name]);
    assert.equal(await store.get('belongs-to'), undefined);
    await store.remove('belongs-to');
    assert.equal(await store.owner(), 'one');
  });

  test('passes its check without leaving a file', async () => {
    const store = await open();
    await store.check();
    assert.deepEqual(await namesIn(store), []);
  });

  test('stores attachments apart from images, also one with the content of an image', async () => {
    const store = await open();
    const image = file('png');
    const attachments = [`files/${image.name.split('.')[0]}`, attachment(), attachment(), `files/${'ab'.repeat(32)}`];
    await store.put(image.name, image.bytes);
    for (const name of attachments) await store.put(name, Buffer.from(name));
    await store.put(attachments[0]!, Buffer.from(attachments[0]!));
    assert.deepEqual(await namesIn(store), [image.name, ...attachments].sort());
    for await (const { ageSeconds } of store.list()) assert.ok(ageSeconds >= 0 && ageSeconds < 600, `${ageSeconds}`);
    for (const name of attachments) {
      assert.equal(await store.sizeOf(name), name.length);
      assert.equal(Buffer.from((await store.get(name))!).toString(), name);
      const part = (await store.open(name, { first: 1, last: 3 }))!;
      assert.deepEqual(
        [part.sizeBytes, Buffer.concat(await Array.fromAsync(part.read())).toString()],
        [name.length, 'ile'],
      );
    }
    await store.remove(image.name);
    assert.deepEqual(await namesIn(store), [...attachments].sort());
    await store.remove(attachments[0]!);
    await store.remove(attachments[0]!);
    assert.equal(await store.has(attachments[0]!), false);
    assert.equal(await store.open(attachments[0]!), undefined);
    assert.deepEqual(await namesIn(store), attachments.slice(1).sort());
  });

  const hash = 'a'.repeat(64);
  // biome-ignore format: a table
  const badNames = [
    '', '.', '..', '/', 'a.jpg', `${hash}`, `${hash}.`, `${hash}.svg`, `${hash}.jpeg`, `${hash}.JPG`, `${hash}.jpg\n`,
    `${hash}.jpg/`, `${hash}.jpg\0`, `${hash}.png.exe`, `${'A'.repeat(64)}.jpg`, `${'g'.repeat(64)}.jpg`,
    `${'a'.repeat(63)}.jpg`, `${'a'.repeat(65)}.jpg`, `/${hash}.jpg`, `../${hash}.jpg`, `..\\${hash}.jpg`,
    `../../../../../../tmp/${hash}.jpg`, `%2e%2e/${hash}.jpg`, `ab/cd/${hash}.jpg`, 'tmp', `tmp/${hash}.jpg`,
    `files/${hash}.jpg`, `files/${hash}/`, `files/../${hash}`, `files/files/${hash}`, `/files/${hash}`, 'files/', `files/${'A'.repeat(64)}`,
    `\u202e${hash}.jpg`, `${hash}.jpg.320`, `${hash}.jpg.0.webp`, `${hash}.jpg.320.svg`, `${hash}.jpg.12345.webp`, `${'a'.repeat(300)}.jpg`,
  ];
  for (const name of badNames) {
    test(`rejects ${JSON.stringify(name.slice(0, 80))} as the name of a file`, async () => {
      const store = await open();
      await assert.rejects(store.put(name, Buffer.from('x')), /not the name of a stored file/);
      assert.equal(await store.has(name), false);
      assert.equal(await store.get(name), undefined);
      assert.equal(await store.open(name), undefined);
      assert.equal(await store.sizeOf(name), undefined);
      await store.remove(name);
      assert.deepEqual(await namesIn(store), []);
    });
  }
}

function attachment(): string {
  return `files/${createHash('sha256').update(randomBytes(9)).digest('hex')}`;
}

export function file(extension: string, bytes: Buffer = randomBytes(1000)): { name: string; bytes: Buffer } {
  return { name: `${createHash('sha256').update(bytes).digest('hex')}.${extension}`, bytes };
}

export async function namesIn(store: ImageStore): Promise<string[]> {
  const names = [];
  for await (const { name } of store.list()) names.push(name);
  return names.sort();
}
