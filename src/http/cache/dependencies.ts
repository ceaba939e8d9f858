/** The cache tags of a route, derived from its declaration. */
import { dependencyResources, type ModelField, type ModelRoute, shownResources } from '../../engine/index.ts';
import type { CacheTag, CacheValidator } from './cache-validator.ts';

/** Matches changes of all resources that decide which records a route has or what they show. */
export function routeTag(route: ModelRoute, cacheValidator: CacheValidator): CacheTag {
  const resources = dependencyResources(route);
  return cacheValidator.createTag(({ resource }) => resources.has(resource));
}

/**
 * Matches changes of records that a route's records embed or link to. Other records show a new record only after they
 * changed themselves.
 */
export function embeddedTag(route: ModelRoute, cacheValidator: CacheValidator): CacheTag {
  const { records, identifiers } = shownResources(route);
  return cacheValidator.createTag(
    ({ resource, kind }) =>
      (kind !== 'created' && records.has(resource)) || (kind === 'deleted' && identifiers.has(resource)),
  );
}

/** Whether a response with these fields also changes with records whose changes are not those of the shown record. */
export function summarizesOthers(fields: readonly ModelField[] | undefined): boolean {
  return (fields ?? []).some(
    ({ storage, target }) => (storage.in === 'count' || storage.in === 'average') && !target!.changesOwner,
  );
}
