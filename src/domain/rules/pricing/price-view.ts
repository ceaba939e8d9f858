/** `GET /products/{id}/price`, also below variants: the price for a buyer without an order (pricing.md §5). */
import {
  decimal,
  type Field,
  flag,
  integer,
  list,
  reference,
  text,
  timestamp,
  type View,
  view,
} from '../../../engine/vocabulary.ts';
import { productPrice, USES_OF_PRODUCT_PRICE, variantPrice } from './product-price.ts';
import { RESULT_FIELDS, UNLIMITED } from './result-fields.ts';

const PARAMETERS: Readonly<Record<string, Field>> = {
  quantity: integer({
    synonyms: ['qty', 'amount', 'count'],
    min: 1,
    max: 1_000_000,
    default: 1,
    description: 'Number of units.',
  }),
  membership: reference({
    to: 'Membership',
    nullable: true,
    zeroIsNull: true,
    onDelete: 'no action',
    description:
      'Id of the buyer’s membership. 0 or a disabled membership means none. Cannot be combined with `customer`.',
    example: 0,
  }),
  customer: reference({
    synonyms: ['customerid', 'profile', 'profileid'],
    to: 'Profile',
    nullable: true,
    onDelete: 'no action',
    description: 'Id of the buyer’s profile, which determines membership and tax exemption.',
    example: 1,
  }),
  country: text({
    synonyms: ['countrycode'],
    nullable: true,
    form: { pattern: /^[A-Z]{2}$/, expected: 'two capital letters such as DE' },
    description: 'Country of the buyer’s address. Without it, the rest of the address has no effect.',
    example: 'US',
  }),
  state_name: addressLine('State of the address.', 'Texas', ['state', 'region', 'province']),
  zipcode: text({
    synonyms: ['zip', 'postcode', 'postalcode'],
    nullable: true,
    lengthMax: 32,
    description: 'Postal code of the address.',
    example: '78701',
  }),
  city: addressLine('City of the address.', 'Austin', ['town']),
  coupon: text({
    synonyms: ['couponcode', 'code'],
    nullable: true,
    lengthMax: 16,
    description: 'Code of a coupon, in upper or lower case. If it does not apply, it has no effect.',
    example: 'SUMMER10',
  }),
  explain: flag({ description: 'Whether `explanation` lists every rule that was considered.', example: true }),
  at: timestamp({
    nullable: true,
    description: 'Date-time for which the price is computed; now if omitted.',
  }),
};

function addressLine(description: string, example: string, synonyms: readonly string[]): Field {
  return text({ synonyms, nullable: true, lengthMax: 255, description, example });
}

const OUTPUT: Readonly<Record<string, Field>> = {
  price: decimal({ description: 'Unit price, with the taxes that the store’s prices include.', shownExample: 19.99 }),
  regular_price: decimal({ description: 'Unit price without sales and wholesale prices.', shownExample: 19.99 }),
  quantity: integer({ description: 'Number of units.', shownExample: 1 }),
  subtotal: decimal({ description: '`price` × `quantity`, rounded.', shownExample: 19.99 }),
  discounts: RESULT_FIELDS.discounts,
  taxes: RESULT_FIELDS.taxes,
  net: decimal({ description: '`subtotal` less discounts, without taxes.', shownExample: 19.99 }),
  gross: decimal({ description: '`subtotal` less discounts, with taxes.', shownExample: 19.99 }),
  currency: text({ description: 'The store’s currency (ISO 4217).', shownExample: 'USD' }),
  wholesale_price_id: integer({ nullable: true, description: 'The wholesale price that determines `price`, or null.' }),
  sale_discount_id: integer({ nullable: true, description: 'The sale discount that determines `price`, or null.' }),
  tiers: list(
    {
      quantity: integer({ description: 'Minimum quantity.' }),
      price: decimal({ description: 'Unit price from this quantity.' }),
    },
    {
      ...UNLIMITED,
      description: 'The price of one unit, and each quantity from which a unit costs less.',
      shownExample: [{ quantity: 1, price: 19.99 }],
    },
  ),
  explanation: RESULT_FIELDS.explanation,
};

const ABOUT = {
  name: 'price',
  output: OUTPUT,
  parameters: PARAMETERS,
  changesWithTime: true,
} as const;

export const priceOfProduct: View = view(USES_OF_PRODUCT_PRICE, {
  ...ABOUT,
  summary: 'Compute the price of a product for a buyer',
  description: 'Options have their defaults. The response changes with time, because discounts and taxes have dates.',
  read: productPrice,
});

export const priceOfVariant: View = view(USES_OF_PRODUCT_PRICE, {
  ...ABOUT,
  summary: 'Compute the price of a variant for a buyer',
  description:
    'Options other than those of the variant have their defaults. The response changes with time, because discounts and taxes have dates.',
  read: variantPrice,
});
