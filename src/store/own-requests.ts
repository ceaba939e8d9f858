/** Options for the program's own calls of operations: strict, in the store's default language. */
import type { ModelRoute, RequestOptions, Service, Target, Value } from '../engine/index.ts';

export function ownRequestOptions(defaultLanguage: string): RequestOptions {
  return {
    language: defaultLanguage,
    defaultLanguage,
    actor: { keyName: 'purveyor', address: '' },
    lenient: false,
    preservesOmitted: false,
  };
}

export function targetAt(
  route: ModelRoute,
  { parents = [], id = null }: { parents?: Value[]; id?: Value } = {},
): Target {
  return { route, parents, id };
}

export function routeOf({ model }: Service, resource: string): ModelRoute {
  return model.resources.get(resource)!.routes[0]!;
}
