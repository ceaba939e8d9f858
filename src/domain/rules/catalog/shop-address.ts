/** Addresses of the shop’s pages of products and categories, by the settings (catalog.md §17). */

export type ShopPage = 'product' | 'category';

export interface PageRecord {
  readonly id: number;
  readonly clean_url: string;
}

type Settings = Readonly<Record<string, string>>;

/** The path of every page, if no setting says otherwise. */
export const PAGE_PATH = '/{clean_url}';

export function pathTemplate(page: ShopPage, settings: Settings): string {
  return settings[`shop_${page}_path`] || PAGE_PATH;
}

/** Returns the address of a page, or its path if the store has no `shop_url`. */
export function shopAddress(page: ShopPage, record: PageRecord, language: string, settings: Settings): string {
  const values: Readonly<Record<string, string>> = {
    clean_url: encodeURIComponent(record.clean_url),
    id: String(record.id),
    language,
  };
  const path = pathTemplate(page, settings).replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  return (settings.shop_url ?? '') + path;
}
