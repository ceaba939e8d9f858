/** What customers see of their own orders (storefront.md §3). */
import type { ShownRecord, Value } from '../../engine/index.ts';
import { NO_FACTS, type ShopView, shopView } from '../storefront/view.ts';

interface OrderField {
  readonly from: readonly string[];
  readonly value: (order: ShownRecord) => unknown;
}

const own = (name: string): OrderField => ({ from: [name], value: (order) => order[name] });

const ADDRESS = [
  ...['is_billing', 'is_shipping', 'is_work', 'type', 'title', 'firstname', 'lastname', 'company', 'phone', 'street'],
  ...['city', 'zipcode', 'country_code', 'state', 'state_name', 'custom_fields'],
];
const SURCHARGE = ['type', 'code', 'name', 'value', 'include'];
const ITEM = ['name', 'sku', 'product_id', 'variant', 'price', 'amount', 'discounted_subtotal', 'shipped_amount'];
const OPTION = ['attribute_id', 'name', 'value_id', 'value', 'price_effect'];

const FIELDS: Readonly<Record<string, OrderField>> = {
  order_number: own('order_number'),
  create_date: own('create_date'),
  email: own('email'),
  currency: own('currency'),
  sub_total: own('sub_total'),
  total: own('total'),
  surcharges: { from: ['surcharges'], value: ({ surcharges }) => records(surcharges).map(only(SURCHARGE)) },
  billing_address: { from: ['billing_address'], value: (order) => shownAddress(order.billing_address) },
  shipping_address: { from: ['shipping_address'], value: (order) => shownAddress(order.shipping_address) },
  shipping_method_name: own('shipping_method_name'),
  notes: own('notes'),
  tracking_numbers: {
    from: ['tracking_numbers'],
    value: (order) => records(order.tracking_numbers).map(({ value }) => value),
  },
  payment_status: { from: ['payment_status'], value: (order) => statusName(order.payment_status) },
  shipping_status: { from: ['shipping_status'], value: (order) => statusName(order.shipping_status) },
  items: { from: ['items'], value: ({ items }) => records(items).map(shownItem) },
};

export const OWN_ORDERS: ShopView = shopView({
  resource: 'Order',
  path: '/orders',
  reads: [],
  isOwn: true,
  conditions: [],
  fields: FIELDS,
  filters: {},
  orders: { create_date: 'create_date' },
  facts: NO_FACTS,
});

/** Returns an order of the back office as its customer sees it. */
export function shownOrder(order: ShownRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, { value }]) => [name, value(order)]));
}

function records(value: Value | undefined): readonly ShownRecord[] {
  return value as unknown as readonly ShownRecord[];
}

function only(names: readonly string[]) {
  return (record: ShownRecord): Record<string, Value> =>
    Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

function shownAddress(address: Value | undefined): unknown {
  return address === null ? null : only(ADDRESS)(address as unknown as ShownRecord);
}

function statusName(status: Value | undefined): unknown {
  const { customer_name, name } = status as unknown as ShownRecord;
  return customer_name || name;
}

function shownItem(item: ShownRecord): Record<string, unknown> {
  return { ...only(ITEM)(item), options: records(item.options).map(only(OPTION)) };
}
