/** The resources whose changes affect which records a filtered and sorted list contains. */

import { publishedAs } from '../model/cache-dependencies.ts';
import { type ModelField, type ModelResource, type ModelRoute, usingField } from '../model/model.ts';
import type { FilterUse } from './filter-values.ts';
import type { ListQuery } from './list-query.ts';

/** Resources by name, each with the kind of changes that matter. */
export type Deciding = ReadonlyMap<string, 'every change' | 'deletion'>;

/**
 * Returns the other resources whose changes can affect the list's records or their order. A change of a record of the
 * list's own resource affects only the position of that record.
 * @returns undefined if such a change can also affect the position of other records
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
      // A change of a part of the record itself is published as a change of the record.
      if (target!.owner?.target !== resource || target!.owner.name !== storage.by) add(target, true);
      add(target!.fields.get(storage.to)!.target, isByName || storage.keyed !== undefined);
      if (!storage.keyed) return;
      add(target!.fields.get(storage.keyed.by)!.target, true);
      const using = usingField(field)?.resource;
      if (using && !(using.owner?.target === resource && using.changesOwner)) add(using, true);
    } else add(target, isByName);
  };
  for (const use of listQuery.filters) addLinked(use.filter.field, !isByIdentity(use));
  const orders = listQuery.orders.length > 0 ? listQuery.orders : resource.defaultOrder;
  for (const { field } of orders) addLinked(field, false);
  for (const { resource: searched } of listQuery.search?.in ?? [])
    if (searched !== resource && publishedAs(searched) !== resource.name) add(searched, true);
  return deciding.has(resource.name) ? undefined : deciding;
}

/** Whether only identifiers of linked records matter, which change only by deletion: no record links to a new one. */
function isByIdentity(use: FilterUse): boolean {
  if (use.form === 'links') return use.by.every((how) => how === 'id' || how === 'value');
  return use.form === 'exists' || use.form === 'none' || use.form === 'links or none';
}
