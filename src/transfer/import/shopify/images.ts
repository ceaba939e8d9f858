/** Collects the image addresses of a handle, and selects and orders those of a variant. Does not download them. */
import { isShort, readInteger, SHORT_TEXT_LENGTH_MAX } from '../cells.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { ImageRow, PartFailure } from '../import-row.ts';

export interface HandleImages {
  /** By position; images without a position follow in file order. */
  readonly images: readonly { readonly address: string; readonly alt: string }[];
  readonly failures: readonly PartFailure[];
}

/** Reads the images in the rows of one handle, without duplicate addresses. */
export function readHandleImages(handle: string, rows: readonly CsvRow[]): HandleImages {
  const images = new Map<string, { address: string; alt: string; position: number }>();
  const failures: PartFailure[] = [];
  for (const row of rows) {
    const address = row.cell('Image Src');
    if (!address || images.has(address)) continue;
    const alt = row.cell('Image Alt Text') ?? '';
    const problems = isShort(alt)
      ? []
      : [`Its Image Alt Text is too long. Shorten it to at most ${SHORT_TEXT_LENGTH_MAX} characters.`];
    const position = readInteger(row, 'Image Position', problems) ?? Number.POSITIVE_INFINITY;
    if (problems.length > 0)
      failures.push({ row: row.line, handle, sku: '', part: 'image', name: address, reason: problems.join(' ') });
    else images.set(address, { address, alt, position });
  }
  return { images: [...images.values()].sort(byPosition), failures };
}

/** Returns the images for a variant that becomes a product: its own image first, then the others; positions from 1. */
export function imagesOfVariant(row: CsvRow, { images, failures }: HandleImages): ImageRow[] {
  const own = row.cell('Variant Image');
  const ordered = new Map(images.map((image) => [image.address, image]));
  const ownUsable = own && !failures.some((failure) => failure.name === own);
  const first = ownUsable ? [ordered.get(own) ?? { address: own, alt: '' }] : [];
  const rest = images.filter((image) => image.address !== own);
  return [...first, ...rest].map(({ address, alt }, index) => ({ externalUrl: address, alt, position: index + 1 }));
}

/** Returns all images of a handle, then those that only a variant names; positions from 1. */
export function imagesOfProduct(rows: readonly CsvRow[], images: HandleImages): ImageRow[] {
  const shared = images.images.map(({ address, alt }) => [address, alt] as const);
  const own = rows.flatMap((row) => imageOfVariant(row, images) ?? []);
  // An image that both name keeps its position among the shared ones.
  const all = new Map([...shared, ...own.map(({ externalUrl, alt }) => [externalUrl, alt] as const)]);
  return [...all].map(([externalUrl, alt], index) => ({ externalUrl, alt, position: index + 1 }));
}

/** Returns the variant's own image. */
export function imageOfVariant(row: CsvRow, { images, failures }: HandleImages): ImageRow | undefined {
  const own = row.cell('Variant Image');
  if (!own || failures.some((failure) => failure.name === own)) return undefined;
  return { externalUrl: own, alt: images.find(({ address }) => address === own)?.alt ?? '', position: 1 };
}

/** Equal positions, including two missing ones, retain file order: the sort is stable. */
function byPosition(a: { position: number }, b: { position: number }): number {
  return a.position === b.position ? 0 : a.position - b.position;
}
