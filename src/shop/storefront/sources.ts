/** The resources that responses to shoppers are made of. Cached responses are dropped when their records change. */
import {
  listFieldResources,
  type Model,
  type ModelResource,
  publishedAs,
  type Reads,
  shownResources,
  usingField,
} from '../../engine/index.ts';
import { routeAt, type ShopView } from './view.ts';

/** Returns the names under which changes of everything that the view shows, reads or filters by are published. */
export function sourcesOf(model: Model, view: ShopView): ReadonlySet<string> {
  const route = routeAt({ model }, view);
  const { resource } = route;
  const source = view.source(view.fields);
  const outputs = [...route.outputs, ...route.onRequest].filter(({ name }) => source.has(name));
  const { records, identifiers } = shownResources({ outputs });
  const read = view.reads.map((name) => model.resources.get(name)!);
  const parents = route.parents.map(({ target }) => target);
  const filtered = [
    ...view.conditions.map(([name]) => name),
    ...Object.values(view.filters).map(({ as }) => as),
  ].flatMap((name): (ModelResource | undefined)[] => {
    const field = (route.filters.get(name) ?? route.keyedFilters.get(name))?.field;
    const { storage, target } = field ?? {};
    if (storage?.in !== 'linked') return [target];
    return [target, target!.fields.get(storage.to)!.target, field && usingField(field)?.resource];
  });
  const { listField } = route;
  const isValued = Object.values(view.filters).some(({ as }) => as === listField?.field.name);
  const valued = listField && isValued ? listFieldResources(model, listField).all : [];
  const searched = view.facets ? resource.search!.in.map((text) => text.resource) : [];
  const resources = [resource, ...read, ...parents, ...filtered, ...searched].filter((each) => each !== undefined);
  return new Set([...records, ...identifiers, ...valued, ...resources.map(publishedAs)]);
}

const READING = ['list', 'read', 'texts'];

/** Reads that reject resources that the view does not name in `reads`, so that no change of what it reads is missed. */
export function limitedReads<R extends Reads>(reads: R, view: ShopView): R {
  return new Proxy(reads, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (!READING.includes(name as string)) return member;
      return (resource: string, ...others: unknown[]): unknown => {
        if (!view.reads.includes(resource)) throw new Error(`The view of ${view.resource} does not name ${resource}.`);
        return (member as (...sent: unknown[]) => unknown).call(target, resource, ...others);
      };
    },
  });
}
