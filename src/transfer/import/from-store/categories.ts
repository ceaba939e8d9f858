/** The tree of categories from the top down, with icons and banners, and which products are in which. */
import type { ApiRecord } from '../../api/store-api.ts';
import { type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';

const FIELDS = [
  'name',
  'enabled',
  'show_title',
  'position',
  'clean_url',
  'description',
  'meta_tags',
  'meta_description',
  'meta_description_type',
  'meta_title',
];

/** @param memberships which is which @returns the same of categories */
export async function copyCategories(storeCopy: StoreCopy, memberships: Ids): Promise<Ids> {
  const ids: Ids = new Map();
  const childrenOf = async (parent: number | undefined): Promise<ApiRecord[]> => {
    const filter: Record<string, number> = parent === undefined ? {} : { parent };
    return (await Array.fromAsync(storeCopy.source.list('/categories', [], filter))).filter(
      // Before there was a default, a list had every level.
      (child) => (idOf(child.parent) ?? undefined) === parent && !ids.has(child.id as number),
    );
  };
  const copyBelow = async (parent: number | undefined): Promise<void> => {
    for (const child of await childrenOf(parent)) {
      storeCopy.throwIfInterrupted();
      const here = await copyOne(storeCopy, child, parent === undefined ? null : ids.get(parent)!, memberships);
      if (here === undefined) {
        await skipBelow(child);
        continue;
      }
      ids.set(child.id as number, here);
      await copyBelow(child.id as number);
    }
  };
  const skipBelow = async (above: ApiRecord): Promise<void> => {
    for (const child of await childrenOf(above.id as number)) {
      storeCopy.throwIfInterrupted();
      const message = `the category above it, “${above.name}”, is not here`;
      storeCopy.row('categories', child.name as string, 'skipped', {
        rejection: { status: 422, problems: [{ path: '', message }] },
      });
      await skipBelow(child);
    }
  };
  await copyBelow(undefined);
  return ids;
}

async function copyOne(
  storeCopy: StoreCopy,
  category: ApiRecord,
  parent: number | null,
  memberships: Ids,
): Promise<number | undefined> {
  const { target } = storeCopy;
  const name = category.name as string;
  const input = {
    ...picked(category, FIELDS),
    parent,
    ...forMembers(storeCopy, `category ${name}`, category, memberships),
  };
  const address = category.clean_url;
  const hasAddress = typeof address === 'string' && address !== '';
  const siblings = hasAddress
    ? []
    : await Array.fromAsync(target.list('/categories', [], parent === null ? {} : { parent }));
  const same = siblings.find((sibling) => sibling.name === name);
  if (!hasAddress && same) {
    storeCopy.row('categories', name, 'unchanged');
    return same.id as number;
  }
  let outcome: 'created' | 'updated' | 'unchanged' = 'created';
  let id: number | undefined;
  if (hasAddress) {
    for await (const { result, id: own, rejection } of target.bulk('/categories', [input])) {
      if (rejection) storeCopy.failure('categories', name, rejection);
      else [outcome, id] = [result as typeof outcome, own as number];
    }
  } else {
    const { clean_url: _, ...rest } = input as Record<string, unknown>;
    const made = await target.post('/categories', [], rest);
    if (made.ok) id = made.id;
    else storeCopy.failure('categories', name, made);
  }
  if (id === undefined) return undefined;
  const images: string[] = [];
  for (const part of ['icon', 'banner']) if (await copyImage(storeCopy, part, category, id)) images.push(part);
  storeCopy.row('categories', name, outcome, { parts: images });
  return id;
}

/** A picture that is there stays: which one it is made of is not known. */
async function copyImage(storeCopy: StoreCopy, part: string, category: ApiRecord, id: number): Promise<boolean> {
  const { target } = storeCopy;
  const { url, alt = '' } = (category[part] ?? {}) as ApiRecord;
  const path = `/categories/{category_id}/${part}`;
  if (typeof url !== 'string' || url === '' || (await target.find(path, [id]))) return false;
  const made = await target.post(path, [id], { externalUrl: url, alt });
  if (!made.ok) storeCopy.failure(`${part}s`, category.name as string, made);
  return made.ok;
}

/** Which products are in which categories. Links that only this store has stay. */
export async function copyCategoryLinks(storeCopy: StoreCopy, categories: Ids, products: Ids): Promise<void> {
  const path = '/categories/{category_id}/products';
  for (const [there, here] of categories) {
    storeCopy.throwIfInterrupted();
    const links = await Array.fromAsync(storeCopy.source.list(path, [there]));
    if (links.length === 0) continue;
    const known = new Set<unknown>();
    for await (const link of storeCopy.target.list(path, [here])) known.add(productOf(link));
    let added = 0;
    for (const link of links) {
      const product = products.get(productOf(link) ?? 0);
      if (product === undefined || known.has(product)) continue;
      const made = await storeCopy.target.post(path, [here], { ...picked(link, ['position']), product_id: product });
      if (made.ok) added += 1;
      else storeCopy.failure('links', `product ${product} in category ${here}`, made);
    }
    if (added > 0) storeCopy.row('links', `of category ${here}`, 'created', { parts: [`${added} products`] });
  }
}

function productOf(link: ApiRecord): number | undefined {
  return idOf(link.product_id ?? link.product ?? link.id);
}

/**
 * The memberships that a record is for. Where none of them is here it would be for everybody, so it is disabled: a run that finds one
 * enables it again. Each that is missing is told.
 */
export function forMembers(
  storeCopy: StoreCopy,
  name: string,
  record: ApiRecord,
  memberships: Ids,
): { memberships?: number[]; enabled?: false } {
  if (!Array.isArray(record.memberships)) return {};
  const here = mapped(record.memberships, memberships);
  if (here.length === record.memberships.length) return { memberships: here };
  const isForNone = here.length === 0;
  const message = `a membership that it is for is not here${isForNone ? ', so it is disabled' : ''}`;
  storeCopy.failure('memberships', `of ${name}`, { status: 422, problems: [{ path: '', message }] });
  return { memberships: here, ...(isForNone ? { enabled: false as const } : {}) };
}

/** @returns ids of this store; of records that it has */
export function mapped(linked: unknown, ids: Ids): number[] {
  return Array.isArray(linked) ? linked.flatMap((one) => ids.get(idOf(one) ?? 0) ?? []) : [];
}
