/** Store settings as JSON-LD (http.md §22). They are not a resource of the model, so their class is defined here. */
import { API_PATH, STORE_PATH } from '../../engine/index.ts';
import type { ClassDescription, Property } from './classes.ts';
import { contextPath } from './vocabulary.ts';

const NAME = 'StoreInfo';

export function storeInfoItemOf(info: object): object {
  return { '@context': contextPath(NAME), '@id': `${API_PATH}${STORE_PATH}`, '@type': NAME, ...info };
}

const property = (name: string, type: 'string' | 'integer' = 'string'): Property => ({
  ...{ name, description: undefined, schema: { type } },
  ...{ isRequired: false, isReadable: true, isWriteable: false },
});

export const STORE_INFO_CLASS: ClassDescription = {
  name: NAME,
  of: undefined,
  description: 'Settings of the whole store.',
  properties: [
    property('currency'),
    property('time_zone'),
    property('weight_unit'),
    property('seller'),
    property('invoice_keep_years', 'integer'),
    property('shop_url'),
    property('dimension_unit'),
  ],
  operations: new Set(['read']),
};
