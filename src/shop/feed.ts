/** A product feed for Google or Facebook: RSS 2.0 with the namespace `g` (catalog.md §17). */
import type { ShownRecord, Value } from '../engine/index.ts';
import { type DocumentFile, writeDocument, writeTo } from './document-file.ts';
import { detailsOf, feedAttributes } from './feed-details.ts';
import { type ItemContext, itemsOf, type Lack, PRODUCT_FIELDS } from './feed-items.ts';
import type { FeedName, FeedSettings } from './feed-settings.ts';
import { listedCategories, listedProducts, type Source } from './listed.ts';
import { xmlText } from './xml.ts';

export interface Feed {
  readonly document: DocumentFile;
  readonly items: number;
  /** Listed products with the flag that have no item. */
  readonly skipped: number;
  /** The first of these. */
  readonly reasons: readonly { readonly product_id: Value; readonly reason: Lack }[];
}

const REASONS_MAX = 100;

/** The field of a product that includes it in the feed. */
const FLAGS: Readonly<Record<FeedName, string>> = {
  google: 'google_feed_enabled',
  facebook: 'facebook_marketing_enabled',
};

export async function buildFeed(name: FeedName, source: Source, settings: FeedSettings, path: string): Promise<Feed> {
  const categories = await listedCategories(source);
  const attributes = await feedAttributes(source, settings.attributes);
  const context: ItemContext = { source, settings, attributes, now: source.service.clock.now() };
  const reasons: Feed['reasons'][number][] = [];
  let items = 0;
  let skipped = 0;
  const document = await writeDocument(path, async (to) => {
    await writeTo(to, head(source));
    for await (const batch of listedProducts(source, PRODUCT_FIELDS)) {
      const products = batch.filter((product: ShownRecord) => product[FLAGS[name]] === true);
      const ids = products.map(({ id }) => id!);
      const details = await detailsOf(source, ids, categories, attributes);
      for (const product of products) {
        const written = itemsOf(product, details(product.id!), context);
        if (typeof written === 'string') {
          skipped += 1;
          if (reasons.length < REASONS_MAX) reasons.push({ product_id: product.id!, reason: written });
          continue;
        }
        items += written.length;
        await writeTo(to, written.join(''));
      }
    }
    await writeTo(to, '</channel>\n</rss>\n');
  });
  return { document, items, skipped, reasons };
}

function head({ service }: Source): string {
  const { shop_url = '' } = service.environment.settings;
  const title = xmlText(new URL(shop_url).host);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">',
    `<channel><title>${title}</title><link>${xmlText(shop_url)}</link><description>${title}</description>\n`,
  ].join('\n');
}
