/** Selects the resource for the examples of the introduction: the top-level resource with the most fields. */
import type { Model, ModelResource } from '../../engine/index.ts';

export function leadingResource({ resources }: Model): ModelResource {
  const candidates = [...resources.values()].filter(({ declaration, routes: [route] }) => {
    const isOnTop = route?.parents.length === 0 && route.operations.has('create') && route.operations.has('list');
    return isOnTop && declaration.group !== undefined;
  });
  return candidates.reduce((one, other) => (other.fields.size > one.fields.size ? other : one));
}
