/** The operation that reads what a shop needs to know about the store (storefront.md §2). */
import type { ShopOperation, ShopTag } from './operation.ts';
import { READ_PARAMETERS, readResponses } from './reads.ts';

const TAG: ShopTag = { name: 'Store', description: 'The store itself.', group: 'Catalog' };

const EXAMPLE = {
  name: 'shop.example',
  currency: 'USD',
  languages: ['en'],
  time_zone: 'UTC',
  weight_unit: 'kg',
  countries: [],
};

export const STORE_OPERATIONS: readonly ShopOperation[] = [
  {
    ...{ method: 'get', path: '/store', operationId: 'readStore', tag: TAG, security: 'catalog' },
    summary: 'Read the store',
    description: 'Name, currency, languages and units of the store.',
    parameters: READ_PARAMETERS,
    responses: readResponses('The store.', {
      schema: {
        component: 'Store',
        type: 'object',
        description: 'The store.',
        properties: {
          name: { type: 'string', description: 'Name of the store.' },
          currency: { type: 'string', description: 'ISO 4217 code of all prices.' },
          languages: { type: 'array', items: { type: 'string' }, description: 'Codes of the enabled languages.' },
          time_zone: { type: 'string', description: 'IANA time zone.' },
          weight_unit: { type: 'string', enum: ['kg', 'lb', 'oz', 'g'], description: 'Unit of all weights.' },
          countries: {
            type: 'array',
            items: { type: 'string' },
            nullable: true,
            description: 'Codes of the countries that a shipping method ships to; null for all countries.',
          },
        },
        required: Object.keys(EXAMPLE),
      },
      example: EXAMPLE,
    }),
  },
];
