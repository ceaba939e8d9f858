/** A flood of thumbnail requests does not block other requests (docs/reliability/e-images.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attached, noise, testImage } from '../support/images.ts';
import { onOneDatabase } from '../support/store.ts';

onOneDatabase('thumbnails', {}, (store) => {
  const add = async (bytes: Buffer) => {
    const { id } = await store.product();
    return { id, ...(await store.made(`/api/products/${id}/images`, await attached(bytes))) };
  };
  const thumbnail = (url: string, query: string, headers: Record<string, string>) =>
    store.request('GET', `${new URL(url).pathname}?${query}`, { key: null, headers });

  test('uploads succeed during a flood of thumbnail requests', async () => {
    const images = await Promise.all(
      Array.from({ length: 12 }, async () => add(await testImage(400, 300).jpeg().toBuffer())),
    );
    let isFlooded = true;
    const flood = images.flatMap(({ url }) =>
      ['160', '320', '640', '1280'].flatMap((width) =>
        ['image/avif', 'image/webp', '*/*'].map((accept) => thumbnail(url, `width=${width}`, { accept })),
      ),
    );
    const flooded = Promise.all(flood).finally(() => {
      isFlooded = false;
    });
    const { id } = await store.product();
    for (let upload = 0; upload < 5; upload += 1)
      await store.made(`/api/products/${id}/images`, await attached(noise(300, 200).png().toBuffer()));
    assert.ok(isFlooded, 'the uploads finished during the flood');
    const statuses = (await flooded).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503]);
    await Promise.all(images.map(({ id: product }) => store.delete(`/api/products/${product}`)));
  });
});
