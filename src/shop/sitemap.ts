/** The sitemap: files of addresses, and the index of these files (sitemaps.org; catalog.md §17). */
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { ErrorLevel, SitemapIndexStream, type SitemapItemLoose, SitemapStream } from 'sitemap';
import { type PageRecord, pathTemplate, type ShopPage, shopAddress } from '../domain/rules/catalog/shop-address.ts';
import type { Service, ShownRecord } from '../engine/index.ts';
import { type DocumentFile, writeDocument, writeTo } from './document-file.ts';
import { listedCategories, listedProducts, type Source } from './listed.ts';

/** The protocol allows 50,000 addresses and 50 MB. */
const ADDRESSES_MAX = 45_000;

export interface Sitemap {
  readonly index: DocumentFile;
  readonly files: readonly DocumentFile[];
}

/** @param languages of the shop, for alternative addresses @param folder for the files, exclusively */
export async function buildSitemap(source: Source, languages: readonly string[], folder: string): Promise<Sitemap> {
  const { service } = source;
  const files: DocumentFile[] = [];
  const addresses = addressesOf(source, languages);
  for (let next = await addresses.next(); !next.done || files.length === 0; ) {
    const path = join(folder, `${files.length + 1}.xml.gz`);
    files.push(
      await writeDocument(path, async (to) => {
        const sitemap = new SitemapStream({
          xmlns: { news: false, video: false, image: true, xhtml: true },
          level: ErrorLevel.SILENT,
        });
        const piped = pipeInto(sitemap, to);
        for (let count = 0; count < ADDRESSES_MAX && !next.done; count += 1, next = await addresses.next())
          await writeTo(sitemap, next.value);
        sitemap.end();
        await piped;
      }),
    );
  }
  return { index: await writeIndex(service, files.length, folder), files };
}

function writeIndex({ environment }: Service, count: number, folder: string): Promise<DocumentFile> {
  return writeDocument(join(folder, 'index.xml.gz'), async (to) => {
    const index = new SitemapIndexStream({ level: ErrorLevel.SILENT });
    const piped = pipeInto(index, to);
    for (let number = 1; number <= count; number += 1)
      await writeTo(index, { url: `${environment.baseUrl}/sitemaps/${number}.xml` });
    index.end();
    await piped;
  });
}

/** Writes everything that a stream of the library emits, without ending the target. */
async function pipeInto(from: AsyncIterable<unknown>, to: Writable): Promise<void> {
  for await (const chunk of from) await writeTo(to, chunk);
}

async function* addressesOf(source: Source, languages: readonly string[]): AsyncGenerator<SitemapItemLoose> {
  for (const { record } of (await listedCategories(source)).values())
    yield itemOf(source, languages, 'category', record, [record.icon, record.banner]);
  const fields = ['id', 'clean_url', 'update_date', 'images'];
  for await (const batch of listedProducts(source, fields))
    for (const record of batch) yield itemOf(source, languages, 'product', record, record.images as ShownRecord[]);
}

function itemOf(
  { service: { environment }, requestOptions }: Source,
  languages: readonly string[],
  page: ShopPage,
  record: ShownRecord,
  images: readonly unknown[],
): SitemapItemLoose {
  const { settings } = environment;
  const addressIn = (language: string): string =>
    shopAddress(page, record as unknown as PageRecord, language, settings);
  const isTranslated = pathTemplate(page, settings).includes('{language}') && languages.length > 1;
  return {
    url: addressIn(requestOptions.defaultLanguage),
    lastmod: record.update_date as string,
    img: images.flatMap((image) => (image ? [{ url: (image as { url: string }).url }] : [])),
    ...(isTranslated ? { links: languages.map((language) => ({ lang: language, url: addressIn(language) })) } : {}),
  };
}
