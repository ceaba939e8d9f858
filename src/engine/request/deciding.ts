/** Whose changes decide which records a filtered and sorted list has. */
import { linkedResource, type ModelPlace, type ModelResource } from '../model/model.ts';
import { toldAs } from '../model/reach.ts';
import type { ListIntent } from './intent.ts';

/**
 * The resources besides its own, by name, whose changes can change which records a list has, or in which order. A change
 * of one of its own records changes the place of that record only.
 * @returns undefined where it can change the place of others too
 */
export function decidingResources(
  { resource }: ModelPlace,
  { filters, search, orders }: ListIntent,
): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const field of [...filters.map(({ filter }) => filter.field), ...orders.map(({ field }) => field)])
    for (const linked of field.target ? [field.target, linkedResource(field)] : [])
      if (linked) names.add(toldAs(linked));
  const isBesides = (searched: ModelResource): boolean => searched !== resource && toldAs(searched) !== resource.name;
  for (const searched of (search?.in ?? []).map((field) => field.resource))
    if (isBesides(searched)) names.add(toldAs(searched));
  return names.has(resource.name) ? undefined : names;
}
