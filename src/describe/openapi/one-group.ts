/** Reduces the OpenAPI document to one group of tags (http.md §11). */
import type { DescribedStore } from './share-repeated.ts';

interface Tagged {
  readonly name: string;
}

interface Group extends Tagged {
  readonly tags: readonly string[];
}

interface GroupedStore extends DescribedStore {
  readonly tags: readonly Tagged[];
  readonly 'x-tagGroups': readonly Group[];
}

/**
 * Returns the paths that have an operation of the group, with all of their operations, and the components that these use.
 *
 * @param name - name of a group in `x-tagGroups`
 * @returns undefined if there is no such group
 */
export function onlyGroup(document: object, name: string): object | undefined {
  const whole = document as GroupedStore;
  const group = whole['x-tagGroups'].find((each) => each.name === name);
  if (!group) return undefined;
  const paths = Object.entries(whole.paths).filter(([, item]) => tagsOf(item).some((tag) => group.tags.includes(tag)));
  const used = new Set(paths.flatMap(([, item]) => tagsOf(item)));
  const groups = whole['x-tagGroups'].map((each) => ({ ...each, tags: each.tags.filter((tag) => used.has(tag)) }));
  return {
    ...whole,
    tags: whole.tags.filter((tag) => used.has(tag.name)),
    'x-tagGroups': groups.filter(({ tags }) => tags.length > 0),
    paths: Object.fromEntries(paths),
    components: usedComponents(whole.components, paths),
  };
}

function tagsOf(item: DescribedStore['paths'][string]): string[] {
  return Object.values(item).flatMap(({ tags = [] }) => tags);
}

const REFERENCE = /"#\/components\/(\w+)\/([^"/]+)"/g;

/** Follows references, also those inside of components. Security schemes are used by all operations, without a reference. */
function usedComponents({ securitySchemes, ...all }: DescribedStore['components'], paths: unknown): object {
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [reference, section = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(reference)) continue;
      used.add(reference);
      visit(all[section]![name]);
    }
  };
  visit(paths);
  const sections = Object.entries(all).map(([section, parts]) => [
    section,
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`"#/components/${section}/${name}"`))),
  ]);
  return { securitySchemes, ...Object.fromEntries(sections) };
}
