/** The program's own requests to its operations: strict, in the store's default language. */
import type { Caller, ModelPlace, Service, Target, Value } from '../engine/index.ts';

export function ownCaller(defaultLanguage: string): Caller {
  return {
    language: defaultLanguage,
    defaultLanguage,
    visitor: { keyName: 'purveyor', address: '' },
    lenient: false,
    keepsLeftOut: false,
  };
}

export function targetAt(
  place: ModelPlace,
  { parents = [], id = null }: { parents?: Value[]; id?: Value } = {},
): Target {
  return { place, parents, id };
}

export function placeOf({ model }: Service, resource: string): ModelPlace {
  return model.resources.get(resource)!.places[0]!;
}
