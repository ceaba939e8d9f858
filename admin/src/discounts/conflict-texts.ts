/** Describes values of a discount in a conflict: links by name, types by their label, times of the store. */
import type { Identifier } from 'react-admin';
import { dataProvider } from '../api/data-provider.ts';
import type { Values } from '../api/record-diff.ts';

/** The fields that have ids, and the resources of the records. */
const LINKS: Readonly<Record<string, string>> = {
  products: 'products',
  product_classes: 'product_classes',
  categories: 'categories',
  memberships: 'memberships',
  membership: 'memberships',
  zones: 'zones',
};

/** Longer lists are described by their length. */
const NAMED_MAX = 100;

type Names = ReadonlyMap<string, string>;

const idsIn = (value: unknown): readonly Identifier[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as Identifier];

/** Reads the names of the records that one of the versions links. */
export async function readNames(versions: readonly Values[]): Promise<Names> {
  const names = new Map<string, string>();
  for (const [field, resource] of Object.entries(LINKS)) {
    const ids = [...new Set(versions.flatMap((values) => idsIn(values[field])))].slice(0, 2 * NAMED_MAX);
    if (ids.length === 0) continue;
    const { data } = await dataProvider.getMany(resource, { ids });
    for (const { id, name } of data) names.set(`${field}:${id}`, name);
  }
  return names;
}

/** @returns undefined if the value is its own text */
export function linkText(names: Names, field: string, value: unknown): string | undefined {
  if (!(field in LINKS)) return undefined;
  const ids = idsIn(value);
  if (ids.length > NAMED_MAX) return `${ids.length}`;
  return ids.map((id) => names.get(`${field}:${id}`) ?? `${id}`).join(', ');
}
