/** Names of a route's records in summaries. Routes of the same resource have different names. */
import { type ModelRoute, pascalCase, plural, withArticle, words } from '../engine/index.ts';

/** Returns the noun with its article: "a select attribute of a product class". */
export function recordNoun(route: ModelRoute): string {
  return `${withArticle(nameOf(route))}${distinction(route)}`;
}

/** Returns the plural: "select attributes of a product class". */
export function recordsNoun(route: ModelRoute): string {
  return `${words(plural(nameOf(route)))}${distinction(route)}`;
}

/** Returns the resource's name with the kind in the path: `SelectAttribute` for `/attributes_select`. */
function nameOf(route: ModelRoute): string {
  const { name } = route.resource;
  const start = `${words(plural(name)).replaceAll(' ', '_')}_`;
  const segment = lastSegment(route);
  return segment.startsWith(start) ? `${pascalCase(segment.slice(start.length))}${name}` : name;
}

function distinction(route: ModelRoute): string {
  if (route.resource.routes.length === 1) return '';
  const segment = lastSegment(route);
  if (segment.startsWith('by_')) return ` ${segment.replaceAll('_', ' ')}`;
  return route.parents
    .map(({ at, target }) => ` of ${withArticle(at ? nameOf(at) : target.name)}`)
    .reverse()
    .join('');
}

function lastSegment({ collectionPath }: ModelRoute): string {
  return collectionPath.split('/').at(-1)!;
}
