/** The body of a search with facets (finding.md §2). */
import type { FacetedPage, ListQuery, ModelRoute } from '../../engine/index.ts';

export function facetedBody(
  { collectionPath }: ModelRoute,
  { search }: ListQuery,
  records: readonly object[],
  facets: FacetedPage['facets'],
) {
  return {
    [collectionPath.slice(1)]: records,
    facets,
    highlights: {},
    search: search ? { corrected: {} } : null,
  };
}
