/** Finds the page of the shop that an address means, also by former addresses (catalog.md §16). */
import { type PageRecord, pathTemplate, type ShopPage, shopAddress } from '../domain/rules/catalog/shop-address.ts';
import { committed, type Reads, type Service, type Value } from '../engine/index.ts';

interface Resolved {
  /** 200: the path is that of the page. 301: the shop redirects to `location`. */
  readonly status: 200 | 301;
  /** The address of the page; its path if the store has no `shop_url`. */
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
  for (const cleanUrl of candidates(last, settings, languages.languages)) {
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
function candidates(
  segment: string,
  settings: Readonly<Record<string, string>>,
  languages: readonly string[],
): Set<string> {
  const inTemplates = PAGES.flatMap(({ page }) => {
    const template = pathTemplate(page, settings).split('/').at(-1)!;
    const forms = template.includes('{language}') ? languages : [''];
    return forms.flatMap((language) => cleanUrlIn(segment, template.replaceAll('{language}', language)) ?? []);
  });
  const withoutSuffix = segment.endsWith('.html') ? [segment.slice(0, -'.html'.length)] : [];
  return new Set([...inTemplates, segment, ...withoutSuffix]);
}

/** @param template with `{clean_url}` and perhaps `{id}` @returns undefined if the segment does not have its form */
function cleanUrlIn(segment: string, template: string): string | undefined {
  const [before, after] = template.split('{clean_url}') as [string, string];
  const rest = withoutStart(segment, before.split('{id}'));
  const cleanUrl = rest && withoutStart(reversed(rest), after.split('{id}').reverse().map(reversed));
  return cleanUrl ? reversed(cleanUrl) : undefined;
}

/** Removes these texts, with digits between them, from the start. */
function withoutStart(text: string, parts: readonly string[]): string | undefined {
  let rest = text;
  for (const [index, part] of parts.entries()) {
    const digits = index === 0 ? 0 : rest.length - rest.replace(/^\d+/, '').length;
    if (index > 0 && digits === 0) return undefined;
    rest = rest.slice(digits);
    if (!rest.startsWith(part)) return undefined;
    rest = rest.slice(part.length);
  }
  return rest;
}

const reversed = (text: string): string => [...text].reverse().join('');

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
