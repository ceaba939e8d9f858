/** Carts of shoppers (storefront.md §5). `shop/carts/` and `store/carts/` write them. */
import {
  choice,
  decimal,
  type Group,
  integer,
  list,
  object,
  recorded,
  reference,
  resource,
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { CART_EMAIL, CART_LINES_MAX, CART_NOTES, CART_SHIPPING } from '../rules/carts/cart-fields.ts';
import { address } from '../rules/orders/address.ts';
import { currency } from '../rules/orders/currency.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const cart = resource({
  name: 'Cart',
  group: 'Orders',
  description:
    'A cart of a shopper, as of its last write. Only shoppers change it. It is deleted 30 days after it has expired, or if it is empty, 24 hours after its last write.',
  unpublished: true,
  fields: {
    state: choice(['open', 'expired', 'merged'], {
      groups: OUTPUT_ONLY,
      default: 'open',
      description:
        '`merged`: moved to the cart of a customer. A cart becomes `expired` within an hour after `expires_at`.',
    }),
    customer_id: reference({
      to: 'Profile',
      nullable: true,
      groups: OUTPUT_ONLY,
      onDelete: 'cascade',
      shownExample: null,
      description: 'Id of the customer’s profile; null for guests.',
    }),
    email: { ...CART_EMAIL, groups: OUTPUT_ONLY },
    notes: { ...CART_NOTES, groups: OUTPUT_ONLY },
    currency: currency({ groups: OUTPUT_ONLY, description: 'The currency of the store.' }),
    billing_address: { ...address('billing'), groups: OUTPUT_ONLY },
    shipping_address: { ...address('shipping'), groups: OUTPUT_ONLY },
    shipping: object(
      { method_id: CART_SHIPPING },
      { nullable: true, groups: OUTPUT_ONLY, description: 'The chosen shipping method.' },
    ),
    coupons: recorded({
      schema: { type: 'array', items: { type: 'string' } },
      default: [],
      shownExample: [],
      description: 'Codes of the coupons.',
    }),
    lines: list(
      {
        id: integer({ groups: OUTPUT_ONLY, description: 'Id of the line within the cart.' }),
        product_id: integer({ groups: OUTPUT_ONLY, description: 'Id of the product.' }),
        variant: integer({ groups: OUTPUT_ONLY, nullable: true, description: 'Id of the variant.' }),
        sku: text({ groups: OUTPUT_ONLY, nullable: true, description: 'SKU of the variant or the product.' }),
        name: text({ groups: OUTPUT_ONLY, nullable: true, description: 'Name of the product.' }),
        options: recorded({
          schema: { type: 'array', items: { type: 'object' } },
          default: [],
          description: 'The choices of the shopper: `attribute_id`, and `value_id` or `text`.',
        }),
        amount: integer({ groups: OUTPUT_ONLY, description: 'Number of units.' }),
        price: decimal({
          groups: OUTPUT_ONLY,
          nullable: true,
          description: 'Price of one unit; null if it cannot be ordered.',
        }),
      },
      { groups: OUTPUT_ONLY, countMax: CART_LINES_MAX, personal: true, description: 'The lines.', shownExample: [] },
    ),
    sub_total: decimal({ groups: OUTPUT_ONLY, sum: true, description: 'Total of the lines.', shownExample: 0 }),
    total: decimal({
      groups: OUTPUT_ONLY,
      sum: true,
      description: 'Total with discounts, shipping and taxes.',
      shownExample: 0,
    }),
    create_date: timestamp({ stamped: 'created' }),
    update_date: timestamp({ groups: OUTPUT_ONLY, description: 'Time of the last write.' }),
    expires_at: timestamp({ groups: OUTPUT_ONLY, description: 'When the cart expires unless it is changed before.' }),
    // SHA-256 of the token, in hexadecimal digits.
    hash: text({ groups: [], unique: true }),
    // Number of writes, also in the entity tag.
    revision: integer({ groups: [], default: 1 }),
    // The largest id that a line of the cart has had.
    last_line: integer({ groups: [] }),
  },
  routes: [{ path: '/carts/{cart_id}', operations: ['list', 'read'] }],
  filters: ['state', 'customer_id', 'email', 'create_date', 'update_date', 'expires_at'],
  orders: ['create_date', 'update_date', 'total'],
  foundTogether: [['state', 'expires_at']],
  ofDataSubject: { link: 'customer_id', named: 'email' },
  personal: true,
});
