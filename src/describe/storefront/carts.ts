/** Operations of carts (storefront.md §5). */
import type { JsonSchema } from '../../engine/index.ts';
import type { DocumentContext } from '../openapi/components.ts';
import { header, type Parameter } from '../openapi/parameter.ts';
import { headerParameters } from '../openapi/parameters.ts';
import { BODY_PROBLEMS } from './bodies.ts';
import { changedMembers, LINE_CHANGE, NEW_LINES, newMembers, shownMembers } from './cart-schemas.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { LANGUAGE_PARAMETERS, ownResponse } from './reads.ts';

const TAG: ShopTag = {
  name: 'Cart',
  description:
    'Carts. Everyone who has the token of a guest’s cart can use it. The cart of a customer also needs the session.',
  group: 'Carts',
};

const TOKEN: Parameter = {
  ...{
    name: 'token',
    in: 'path',
    required: true,
    description: 'Token of the cart; `mine`: the open cart of the customer.',
  },
  ...{ schema: { type: 'string' }, example: 'pv_ct_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleX' },
};

const LINE: Parameter = {
  ...{ name: 'line', in: 'path', required: true, description: 'Id of the line.' },
  ...{ schema: { type: 'integer', format: 'int64' }, example: 1 },
};

const CODE: Parameter = {
  ...{ name: 'code', in: 'path', required: true, description: 'Code of the coupon, regardless of case.' },
  ...{ schema: { type: 'string' }, example: 'SUMMER10' },
};

const IF_MATCH = header(
  'If-Match',
  '`ETag` of an earlier response. Returns 412 if the cart has been written since then. Changed prices do not matter.',
  '"2-f.OwOIn2H6qm1fRp_lUl3G21"',
);

const ONE = { path: '/carts/{token}', tag: TAG, security: 'catalog' } as const;
const HEADERS = ['ETag', 'Content-Language'] as const;
const GONE = ['cart-gone'] as const;
const WRITE = ['precondition-failed', ...GONE] as const;
const ADDITION = ['conflict', 'key-reused', 'answer-erased', ...WRITE, ...BODY_PROBLEMS] as const;

/** Parameters of a write. */
function writing(...inPath: readonly Parameter[]): readonly Parameter[] {
  return [TOKEN, ...inPath, IF_MATCH, ...LANGUAGE_PARAMETERS];
}

/** The schema and the example of a cart. */
interface Cart {
  readonly schema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
}

export function cartOperations(context: DocumentContext): readonly ShopOperation[] {
  const properties = shownMembers(context);
  const schema: JsonSchema = {
    ...{ component: 'Cart', type: 'object', description: 'A cart with its prices.', properties },
    required: Object.keys(properties),
  };
  const cart: Cart = { schema, example: EXAMPLE };
  return [
    creation(context, cart, properties),
    ...itemOperations(context, cart),
    ...lineOperations(cart),
    ...listOperations(),
  ];
}

function creation(
  context: DocumentContext,
  cart: Cart,
  properties: Readonly<Record<string, JsonSchema>>,
): ShopOperation {
  const shown = { ...properties, token: { type: 'string', description: 'Token of the cart. It is not shown again.' } };
  return {
    ...{ method: 'post', path: '/carts', operationId: 'createCart', tag: TAG, security: 'catalog' },
    summary: 'Create a cart',
    description:
      'Returns the token once. With a session and an open cart, it adds to that instead, and the response is 200 without a token.',
    parameters: LANGUAGE_PARAMETERS,
    body: {
      schema: { component: 'CartInput', type: 'object', description: 'A new cart.', properties: newMembers(context) },
      example: { lines: [{ sku: 'TSHIRT-1-M', amount: 2 }] },
    },
    responses: {
      ...shows(cart),
      201: {
        description: 'The cart, with its token.',
        headers: HEADERS,
        content: {
          schema: {
            ...{ component: 'NewCart', type: 'object', description: 'A new cart.', properties: shown },
            required: Object.keys(shown),
          },
          example: { ...EXAMPLE, token: TOKEN.example },
        },
      },
    },
    problems: BODY_PROBLEMS,
  };
}

function shows({ schema, example }: Cart, changed: object = {}): ShopOperation['responses'] {
  return {
    200: { description: 'The cart.', headers: HEADERS, content: { schema, example: { ...example, ...changed } } },
  };
}

function itemOperations(context: DocumentContext, cart: Cart): readonly ShopOperation[] {
  const unchanged = { description: 'Not modified since the response with this `ETag`.', headers: HEADERS };
  return [
    {
      ...{ ...ONE, method: 'get', operationId: 'readCart' },
      summary: 'Read a cart',
      description: 'Returns current prices. `changes` has the prices that differ from the response to the last write.',
      parameters: [TOKEN, ...LANGUAGE_PARAMETERS, headerParameters.ifNoneMatch],
      responses: { ...shows(cart), 304: unchanged },
      problems: GONE,
    },
    {
      ...{ ...ONE, method: 'patch', operationId: 'updateCart' },
      summary: 'Change addresses, e-mail, notes or the shipping method of a cart',
      description: 'Changes only the members in the body.',
      parameters: writing(),
      body: {
        schema: {
          ...{ component: 'CartPatch', type: 'object', description: 'The members to change.' },
          properties: changedMembers(context),
        },
        example: CHANGED,
      },
      responses: shows(cart, CHANGED),
      problems: [...WRITE, ...BODY_PROBLEMS],
    },
    {
      ...{ ...ONE, method: 'delete', operationId: 'deleteCart' },
      summary: 'Delete a cart',
      description: 'Afterwards, its token is unknown (404).',
      parameters: writing(),
      responses: { 204: { description: 'The cart was deleted.' } },
      problems: WRITE,
    },
    {
      ...{ method: 'post', path: '/carts/{token}/assign', operationId: 'assignCart', tag: TAG, security: 'session' },
      summary: 'Make a cart that of the customer',
      description: 'If the customer has an open cart, the cart is merged into that. A repeat has no effect.',
      parameters: writing(),
      responses: shows(cart, { email: CHANGED.email }),
      problems: WRITE,
    },
  ];
}

function lineOperations(cart: Cart): readonly ShopOperation[] {
  const lines = { tag: TAG, security: 'catalog', path: '/carts/{token}/lines' } as const;
  const line = { ...lines, path: '/carts/{token}/lines/{line}' } as const;
  const repeatable = [TOKEN, IF_MATCH, headerParameters.idempotencyKey, ...LANGUAGE_PARAMETERS];
  return [
    {
      ...{ ...lines, method: 'post', operationId: 'addCartLines' },
      summary: 'Add lines to a cart',
      description:
        'Adds one line, or all or none of an array. Lines with the same product, variant and options become one.',
      parameters: repeatable,
      body: { schema: NEW_LINES, example: { product_id: 1, variant: 1, amount: 1 } },
      responses: shows(cart, withAmount(3)),
      problems: ADDITION,
    },
    {
      ...{ ...line, method: 'patch', operationId: 'updateCartLine' },
      summary: 'Change a line of a cart',
      description: 'If the changed line equals another one, both become one line, and their amounts add up.',
      parameters: writing(LINE),
      body: { schema: LINE_CHANGE, example: { amount: 3 } },
      responses: shows(cart, withAmount(3)),
      problems: [...WRITE, ...BODY_PROBLEMS],
    },
    {
      ...{ ...line, method: 'delete', operationId: 'deleteCartLine' },
      summary: 'Remove a line from a cart',
      description: '404 if the cart has no such line.',
      parameters: writing(LINE),
      responses: shows(cart, EMPTY),
      problems: WRITE,
    },
    {
      ...{ ...ONE, method: 'post', path: '/carts/{token}/coupons', operationId: 'addCartCoupon' },
      summary: 'Add a coupon to a cart',
      description:
        'An unknown or disabled code is a 422; after too many, all are 429s. One that does not apply is in `problems`.',
      parameters: repeatable,
      body: {
        schema: {
          type: 'object',
          properties: { code: { type: 'string', maxLength: 16, description: 'Code of the coupon.' } },
          required: ['code'],
        },
        example: { code: CODE.example },
      },
      responses: shows(cart, WITH_COUPON),
      problems: ADDITION,
    },
    {
      ...{ ...ONE, method: 'delete', path: '/carts/{token}/coupons/{code}', operationId: 'deleteCartCoupon' },
      summary: 'Remove a coupon from a cart',
      description: '404 if the cart does not have it.',
      parameters: writing(CODE),
      responses: shows(cart),
      problems: WRITE,
    },
  ];
}

const SHIPPING_OPTION: JsonSchema = {
  component: 'CartShippingOption',
  type: 'object',
  description: 'A shipping method that the shopper can choose.',
  properties: {
    method_id: { type: 'integer', format: 'int64', description: 'Id of the shipping method.' },
    service: { type: 'string', nullable: true, description: 'Always null, because no method has several services.' },
    name: { type: 'string', description: 'Name of the shipping method.' },
    delivery_time: { type: 'string', description: 'Delivery time.' },
    cost: { type: 'number', description: 'Cost for this cart.' },
    quote: { type: 'string', nullable: true, description: 'Always null, because no method has quotes.' },
  },
  required: ['method_id', 'service', 'name', 'delivery_time', 'cost', 'quote'],
};

const PAYMENT_METHOD: JsonSchema = { component: 'CartPaymentMethod', type: 'object', description: 'A payment method.' };

function listOperations(): readonly ShopOperation[] {
  const list = { method: 'get', tag: TAG, security: 'catalog', parameters: [TOKEN, ...LANGUAGE_PARAMETERS] } as const;
  return [
    {
      ...{ ...list, path: '/carts/{token}/shipping_options', operationId: 'listCartShippingOptions' },
      summary: 'List the shipping methods for a cart',
      description: 'Those that apply to the shipping address and the lines, with their costs.',
      responses: ownResponse('The shipping methods.', {
        schema: { type: 'array', items: SHIPPING_OPTION },
        example: [],
      }),
      problems: GONE,
    },
    {
      ...{ ...list, path: '/carts/{token}/payment_methods', operationId: 'listCartPaymentMethods' },
      summary: 'List the payment methods for a cart',
      description: 'There are none yet.',
      responses: ownResponse('The payment methods.', { schema: { type: 'array', items: PAYMENT_METHOD }, example: [] }),
      problems: GONE,
    },
  ];
}

const PRICE = 19.99;
const SIZE = { attribute_id: 1, name: 'Size', value_id: 1, value: 'Large', price_effect: 0 };

function withAmount(amount: number): Readonly<Record<string, unknown>> {
  const total = Math.round(PRICE * 100 * amount) / 100;
  const line = {
    ...{ id: 1, product_id: 1, variant: 1, sku: 'TSHIRT-1-M', name: 'T-shirt', options: [SIZE], amount, price: PRICE },
    ...{ discounted_subtotal: total, available: 998 },
  };
  return { lines: [line], sub_total: total, total };
}

const EXAMPLE: Readonly<Record<string, unknown>> = {
  ...{ id: 1, state: 'open', currency: 'USD', email: null, notes: '', billing_address: null, shipping_address: null },
  ...{ shipping: null, payment_method: null, coupons: [], surcharges: [], is_final: false, problems: [], changes: [] },
  ...withAmount(2),
  expires_at: '2026-12-28T12:00:00+00:00',
};

const CHANGED = { email: 'ada@example.com', notes: 'Please ring twice.' };
const EMPTY = {
  ...{ lines: [], sub_total: 0, total: 0, is_final: true },
  problems: [{ path: 'lines', code: 'empty', message: 'The cart is empty. Add a line.', data: null }],
};
const WITH_COUPON = {
  coupons: [CODE.example],
  problems: [
    {
      ...{ path: 'coupons[0]', code: 'coupon-invalid' },
      message: 'Coupon SUMMER10 does not apply (dates): it is not valid at this time. Remove it.',
      data: { reason: 'dates' },
    },
  ],
};
