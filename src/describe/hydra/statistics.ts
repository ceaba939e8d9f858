/** Key figures as JSON-LD (http.md §21). They are not a resource of the model, so their class is defined here. */
import { API_PATH, STATISTICS_PATH } from '../../engine/index.ts';
import type { ClassDescription, Property } from './classes.ts';
import { contextPath } from './vocabulary.ts';

const NAME = 'Statistics';

export function statisticsItemOf(figures: object): object {
  return { '@context': contextPath(NAME), '@id': `${API_PATH}${STATISTICS_PATH}`, '@type': NAME, ...figures };
}

const property = (name: string, type: 'string' | 'integer' | 'object' | 'array'): Property => ({
  ...{ name, description: undefined, schema: { type } },
  ...{ isRequired: false, isReadable: true, isWriteable: false },
});

export const STATISTICS_CLASS: ClassDescription = {
  name: NAME,
  of: undefined,
  description: 'Key figures of the store.',
  properties: [
    property('time_zone', 'string'),
    property('today', 'object'),
    property('week', 'object'),
    property('days', 'array'),
    property('previous', 'object'),
    property('best_sellers', 'array'),
    property('to_ship', 'integer'),
    property('backordered', 'integer'),
    property('low_stock', 'object'),
    property('webhooks', 'object'),
  ],
  operations: new Set(['read']),
};
