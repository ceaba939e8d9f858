/**
 * Families of paths and resources (access.md §1). Every segment of a path that names a collection at the top level is one of its
 * families, so `/products/1/categories` belongs to `products` and `categories`.
 */
import type { Model, ModelResource } from '../engine/index.ts';

interface Families {
  /** The families of a path below `/api`; empty if no resource declares its segments. */
  ofPath(path: string): readonly string[];
  /** The families that a client must read to see a record. Empty if no path shows the resource or its owner. */
  ofResource(resource: ModelResource): readonly string[];
  readonly all: readonly string[];
}

const known = new WeakMap<Model, Families>();

export function familiesOf(model: Model): Families {
  const families = known.get(model) ?? createFamilies(model);
  known.set(model, families);
  return families;
}

function createFamilies(model: Model): Families {
  const bySegment = segmentsOf(model);
  const ofPath = (path: string): readonly string[] => [
    ...new Set(literalSegments(path).flatMap((segment) => bySegment.get(segment) ?? [])),
  ];
  const ofResource = ({ routes: [route], owner }: ModelResource): readonly string[] => {
    if (route) return ofPath(route.path);
    return owner ? ofResource(owner.target!) : [];
  };
  return { ofPath, ofResource, all: [...new Set(bySegment.values())].sort() };
}

/** Maps the segments at the top level to families. A declaration names its family if its path has another name. */
function segmentsOf({ routes }: Model): ReadonlyMap<string, string> {
  const segments = new Map<string, string>();
  for (const { resource, collectionPath, aliases } of routes) {
    const [own, ...further] = literalSegments(collectionPath);
    if (further.length > 0) continue;
    const family = resource.declaration.family ?? own!;
    segments.set(own!, family);
    for (const alias of aliases) segments.set(literalSegments(alias.collectionPath)[0]!, family);
  }
  // A first segment that is not a collection, such as that of the front page.
  for (const { path } of routes) {
    const [first] = literalSegments(path);
    if (!segments.has(first!)) segments.set(first!, first!);
  }
  return segments;
}

function literalSegments(path: string): string[] {
  return path.split('/').filter((segment) => /^\w/.test(segment));
}
