/**
 * `purveyor import store https://OTHER/api`: a whole catalog with its orders from another store of this contract, or of release
 * 5.5, which has pages and nothing else; gives the exit code. Records that are here already are found by SKU, name, address or number, so a
 * second run goes on where one was cut off.
 */
import type { Config } from '../../../wiring/config.ts';
import { openApi } from '../../api/open.ts';
import { openRemote, type RemoteStore } from '../../api/remote-store.ts';
import type { Terminal } from '../report.ts';
import { type Attribute, copyAttributes, SCOPES } from './attributes.ts';
import { copyCategories, copyCategoryLinks } from './categories.ts';
import { copyNamed, copyStatuses } from './named.ts';
import { copyOrders } from './orders.ts';
import { copyProducts } from './products.ts';
import { StoreCopy } from './store-copy.ts';

interface StoreImport {
  /** Where the copy goes, where that is not the store of the settings. */
  readonly store?: RemoteStore | undefined;
  readonly interrupted?: AbortSignal | undefined;
}

export async function importStore(
  config: Config,
  from: RemoteStore,
  { store, interrupted }: StoreImport,
  terminal: Terminal,
): Promise<number> {
  const source = openRemote(from);
  const { api: target, close } = await openApi(config, store);
  const storeCopy = new StoreCopy(source, target, terminal, interrupted);
  try {
    await copy(storeCopy);
    return storeCopy.end(undefined);
  } catch (error) {
    // One of the stores cannot answer, or somebody has interrupted it. A further run goes on from here.
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
  const attributes = await copyAttributes(storeCopy, SCOPES.store, { there: [], here: [] });
  const ofClasses = new Map<number, readonly Attribute[]>();
  for (const [there, here] of classes)
    ofClasses.set(there, await copyAttributes(storeCopy, SCOPES.class, { there: [there], here: [here] }));
  const categories = await copyCategories(storeCopy, memberships);
  const linked = { classes, taxClasses, memberships, stickers, attributes, ofClasses };
  const products = await copyProducts(storeCopy, linked);
  await copyCategoryLinks(storeCopy, categories, products);
  for (const collection of ['payment_statuses', 'shipping_statuses']) await copyStatuses(storeCopy, collection);
  await copyOrders(storeCopy);
}
