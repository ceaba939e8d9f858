/**
 * Builds addresses of records and collections from a route and its path parameters, and parses identifiers from
 * addresses. Addresses are paths; only addresses from clients may include the store's own host.
 */

import { API_PATH, ownPath } from '../own-address.ts';
import type { Value } from '../ports.ts';
import type { ModelField, ModelResource, ModelRoute } from './model.ts';

/** Returns the known value of a record's field, or undefined if it is unknown. */
export type Known = (field: ModelField) => Value | undefined;

export function collectionAddress({ collectionPath }: ModelRoute, parents: readonly Value[]): string {
  return filledIn(collectionPath, parents);
}

/** @param id value of the record's own parameter; a singleton route has none */
export function recordAddress({ path }: Pick<ModelRoute, 'path'>, parents: readonly Value[], id?: Value): string {
  return filledIn(path, id === undefined ? parents : [...parents, id]);
}

/** Returns the first address at which the record is certainly readable, given the known values. */
export function addressOf({ routes }: ModelResource, known: Known): string | undefined {
  for (const route of routes) {
    if (!route.operations.has('read') || route.declaration.admission) continue;
    if ([...route.fixed].some(([field, value]) => known(field) !== value)) continue;
    // It is unknown whether a parent satisfies further conditions of its route, such as fixed values. A record that has a
    // link to each parent was written below them, so they belong together.
    const hasAllLinks = route.parents.every(({ field }) => field);
    if (route.parents.some(({ at }) => at && (at.fixed.size > 0 || (at.parents.length > 0 && !hasAllLinks)))) continue;
    const ids = route.parents.map(({ field }) => field && known(field));
    if (route.item) ids.push(known(route.item));
    if (ids.every((id) => id !== undefined && id !== null)) return filledIn(route.path, ids as Value[]);
  }
  return undefined;
}

/** Returns the identifier at the end of a record's address, as text, or undefined if it is not such an address. */
export function identifierAt({ routes }: ModelResource, address: string, baseUrl: string): string | undefined {
  const path = ownPath(address, baseUrl);
  if (path === undefined) return undefined;
  const segments = path.slice(API_PATH.length + 1).split('/');
  const isAt = (form: string): boolean => {
    const own = form.split('/').slice(1);
    const isAlike = (segment: string, index: number): boolean =>
      /^\{\w+\}$/.test(segment) || segment === segments[index];
    return own.length === segments.length && own.every(isAlike);
  };
  const forms = routes.filter(namesIdentifier).flatMap((route) => [route, ...route.aliases].map((at) => at.path));
  if (!forms.some(isAt)) return undefined;
  try {
    return decodeURIComponent(segments.at(-1)!);
  } catch {
    return undefined;
  }
}

export const PLAIN_DIGITS = /^[1-9]\d{0,15}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the identifier in a path segment. Undefined means that no record can match. */
export function readIdentifier({ identifier }: ModelResource, text: string): Value | undefined {
  switch (identifier.kind) {
    case 'integer':
      return PLAIN_DIGITS.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'uuid':
      return UUID.test(text) ? text.toLowerCase() : undefined;
    case 'manual':
      return identifier.pattern.test(text) ? text : undefined;
  }
}

function namesIdentifier({ item }: ModelRoute): boolean {
  return item?.isIdentifier === true;
}

function filledIn(path: string, ids: readonly Value[]): string {
  let index = 0;
  return API_PATH + path.replace(/\{\w+\}/g, () => encodeURIComponent(String(ids[index++])));
}
