/** Sets the images of a product to the addresses in a cell. */
import type { ApiRecord, Problems, StoreApi } from '../../api/store-api.ts';

const PATH = '/products/{product_id}/images';

interface StoredImage {
  readonly id: number;
  readonly url: string;
  readonly position: number;
}

/** An image that remains, or the address of a new one. */
type Wanted = { readonly stored: StoredImage } | { readonly externalUrl: string };

/**
 * Adds new images, then removes those that are not wanted, then sorts them. If an image cannot be added, none is removed.
 *
 * @param wanted addresses in order; that of an image that the product has means this image
 * @returns whether anything changes, or why it could not be changed
 */
export async function setImages(
  api: StoreApi,
  product: ApiRecord,
  wanted: readonly string[],
  isDryRun: boolean,
): Promise<boolean | Problems> {
  const stored = product.images as readonly StoredImage[];
  const plan = matched(stored, wanted);
  const kept = new Set(plan.flatMap((image) => ('stored' in image ? image.stored.id : [])));
  const removed = stored.filter(({ id }) => !kept.has(id));
  const placed = placesOf(plan);
  const isChanged = removed.length > 0 || placed.some(({ image, position }) => !isAt(image, position));
  if (isDryRun || !isChanged) return isChanged;
  const id = product.id as number;
  const problems: { path: string; message: string }[] = [];
  for (const { image, position } of placed) {
    if (isAt(image, position)) continue;
    const saved =
      'stored' in image
        ? await api.patch(`${PATH}/{image_id}`, [id, image.stored.id], { position })
        : await api.post(PATH, [id], { externalUrl: image.externalUrl, position });
    if (!saved.ok)
      problems.push(
        ...saved.problems.map(({ message }) => ({ path: 'images', message: `${addressIn(image)}: ${message}` })),
      );
  }
  if (problems.length > 0) return problems;
  for (const image of removed) {
    const rejection = await api.remove(`${PATH}/{image_id}`, [id, image.id]);
    if (rejection) return rejection.problems.map(({ message }) => ({ path: 'images', message }));
  }
  return true;
}

function addressIn(image: Wanted): string {
  return 'stored' in image ? image.stored.url : image.externalUrl;
}

/** Whether two addresses are of the same file of a store, whose name is a hash of its content. */
export function isSameImage(one: string, other: string): boolean {
  const fileIn = (address: string): string | undefined => /\/images\/([0-9a-f]{64}\.\w+)(?:\?.*)?$/.exec(address)?.[1];
  return one === other || (fileIn(one) !== undefined && fileIn(one) === fileIn(other));
}

/** Matches addresses with the images of the product. Each image is matched once. */
function matched(stored: readonly StoredImage[], wanted: readonly string[]): Wanted[] {
  const left = [...stored];
  return wanted.map((address) => {
    const index = left.findIndex(({ url }) => isSameImage(url, address));
    return index === -1 ? { externalUrl: address } : { stored: left.splice(index, 1)[0]! };
  });
}

/** Positions in ascending order. An image keeps its position if it is after the previous one. */
function placesOf(plan: readonly Wanted[]): { readonly image: Wanted; readonly position: number }[] {
  let last: { readonly position: number; readonly id: number } | undefined;
  return plan.map((image) => {
    const own = 'stored' in image ? image.stored : undefined;
    const isAfter =
      own && (!last || own.position > last.position || (own.position === last.position && own.id > last.id));
    const position = isAfter ? own.position : last ? last.position + 1 : 0;
    last = { position, id: own && isAfter ? own.id : Number.POSITIVE_INFINITY };
    return { image, position };
  });
}

function isAt(image: Wanted, position: number): boolean {
  return 'stored' in image && image.stored.position === position;
}
