/**
 * Writers that make, show and take away while a copy of the store is made, and the question whether a copy is of one
 * moment: each writer's own changes up to one of them, and between writers nothing without what came before it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Shop } from './shop.ts';

interface Step {
  readonly began: number;
  readonly answered: number;
  /** The writer's products and their images from then on. */
  readonly state: string;
}

export interface Ledger {
  readonly writers: readonly Step[][];
  /** When this is called, no writer begins another step. */
  stop(): Promise<void>;
}

/** Images stay for so many products of a writer; then they are taken away again. */
const IMAGES_KEPT = 3;

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
    const answered = performance.now();
    changed(result);
    steps.push({ began, answered, state: stateText(images) });
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
    if (withImage.length <= IMAGES_KEPT) continue;
    const old = withImage.shift()!;
    const remove = () => shop.request('DELETE', `/api/products/${old.product}/images/${old.image}`);
    const { status } = await step(remove, () => images.set(old.sku, []));
    assert.equal(status, 204);
  }
}

/**
 * @param began when the copy was asked for: what had been answered by then must be in it
 * @returns how many steps of each writer the copy holds
 */
export async function assertOneMoment(copy: Shop, { writers }: Ledger, began: number): Promise<number[]> {
  const found = writers.map(() => new Map<string, string[]>());
  for (let page = 1; ; page += 1) {
    const answer = await copy.request('GET', `/api/products?itemsPerPage=100&page=${page}`);
    for (const { sku, images } of answer.json) {
      const [, writer] = /^load-(\d+)-/.exec(sku) ?? [];
      const urls = images.map(({ url }: { url: string }) => url);
      // Every image that a row names is there, whole.
      for (const url of urls)
        assert.equal(
          createHash('sha256')
            .update(await copy.imageBytes(url))
            .digest('hex'),
          hashIn(url),
        );
      if (writer !== undefined) found[Number(writer)]!.set(sku, urls.map(hashIn));
    }
    if (answer.json.length < 100) break;
  }
  const lengths = writers.map((steps, writer) => {
    const state = stateText(found[writer]!);
    if (found[writer]!.size === 0) return 0;
    const length = steps.findIndex((step) => step.state === state) + 1;
    assert.ok(length > 0, `writer ${writer} was never in the state of the copy`);
    return length;
  });
  const lastBegan = Math.max(...writers.map((steps, writer) => steps[lengths[writer]! - 1]?.began ?? 0));
  for (const [writer, steps] of writers.entries()) {
    const missing = steps[lengths[writer]!];
    if (!missing) continue;
    assert.ok(missing.answered > began, `writer ${writer}: what was answered before the copy began is not in it`);
    assert.ok(missing.answered > lastBegan, `writer ${writer}: the copy has what came later, and lacks this`);
  }
  return lengths;
}

function stateText(images: ReadonlyMap<string, readonly string[]>): string {
  return JSON.stringify([...images].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hashIn(url: string): string {
  return /([0-9a-f]{64})\.\w+$/.exec(url)![1]!;
}
