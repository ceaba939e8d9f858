/** The program's own calls of operations: strict, in the store's default language. */
import type { Actor, ModelRoute, RequestOptions, Service, Target, Value } from '../engine/index.ts';

/** Returns the command that writes, for the audit. @param name such as `user create` */
export function commandActor(name: string): Actor {
  return { type: 'command', id: name, keyName: 'purveyor', address: '' };
}

/** Requests of a job. @param name for the audit, such as `price history` */
export function jobRequestOptions(name: string, defaultLanguage = ''): RequestOptions {
  return ownRequestOptions(defaultLanguage, { type: 'job', id: name });
}

/** @param by who writes, for the audit */
export function ownRequestOptions(
  defaultLanguage: string,
  by: Pick<Actor, 'type' | 'id'> = { type: 'job', id: 'purveyor' },
): RequestOptions {
  return {
    language: defaultLanguage,
    defaultLanguage,
    actor: { ...by, keyName: 'purveyor', address: '' },
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
