/** Operations of the session’s customer: profile, password, login and personal data (storefront.md §3). */
import type { JsonSchema } from '../../engine/index.ts';
import type { DocumentContext } from '../openapi/components.ts';
import { addressExample, addressSchema } from './addresses.ts';
import { BODY_PROBLEMS, body, CURRENT, EXAMPLE_PASSWORD, LANGUAGE, LOGIN, PASSWORD } from './bodies.ts';
import { ACCEPTED, MAIL_PROBLEMS } from './mailed.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { shopSchema } from './operation.ts';
import { LANGUAGE_PARAMETERS, ownResponse } from './reads.ts';
import { type DescribedView, membersSchema, recordExample, recordSchema } from './records.ts';
import { CUSTOMER, EXAMPLE_CUSTOMER, SESSION_ENDED } from './sessions.ts';

const TAG: ShopTag = {
  name: 'Customer',
  description: 'The customer of the session.',
  group: 'Customers',
};

const SHOWN = { schema: CUSTOMER, example: EXAMPLE_CUSTOMER };

/** @param orders the view of the customer’s orders */
export function customerOperations(context: DocumentContext, orders: DescribedView): readonly ShopOperation[] {
  return [...PROFILE_OPERATIONS, exportOperation(context, orders)];
}

const PROFILE_OPERATIONS: readonly ShopOperation[] = [
  {
    ...{ method: 'get', path: '/me', operationId: 'readCustomer', tag: TAG, security: 'session' },
    summary: 'Read the customer',
    description: 'The customer of the session.',
    parameters: LANGUAGE_PARAMETERS,
    responses: ownResponse('The customer.', SHOWN),
  },
  {
    ...{ method: 'patch', path: '/me', operationId: 'updateCustomer', tag: TAG, security: 'session' },
    summary: 'Change the customer',
    description: 'Only the language can be changed here.',
    parameters: LANGUAGE_PARAMETERS,
    body: body({ language: LANGUAGE }, { language: 'en' }),
    responses: ownResponse('The customer.', SHOWN),
    problems: BODY_PROBLEMS,
  },
  {
    ...{ method: 'delete', path: '/me', operationId: 'eraseCustomer', tag: TAG, security: 'session' },
    summary: 'Erase the customer',
    description: 'Deletes the profile and its addresses, and removes personal data from orders. It cannot be undone.',
    body: body({ current: CURRENT }, { current: EXAMPLE_PASSWORD }),
    responses: SESSION_ENDED,
    problems: BODY_PROBLEMS,
  },
  {
    ...{ method: 'put', path: '/me/password', operationId: 'changePassword', tag: TAG, security: 'session' },
    summary: 'Change the password',
    description: 'Ends all sessions of the customer, also this one. A wrong current password is a 422.',
    body: body({ current: CURRENT, password: PASSWORD }, { current: EXAMPLE_PASSWORD, password: EXAMPLE_PASSWORD }),
    responses: SESSION_ENDED,
    problems: BODY_PROBLEMS,
  },
  {
    ...{ method: 'put', path: '/me/login', operationId: 'changeLogin', tag: TAG, security: 'session' },
    summary: 'Request a change of the login',
    description:
      'Mails a token for `/account/verify` to the new address, and a notice to the old one. A wrong current password is a 422.',
    body: body({ current: CURRENT, login: LOGIN }, { current: EXAMPLE_PASSWORD, login: 'lovelace@example.com' }),
    responses: ACCEPTED,
    problems: MAIL_PROBLEMS,
  },
];

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const EXAMPLE_TIME = '2026-11-28T12:00:00+00:00';

const CART_EXAMPLE = {
  ...{ state: 'open', email: 'ada@example.com', notes: '', currency: 'USD', billing_address: null },
  ...{ shipping_address: null, shipping: null, coupons: [] },
  lines: [
    {
      ...{ id: 1, product_id: 1, variant: 1, sku: 'TSHIRT-1-M', name: 'T-shirt', options: [], amount: 2, price: 19.99 },
    },
  ],
  ...{ sub_total: 39.98, total: 39.98, create_date: EXAMPLE_TIME, update_date: EXAMPLE_TIME },
  expires_at: '2027-02-26T12:00:00+00:00',
};

const SESSION: JsonSchema = {
  type: 'object',
  properties: { created_at: TIME, last_used_at: TIME, expires_at: TIME },
  required: ['created_at', 'last_used_at', 'expires_at'],
};

const REVIEW = ['product_id', 'rating', 'reviewer_name', 'review', 'response', 'addition_date', 'response_date'];
const MAIL = ['template', 'to', 'date', 'status'];
const CART = [
  ...['state', 'email', 'notes', 'currency', 'billing_address', 'shipping_address', 'shipping', 'coupons', 'lines'],
  ...['sub_total', 'total', 'create_date', 'update_date', 'expires_at'],
];

function exportOperation(context: DocumentContext, orders: DescribedView): ShopOperation {
  const order = context.model.resources.get(orders.resource)!;
  const record = {
    anyOf: [
      shopSchema(context, CUSTOMER),
      addressSchema(context),
      recordSchema(context, orders, order),
      membersSchema(context, { record: 'Review', members: REVIEW }),
      membersSchema(context, { record: 'Mail', members: MAIL }),
      membersSchema(context, { record: 'Cart', members: CART }),
      SESSION,
    ],
    description: 'The record, in the form of its path.',
  };
  const item: JsonSchema = {
    type: 'object',
    properties: {
      resource: {
        type: 'string',
        enum: ['profile', 'profile_address', 'order', 'review', 'mail', 'cart', 'session'],
        description: 'Kind of the record.',
      },
      path: { type: 'string', nullable: true, description: 'Path of the record, if it has one.' },
      record,
    },
    required: ['resource', 'path', 'record'],
  };
  const [me, session] = ['/storefront/me', { created_at: EXAMPLE_TIME, last_used_at: EXAMPLE_TIME }];
  const orderExample = recordExample(context, orders, order);
  const records = [
    { resource: 'profile', path: me, record: EXAMPLE_CUSTOMER },
    { resource: 'profile_address', path: `${me}/addresses/1`, record: addressExample(context) },
    { resource: 'order', path: `${me}/orders/${orderExample.order_number}`, record: orderExample },
    { resource: 'cart', path: null, record: CART_EXAMPLE },
    { resource: 'session', path: null, record: { ...session, expires_at: '2026-12-28T12:00:00+00:00' } },
  ];
  return {
    ...{ method: 'get', path: '/me/export', operationId: 'exportCustomer', tag: TAG, security: 'session' },
    summary: 'Export the data of the customer',
    description: 'All personal data: the profile, its addresses, orders, reviews, mails, carts and sessions.',
    parameters: LANGUAGE_PARAMETERS,
    responses: ownResponse('The data of the customer.', {
      schema: {
        component: 'CustomerExport',
        type: 'object',
        description: 'All data of a customer.',
        properties: { records: { type: 'array', items: item, description: 'The records, the profile first.' } },
        required: ['records'],
      },
      example: { records },
    }),
  };
}
