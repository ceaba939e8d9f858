/** JSON schemas of results of the price calculation (pricing.md §4). */
import type { Field } from '../../../engine/vocabulary.ts';

type Schema = Field['outputSchema'];

const STRING: Schema = { type: 'string' };
const NUMBER: Schema = { type: 'number' };
const INTEGER: Schema = { type: 'integer' };
const AMOUNTS: Schema = { type: 'array', items: NUMBER };

const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true });

/** An object whose members are all required. */
function objectOf(members: Readonly<Record<string, Schema>>): Schema {
  const properties = Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, { schema }]));
  return { type: 'object', properties, required: Object.keys(members) };
}

const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** What an order stores of the discount or tax rate of a surcharge (pricing.md §5). */
export const SOURCE_SCHEMA: Schema = objectOf({
  kind: { type: 'string', enum: ['volume_discount', 'coupon', 'tax_rate'] },
  id: INTEGER,
  type: { type: 'string', enum: ['%', '$', 'S'] },
  value: NUMBER,
  base: nullable(STRING),
  rounding: nullable(STRING),
  rounding_target: nullable(STRING),
});

/** Members of a result (pricing.md §4, *Result*). */
export const RESULT_SCHEMAS: Readonly<Record<string, Schema>> = {
  currency: STRING,
  lines: listOf(
    objectOf({
      price: NUMBER,
      regular_price: NUMBER,
      amount: INTEGER,
      subtotal: NUMBER,
      wholesale_price_id: nullable(INTEGER),
      sale_discount_id: nullable(INTEGER),
    }),
  ),
  discounts: listOf(objectOf({ kind: STRING, id: INTEGER, code: nullable(STRING), value: NUMBER, shares: AMOUNTS })),
  charges: listOf(objectOf({ type: STRING, code: STRING, name: STRING, tax_class: nullable(INTEGER), value: NUMBER })),
  taxes: listOf(
    objectOf({
      id: INTEGER,
      code: STRING,
      name: STRING,
      include: { type: 'boolean' },
      value: NUMBER,
      shares: AMOUNTS,
      charge_shares: AMOUNTS,
    }),
  ),
  totals: objectOf({
    sub_total: NUMBER,
    discounts: NUMBER,
    charges: NUMBER,
    added_taxes: NUMBER,
    included_taxes: NUMBER,
    total: NUMBER,
  }),
  explanation: nullable(
    listOf(
      objectOf({
        scope: STRING,
        kind: STRING,
        id: nullable(INTEGER),
        value: nullable(NUMBER),
        won: { type: 'boolean' },
        reason: STRING,
      }),
    ),
  ),
};

/** The schema of a whole result. */
export const RESULT_SCHEMA: Schema = objectOf(RESULT_SCHEMAS);
