/** Rules of the store's information (http.md §22), and its texts for other resources. */
import type { Draft, Reads, StoredSetting, Value } from '../../../engine/vocabulary.ts';
import { deriveEmbeddedImage } from '../catalog/image.ts';

/** The store's texts. While one is null, the server's setting of the same name applies. */
export type StoreText =
  | 'seller'
  | 'tax_number'
  | 'invoice_header'
  | 'invoice_footer'
  | 'email_header'
  | 'email_footer'
  | 'shop_url';

export const USES_OF_STORE_INFO = { own: ['logo', 'shop_url'] } as const;

/** Fields of the store that other rules read. */
export const USES_OF_STORE = {
  StoreInfo: ['seller', 'tax_number', 'invoice_header', 'invoice_footer', 'logo'],
} as const;

/** The address of the shop, which generated texts of products and categories contain. */
export const SHOP_URL: StoredSetting = { resource: 'StoreInfo', field: 'shop_url', name: 'shop_url' };

/** Sets the logo and removes slashes at the end of the shop's address. */
export function checkStoreInfo(draft: Draft<(typeof USES_OF_STORE_INFO.own)[number]>): void {
  deriveEmbeddedImage(draft, 'logo');
  const { values, violations } = draft;
  if (typeof values.shop_url !== 'string' || values.shop_url === '') return;
  if (isWebAddress(values.shop_url)) values.shop_url = values.shop_url.replace(/\/+$/, '');
  else
    violations.add(
      'shop_url',
      'format',
      'This value should be an http or https address without user name, password, query and fragment, such as "https://shop.example".',
    );
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** What documents say about the store. */
interface StoreOfDocuments {
  readonly seller: string;
  readonly tax_number: string;
  readonly invoice_header: string;
  readonly invoice_footer: string;
  readonly logo: { readonly file: string; readonly description: string } | undefined;
}

/** Reads the store's texts and logo. A text that is null is that of the server's settings. */
export async function readStore(
  reads: Reads<typeof USES_OF_STORE>,
  { settings }: Pick<Draft['environment'], 'settings'>,
): Promise<StoreOfDocuments> {
  const [stored] = await reads.list('StoreInfo', {});
  const textOf = (name: Exclude<(typeof USES_OF_STORE.StoreInfo)[number], 'logo'> & StoreText): string =>
    (stored?.[name] ?? settings[name] ?? '') as string;
  const logo = stored?.logo as Readonly<Record<string, Value>> | null | undefined;
  return {
    seller: textOf('seller'),
    tax_number: textOf('tax_number'),
    invoice_header: textOf('invoice_header'),
    invoice_footer: textOf('invoice_footer'),
    logo: logo ? { file: logo.url as string, description: logo.alt as string } : undefined,
  };
}
