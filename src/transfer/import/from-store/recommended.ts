/** Copies related and featured products, and tabs. Does not remove entries that only the target store has. */

import type { ApiRecord } from '../../api/store-api.ts';
import { counted } from '../../backup/format.ts';
import { type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';

/** @param products identifiers in both stores */
export async function copyRelatedProducts(storeCopy: StoreCopy, products: Ids): Promise<void> {
  for (const [sourceId, targetId] of products)
    await copyEntries(storeCopy, products, {
      ...{ path: '/products/{product_id}/related_products', kind: 'related products', name: `of product ${targetId}` },
      ...{ source: [sourceId], target: [targetId] },
    });
}

/** @param categories identifiers in both stores */
export async function copyFeaturedProducts(storeCopy: StoreCopy, categories: Ids, products: Ids): Promise<void> {
  const kind = 'featured products';
  for (const [sourceId, targetId] of categories)
    await copyEntries(storeCopy, products, {
      ...{ path: '/categories/{category_id}/featured', kind, name: `of category ${targetId}` },
      ...{ source: [sourceId], target: [targetId] },
    });
  await copyEntries(storeCopy, products, {
    ...{ path: '/front_page/featured', kind, name: 'of the front page' },
    ...{ source: [], target: [] },
  });
}

interface Entries {
  readonly path: string;
  /** Plural noun. */
  readonly kind: string;
  /** The owner, for the report. */
  readonly name: string;
  /** Identifiers in the path, in both stores. */
  readonly source: readonly number[];
  readonly target: readonly number[];
}

async function copyEntries(
  storeCopy: StoreCopy,
  products: Ids,
  { path, kind, name, source, target }: Entries,
): Promise<void> {
  storeCopy.throwIfInterrupted();
  const entries = await Array.fromAsync(storeCopy.source.list(path, source));
  if (entries.length === 0) return;
  const known = new Set<unknown>();
  for await (const { product_id } of storeCopy.target.list(path, target)) known.add(product_id);
  let added = 0;
  for (const [index, entry] of entries.entries()) {
    const product_id = products.get(idOf(entry.product_id ?? entry.product) ?? 0);
    if (product_id === undefined || known.has(product_id)) continue;
    // Without positions, the order of the list is that of the page.
    const { position = index } = entry;
    const created = await storeCopy.target.post(path, target, { product_id, position });
    if (created.ok) added += 1;
    else storeCopy.failure(kind, `${name}, product ${product_id}`, created);
  }
  if (added > 0) storeCopy.row(kind, name, 'created', { parts: [counted(added, 'product')] });
}

const TABS = '/custom_product_tabs';
const TAB_FIELDS = ['name', 'content', 'brief_info'];

/** Copies the tabs of all product pages. An existing one is found by its name and updated. */
export async function copyTabs(storeCopy: StoreCopy): Promise<void> {
  const tabs = await Array.fromAsync(storeCopy.source.list(TABS));
  if (tabs.length === 0) return;
  const known = new Map<unknown, ApiRecord>();
  for await (const tab of storeCopy.target.list(TABS)) known.set(tab.name, tab);
  for (const tab of tabs) {
    storeCopy.throwIfInterrupted();
    const tabCopy = { collection: TABS, kind: 'tabs', name: String(tab.name) };
    await storeCopy.save(tabCopy, picked(tab, TAB_FIELDS), known.get(tab.name));
  }
}
