/** The operation of the values of the whole store (http.md §22). */
import { type JsonSchema, STORE_PATH, type Tag } from '../../engine/index.ts';
import { storeInfoItemOf } from '../hydra/store-info.ts';
import type { Reference, Writing } from './components.ts';
import { headersNamed } from './headers.ts';
import { recordContent } from './linked.ts';
import { headerParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';

export const STORE_INFO_TAG: Tag = {
  name: 'StoreInfo',
  description: 'Values of the whole store, such as its currency. They are set on its server.',
};

export function storeInfoPaths(writing: Writing): Record<string, Record<string, object>> {
  const named = ['ETag', 'Content-Language', 'Preference-Applied'] as const;
  return {
    [STORE_PATH]: {
      get: {
        tags: [STORE_INFO_TAG.name],
        operationId: 'readStore',
        summary: 'Read the values of the whole store',
        description:
          'No request changes them: the currency is that of the first start, the others are the server’s settings.',
        security: [{ apiKey: [] }],
        parameters: [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer],
        responses: {
          200: {
            description: 'The values.',
            headers: headersNamed(writing, named),
            content: recordContent(writing, infoSchema, EXAMPLE, storeInfoItemOf),
          },
          304: { description: 'Nothing changed since.', headers: headersNamed(writing, named) },
          ...problemResponses(writing, possibleProblems('read')),
        },
      },
    },
  };
}

const EXAMPLE = { currency: 'USD', time_zone: 'UTC', weight_unit: 'kg', seller: '', invoice_keep_years: 10 };

function infoSchema({ components }: Writing): Reference {
  const properties: Record<string, JsonSchema> = {
    currency: { type: 'string', description: 'ISO 4217: of orders that name none, and of all prices.' },
    time_zone: { type: 'string', description: 'The IANA zone that dates are shown and read in.' },
    weight_unit: { type: 'string', enum: ['kg', 'lb', 'oz', 'g'], description: 'The unit of all weights.' },
    seller: {
      type: 'string',
      description: 'Name and address as invoices show them, in lines; empty where none is set.',
    },
    invoice_keep_years: {
      type: 'integer',
      minimum: 0,
      description: 'So long an invoice stays whole when its customer is erased.',
    },
  };
  return components.refer('schemas', 'StoreInfo', () => ({
    type: 'object',
    description: 'Values of the whole store.',
    properties,
    required: Object.keys(properties),
  }));
}
