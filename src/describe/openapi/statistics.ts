/** The operation of the figures of a shop's day (http.md §21). */
import { type JsonSchema, STATISTICS_PATH, type Tag } from '../../engine/index.ts';
import { statisticsItemOf } from '../hydra/statistics.ts';
import type { Reference, Writing } from './components.ts';
import { headersNamed } from './headers.ts';
import { recordContent } from './linked.ts';
import { query } from './parameter.ts';
import { headerParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';

export const STATISTICS_TAG: Tag = {
  name: 'Statistics',
  description: 'The figures that a shop looks at first in the morning.',
};

const DESCRIPTION = `Orders whose payment status is \`C\`, \`D\` or \`R\` are left out of the counts and sums. Days are those of the store’s time zone, and a week begins on Monday. All figures are of one moment. Sums are exact.`;

export function statisticsPaths(writing: Writing): Record<string, Record<string, object>> {
  const named = ['ETag', 'Content-Language', 'Preference-Applied'] as const;
  return {
    [STATISTICS_PATH]: {
      get: {
        tags: [STATISTICS_TAG.name],
        operationId: 'readStatistics',
        summary: 'Read the figures of the day',
        description: DESCRIPTION,
        security: [{ apiKey: [] }],
        parameters: [
          query(
            'low_stock',
            'Products with at most so many pieces run out.',
            { type: 'integer', minimum: 0, maximum: 999_999_999, default: 5 },
            5,
          ),
          headerParameters.ifNoneMatch,
          headerParameters.acceptLanguage,
          headerParameters.prefer,
        ],
        responses: {
          200: {
            description: 'The figures.',
            headers: headersNamed(writing, named),
            content: recordContent(writing, statisticsSchema, EXAMPLE, statisticsItemOf),
          },
          304: { description: 'Nothing changed since.', headers: headersNamed(writing, named) },
          ...problemResponses(writing, possibleProblems('read')),
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
  days: [sold('2026-01-07')],
  to_ship: 1,
  low_stock: { limit: 5, count: 1, items: [{ product_id: 1, variant_id: null, sku: 'TSHIRT-1', amount: 3 }] },
  webhooks: { failing: 0, paused: 0 },
};

function objectOf(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });

function statisticsSchema(writing: Writing): Reference {
  const { components, dialect } = writing;
  const soldSchema = components.refer('schemas', 'StatisticsSold', () =>
    objectOf('Orders of a day, or of several.', {
      date: { type: 'string', format: 'date', description: 'The first day.' },
      orders: count('How many were placed.'),
      totals: {
        type: 'array',
        description: 'Their sums, the store’s own currency first.',
        items: objectOf('The sum in one currency.', {
          currency: { type: 'string', description: 'ISO 4217.' },
          total: { type: 'number', description: 'Of the orders’ `total`.' },
        }),
      },
    }),
  );
  const item = objectOf('A product, or a variant with a stock of its own.', {
    product_id: { type: 'integer' },
    variant_id: dialect.nullable({ type: 'integer', description: 'null for the product itself.' }),
    sku: { type: 'string', description: 'Of a variant without one that of its product.' },
    amount: { type: 'integer', description: 'Pieces in stock.' },
  });
  return components.refer('schemas', 'Statistics', () =>
    objectOf('The figures of a shop’s day.', {
      time_zone: { type: 'string', description: 'Whose days are meant.' },
      today: soldSchema as JsonSchema,
      week: soldSchema as JsonSchema,
      days: { type: 'array', items: soldSchema as JsonSchema, description: 'The last 30 days, today last.' },
      to_ship: count('Orders with the payment status `P` and the shipping status `N`, `P` or `NBA`.'),
      low_stock: objectOf('Enabled products whose stock is counted and runs out.', {
        limit: count('Most pieces of one that runs out: `low_stock`.'),
        count: count('How many there are.'),
        items: { type: 'array', items: item, description: 'Up to 10, those with the fewest pieces first.' },
      }),
      webhooks: objectOf('Webhooks that are enabled and not delivered.', {
        failing: count('Those that will be tried again.'),
        paused: count('Those that wait for somebody to resume them.'),
      }),
    }),
  );
}
