/** Requests that the program makes of its own operations: strict, in the store's default language. */
import type { ModelPlace } from '../engine/model.ts';
import type { Value } from '../engine/ports.ts';
import type { Request, Service } from '../engine/service.ts';

export function ownRequest(
  place: ModelPlace,
  defaultLanguage: string,
  ids: { parents?: Value[]; id?: Value } = {},
): Request {
  return {
    place,
    parents: ids.parents ?? [],
    id: ids.id ?? null,
    language: defaultLanguage,
    defaultLanguage,
    visitor: { keyName: 'purveyor', address: '' },
    lenient: false,
    keepsLeftOut: false,
    represent: () => ({ body: '', etag: '' }),
  };
}

export function placeOf({ model }: Service, resource: string): ModelPlace {
  return model.resources.get(resource)!.places[0]!;
}
