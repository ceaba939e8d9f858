/** The operation that reads the store's settings (http.md §22). */
import { type JsonSchema, STORE_PATH, type Tag } from '../../engine/index.ts';
import { storeInfoItemOf } from '../hydra/store-info.ts';
import type { DocumentContext, Reference } from './components.ts';
import { headersNamed, NOT_MODIFIED } from './headers.ts';
import { recordContent } from './linked.ts';
import { headerParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';

export const STORE_INFO_TAG: Tag = {
  name: 'StoreInfo',
  description: 'Settings of the whole store, such as its currency. They are read-only and configured on the server.',
};

export function storeInfoPaths(context: DocumentContext): Record<string, Record<string, object>> {
  const named = ['ETag', 'Content-Language', 'Preference-Applied'] as const;
  return {
    [STORE_PATH]: {
      get: {
        tags: [STORE_INFO_TAG.name],
        operationId: 'readStore',
        summary: 'Read the settings of the store',
        description:
          'Read-only. The currency is fixed at the first start of the store; the other values are settings of the server.',
        security: [{ apiKey: [] }],
        parameters: [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer],
        responses: {
          200: {
            description: 'The settings.',
            headers: headersNamed(context, named),
            content: recordContent(context, infoSchema, EXAMPLE, storeInfoItemOf),
          },
          304: { description: NOT_MODIFIED, headers: headersNamed(context, named) },
          ...problemResponses(context, possibleProblems('read')),
        },
      },
    },
  };
}

const EXAMPLE = {
  ...{ currency: 'USD', time_zone: 'UTC', weight_unit: 'kg', seller: '', invoice_keep_years: 10 },
  ...{ shop_url: '', dimension_unit: 'cm' },
};

function infoSchema({ components }: DocumentContext): Reference {
  const properties: Record<string, JsonSchema> = {
    currency: { type: 'string', description: 'ISO 4217 code: currency of all prices and default currency of orders.' },
    time_zone: { type: 'string', description: 'IANA time zone of dates in input and output.' },
    weight_unit: { type: 'string', enum: ['kg', 'lb', 'oz', 'g'], description: 'Unit of all weights.' },
    seller: {
      type: 'string',
      description: 'Name and address of the store on invoices, on several lines; empty if not set.',
    },
    invoice_keep_years: {
      type: 'integer',
      minimum: 0,
      description: 'Number of years for which invoices are retained unchanged when their customer is erased.',
    },
    shop_url: {
      type: 'string',
      description: 'Address of the shop that shoppers visit, without a slash at its end; empty if not set.',
    },
    dimension_unit: {
      type: 'string',
      enum: ['cm', 'mm', 'm', 'in'],
      description: 'Unit of the width, length and height of products.',
    },
  };
  return components.refer('schemas', 'StoreInfo', () => ({
    type: 'object',
    description: 'Settings of the whole store.',
    properties,
    required: Object.keys(properties),
  }));
}
