/**
 * The address of each record as data, to be filled from its own row and those of its parents. The journal stores the
 * address with every change; a migration publishes it for all records at once.
 */
import { API_PATH } from '../own-address.ts';
import type { Cell, PathForm } from '../ports.ts';
import type { ModelResource, ModelRoute } from './model.ts';

/** Forms of the routes that read a record, in order. A record's address is the first form whose conditions hold. */
export function pathForms(resource: ModelResource): PathForm[] {
  return formingRoutes(resource).map(formAt);
}

/** The routes with the addresses in the journal. Empty if the records have no changes of their own there. */
export function publishedRoutes(resource: ModelResource): ModelRoute[] {
  return resource.isPublishedByOwner || resource.isUnpublished ? [] : formingRoutes(resource);
}

/** The routes of records that can be restored to an earlier version. */
export function restorableRoutes(resource: ModelResource): ModelRoute[] {
  if (resource.declaration.isFinal) return [];
  return publishedRoutes(resource).filter(({ operations }) => operations.has('patch') || operations.has('replace'));
}

function formingRoutes({ routes }: ModelResource): ModelRoute[] {
  const reading = routes.filter(({ operations }) => operations.has('read'));
  const fitsAll = reading.findIndex((route) => formAt(route).when.length === 0);
  return fitsAll === -1 ? reading : reading.slice(0, fitsAll + 1);
}

function formAt(route: ModelRoute): PathForm {
  const { ids, when } = routeOf(route, (column) => ({ column }));
  const own = route.item ? [...ids, { column: route.item.column }] : ids;
  return { texts: `${API_PATH}${route.path}`.split(/\{\w+\}/), cells: own, when };
}

type Column = (name: string) => Cell;

/**
 * The identifiers in the path of a record with these columns, and the conditions that hold for a record at this route.
 */
function routeOf(route: ModelRoute, columnOf: Column): { readonly ids: Cell[]; readonly when: PathForm['when'] } {
  const ids: Cell[] = [];
  const when: PathForm['when'][number][] = [...route.fixed].map(([field, is]) => ({
    cell: columnOf(field.column),
    is,
  }));
  for (const [index, { field, target, at }] of route.parents.entries()) {
    if (!field) continue;
    const id = columnOf(field.column);
    ids[index] = id;
    if (field.field.nullable) when.push({ cell: id, is: undefined });
    if (!at || (at.fixed.size === 0 && at.parents.length === 0)) continue;
    const above = routeOf(at, (column) => ({
      column,
      of: { table: target.table, key: target.identifierField, is: id },
    }));
    // A parent without a link is part of the next parent's path.
    for (const [position, cell] of above.ids.entries()) ids[position] ??= cell;
    when.push(...above.when);
  }
  return { ids, when };
}
