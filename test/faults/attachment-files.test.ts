/** Files of attachments in both image stores: backup, restore, check, `purveyor images copy` and redirects to a bucket. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readS3Address } from '../../src/adapters/images-s3/address.ts';
import { openS3Images } from '../../src/adapters/images-s3/index.ts';
import { FILES } from '../support/attachments.ts';
import { databaseNames } from '../support/databases.ts';
import { namesIn } from '../support/image-store-contract.ts';
import { s3Settings, startS3rver } from '../support/s3-server.ts';
import { Shop } from '../support/shop.ts';

const server = await startS3rver();
const shops: Shop[] = [];
after(async () => {
  for (const shop of shops) await shop.remove();
  await server.stop();
});

const s3 = (prefix: string) => s3Settings(server, prefix) as Record<string, string>;
const onS3 = (prefix: string) => openS3Images(readS3Address(s3(prefix).IMAGES_URL!)!, server.credentials);

const HASH = createHash('sha256').update(FILES.pdf!).digest('hex');
const OTHER = createHash('sha256').update(FILES.txt!).digest('hex');

/** A served store with an image and two attachments; one of them is not public. */
async function filled(...[name, settings]: Parameters<typeof Shop.make>): Promise<Shop> {
  const shop = await Shop.make(name, settings);
  shops.push(shop);
  await shop.serve();
  const { id } = await shop.made('/api/products', { sku: 'one', name: 'One' });
  await shop.addImage(id);
  for (const [title, access, extension] of [
    ['Manual', 'A', 'pdf'],
    ['Notes', 'R', 'txt'],
  ] as const)
    await shop.made(`/api/products/${id}/attachments`, {
      ...{ title, access, filename: `${title}.${extension}`, attachment: FILES[extension]!.toString('base64') },
    });
  return shop;
}

async function assertServed(shop: Shop): Promise<void> {
  const open = await shop.request('GET', `/files/${HASH}/Manual.pdf`, { key: null });
  assert.deepEqual([open.status, open.bytes.equals(FILES.pdf!)], [200, true]);
  const closed = await shop.request('GET', '/api/products/1/attachments/2/file');
  assert.deepEqual([closed.status, closed.bytes.equals(FILES.txt!)], [200, true]);
}

for (const name of databaseNames)
  describe(`files of attachments (${name})`, () => {
    for (const [kind, settings] of [
      ['a folder', (_: string) => ({})],
      ['S3', s3],
    ] as const)
      test(`in ${kind} are in a backup, are restored, and are checked`, async () => {
        const shop = await filled(name, settings(`${name}-first`));
        await assertServed(shop);
        const backup = await shop.run('backup', shop.path('backup'));
        assert.match(backup.stdout, /^Backed up \d+ rows, 1 image and 2 attachments as of /);
        assert.deepEqual(await readdir(join(shop.path('backup'), 'files', HASH.slice(0, 2))), [HASH]);
        const copy = await Shop.make(name, settings(`${name}-second`));
        shops.push(copy);
        const restored = await copy.run('restore', shop.path('backup'));
        assert.match(restored.stdout, /^Restored \d+ rows, 1 image and 2 attachments as of /, restored.stderr);
        await copy.serve();
        await assertServed(copy);
        const whole = await copy.run('check');
        assert.match(whole.stdout, /rows, 1 image and 2 attachments: no faults found\.$/m);
        const inFolder = join(copy.imagesFolder, 'files', OTHER.slice(0, 2), OTHER.slice(2, 4), OTHER);
        if (kind === 'S3') await onS3(`${name}-second`).remove(`files/${OTHER}`);
        else await rm(inFolder);
        const lost = await copy.run('check');
        assert.equal(lost.code, 2);
        assert.match(
          lost.stdout,
          new RegExp(`^The attachment ${OTHER} of product 1 is lost: there is no such file\\.$`, 'm'),
        );
        const missing = await copy.request('GET', '/api/products/1/attachments/2/file');
        assert.equal(missing.status, 404);
      });
  });

test('a restore rejects a backup with a damaged attachment', async () => {
  const shop = await filled('sqlite');
  await shop.run('backup', shop.path('backup'));
  await writeFile(join(shop.path('backup'), 'files', HASH.slice(0, 2), HASH), 'another');
  const target = await Shop.make('sqlite');
  shops.push(target);
  const { code, stderr } = await target.run('restore', shop.path('backup'));
  assert.equal(code, 1);
  assert.match(stderr, /is not the file that was written/);
});

test('images copy transfers attachments too, and requests for them are not redirected to a public bucket', async () => {
  const { IMAGES_URL: target, ...key } = s3('copied');
  const shop = await filled('sqlite', key);
  const copied = await shop.run('images', 'copy', `file:${shop.imagesFolder}`, target!);
  assert.match(copied.stdout, /^Copied 1 image and 2 attachments \([\d,]+ bytes\)\.\n$/, copied.stderr);
  const names = await namesIn(onS3('copied'));
  assert.deepEqual(
    names.filter((each) => each.startsWith('files/')),
    [`files/${HASH}`, `files/${OTHER}`].sort(),
  );
  await shop.stop();
  const moved = await Shop.make('sqlite', {
    ...{ ...key, IMAGES_URL: target!, IMAGES_PUBLIC_URL: 'https://cdn.example/', DATABASE_URL: shop.database.url },
  });
  shops.push(moved);
  await moved.serve();
  await assertServed(moved);
  const ranged = await moved.request('GET', `/files/${HASH}/Manual.pdf`, {
    key: null,
    headers: { range: 'bytes=0-3' },
  });
  assert.deepEqual([ranged.status, ranged.text], [206, '%PDF']);
});
