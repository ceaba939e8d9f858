/** Copies the category tree from the top down, with icons, banners and product links. */
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
  'flyout_columns',
];

/** @param memberships identifiers in both stores @returns the identifiers of categories in both stores */
export async function copyCategories(storeCopy: StoreCopy, memberships: Ids): Promise<Ids> {
  const ids: Ids = new Map();
  const childrenOf = async (parent: number | undefined): Promise<ApiRecord[]> => {
    const filter: Record<string, number> = parent === undefined ? {} : { parent };
    return (await Array.fromAsync(storeCopy.source.list('/categories', [], filter))).filter(
      // Old releases list all levels if no parent is given.
      (child) => (idOf(child.parent) ?? undefined) === parent && !ids.has(child.id as number),
    );
  };
  const copyBelow = async (parent: number | undefined): Promise<void> => {
    for (const child of await childrenOf(parent)) {
      storeCopy.throwIfInterrupted();
      const targetId = await copyOne(storeCopy, child, parent === undefined ? null : ids.get(parent)!, memberships);
      if (targetId === undefined) {
        await skipBelow(child);
        continue;
      }
      ids.set(child.id as number, targetId);
      await copyBelow(child.id as number);
    }
  };
  const skipBelow = async (parent: ApiRecord): Promise<void> => {
    for (const child of await childrenOf(parent.id as number)) {
      storeCopy.throwIfInterrupted();
      const message = `Its parent category “${parent.name}” could not be copied. Fix that one and import again.`;
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
    const created = await target.post('/categories', [], rest);
    if (created.ok) id = created.id;
    else storeCopy.failure('categories', name, created);
  }
  if (id === undefined) return undefined;
  const images: string[] = [];
  for (const part of ['icon', 'banner']) if (await copyImage(storeCopy, part, category, id)) images.push(part);
  storeCopy.row('categories', name, outcome, { parts: images });
  return id;
}

/** Does not replace an existing image, because the address it came from is unknown. */
async function copyImage(storeCopy: StoreCopy, part: string, category: ApiRecord, id: number): Promise<boolean> {
  const { target } = storeCopy;
  const { url, alt = '' } = (category[part] ?? {}) as ApiRecord;
  const path = `/categories/{category_id}/${part}`;
  if (typeof url !== 'string' || url === '' || (await target.find(path, [id]))) return false;
  const created = await target.post(path, [id], { externalUrl: url, alt });
  if (!created.ok) storeCopy.failure(`${part}s`, category.name as string, created);
  return created.ok;
}

/** Links products to categories. Does not remove links that only the target store has. */
export async function copyCategoryLinks(storeCopy: StoreCopy, categories: Ids, products: Ids): Promise<void> {
  const path = '/categories/{category_id}/products';
  for (const [sourceId, targetId] of categories) {
    storeCopy.throwIfInterrupted();
    const links = await Array.fromAsync(storeCopy.source.list(path, [sourceId]));
    if (links.length === 0) continue;
    const known = new Set<unknown>();
    for await (const link of storeCopy.target.list(path, [targetId])) known.add(productOf(link));
    let added = 0;
    for (const link of links) {
      const product = products.get(productOf(link) ?? 0);
      if (product === undefined || known.has(product)) continue;
      const input = { ...picked(link, ['position']), product_id: product };
      const created = await storeCopy.target.post(path, [targetId], input);
      if (created.ok) added += 1;
      else storeCopy.failure('links', `product ${product} in category ${targetId}`, created);
    }
    if (added > 0) storeCopy.row('links', `of category ${targetId}`, 'created', { parts: [`${added} products`] });
  }
}

function productOf(link: ApiRecord): number | undefined {
  return idOf(link.product_id ?? link.product ?? link.id);
}

/**
 * Maps the memberships to which a record is restricted, and reports missing ones. If all of them are missing, the record
 * would be visible to everyone; therefore it is disabled. A later run that finds a membership enables it again.
 */
export function forMembers(
  storeCopy: StoreCopy,
  name: string,
  record: ApiRecord,
  memberships: Ids,
): { memberships?: number[]; enabled?: false } {
  if (!Array.isArray(record.memberships)) return {};
  const found = mapped(record.memberships, memberships);
  if (found.length === record.memberships.length) return { memberships: found };
  const isForNone = found.length === 0;
  const message = `A membership to which it is restricted could not be copied${isForNone ? ', so it is disabled' : ''}. Fix the membership and import again.`;
  storeCopy.failure('memberships', `of ${name}`, { status: 422, problems: [{ path: '', message }] });
  return { memberships: found, ...(isForNone ? { enabled: false as const } : {}) };
}

/** Maps linked records to identifiers of the target store. Omits records that it does not have. */
export function mapped(linked: unknown, ids: Ids): number[] {
  return Array.isArray(linked) ? linked.flatMap((one) => ids.get(idOf(one) ?? 0) ?? []) : [];
}
