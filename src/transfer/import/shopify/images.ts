/**
 * The images of a handle, and which of them a variant gets, in which order. Nothing is downloaded here.
 */
import { isShort, readInteger, SHORT_TEXT_LENGTH_MAX } from '../cells.ts';
import type { CsvRow } from '../csv-rows.ts';
import type { ImageRow, PartFailure } from '../import-row.ts';

export interface HandleImages {
  /** In the order of their positions; those without one after the others, in the order of the file. */
  readonly images: readonly { readonly address: string; readonly alt: string }[];
  readonly failures: readonly PartFailure[];
}

/** Every image that the rows of one handle name, each address once. */
export function readHandleImages(handle: string, rows: readonly CsvRow[]): HandleImages {
  const images = new Map<string, { address: string; alt: string; position: number }>();
  const failures: PartFailure[] = [];
  for (const row of rows) {
    const address = row.cell('Image Src');
    if (!address || images.has(address)) continue;
    const alt = row.cell('Image Alt Text') ?? '';
    const problems = isShort(alt) ? [] : [`its alternative text is longer than ${SHORT_TEXT_LENGTH_MAX} characters`];
    const position = readInteger(row, 'Image Position', problems) ?? Number.POSITIVE_INFINITY;
    if (problems.length > 0)
      failures.push({ row: row.line, handle, sku: '', part: 'image', name: address, reason: problems.join('; ') });
    else images.set(address, { address, alt, position });
  }
  return { images: [...images.values()].sort(byPosition), failures };
}

/** The variant's own image first, where it has one, then the others of its handle; counted anew from 1. */
export function imagesOfVariant(row: CsvRow, { images, failures }: HandleImages): ImageRow[] {
  const own = row.cell('Variant Image');
  const ordered = new Map(images.map((image) => [image.address, image]));
  const ownUsable = own && !failures.some((failure) => failure.name === own);
  const first = ownUsable ? [ordered.get(own) ?? { address: own, alt: '' }] : [];
  const rest = images.filter((image) => image.address !== own);
  return [...first, ...rest].map(({ address, alt }, index) => ({ externalUrl: address, alt, position: index + 1 }));
}

/** All of a handle, and behind them pictures that only a variant names; counted from 1. */
export function imagesOfProduct(rows: readonly CsvRow[], images: HandleImages): ImageRow[] {
  const shared = images.images.map(({ address, alt }) => [address, alt] as const);
  const own = rows.flatMap((row) => imageOfVariant(row, images) ?? []);
  // A picture that both name is in the place of the first, and has one alternative text.
  const all = new Map([...shared, ...own.map(({ externalUrl, alt }) => [externalUrl, alt] as const)]);
  return [...all].map(([externalUrl, alt], index) => ({ externalUrl, alt, position: index + 1 }));
}

/** The picture that a variant has of its own. */
export function imageOfVariant(row: CsvRow, { images, failures }: HandleImages): ImageRow | undefined {
  const own = row.cell('Variant Image');
  if (!own || failures.some((failure) => failure.name === own)) return undefined;
  return { externalUrl: own, alt: images.find(({ address }) => address === own)?.alt ?? '', position: 1 };
}

/** Equal positions, two missing ones included, stay in the order of the file: the sort is stable. */
function byPosition(a: { position: number }, b: { position: number }): number {
  return a.position === b.position ? 0 : a.position - b.position;
}
