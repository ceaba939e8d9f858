/** Finds the page of the shop that an address means, also by former addresses (catalog.md §16). */
import { type PageRecord, pathTemplate, type ShopPage, shopAddress } from '../domain/rules/catalog/shop-address.ts';
import { committed, type Reads, type Service, type Value } from '../engine/index.ts';

interface Resolved {
  /** 200: the path is that of the page. 301: the shop redirects to `location`. */
  readonly status: 200 | 301;
  /** The address of the page; its path if the store has no `SHOP_URL`. */
  readonly location: string;
  readonly resource: 'Product' | 'Category';
  readonly id: number;
}

interface Languages {
  readonly language: string;
  readonly defaultLanguage: string;
  /** All languages that the shop can have. */
  readonly languages: readonly string[];
}

const PAGES: readonly { readonly page: ShopPage; readonly resource: Resolved['resource'] }[] = [
  { page: 'product', resource: 'Product' },
  { page: 'category', resource: 'Category' },
];

/** @param path of the shop, percent-encoded @returns undefined if no enabled record has such an address */
export async function resolvePath(service: Service, languages: Languages, path: string): Promise<Resolved | undefined> {
  const { settings } = service.environment;
  const segments = segmentsOf(path.split(/[?#]/, 1)[0]!);
  const last = segments?.at(-1);
  if (!segments || !last) return undefined;
  const reads = committed(service, languages);
  for (const cleanUrl of candidates(last, settings)) {
    const found = await findRecord(reads, cleanUrl);
    if (!found) continue;
    if (!found.isEnabled) return undefined;
    const { page, resource, record, isFormer } = found;
    const own = languages.languages.map((language) => shopAddress(page, record, language, settings));
    const isSame = (address: string): boolean => pathOf(address)?.join('/') === segments.join('/');
    return {
      status: !isFormer && own.some(isSame) ? 200 : 301,
      location: shopAddress(page, record, languages.language, settings),
      resource,
      id: record.id,
    };
  }
  return undefined;
}

interface Found {
  readonly page: ShopPage;
  readonly resource: Resolved['resource'];
  readonly record: PageRecord;
  readonly isEnabled: boolean;
  /** Found by a former clean URL. */
  readonly isFormer: boolean;
}

async function findRecord(reads: Reads, cleanUrl: string): Promise<Found | undefined> {
  return (await findBy(reads, { clean_url: cleanUrl }, false)) ?? findFormer(reads, cleanUrl);
}

async function findFormer(reads: Reads, cleanUrl: string): Promise<Found | undefined> {
  const [former] = await reads.list('OldUrl', { clean_url: cleanUrl });
  if (!former) return undefined;
  const { product, category } = former;
  return findBy(reads, { id: product ?? category! }, true, product === null ? 'category' : 'product');
}

async function findBy(
  reads: Reads,
  where: Readonly<Record<string, Value>>,
  isFormer: boolean,
  only?: ShopPage,
): Promise<Found | undefined> {
  for (const { page, resource } of PAGES) {
    if (only !== undefined && only !== page) continue;
    const [record] = await reads.list(resource, where);
    if (record)
      return { page, resource, record: record as unknown as PageRecord, isEnabled: record.enabled === true, isFormer };
  }
  return undefined;
}

/** The clean URLs that the last segment of a path may contain, by precedence. */
function candidates(segment: string, settings: Readonly<Record<string, string>>): Set<string> {
  const inTemplates = PAGES.flatMap(({ page }) => {
    const template = pathTemplate(page, settings).split('/').at(-1)!;
    return templatePattern(template).exec(segment)?.groups?.clean_url ?? [];
  });
  const withoutSuffix = segment.endsWith('.html') ? [segment.slice(0, -'.html'.length)] : [];
  return new Set([...inTemplates, segment, ...withoutSuffix]);
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  clean_url: '(?<clean_url>.+)',
  id: '\\d+',
  language: '[A-Za-z0-9-]+',
};

function templatePattern(template: string): RegExp {
  const parts = template.split(/(\{\w+\})/).map((part) => PLACEHOLDERS[part.slice(1, -1)] ?? RegExp.escape(part));
  return new RegExp(`^${parts.join('')}$`, 'su');
}

/** Decoded segments, without a slash at the end; undefined if they are not valid percent-encoded UTF-8. */
function segmentsOf(path: string): string[] | undefined {
  try {
    return path.replace(/\/+$/, '').split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function pathOf(address: string): string[] | undefined {
  return segmentsOf(URL.canParse(address) ? new URL(address).pathname : address);
}
