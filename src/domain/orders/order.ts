/** Orders (orders.md §1). They are canceled, never deleted. */
import {
  type Action,
  action,
  choice,
  created,
  decimal,
  type Field,
  flag,
  type Group,
  integer,
  link,
  linkedBy,
  list,
  object,
  parts,
  problem,
  quote,
  recorded,
  reference,
  resource,
  type Tag,
  text,
  texts,
  timestamp,
  type Value,
  type View,
  view,
} from '../../engine/vocabulary.ts';
import { EMAIL_FORM, ERASED_EMAIL } from '../rules/customers/email.ts';
import { refundable } from '../rules/invoices/refundable.ts';
import { address } from '../rules/orders/address.ts';
import { USES_WITHOUT_SHIPPING } from '../rules/orders/calculated-order.ts';
import { QUOTE_EMAIL, USES_OF_BUYERS } from '../rules/orders/coupon-uses.ts';
import { currency } from '../rules/orders/currency.ts';
import { orderRules, setStatus, setStatuses, USES_OF_ORDER } from '../rules/orders/order.ts';
import { applyEdit, decideEdit, type Edit, ITEMS_MAX, USES_OF_EDIT } from '../rules/orders/order-edit.ts';
import { USES_OF_PLACING } from '../rules/orders/order-placing.ts';
import { STATUSES, type StatusField } from '../rules/orders/order-statuses.ts';
import { USES_OF_AVAILABILITY } from '../rules/orders/order-stock.ts';
import { refundsInOrder, refundWrite } from '../rules/orders/refund-scope.ts';
import { RESULT_EXAMPLE, RESULT_FIELDS } from '../rules/pricing/result-fields.ts';
import { shippingOptionsField, USES_OF_SHIPPING } from '../rules/pricing/shipping-costs.ts';
import { orderToRefundTutorial } from '../tutorials/order-to-refund.ts';

/** Fields that can only be set when the order is placed. */
const ONCE: readonly Group[] = ['all', 'read', 'insert'];
const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

/** Printable characters, starting with a visible one; spaces only inside. `.` and `..` cannot be sent as path segments. */
const ORDER_NUMBER = /^(?!\.{1,2}$)[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}](?: *[^\p{C}\p{Z} ])*$/u;

const SURCHARGES_MAX = 100;
const COUPONS_MAX = 10;

const USES_OF_CALCULATION_READS = { OrderCalculation: ['order', 'input', 'result'] } as const;

/** The fields of an order that the calculation repeats. Who may not see them may not see it. */
const REPEATED_BY_CALCULATION = {
  Order: ['sub_total', 'total', 'vat_id'],
  OrderItem: ['price', 'item_net_price', 'discounted_subtotal', 'amount'],
  Surcharge: ['name', 'code', 'value'],
  UsedCoupon: ['code', 'value'],
} as const;

/** What an edit calculates the new total and the shares of removed units from. */
const TOTALS_COME_FROM = {
  OrderItem: ['amount', 'price', 'item_net_price', 'discounted_subtotal'],
  Surcharge: ['type', 'code', 'name', 'value', 'include', 'available', 'weight', 'source'],
} as const;

export const order = resource({
  name: 'Order',
  namedWrite: refundWrite(refundsInOrder),
  group: 'Orders',
  description:
    'An order with its items, customer data, totals and statuses. Orders cannot be deleted; cancel them with the payment status `C`.',
  fields: {
    order_number: text({
      numbered: true,
      default: null,
      preservedOnReplace: true,
      groups: ONCE,
      unique: true,
      searchable: true,
      lengthMin: 1,
      lengthMax: 64,
      form: {
        pattern: ORDER_NUMBER,
        schemaPattern: /^\S(?:.*\S)?$/,
        expected: 'made of printable characters, without white space at its ends',
      },
      description:
        'Order number of printable characters, without white space at the ends, such as `2024/1` or `#1001`. If omitted, the store assigns the next number.',
    }),
    total: decimal({
      groups: OUTPUT_ONLY,
      sum: true,
      description: 'Total of the items and of all available surcharges that the prices do not include.',
      shownExample: 39.98,
    }),
    sub_total: decimal({ groups: OUTPUT_ONLY, sum: true, description: 'Total of the items.', shownExample: 39.98 }),
    email: text({
      synonyms: ['mail', 'emailaddress'],
      required: true,
      lengthMax: 128,
      form: EMAIL_FORM,
      searchable: true,
      personal: () => ERASED_EMAIL,
      example: 'ada@example.com',
    }),
    items: parts('OrderItem', {
      synonyms: ['lines', 'lineitems', 'orderitems'],
      required: true,
      written: { countMin: 1, countMax: ITEMS_MAX },
    }),
    billing_address: address('billing', true),
    shipping_address: address('shipping', true),
    create_date: timestamp({ stamped: 'created', groups: ONCE, description: 'Date of the order. Now if omitted.' }),
    update_date: timestamp({ stamped: 'changed', description: 'Time of the last change of the order or its parts.' }),
    payment_status: link({ to: 'PaymentStatus', nullable: false, default: 'Q', groups: ONCE, onDelete: 'restrict' }),
    shipping_status: link({
      to: 'ShippingStatus',
      nullable: false,
      default: 'N',
      groups: ONCE,
      onDelete: 'restrict',
      description: 'If omitted, `NBA` if units are backordered.',
    }),
    customer_id: reference({
      synonyms: ['customer', 'profileid', 'userid'],
      to: 'Profile',
      nullable: true,
      zeroIsNull: true,
      localOnly: true,
      groups: ONCE,
      onDelete: 'set null',
      description: 'Id of the customer’s profile; null for guests, past orders and deleted profiles.',
    }),
    order_profile_id: integer({ nullable: true, groups: OUTPUT_ONLY, description: 'Always null.' }),
    shipping_id: integer({ min: 0, groups: ONCE, description: 'Id of the shipping method; 0 for none.' }),
    shipping_method_name: text({
      nullable: true,
      lengthMax: 255,
      personal: true,
      description: 'Name of the shipping method.',
    }),
    notes: text({ personal: true, description: 'Notes of the customer.' }),
    admin_notes: text({ personal: true, description: 'Internal notes of the store.' }),
    currency: currency({ groups: ONCE, description: 'The store’s currency if omitted.' }),
    stock_status: choice(['', 'reduced', 'increased'], {
      groups: OUTPUT_ONLY,
      default: '',
      description: 'Last stock movement: `reduced` when the order took its units, `increased` when it returned them.',
      shownExample: 'reduced',
    }),
    surcharges: parts('Surcharge', { written: { countMin: 0, countMax: SURCHARGES_MAX } }),
    tracking_numbers: parts('OrderTrackingNumber'),
    used_coupons: parts('UsedCoupon'),
    vat_id: text({
      lengthMax: 32,
      groups: ONCE,
      personal: true,
      description: 'VAT identification number of the buyer. If omitted, a calculated order gets that of the profile.',
    }),
    calculate: flag({
      transient: true,
      groups: ['insert'],
      description: 'Whether the store calculates prices, discounts and taxes by its rules.',
      example: true,
    }),
    coupons: texts({
      transient: true,
      groups: ['insert'],
      countMin: 0,
      countMax: COUPONS_MAX,
      form: { pattern: /^[!-~]{1,16}$/, expected: 'the code of a coupon' },
      description: 'Codes of the coupons that the buyer entered, regardless of case. Only with `calculate`.',
    }),
    shipping: object(
      { method_id: integer({ min: 1, required: true, groups: ['insert'], description: 'Id of the shipping method.' }) },
      {
        transient: true,
        nullable: true,
        groups: ['insert'],
        description:
          'Shipping method whose rates determine the charge for shipping. The order gets its id and name. Only with `calculate`.',
      },
    ),
    expected_total: decimal({
      transient: true,
      nullable: true,
      min: 0,
      groups: ['insert'],
      description:
        'Total that the buyer has seen. If the calculated total differs, the order is rejected. Only with `calculate`.',
    }),
    sku: linkedBy('OrderItem', 'order', 'sku', { filter: 'string' }),
  },
  bulk: { by: 'order_number', createsOnly: true },
  ofDataSubject: { link: 'customer_id', named: 'email' },
  routes: [
    { path: '/orders/{id}', operations: ['list', 'create', 'read', 'patch'], trial: USES_OF_PLACING },
    { path: '/orders/by_number/{orderNumber}', operations: ['read'], item: 'order_number' },
  ],
  filters: [
    'order_number',
    { field: 'email', partial: true, aliases: ['profile.login'] },
    'total',
    'sub_total',
    'currency',
    'customer_id',
    { field: 'create_date', aliases: ['date'] },
    { field: 'update_date', aliases: ['lastRenewDate'] },
    { field: 'payment_status', aliases: ['paymentStatus.code'] },
    { field: 'shipping_status', aliases: ['shippingStatus.code'] },
    'sku',
  ],
  lookup: { rank: 3, by: 'search', title: 'order_number' },
  search: {
    in: ['order_number', 'email', 'billing_address', 'shipping_address', { parts: 'OrderItem', field: 'sku' }],
    newest: 'create_date',
  },
  orders: [{ field: 'create_date', aliases: ['date'] }, { field: 'update_date', aliases: ['lastRenewDate'] }, 'total'],
  tutorial: orderToRefundTutorial,
  quote: quote(USES_OF_CALCULATION_READS, {
    summary: 'Calculate an order without placing it',
    description:
      'Checks the body as a POST of an order with `calculate` does, and returns the result of the calculation. The e-mail may be omitted. Nothing is saved.',
    sets: { calculate: true },
    optional: { email: QUOTE_EMAIL },
    parameters: {
      explain: 'Include `explanation`: the rules that were considered, and why each of them won or lost.',
      shipping_options: 'Include `shipping_options`: the shipping methods that the buyer can choose, and their costs.',
    },
    output: { ...RESULT_FIELDS, shipping_options: shippingOptionsField() },
    calculatedFrom: {
      ...USES_OF_PLACING,
      ...USES_WITHOUT_SHIPPING,
      // Both read these records.
      Product: USES_OF_ORDER.Product,
      Variant: USES_OF_ORDER.Variant,
    },
    calculatedWith: { shipping: USES_OF_SHIPPING, shipping_options: USES_OF_SHIPPING, coupons: USES_OF_BUYERS },
    read: async (order, reads) => {
      const [stored] = await reads.list('OrderCalculation', { order });
      const result = stored!.result as Record<string, Value>;
      return { ...result, shipping_options: result.shipping_options ?? null };
    },
  }),
  rules: orderRules,
  ...actionsAndViews(
    ['payment_status', { name: 'Payment', description: 'The payment status of an order.' }],
    ['shipping_status', { name: 'Shipping', description: 'The shipping status of an order.' }],
  ),
});

/** Views and actions that read and set a status at its own path below the order. */
function actionsAndViews(...all: readonly (readonly [StatusField, Tag])[]): { actions: Action[]; views: View[] } {
  return {
    views: [
      ...all.map(([name, tag]) => ({
        name,
        tag,
        shows: name,
        summary: `Read the ${name.replace('_', ' ')} of an order`,
      })),
      calculation(),
      refundable,
    ],
    actions: [
      edit(),
      settle(),
      ...all.map(([name, tag]) =>
        action(USES_OF_ORDER, {
          name,
          tag,
          shows: name,
          method: 'PUT',
          summary: `Set the ${name.replace('_', ' ')} of an order`,
          input: { code: statusCode(name, { required: true }) },
          run: setStatus(name),
        }),
      ),
    ],
  };
}

/** The view of the calculation of an order. */
function calculation(): View {
  return view(
    { ...USES_OF_CALCULATION_READS, ...REPEATED_BY_CALCULATION },
    {
      name: 'calculation',
      summary: 'Read the calculation of an order',
      output: {
        input: recorded({
          schema: { type: 'object' },
          default: {},
          description: 'The input of the calculation, without rules that have no effect and without personal data.',
          shownExample: {
            buyer: { membership: null, tax_exempt: false, vat_id: '' },
            address: [],
            time: 1_767_225_600,
          },
        }),
        result: object(RESULT_FIELDS, { description: 'The result of the calculation.', shownExample: RESULT_EXAMPLE }),
      },
      read: async (order, reads) => {
        const [stored] = await reads.list('OrderCalculation', { order });
        if (!stored)
          return problem(
            'not-found',
            'The order has no calculation: it was placed without "calculate", or an edit without "calculate" changed its items or surcharges.',
          );
        return { input: stored.input!, result: stored.result! };
      },
    },
  );
}

/** The action that edits a placed order. */
function edit(): Action {
  return action<typeof USES_OF_EDIT, Edit>(USES_OF_EDIT, {
    name: 'edit',
    method: 'POST',
    trial: USES_OF_PLACING,
    calculatedFrom: TOTALS_COME_FROM,
    summary: 'Edit the items and surcharges of an order',
    input: {
      add: parts('OrderItem', {
        written: { countMin: 0, countMax: ITEMS_MAX },
        description: 'New items, in the same form as in a new order.',
      }),
      change: list(
        {
          item_id: integer({ min: 1, required: true, groups: ['insert'], description: 'Id of an item of the order.' }),
          amount: integer({
            min: 0,
            max: 1_000_000,
            groups: ['insert'],
            description: 'New number of units, at least the number shipped. Unchanged if omitted.',
          }),
          price: decimal({
            min: 0,
            groups: ['insert'],
            description: 'New price of one unit. Unchanged if omitted.',
          }),
        },
        {
          countMax: ITEMS_MAX,
          description: 'Changes of existing items.',
          example: [{ item_id: 1, amount: 3 }],
        },
      ),
      surcharges: parts('Surcharge', {
        written: { countMin: 0, countMax: SURCHARGES_MAX },
        description:
          'New list of surcharges; replaces all existing ones. Unchanged if omitted. With `calculate`, the new shipping and handling.',
      }),
      calculate: flag({
        transient: true,
        groups: ['insert'],
        description:
          'Whether the store calculates discounts and taxes again, by the rules that the order was calculated with. Otherwise the order loses its calculation.',
      }),
      prorate: flag({
        transient: true,
        groups: ['insert'],
        description:
          'Whether removed units take their parts of discounts and taxes with them, and nothing is calculated again. For units that are refunded. Only for an edit that removes units.',
        example: false,
      }),
      expected_total: decimal({
        transient: true,
        nullable: true,
        min: 0,
        groups: ['insert'],
        description:
          'Total that the buyer has seen. If the new total differs, the edit is rejected. Only with `calculate`.',
        example: 59.97,
      }),
    },
    exampleShows: {
      total: 59.97,
      sub_total: 59.97,
      items: [{ discounted_subtotal: 59.97, amount: 3, ordered_amount: 3 }],
    },
    run: decideEdit,
    within: applyEdit,
  });
}

/** The action that pays, ships, returns and sets statuses in one step. */
function settle(): Action {
  return action(USES_OF_ORDER, {
    name: 'settle',
    method: 'POST',
    trial: {},
    // Only statuses move stock, and units may be backordered.
    trialWith: { payment_status: USES_OF_AVAILABILITY, shipping_status: USES_OF_AVAILABILITY },
    summary: 'Record a payment, a shipment and a return of an order and set its statuses, in one step',
    input: {
      transaction: created('Transaction', {
        description: 'A new payment transaction.',
        example: { type: 'sale', status: 'S', name: 'Invoice', value: 39.98 },
      }),
      shipment: created('OrderShipment', {
        without: ['shipping_status'],
        description: 'A new shipment.',
        example: { lines: [{ item_id: 1, amount: 2 }], carrier: 'UPS' },
      }),
      return: created('OrderReturn', {
        after: 'shipment',
        description: 'A new return. It can contain units that the same request ships.',
        example: { lines: [{ item_id: 1, amount: 1, restock: true }], status: 'received' },
      }),
      payment_status: statusCode('payment_status'),
      shipping_status: statusCode('shipping_status'),
    },
    exampleShows: {
      payment_status: { id: 4, code: 'P', name: 'Paid', customer_name: '' },
      shipping_status: { id: 3, code: 'S', name: 'Shipped', customer_name: '' },
      items: [{ shipped_amount: 2, returned_amount: 1, restocked_amount: 1 }],
    },
    run: setStatuses,
  });
}

function statusCode(field: StatusField, options: { readonly required?: boolean } = {}): Field {
  return text({
    ...options,
    transient: true,
    lengthMin: 1,
    lengthMax: 4,
    finds: { [STATUSES[field].resource]: ['code'] },
    description: 'Code of the new status.',
    example: field === 'payment_status' ? 'P' : 'S',
  });
}
