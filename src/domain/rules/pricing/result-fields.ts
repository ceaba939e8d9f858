/** Results of the price calculation as output (pricing.md §4, *Result*). */
import {
  choice,
  decimal,
  type Field,
  flag,
  integer,
  list,
  object,
  recorded,
  text,
} from '../../../engine/vocabulary.ts';

const nullableId = (description: string): Field => integer({ nullable: true, description });

const amounts = (description: string): Field =>
  recorded({ schema: { type: 'array', items: { type: 'number' } }, default: [], description });

/** A list in output has no maximum. */
export const UNLIMITED = { countMax: Number.POSITIVE_INFINITY };

const discounts = list(
  {
    kind: choice(['volume_discount', 'coupon']),
    id: integer({ description: 'Id of the volume discount or coupon.' }),
    code: text({ nullable: true, description: 'Code of the coupon; null for a volume discount.' }),
    value: decimal({ description: 'Amount taken off.' }),
    shares: amounts('The share of each item.'),
  },
  { ...UNLIMITED, description: 'The volume discount, then the coupons by id, if they apply.' },
);

const taxes = list(
  {
    id: integer({ description: 'Id of the tax rate.' }),
    code: text({ description: 'The `tax` of the rate.' }),
    name: text({ description: 'Name of the rate, in the language of the request.' }),
    include: flag({ description: 'Whether the prices include the tax.' }),
    value: decimal({ description: 'Amount of the tax.' }),
    shares: amounts('The share of each item.'),
    charge_shares: amounts('The share of each charge.'),
  },
  { ...UNLIMITED, description: 'The taxes by the id of their rate, including taxes of 0.' },
);

const explanation = list(
  {
    scope: text({ description: '`items[0]`, `charges[0]` or `order`.' }),
    kind: choice([
      ...['regular', 'own_sale', 'sale_discount', 'wholesale_price', 'combination'],
      ...['volume_discount', 'coupon', 'tax_rate'],
    ]),
    id: integer({ nullable: true, description: 'Id of the rule; of a combination, that of the wholesale price.' }),
    value: decimal({ nullable: true, description: 'Price or amount; null if the rule does not apply.' }),
    won: flag({ description: 'Whether the rule determines the price, or takes effect.' }),
    reason: choice([
      ...['disabled', 'dates', 'membership', 'zone', 'not_listed', 'quantity', 'subtotal', 'uses', 'own_sale'],
      ...['not_combinable', 'not_taxable', 'exempt', 'position', 'higher_price', 'smaller_discount', 'tie', 'won'],
    ]),
  },
  {
    ...UNLIMITED,
    nullable: true,
    shownExample: null,
    description: 'Every rule that was considered; null without `explain`.',
  },
);

const lines = list(
  {
    price: decimal({ description: 'Unit price.' }),
    regular_price: decimal({ description: 'Unit price without sales and wholesale prices.' }),
    amount: integer({ description: 'Number of units.' }),
    subtotal: decimal({ description: '`price` × `amount`, rounded.' }),
    wholesale_price_id: nullableId('The wholesale price that determines `price`, or null.'),
    sale_discount_id: nullableId('The sale discount that determines `price`, or null.'),
  },
  {
    ...UNLIMITED,
    description: 'The items of the order.',
    shownExample: [
      {
        ...{ price: 19.99, regular_price: 19.99, amount: 2, subtotal: 39.98 },
        ...{ wholesale_price_id: null, sale_discount_id: null },
      },
    ],
  },
);

const charges = list(
  {
    type: text({ description: '`shipping` or `handling`.' }),
    code: text({ description: 'Code of the surcharge.' }),
    name: text({ description: 'Name of the surcharge.' }),
    tax_class: nullableId('The tax class of the charge, or null.'),
    value: decimal({ description: 'Amount.' }),
  },
  { ...UNLIMITED, description: 'The charges that the client sent, and that of the shipping method.' },
);

const totals = object(
  {
    sub_total: decimal({ description: 'Sum of the items.' }),
    discounts: decimal({ description: 'Sum of the discounts.' }),
    charges: decimal({ description: 'Sum of the charges.' }),
    added_taxes: decimal({ description: 'Sum of the taxes that prices do not include.' }),
    included_taxes: decimal({ description: 'Sum of the taxes that prices include.' }),
    total: decimal({ description: '`sub_total` − `discounts` + `charges` + `added_taxes`.' }),
  },
  {
    description: 'Amounts of the whole order.',
    shownExample: {
      ...{ sub_total: 39.98, discounts: 0, charges: 0 },
      ...{ added_taxes: 0, included_taxes: 0, total: 39.98 },
    },
  },
);

/** The members of a result. */
export const RESULT_FIELDS = {
  currency: text({ description: 'The store’s currency (ISO 4217).', shownExample: 'USD' }),
  lines,
  discounts,
  charges,
  taxes,
  totals,
  explanation,
} as const satisfies Readonly<Record<string, Field>>;

/** The result for the example of a new order in a store without rules. */
export const RESULT_EXAMPLE = Object.fromEntries(
  Object.entries<Field>(RESULT_FIELDS).map(([name, { shownExample, default: fallback }]) => [
    name,
    shownExample === undefined ? fallback : shownExample,
  ]),
);

/** The copy of a discount or tax rate, or the shipping method, that a surcharge stores (pricing.md §5). */
export const SOURCE_SCHEMA: Field['outputSchema'] = object({
  kind: choice(['volume_discount', 'coupon', 'tax_rate', 'shipping_method'], { description: 'Kind of rule.' }),
  id: integer({ description: 'Id of the rule.' }),
  type: choice(['%', '$', 'S'], { description: '`type` of the rule; `$` for a shipping method.' }),
  value: decimal({ description: '`value` of the rule; the cost of a shipping method.' }),
  base: text({ nullable: true, description: '`base` of a tax rate, else null.' }),
  rounding: text({ nullable: true, description: '`rounding` of the tax settings for a tax, else null.' }),
  rounding_target: text({ nullable: true, description: '`rounding_target` of the tax settings for a tax, else null.' }),
}).outputSchema;
