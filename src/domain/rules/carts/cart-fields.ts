/** Fields of carts, and the members of bodies of shoppers (storefront.md §5). */
import { DECIMAL_MAX, type Field, integer, list, object, text, texts } from '../../../engine/vocabulary.ts';
import { EMAIL_FORM } from '../customers/email.ts';
import { address } from '../orders/address.ts';

export const CART_LINES_MAX = 500;
export const CART_COUPONS_MAX = 10;
/** Characters of the texts that the shopper wrote as options, in all lines. */
export const CART_TEXTS_MAX = 100_000;

/** The largest total that a cart stores. Responses show larger totals as calculated. */
export const CART_TOTAL_MAX = DECIMAL_MAX;

/** Maximum number of lines that one request adds to a cart. */
const LINES_AT_ONCE = 100;
const OPTIONS_MAX = 100;
const TEXT_MAX = 4000;
const UNITS_MAX = 1_000_000;

export const CART_EMAIL = text({
  nullable: true,
  lengthMax: 128,
  form: EMAIL_FORM,
  searchable: true,
  personal: true,
  description: 'E-mail address of the shopper.',
  example: 'ada@example.com',
});

export const CART_NOTES = text({ lengthMax: TEXT_MAX, personal: true, description: 'Notes of the shopper.' });

export const CART_SHIPPING = integer({ min: 1, required: true, description: 'Id of the shipping method.' });

/** Written as sent: without defaults for omitted members, because `text` is not stored in this form. */
const OPTIONS = list(
  {
    attribute_id: integer({ min: 1, required: true }),
    value_id: integer({ min: 1, nullable: true }),
    text: text({ transient: true, groups: ['insert'], lengthMax: TEXT_MAX }),
  },
  { countMax: OPTIONS_MAX },
);

const AMOUNT = integer({ min: 1, max: UNITS_MAX });

/** The members of a new line. */
export const NEW_LINE: Readonly<Record<string, Field>> = {
  product_id: integer({ min: 1, nullable: true }),
  variant: integer({ min: 1, nullable: true }),
  sku: text({ transient: true, nullable: true, groups: ['insert'] }),
  amount: { ...AMOUNT, required: true },
  options: OPTIONS,
};

export const NEW_LINES = list(NEW_LINE, { countMax: LINES_AT_ONCE });

/** What a change of a line can contain. */
export const LINE_CHANGE: Readonly<Record<string, Field>> = { amount: AMOUNT, options: OPTIONS };

const CODE_FORM = { pattern: /^[!-~]{1,16}$/, expected: 'the code of a coupon' };

export const NEW_COUPON: Readonly<Record<string, Field>> = { code: text({ required: true, form: CODE_FORM }) };

const NULL_FORM = { pattern: /^(?!)/, expected: 'null' };

/** What a change of a cart can contain. No shipping method has quotes, and there are no payment methods yet. */
export const CART_CHANGE: Readonly<Record<string, Field>> = {
  email: CART_EMAIL,
  notes: CART_NOTES,
  billing_address: address('billing'),
  shipping_address: address('shipping'),
  shipping: object({ method_id: CART_SHIPPING, quote: text({ nullable: true, form: NULL_FORM }) }, { nullable: true }),
  payment_method: integer({ min: 1, nullable: true }),
};

export const NEW_CART: Readonly<Record<string, Field>> = {
  ...CART_CHANGE,
  lines: list(NEW_LINE, { countMax: CART_LINES_MAX }),
  coupons: texts({ countMin: 0, countMax: CART_COUPONS_MAX, form: CODE_FORM }),
};
