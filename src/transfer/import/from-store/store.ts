/**
 * `purveyor import store https://OTHER/api`: copies the catalog and the orders of another store, which runs this program or
 * release 5.5 (lists only, no exports). Existing records are found by SKU, name, clean URL or order number, so an interrupted
 * import can be continued by running it again.
 */
import type { Config } from '../../../wiring/settings/index.ts';
import { openApi } from '../../api/open.ts';
import { openRemote, type RemoteStore } from '../../api/remote-store.ts';
import type { Terminal } from '../report.ts';
import { type Attribute, copyAttributes, NO_OWNER, SCOPES } from './attributes.ts';
import { copyCategories, copyCategoryLinks } from './categories.ts';
import { copyDiscounts } from './discounts.ts';
import { copyNamed, copyStatuses } from './named.ts';
import { copyOldUrls } from './old-urls.ts';
import { copyOrders } from './orders.ts';
import { copyProducts } from './products.ts';
import { copyFeaturedProducts, copyRelatedProducts, copyTabs } from './recommended.ts';
import { StoreCopy } from './store-copy.ts';

interface StoreImport {
  /** The store to import into, if not the one in the settings. */
  readonly store?: RemoteStore | undefined;
  readonly interrupted?: AbortSignal | undefined;
}

/** @returns the exit code */
export async function importStore(
  config: Config,
  from: RemoteStore,
  { store, interrupted }: StoreImport,
  terminal: Terminal,
): Promise<number> {
  const source = openRemote(from);
  const { api: target, close } = await openApi(config, store, { type: 'import', id: 'store' });
  const storeCopy = new StoreCopy(source, target, terminal, interrupted);
  try {
    await copy(storeCopy);
    return storeCopy.end(undefined);
  } catch (error) {
    // A store is unavailable, or the user has interrupted the import. Another run continues from here.
    return storeCopy.end(error as Error);
  } finally {
    await close();
  }
}

async function copy(storeCopy: StoreCopy): Promise<void> {
  const memberships = await copyNamed(storeCopy, 'memberships', ['name', 'enabled']);
  const taxClasses = await copyNamed(storeCopy, 'tax_classes', ['name']);
  const classes = await copyNamed(storeCopy, 'product_classes', ['name']);
  await copyNamed(storeCopy, 'tags', ['name', 'position']);
  const stickers = await copyNamed(storeCopy, 'stickers', ['name', 'position', 'enabled', 'text_color', 'bg_color']);
  const attributes = await copyAttributes(storeCopy, SCOPES.store, NO_OWNER);
  const ofClasses = new Map<number, readonly Attribute[]>();
  for (const [source, target] of classes)
    ofClasses.set(source, await copyAttributes(storeCopy, SCOPES.class, { source: [source], target: [target] }));
  const categories = await copyCategories(storeCopy, memberships);
  const linked = { classes, taxClasses, memberships, stickers, attributes, ofClasses };
  const products = await copyProducts(storeCopy, linked);
  await copyCategoryLinks(storeCopy, categories, products);
  await copyRelatedProducts(storeCopy, products);
  await copyFeaturedProducts(storeCopy, categories, products);
  await copyTabs(storeCopy);
  const zones = await copyNamed(storeCopy, 'zones', ['name', 'elements']);
  await copyDiscounts(storeCopy, { products, product_classes: classes, categories, memberships, zones });
  await copyOldUrls(storeCopy, '/categories', categories);
  await copyOldUrls(storeCopy, '/products', products);
  for (const collection of ['payment_statuses', 'shipping_statuses']) await copyStatuses(storeCopy, collection);
  await copyOrders(storeCopy);
}
