/** Copies former clean URLs from another store of this program, so that the shop continues to redirect from them. */
import type { Ids, StoreCopy } from './store-copy.ts';

/** @param ids identifiers in both stores */
export async function copyOldUrls(
  storeCopy: StoreCopy,
  collection: '/products' | '/categories',
  ids: Ids,
): Promise<void> {
  for (const [sourceId, targetId] of ids) {
    storeCopy.throwIfInterrupted();
    const former = await storeCopy.source.oldUrls(collection, sourceId);
    if (former.length === 0) continue;
    const known = new Set(await storeCopy.target.oldUrls(collection, targetId));
    // Oldest first, so that the history has the same order.
    const missing = former.filter((url) => !known.has(url)).reverse();
    if (missing.length > 0) await addAll(storeCopy, collection, targetId, missing);
  }
}

/** Renames the record to each former URL, and back. A URL that another record has now remains with that record. */
async function addAll(
  { target }: StoreCopy,
  collection: '/products' | '/categories',
  id: number,
  urls: readonly string[],
): Promise<void> {
  const path = collection === '/products' ? '/products/{id}' : '/categories/{category_id}';
  const { clean_url } = (await target.find(path, [id])) ?? {};
  if (clean_url === undefined) return;
  let isRenamed = false;
  for (const url of urls) isRenamed = (await target.patch(path, [id], { clean_url: url })).ok || isRenamed;
  if (isRenamed) await target.patch(path, [id], { clean_url });
}
