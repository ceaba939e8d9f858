/** The operation that reads the store's key figures (http.md §21). */
import { type JsonSchema, STATISTICS_PATH, type Tag } from '../../engine/index.ts';
import { statisticsItemOf } from '../hydra/statistics.ts';
import type { DocumentContext, Reference } from './components.ts';
import { notModified } from './headers.ts';
import { recordContent } from './linked.ts';
import { query } from './parameter.ts';
import { headerParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';

export const STATISTICS_TAG: Tag = {
  name: 'Statistics',
  description: 'Key figures of the store: sales, orders to ship, low stock and webhook failures.',
};

const DESCRIPTION = `All figures are from one consistent snapshot, and totals are exact. Orders with the payment status \`C\`, \`D\` or \`R\` do not count as sales. Days are in the store’s time zone; weeks start on Monday.`;

export function statisticsPaths(context: DocumentContext): Record<string, Record<string, object>> {
  return {
    [STATISTICS_PATH]: {
      get: {
        tags: [STATISTICS_TAG.name],
        operationId: 'readStatistics',
        summary: 'Read the key figures of the store',
        description: DESCRIPTION,
        parameters: [
          query(
            'low_stock',
            'Maximum number of units at which the stock of a product is low.',
            { type: 'integer', minimum: 0, maximum: 999_999_999, default: 5 },
            5,
          ),
          query(
            'days',
            'Number of days in `days`, and in the period of `previous` and `best_sellers`.',
            { type: 'integer', enum: [7, 30, 90], default: 30 },
            30,
          ),
          headerParameters.ifNoneMatch,
          headerParameters.acceptLanguage,
          headerParameters.prefer,
        ],
        responses: {
          200: {
            description: 'The key figures.',
            content: recordContent(context, statisticsSchema(context), EXAMPLE, statisticsItemOf),
          },
          304: notModified(context),
          ...problemResponses(context),
        },
      },
    },
  };
}

const sold = (date: string) => ({ date, orders: 2, totals: [{ currency: 'USD', total: 59.97 }] });

const EXAMPLE = {
  time_zone: 'UTC',
  today: sold('2026-01-07'),
  week: sold('2026-01-05'),
  days: [{ ...sold('2026-01-07'), units: 3 }],
  previous: { orders: 1, units: 1, totals: [{ currency: 'USD', total: 19.99 }] },
  best_sellers: [
    { product_id: 1, sku: 'TSHIRT-1', name: 'T-shirt', units: 3, totals: [{ currency: 'USD', total: 59.97 }] },
  ],
  to_ship: 1,
  backordered: 0,
  low_stock: { limit: 5, count: 1, items: [{ product_id: 1, variant_id: null, sku: 'TSHIRT-1', amount: 3 }] },
  webhooks: { failing: 0, paused: 0 },
};

function objectOf(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });

function statisticsSchema(context: DocumentContext): Reference {
  const { components, dialect } = context;
  const totals: JsonSchema = {
    type: 'array',
    description: 'Totals by currency, the store’s own currency first.',
    items: objectOf('The total in one currency.', {
      currency: { type: 'string', description: 'ISO 4217 code.' },
      total: { type: 'number', description: 'Total of the orders.' },
    }),
  };
  const orders = count('Number of orders placed.');
  const units = count('Number of units sold.');
  const date: JsonSchema = { type: 'string', format: 'date', description: 'The first day.' };
  const soldSchema = components.refer('schemas', 'StatisticsSold', () =>
    objectOf('Sales of one or several days.', { date, orders, totals }),
  );
  const daySchema = components.refer('schemas', 'StatisticsDay', () =>
    objectOf('Sales of one day.', { date: { ...date, description: 'The day.' }, orders, totals, units }),
  );
  const bestSeller = objectOf('A product by units sold.', {
    product_id: dialect.nullable({ type: 'integer', description: 'null for a deleted product.' }),
    sku: { type: 'string', description: 'SKU of the product; of the sold item if the product was deleted.' },
    name: { type: 'string', description: 'Name in the language of the request.' },
    units,
    totals,
  });
  const item = objectOf('A product, or a variant with its own stock.', {
    product_id: { type: 'integer' },
    variant_id: dialect.nullable({ type: 'integer', description: 'null for the product itself.' }),
    sku: { type: 'string', description: 'SKU; that of the product for a variant without one.' },
    amount: { type: 'integer', description: 'Units in stock.' },
  });
  return components.refer('schemas', 'Statistics', () =>
    objectOf('Key figures of the store.', {
      time_zone: { type: 'string', description: 'IANA time zone of the days.' },
      today: soldSchema as JsonSchema,
      week: soldSchema as JsonSchema,
      days: {
        type: 'array',
        items: daySchema as JsonSchema,
        description: 'As many days as the parameter `days` says, today last.',
      },
      previous: objectOf('Sales of as many days before the first of `days`.', { orders, units, totals }),
      best_sellers: {
        type: 'array',
        maxItems: 10,
        items: bestSeller,
        description: 'Up to 10 products with the most units sold in `days`, the most first.',
      },
      to_ship: count('Number of orders with the payment status `P` and the shipping status `N` or `P`.'),
      backordered: count('Number of orders with the payment status `P` and the shipping status `NBA`.'),
      low_stock: objectOf('Enabled products with tracked stock that is low.', {
        limit: count('Value of the parameter `low_stock`.'),
        count: count('Number of such products and variants.'),
        items: { type: 'array', items: item, description: 'Up to 10 of them, lowest stock first.' },
      }),
      webhooks: objectOf('Enabled webhooks with failures.', {
        failing: count('Number of webhooks that will be retried.'),
        paused: count('Number of webhooks that are paused until they are resumed.'),
      }),
    }),
  );
}
