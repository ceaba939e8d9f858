/** The command `purveyor images copy`, and backup, restore and check of a store with images on S3. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readS3Address } from '../../src/adapters/images-s3/address.ts';
import { openS3Images } from '../../src/adapters/images-s3/index.ts';
import { namesIn } from '../support/image-store-contract.ts';
import { attached, png } from '../support/images.ts';
import { s3Settings, startS3rver } from '../support/s3-server.ts';
import { Shop } from '../support/shop.ts';

const server = await startS3rver();
const shops: Shop[] = [];
after(async () => {
  for (const shop of shops) await shop.remove();
  await server.stop();
});

/** Settings of a store with its images below this prefix of the bucket. */
const s3 = (prefix: string) => s3Settings(server, prefix) as Record<string, string>;
const onS3 = (prefix: string) => openS3Images(readS3Address(s3(prefix).IMAGES_URL!)!, server.credentials);

async function open(settings: Record<string, string> = {}): Promise<Shop> {
  const shop = await Shop.make('sqlite', settings);
  shops.push(shop);
  return shop;
}

const { IMAGES_URL: target, ...key } = s3('copied');

test('images copy transfers images to S3 and back while the store is served', async () => {
  const shop = await open(key);
  await shop.serve();
  const { id } = await shop.made('/api/products', { sku: 'one', name: 'One' });
  const add = async () => (await shop.made(`/api/products/${id}/images`, await attached(png()))).url as string;
  const urls = [await add(), await add(), await add()];
  const names = urls.map((url) => url.split('/').at(-1)!).sort();
  await shop.request('GET', `/images/${names[0]}?width=160`);

  const first = await shop.run('images', 'copy', `file:${shop.imagesFolder}`, target!);
  assert.deepEqual([first.code, first.stderr.includes('Error')], [0, false], first.stderr);
  assert.match(first.stdout, /^Copied 3 images \([\d,]+ bytes\)\.\n$/);
  assert.deepEqual(await namesIn(onS3('copied')), names);

  // A repeated run copies only the missing image.
  await onS3('copied').remove(names[1]!);
  const second = await shop.run('images', 'copy', `file:${shop.imagesFolder}`, target!);
  assert.match(second.stdout, /^Copied 1 image \(\d+ bytes\); 2 already copied\.\n$/);

  const path = join(shop.imagesFolder, names[2]!.slice(0, 2), names[2]!.slice(2, 4), names[2]!);
  const bytes = await readFile(path);
  await onS3('copied').put(names[2]!, Buffer.alloc(bytes.length));
  const verified = await shop.run('images', 'copy', '--verify', `file:${shop.imagesFolder}`, target!);
  assert.match(verified.stdout, /^Copied 1 image \(\d+ bytes\); 2 already copied and verified\.\n$/);
  await writeFile(path, Buffer.alloc(bytes.length));
  await onS3('copied').remove(names[2]!);
  const damaged = await shop.run('images', 'copy', `file:${shop.imagesFolder}`, target!);
  assert.equal(damaged.code, 2);
  assert.match(damaged.stdout, /The image .* is not copied: its content is not what .*\n.*1 damaged, not copied/s);
  await writeFile(path, bytes);

  await shop.stop();
  const late = await shop.run('images', 'copy', `file:${shop.imagesFolder}`, target!);
  assert.match(late.stdout, /^Copied 1 image /);
  const moved = await Shop.make('sqlite', { ...key, IMAGES_URL: target!, DATABASE_URL: shop.database.url });
  shops.push(moved);
  await moved.serve();
  for (const name of names) assert.equal((await moved.request('GET', `/images/${name}`)).status, 200);

  const back = moved.path('back');
  const returned = await moved.run('images', 'copy', target!, `file:${back}`);
  assert.match(returned.stdout, /^Copied 3 images /);
  assert.ok((await readdir(back)).includes('belongs-to'));
  await moved.stop();
});

test('images copy rejects folders of other stores and invalid addresses', async () => {
  const shop = await open(key);
  await shop.serve();
  const other = await open(key);
  await other.serve();
  const [from, to] = [`file:${shop.imagesFolder}`, `file:${other.imagesFolder}`];
  const rejections = [
    [[from, to], /^The folder of TO, .* belongs to another store than the images of FROM\. Choose another target\.\n$/],
    [['nowhere', to], /^FROM must be file:FOLDER or s3:/],
    [[from, 's3://pictures/x?endpoint=ftp://y'], /^TO must be /],
    [[`file:${shop.path('gone')}`, to], /^The image folder \S+ does not exist\. /],
    [
      [from, target!.replace('pictures', 'nowhere')],
      /^The images of TO cannot be written safely: The S3 store .*Create the bucket first\.\n$/,
    ],
  ] as const;
  for (const [addresses, message] of rejections) {
    const { code, stderr } = await shop.run('images', 'copy', ...addresses);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});

test('the start fails with the reason if the S3 settings are wrong', async () => {
  const { IMAGES_URL: url } = s3('start');
  const starts = [
    [
      { IMAGES_URL: url! },
      /^IMAGES_URL names an S3 store\. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to its credentials\.\n$/,
    ],
    [
      { ...key, IMAGES_URL: url!, AWS_SECRET_ACCESS_KEY: 'wrong' },
      /^The images of IMAGES_URL cannot be written safely: The S3 store .*SignatureDoesNotMatch.*\. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the region\.\n$/,
    ],
    [
      { ...key, IMAGES_URL: url!, AWS_ACCESS_KEY_ID: 'nobody' },
      /InvalidAccessKeyId.*\. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\.\n$/,
    ],
    [{ ...key, IMAGES_URL: 's3://pictures/a?endpoint=http://127.0.0.1:1' }, /does not respond: .*ECONNREFUSED.*\.\n$/],
    [{ ...key, IMAGES_URL: 's3://pictures/a?endpoint=http://x/y' }, /^IMAGES_URL must be file:FOLDER or s3:\/\/BUCKET/],
    [{ IMAGES_PUBLIC_URL: 'https://x.example' }, /^IMAGES_PUBLIC_URL must be empty if IMAGES_URL names a folder/],
  ] as const;
  for (const [settings, message] of starts) {
    const shop = await open(settings);
    const { code, stderr } = await shop.run('serve');
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /wrong|S3RVER/);
  }
});

test('a store on S3 is backed up, checked, and restored to another prefix', async () => {
  const shop = await open(s3('first'));
  await shop.serve();
  const { id } = await shop.made('/api/products', { sku: 'one', name: 'One' });
  const { url } = await shop.made(`/api/products/${id}/images`, await attached(png()));
  const name = url.split('/').at(-1);
  const backup = await shop.run('backup', shop.path('backup'));
  assert.match(backup.stdout, /and 1 image as of/);
  assert.match((await shop.run('check')).stdout, /and 1 image: no faults found/);

  // A restore to the prefix of another store is rejected; a separate prefix works.
  const taken = await open(s3('first'));
  assert.match(
    (await taken.run('restore', shop.path('backup'))).stderr,
    /belongs to another store\. Set IMAGES_URL to a prefix in a bucket/,
  );
  const copy = await open(s3('second'));
  const restored = await copy.run('restore', shop.path('backup'));
  assert.equal(restored.code, 0, restored.stderr);
  await copy.serve();
  assert.equal((await copy.request('GET', `/images/${name}`)).status, 200);

  await onS3('first').remove(name);
  const lost = await shop.run('check');
  assert.equal(lost.code, 2);
  assert.match(lost.stdout, /The image .* of product \d+ is lost: there is no such file/);
});

test('image requests are redirected to a public bucket', async () => {
  const shop = await open({ ...s3('public'), IMAGES_PUBLIC_URL: 'https://cdn.example/public/' });
  await shop.serve();
  const { id } = await shop.made('/api/products', { sku: 'one', name: 'One' });
  const { url } = await shop.made(`/api/products/${id}/images`, await attached(png()));
  const path = new URL(url).pathname;
  const name = path.split('/').at(-1);
  const image = await shop.request('GET', path, { key: null });
  assert.deepEqual([image.status, image.headers.location], [302, `https://cdn.example/public/${name}`]);
  const thumbnail = await shop.request('GET', `${path}?width=160`, { key: null, headers: { accept: 'image/webp' } });
  assert.deepEqual(
    [thumbnail.headers.location, thumbnail.headers.vary],
    [`https://cdn.example/public/${name}.160.webp`, 'Accept'],
  );
  assert.ok(await onS3('public').has(`${name}.160.webp`));
  const missing = await shop.request('GET', `/images/${'0'.repeat(64)}.png?width=160`, { key: null });
  assert.equal(missing.status, 404);
});
