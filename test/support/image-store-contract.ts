/** The promises of every image store; a store's own tests are where it is opened. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { ImageStore } from '../../src/engine/ports.ts';

interface Peculiarities {
  /** Why no write is seen whole or not at all. */
  readonly tears?: string;
  /** So often the race for a store is run. */
  readonly races?: number;
}

export function promises(open: () => Promise<ImageStore>, { tears, races = 20 }: Peculiarities = {}): void {
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
      const pieces = await Array.fromAsync(image.read());
      assert.ok(Buffer.concat(pieces).equals(bytes.subarray(first, last + 1)), `${first}-${last}`);
      assert.ok(
        pieces.every((piece) => piece.byteLength <= 131_072),
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

  test('whoever reads while it is put sees the whole file or none', { skip: tears ?? false }, async () => {
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

  test('keeps thumbnails with their picture, and lists pictures alone', async () => {
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
    // As a thumbnail that was made while its picture went.
    await store.put(thumbnail, Buffer.from('left'));
    assert.deepEqual(await namesIn(store), [one.name, other.name].sort());
    await store.remove(one.name);
    assert.equal(await store.has(thumbnail), false);
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
    test(`of many that claim it at once one gets it, and all hear which (before: ${before})`, {
      skip: tears ?? false,
    }, async () => {
      for (let round = 0; round < races; round += 1) {
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
    `\u202e${hash}.jpg`, `${hash}.jpg.320`, `${hash}.jpg.0.webp`, `${hash}.jpg.320.svg`, `${hash}.jpg.12345.webp`, `${'a'.repeat(300)}.jpg`,
  ];
  for (const name of badNames) {
    test(`${JSON.stringify(name.slice(0, 80))} is no name of an image`, async () => {
      const store = await open();
      await assert.rejects(store.put(name, Buffer.from('x')), /not the name of an image file/);
      assert.equal(await store.has(name), false);
      assert.equal(await store.get(name), undefined);
      assert.equal(await store.open(name), undefined);
      assert.equal(await store.sizeOf(name), undefined);
      await store.remove(name);
      assert.deepEqual(await namesIn(store), []);
    });
  }
}

export function file(extension: string, bytes: Buffer = randomBytes(1000)): { name: string; bytes: Buffer } {
  return { name: `${createHash('sha256').update(bytes).digest('hex')}.${extension}`, bytes };
}

export async function namesIn(store: ImageStore): Promise<string[]> {
  const names = [];
  for await (const { name } of store.list()) names.push(name);
  return names.sort();
}
