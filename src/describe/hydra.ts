/**
 * JSON-LD and Hydra (http.md §7), generated from the resource declarations: the API documentation and contexts, the JSON-LD
 * form of responses, and the conversion of JSON-LD bodies to plain JSON. Pure functions; the HTTP layer negotiates the form.
 */
import { API_PATH, collectionAddress, type Model } from '../engine/index.ts';
import { topCollections } from './hydra/classes.ts';
import { KEYS_LINK } from './hydra/keys.ts';
import { contextPath } from './hydra/vocabulary.ts';

export { plainActionBody, plainBody, plainTexts } from './hydra/bodies.ts';
export { collectionOf, type PageAddresses } from './hydra/collections.ts';
export { contextOf } from './hydra/contexts.ts';
export { apiDocumentation } from './hydra/documentation.ts';
export { keyCollectionOf, keyItemOf } from './hydra/keys.ts';
export { hydraProblem } from './hydra/problems.ts';
export { facetedOf, itemOf, type Location, memberOf, quoteOf, shownOf, textsOf, viewOf } from './hydra/records.ts';
export { statisticsItemOf } from './hydra/statistics.ts';
export { CONTEXTS_PATH, DOCUMENTATION_PATH } from './hydra/vocabulary.ts';

/** Returns the Hydra entrypoint: the collections that a client can reach without knowing a record. */
export function entrypoint(model: Model): object {
  return {
    '@context': contextPath('Entrypoint'),
    '@id': API_PATH,
    '@type': 'Entrypoint',
    ...Object.fromEntries(topCollections(model).map(({ key, route }) => [key, collectionAddress(route, [])])),
    [KEYS_LINK.key]: KEYS_LINK.address,
  };
}
