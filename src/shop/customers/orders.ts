/** What customers see of their own orders (storefront.md §3). */
import type { ShownRecord, Value } from '../../engine/index.ts';
import { NO_FACTS, recordsOf, type ShopView, same, shopView } from '../storefront/view.ts';

type OrderField = ReturnType<typeof same>;

const ADDRESS = [
  ...['is_billing', 'is_shipping', 'is_work', 'type', 'title', 'firstname', 'lastname', 'company', 'phone', 'street'],
  ...['city', 'zipcode', 'country_code', 'state', 'state_name', 'custom_fields'],
];
const SURCHARGE = ['type', 'code', 'name', 'value', 'include'];
const ITEM = ['name', 'sku', 'product_id', 'variant', 'price', 'amount', 'discounted_subtotal', 'shipped_amount'];
const OPTION = ['attribute_id', 'name', 'value_id', 'value', 'price_effect'];

/** Descriptions of an item's fields for customers. */
const DESCRIPTIONS = {
  product_id: 'Id of the product; null if it was deleted.',
  variant: 'Id of the variant; null if the item has none, or if it was deleted.',
  price: 'Price of one unit.',
  options: 'The customer’s choices.',
};

const FIELDS: Readonly<Record<string, OrderField>> = {
  order_number: same('order_number', 'Number of the order.'),
  create_date: same('create_date', 'Time of the order.'),
  email: same('email', 'E-mail address of the customer.'),
  currency: same('currency', 'ISO 4217 code of all amounts.'),
  sub_total: same('sub_total'),
  total: same('total'),
  surcharges: {
    from: ['surcharges'],
    value: ({ surcharges }) => records(surcharges).map(only(SURCHARGE)),
    described: {
      ...recordsOf('Surcharge', SURCHARGE, 'Surcharges and discounts of the order.'),
      isEmpty: true,
      descriptions: { type: 'Kind of the surcharge.', code: 'Code of the surcharge.', name: 'Name of the surcharge.' },
    },
  },
  billing_address: addressField('billing_address', 'Billing address, if there is one.'),
  shipping_address: addressField('shipping_address', 'Shipping address, if there is one.'),
  shipping_method_name: same('shipping_method_name'),
  notes: same('notes'),
  tracking_numbers: {
    from: ['tracking_numbers'],
    value: (order) => records(order.tracking_numbers).map(({ value }) => value),
    described: {
      schema: { type: 'array', items: { type: 'string' }, description: 'Tracking numbers of the carriers.' },
      example: ['1Z999AA10123456784'],
    },
  },
  payment_status: statusField('payment_status', 'Payment status of the order, for customers.', 'Awaiting payment'),
  shipping_status: statusField('shipping_status', 'Shipping status of the order, for customers.', 'New'),
  items: {
    from: ['items'],
    value: ({ items }) => records(items).map(shownItem),
    described: {
      ...recordsOf('OrderItem', [...ITEM, 'options'], 'Items of the order.'),
      descriptions: DESCRIPTIONS,
      nested: { options: OPTION },
    },
  },
};

export const OWN_ORDERS: ShopView = shopView({
  resource: 'Order',
  path: '/orders',
  reads: [],
  about: 'The orders of the customer, the newest first.',
  isOwn: true,
  conditions: [],
  fields: FIELDS,
  filters: {},
  orders: { create_date: 'create_date' },
  facts: NO_FACTS,
});

/** Returns an order of the back office as its customer sees it. */
export function shownOrder(order: ShownRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, { value }]) => [name, value(order, {})]));
}

/** Returns an order for a link, which others may read: its addresses have no street and no telephone number. */
export function linkedOrder(order: ShownRecord): Readonly<Record<string, unknown>> {
  const shown = shownOrder(order);
  const { billing_address: billing, shipping_address: shipping } = shown;
  return { ...shown, billing_address: withoutStreet(billing), shipping_address: withoutStreet(shipping) };
}

function withoutStreet(address: unknown): unknown {
  if (address === null) return null;
  const { street: _, phone: __, ...others } = address as Readonly<Record<string, unknown>>;
  return others;
}

function records(value: Value | undefined): readonly ShownRecord[] {
  return value as unknown as readonly ShownRecord[];
}

function only(names: readonly string[]) {
  return (record: ShownRecord): Record<string, Value> =>
    Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

function addressField(name: string, description: string): OrderField {
  const value = ({ [name]: address }: ShownRecord) =>
    address === null ? null : only(ADDRESS)(address as unknown as ShownRecord);
  return { ...same(name, description), value };
}

function statusField(name: string, description: string, example: string): OrderField {
  const value = (order: ShownRecord) => {
    const { customer_name, name: own } = order[name] as unknown as ShownRecord;
    return customer_name || own;
  };
  return { from: [name], value, described: { schema: { type: 'string', description }, example } };
}

function shownItem(item: ShownRecord): Record<string, unknown> {
  return { ...only(ITEM)(item), options: records(item.options).map(only(OPTION)) };
}
