/** Operations of orders: those of the session’s customer, and one by a mailed link (storefront.md §3). */
import type { DocumentContext, Reference } from '../openapi/components.ts';
import type { Example } from '../openapi/examples.ts';
import { PAGE_PARAMETERS } from '../openapi/parameters.ts';
import { BODY_PROBLEMS, body, EXAMPLE_LOGIN, LOGIN } from './bodies.ts';
import { ACCEPTED } from './mailed.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { LANGUAGE_PARAMETERS, ownListResponse, ownResponse } from './reads.ts';
import {
  type DescribedView,
  fieldSchema,
  orderParameters,
  ownParameters,
  recordExample,
  recordSchema,
  withoutMembers,
} from './records.ts';

const ORDERS: ShopTag = { name: 'Order', description: 'The orders of the customer.', group: 'Customers' };

const ORDER_LINKS: ShopTag = {
  name: 'Order links',
  description: 'Links to one order, for customers without a session.',
  group: 'Customers',
};

const NUMBER = { type: 'string', maxLength: 64, description: 'Number of the order.' };

/** @param view of the customer’s orders */
export function orderOperations(context: DocumentContext, view: DescribedView): readonly ShopOperation[] {
  const resource = context.model.resources.get(view.resource)!;
  const schema = recordSchema(context, view, resource);
  const example = recordExample(context, view, resource);
  const { order_number: number } = example;
  return [
    {
      ...{ method: 'get', path: '/me/orders', operationId: 'listOrders', tag: ORDERS, security: 'session' },
      summary: 'List the orders of the customer',
      description: view.about,
      parameters: [
        ...PAGE_PARAMETERS,
        ...ownParameters(view),
        ...orderParameters(context, view),
        ...LANGUAGE_PARAMETERS,
      ],
      responses: ownListResponse('A page of orders.', schema, example),
    },
    {
      ...{ method: 'get', path: '/me/orders/{order_number}', operationId: 'readOrder', tag: ORDERS },
      security: 'session',
      summary: 'Read an order of the customer',
      description: '404 if the customer has none with this number.',
      parameters: [
        {
          ...{ name: 'order_number', in: 'path', required: true, description: 'Number of the order.' },
          ...{ schema: { type: 'string' }, example: number },
        },
        ...ownParameters(view),
        ...LANGUAGE_PARAMETERS,
      ],
      responses: ownResponse('The order.', { schema, example }),
    },
    LINK_REQUEST,
    linkedOperation(linkedSchema(context, view), linkedExample(example)),
  ];
}

const LINK_REQUEST: ShopOperation = {
  ...{ method: 'post', path: '/order_links', operationId: 'requestOrderLink', tag: ORDER_LINKS, security: 'key' },
  summary: 'Request a link to an order',
  description: 'Mails a link if an order has this number and this e-mail address. The link expires after 7 days.',
  body: body({ order_number: NUMBER, email: LOGIN }, { order_number: '100042', email: EXAMPLE_LOGIN }),
  responses: ACCEPTED,
  problems: ['mail-not-configured', ...BODY_PROBLEMS],
};

function linkedOperation(schema: Reference, example: Example): ShopOperation {
  return {
    ...{ method: 'get', path: '/order_links/{token}', operationId: 'readLinkedOrder', tag: ORDER_LINKS },
    security: 'key',
    summary: 'Read an order with the token of a link',
    description: '404 if the token was altered or has expired, or if the e-mail address of the order has changed.',
    parameters: [
      {
        ...{ name: 'token', in: 'path', required: true, description: 'The token in the link of the mail.' },
        ...{ schema: { type: 'string' }, example: `pv_ol_${'EXAMPLE'.repeat(8)}` },
      },
      ...LANGUAGE_PARAMETERS,
    ],
    responses: ownResponse('The order.', { schema, example }),
  };
}

const ADDRESSES = ['billing_address', 'shipping_address'];
const HIDDEN = ['street', 'phone'];

/** The schema of an order for a link, which others may read. */
function linkedSchema(context: DocumentContext, view: DescribedView): Reference {
  const resource = context.model.resources.get(view.resource)!;
  return context.components.refer('schemas', 'LinkedOrder', () => ({
    type: 'object',
    description: 'An order, without the streets and phone numbers of its addresses.',
    properties: Object.fromEntries(
      view.fields.map((name) => {
        const schema = fieldSchema(context, view, resource, name);
        return [name, ADDRESSES.includes(name) ? withoutMembers(schema, (each) => HIDDEN.includes(each)) : schema];
      }),
    ),
    required: view.fields,
  }));
}

function linkedExample(example: Example): Example {
  const hidden = (address: unknown): unknown =>
    address === null
      ? null
      : Object.fromEntries(Object.entries(address as Example).filter(([name]) => !HIDDEN.includes(name)));
  return { ...example, ...Object.fromEntries(ADDRESSES.map((name) => [name, hidden(example[name])])) };
}
