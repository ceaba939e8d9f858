/** Whose changes decide which records a filtered and sorted list has. */

import { publishedAs } from '../model/cache-dependencies.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import type { FilterUse, ListQuery } from './list-query.ts';

/** Resources by name, each with the changes of it that count. */
export type Deciding = ReadonlyMap<string, 'every change' | 'deletion'>;

/**
 * The resources besides its own whose changes can change which records a list has, or in which order. A change of one of
 * its own records changes the place of that record only.
 * @returns undefined where it can change the place of others too
 */
export function listDependencies({ resource }: ModelRoute, listQuery: ListQuery): Deciding | undefined {
  const deciding = new Map<string, 'every change' | 'deletion'>();
  const add = (linked: ModelResource | undefined, isByName: boolean): void => {
    if (!linked) return;
    const name = publishedAs(linked);
    if (isByName || !deciding.has(name)) deciding.set(name, isByName ? 'every change' : 'deletion');
  };
  const addLinked = (field: ModelField, isByName: boolean): void => {
    const { storage, target } = field;
    if (storage.in === 'linked') {
      // A part of the record itself is told as the record.
      if (target!.owner?.target !== resource || target!.owner.name !== storage.by) add(target, true);
      add(target!.fields.get(storage.to)!.target, isByName);
    } else add(target, isByName);
  };
  for (const use of listQuery.filters) addLinked(use.filter.field, !isByIdentity(use));
  const orders = listQuery.orders.length > 0 ? listQuery.orders.map(({ field }) => field) : resource.defaultOrder;
  for (const field of orders) addLinked(field, false);
  for (const { resource: searched } of listQuery.search?.in ?? [])
    if (searched !== resource && publishedAs(searched) !== resource.name) add(searched, true);
  return deciding.has(resource.name) ? undefined : deciding;
}

/** Whether of linked records only the identifiers count, which change with a deletion alone: no record is linked to a new one. */
function isByIdentity(use: FilterUse): boolean {
  if (use.form === 'links') return use.by.every((how) => how === 'id' || how === 'value');
  return use.form === 'exists' || use.form === 'none';
}
