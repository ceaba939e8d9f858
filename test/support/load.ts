/**
 * Writers that create products, and add and delete images, while a copy of the store is made; and a check that the copy is a
 * consistent snapshot. It must contain a prefix of each writer's changes. If it contains a change, it must also contain the
 * changes of other writers that were acknowledged before that change began.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Shop } from './shop.ts';

interface Step {
  readonly began: number;
  readonly acknowledged: number;
  /** The writer's products and their images after this step. */
  readonly state: string;
}

export interface Ledger {
  readonly writers: readonly Step[][];
  /** Waits for the current steps; writers begin no others. */
  stop(): Promise<void>;
}

/** How many products of a writer have an image; the oldest image is deleted first. */
const IMAGES_MAX = 3;

export function writeUnderLoad(shop: Shop, writerCount: number): Ledger {
  let isOver = false;
  const writers = Array.from({ length: writerCount }, (): Step[] => []);
  const work = writers.map((steps, writer) => write(shop, writer, steps, () => isOver));
  return {
    writers,
    async stop() {
      isOver = true;
      await Promise.all(work);
    },
  };
}

async function write(shop: Shop, writer: number, steps: Step[], isOver: () => boolean): Promise<void> {
  const images = new Map<string, string[]>();
  const withImage: { sku: string; product: number; image: number }[] = [];
  const step = async <T>(work: () => Promise<T>, changed: (result: T) => void): Promise<T> => {
    const began = performance.now();
    const result = await work();
    const acknowledged = performance.now();
    changed(result);
    steps.push({ began, acknowledged, state: stateText(images) });
    return result;
  };
  for (let number = 0; !isOver(); number += 1) {
    const sku = `load-${writer}-${number}`;
    const made = () => shop.made('/api/products', { sku, name: sku });
    const { id } = await step(made, () => images.set(sku, []));
    const image = await step(
      () => shop.addImage(id),
      ({ url }) => images.set(sku, [hashIn(url)]),
    );
    withImage.push({ sku, product: id, image: image.id });
    if (withImage.length <= IMAGES_MAX) continue;
    const old = withImage.shift()!;
    const remove = () => shop.request('DELETE', `/api/products/${old.product}/images/${old.image}`);
    const { status } = await step(remove, () => images.set(old.sku, []));
    assert.equal(status, 204);
  }
}

/**
 * Asserts that a copy is a consistent snapshot.
 * @param began when the copy was requested; it must contain all steps that were acknowledged by then
 * @returns the number of each writer's steps in the copy
 */
export async function assertSnapshot(copy: Shop, { writers }: Ledger, began: number): Promise<number[]> {
  const found = writers.map(() => new Map<string, string[]>());
  for (let page = 1; ; page += 1) {
    const response = await copy.request('GET', `/api/products?itemsPerPage=100&page=${page}`);
    for (const { sku, images } of response.json) {
      const [, writer] = /^load-(\d+)-/.exec(sku) ?? [];
      const urls = images.map(({ url }: { url: string }) => url);
      // Every image that a row names is complete.
      for (const url of urls)
        assert.equal(
          createHash('sha256')
            .update(await copy.imageBytes(url))
            .digest('hex'),
          hashIn(url),
        );
      if (writer !== undefined) found[Number(writer)]!.set(sku, urls.map(hashIn));
    }
    if (response.json.length < 100) break;
  }
  const lengths = writers.map((steps, writer) => {
    const state = stateText(found[writer]!);
    if (found[writer]!.size === 0) return 0;
    const length = steps.findIndex((step) => step.state === state) + 1;
    assert.ok(length > 0, `the copy has a state of writer ${writer} that never existed`);
    return length;
  });
  const lastBegan = Math.max(...writers.map((steps, writer) => steps[lengths[writer]! - 1]?.began ?? 0));
  for (const [writer, steps] of writers.entries()) {
    const missing = steps[lengths[writer]!];
    if (!missing) continue;
    assert.ok(missing.acknowledged > began, `writer ${writer}: the copy lacks a step acknowledged before it began`);
    assert.ok(
      missing.acknowledged > lastBegan,
      `writer ${writer}: the copy lacks a step acknowledged before a step that it has`,
    );
  }
  return lengths;
}

function stateText(images: ReadonlyMap<string, readonly string[]>): string {
  return JSON.stringify([...images].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hashIn(url: string): string {
  return /([0-9a-f]{64})\.\w+$/.exec(url)![1]!;
}
