/** Schemas and examples of carts, in the form of `shopSchema` (storefront.md §5). */
import type { JsonSchema } from '../../engine/index.ts';
import type { DocumentContext } from '../openapi/components.ts';
import { shownProperty } from '../openapi/schemas.ts';
import { addressInput } from './addresses.ts';

const ID = { type: 'integer', format: 'int64' } as const;
const AMOUNT: JsonSchema = { type: 'integer', minimum: 1, description: 'Number of units.' };
const MONEY = { type: 'number' } as const;

const NEW_OPTIONS: JsonSchema = {
  type: 'array',
  description: 'The choices of the shopper. An attribute that is omitted has its default value.',
  items: {
    component: 'CartOptionInput',
    type: 'object',
    description: 'A choice: a value, or a text.',
    properties: {
      attribute_id: { ...ID, description: 'Id of the attribute.' },
      value_id: { ...ID, nullable: true, description: 'Id of the product’s value.' },
      text: { type: 'string', maxLength: 4000, description: 'Text for an attribute that shoppers can edit.' },
    },
    required: ['attribute_id'],
  },
};

const NEW_LINE: JsonSchema = {
  component: 'CartLineInput',
  type: 'object',
  description: 'A new line. It needs `product_id`, `variant` or `sku`.',
  properties: {
    product_id: { ...ID, nullable: true, description: 'Id of the product.' },
    variant: { ...ID, nullable: true, description: 'Id of the variant.' },
    sku: { type: 'string', nullable: true, description: 'SKU of the product or variant.' },
    amount: AMOUNT,
    options: NEW_OPTIONS,
  },
  required: ['amount'],
};

/** The body of a request that adds lines. */
export const NEW_LINES: JsonSchema = { oneOf: [NEW_LINE, { type: 'array', items: NEW_LINE, maxItems: 100 }] };

/** The body of a change of a line. */
export const LINE_CHANGE: JsonSchema = {
  component: 'CartLinePatch',
  type: 'object',
  description: 'The members to change.',
  properties: { amount: AMOUNT, options: NEW_OPTIONS },
};

/** The members of a change of a cart. */
export function changedMembers(context: DocumentContext): Readonly<Record<string, JsonSchema>> {
  const address = context.dialect.nullable(addressInput(context));
  return {
    email: { type: 'string', nullable: true, maxLength: 128, description: 'E-mail address of the shopper.' },
    notes: { type: 'string', maxLength: 4000, description: 'Notes of the shopper.' },
    billing_address: { ...address, description: 'Billing address. Members that are omitted are unchanged.' },
    shipping_address: { ...address, description: 'Shipping address. Members that are omitted are unchanged.' },
    shipping: SHIPPING,
    payment_method: { ...ID, nullable: true, description: 'Must be null: there are no payment methods yet.' },
  };
}

/** The members of a new cart. */
export function newMembers(context: DocumentContext): Readonly<Record<string, JsonSchema>> {
  return {
    ...changedMembers(context),
    lines: { type: 'array', items: NEW_LINE, maxItems: 500, description: 'The lines.' },
    coupons: { type: 'array', items: { type: 'string' }, maxItems: 10, description: 'Codes of coupons.' },
  };
}

const QUOTE: JsonSchema = { type: 'string', nullable: true, description: 'Always null, because no method has quotes.' };

const SHIPPING: JsonSchema = {
  type: 'object',
  nullable: true,
  description: 'The chosen shipping method.',
  properties: { method_id: { ...ID, description: 'Id of the shipping method.' }, quote: QUOTE },
  required: ['method_id'],
};

const OPTION: JsonSchema = {
  component: 'CartOption',
  type: 'object',
  description: 'A choice of the shopper.',
  properties: {
    attribute_id: { ...ID, description: 'Id of the attribute.' },
    name: { type: 'string', description: 'Name of the attribute.' },
    value_id: { ...ID, nullable: true, description: 'Id of the product’s value; null for a text.' },
    value: { type: 'string', description: 'The value or the text.' },
    price_effect: { ...MONEY, description: 'Amount that the choice adds to the price.' },
  },
  required: ['attribute_id', 'name', 'value_id', 'value', 'price_effect'],
};

const LINE: JsonSchema = {
  component: 'CartLine',
  type: 'object',
  description: 'A line of a cart.',
  properties: {
    id: { ...ID, description: 'Id of the line within the cart.' },
    product_id: { ...ID, description: 'Id of the product.' },
    variant: { ...ID, nullable: true, description: 'Id of the variant.' },
    sku: {
      type: 'string',
      nullable: true,
      description: 'SKU. If shoppers no longer see the product, that of the last write.',
    },
    name: {
      type: 'string',
      nullable: true,
      description: 'Name of the product. If shoppers no longer see it, that of the last write.',
    },
    options: { type: 'array', items: OPTION, description: 'The choices of the shopper.' },
    amount: AMOUNT,
    price: { ...MONEY, nullable: true, description: 'Price of one unit; null if the line does not count.' },
    discounted_subtotal: { ...MONEY, description: 'Total of the line; 0 if it does not count.' },
    available: { type: 'integer', description: 'Units that can be ordered, up to the maximum of a line.' },
  },
  required: [
    ...(['id', 'product_id', 'variant', 'sku', 'name', 'options', 'amount', 'price'] as const),
    ...(['discounted_subtotal', 'available'] as const),
  ],
};

const SURCHARGE: JsonSchema = {
  component: 'CartSurcharge',
  type: 'object',
  description: 'A discount, a charge or a tax.',
  properties: {
    type: { type: 'string', description: 'Kind of the surcharge.' },
    code: { type: 'string', description: 'Code of the surcharge.' },
    name: { type: 'string', description: 'Name of the surcharge.' },
    value: { ...MONEY, description: 'Amount; discounts are negative.' },
    include: { type: 'boolean', description: 'Whether the prices include it.' },
  },
  required: ['type', 'code', 'name', 'value', 'include'],
};

const PROBLEM: JsonSchema = {
  component: 'CartProblem',
  type: 'object',
  description: 'A reason why the cart cannot be ordered as it is.',
  properties: {
    path: { type: 'string', description: 'Where the problem is, such as `lines[0].amount`.' },
    code: {
      type: 'string',
      enum: [
        ...(['empty', 'unavailable', 'option-invalid', 'variant-required', 'insufficient-stock'] as const),
        ...(['coupon-invalid', 'shipping-unavailable'] as const),
      ],
      description: 'Kind of the problem.',
    },
    message: { type: 'string', description: 'What is wrong, and what to do.' },
    data: { type: 'object', nullable: true, description: 'Details, such as the `reason` of a coupon.' },
  },
  required: ['path', 'code', 'message', 'data'],
};

const CHANGE: JsonSchema = {
  component: 'CartChange',
  type: 'object',
  description: 'A price that has changed since the last write of the cart.',
  properties: {
    line_id: { ...ID, description: 'Id of the line.' },
    field: { type: 'string', enum: ['price'], description: 'What has changed.' },
    was: { ...MONEY, description: 'Price in the response to the last write.' },
    now: { ...MONEY, description: 'Price now.' },
  },
  required: ['line_id', 'field', 'was', 'now'],
};

const ADDRESSES = ['billing_address', 'shipping_address'];

/** The properties of a cart in responses. */
export function shownMembers(context: DocumentContext): Readonly<Record<string, JsonSchema>> {
  const { fields } = context.model.resources.get('Cart')!;
  const addresses = ADDRESSES.map((name) => [name, shownProperty(context, fields.get(name)!)]);
  return {
    id: { ...ID, description: 'Id of the cart in the back office.' },
    state: { type: 'string', enum: ['open'], description: 'Always `open`.' },
    currency: { type: 'string', description: 'ISO 4217 code of all amounts.' },
    email: { type: 'string', nullable: true, description: 'E-mail address of the shopper.' },
    notes: { type: 'string', description: 'Notes of the shopper.' },
    ...Object.fromEntries(addresses),
    shipping: { ...SHIPPING, required: ['method_id', 'quote'] },
    payment_method: { ...ID, nullable: true, description: 'Always null.' },
    coupons: { type: 'array', items: { type: 'string' }, description: 'Codes of the coupons.' },
    lines: { type: 'array', items: LINE, description: 'The lines.' },
    surcharges: { type: 'array', items: SURCHARGE, description: 'Discounts, shipping and taxes.' },
    sub_total: { ...MONEY, description: 'Total of the lines.' },
    total: { ...MONEY, description: 'Total of the cart.' },
    is_final: {
      type: 'boolean',
      description: 'Whether the total is final: address and shipping method are known, or not needed.',
    },
    problems: { type: 'array', items: PROBLEM, description: 'Why the cart cannot be ordered as it is.' },
    changes: { type: 'array', items: CHANGE, description: 'Prices that have changed since the last write.' },
    expires_at: { type: 'string', format: 'date-time', description: 'When the cart expires without further writes.' },
  };
}
