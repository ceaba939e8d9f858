/**
 * Rules of orders: placing, status changes and edits of the customer's data (orders.md §§1–4). Stock and history are
 * written in the order's transaction.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { comparedOrder } from './calculated-comparison.ts';
import {
  calculateOrder,
  type OrderCalculation,
  rejectCalculationFields,
  storeCalculation,
  USES_OF_CALCULATED_ORDER,
} from './calculated-order.ts';
import { moveUses } from './coupon-uses.ts';
import { record } from './order-history.ts';
import { areValid, itemsOf, type PricedGoods, price, USES_OF_PLACING } from './order-placing.ts';
import {
  applyMovement,
  applyStatusChange,
  checkStatusChange,
  codesOf,
  lineOf,
  requestedStatus,
  type StatusChange,
  statusId,
  USES_OF_STATUS_CHANGE,
} from './order-status-change.ts';
import { BACKORDERED, type StatusField, takesStock } from './order-statuses.ts';
import { countOfUnits, type Goods, type Movement, take } from './order-stock.ts';

const EDITED = ['email', 'billing_address', 'shipping_address', 'shipping_method_name'] as const;

export const USES_OF_ORDER = {
  ...USES_OF_CALCULATED_ORDER,
  ...USES_OF_PLACING,
  ...USES_OF_STATUS_CHANGE,
  Product: [...USES_OF_PLACING.Product, ...USES_OF_CALCULATED_ORDER.Product],
  Variant: [...USES_OF_PLACING.Variant, ...USES_OF_CALCULATED_ORDER.Variant],
  OrderItem: [...USES_OF_STATUS_CHANGE.OrderItem, ...USES_OF_CALCULATED_ORDER.OrderItem],
  own: [
    ...USES_OF_PLACING.own,
    ...USES_OF_CALCULATED_ORDER.own,
    ...EDITED,
    'payment_status',
    'shipping_status',
    'stock_status',
    'create_date',
    'notes',
    'admin_notes',
    'code',
  ],
} as const;

type OrderDraft = Draft<(typeof USES_OF_ORDER.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_ORDER>;

/** Results of the check that the writes need. */
interface Findings {
  /** The stock that a new order takes. */
  readonly movement?: Movement;
  readonly change?: StatusChange;
  readonly calculation?: OrderCalculation | undefined;
}

export const orderRules = rules(USES_OF_ORDER, {
  compared: comparedOrder,
  async derive(draft, unit): Promise<PricedGoods | undefined> {
    return draft.operation === 'create' ? price(draft, unit) : undefined;
  },
  async check(draft, unit, goods): Promise<Findings> {
    if (draft.operation === 'create') {
      const calculation = await checkCalculation(draft, unit, goods!);
      return { ...(await checkPlacing(draft, unit, goods!)), calculation };
    }
    const { payment_status, shipping_status } = draft.values;
    if (draft.operation !== 'action' || (payment_status ?? shipping_status) === undefined) return {};
    const requested = Object.fromEntries(
      Object.entries({ payment_status, shipping_status }).filter(([, status]) => status !== undefined),
    );
    const change = await checkStatusChange(draft, unit, statusesOf(draft), requested);
    Object.assign(draft.values, change.values);
    return { change };
  },
  async within(draft, unit, id, findings) {
    const { movement, change, calculation } = findings!;
    if (draft.operation === 'create') await recordPlacing(draft, unit, id);
    if (draft.operation === 'patch') await recordEdits(draft, unit, id);
    if (movement) await applyMovement(movement, draft, unit, id);
    if (change) await applyStatusChange(change, draft, unit);
    if (calculation) await storeCalculation(unit, id, calculation);
  },
});

async function checkCalculation(
  draft: OrderDraft,
  unit: Unit,
  goods: PricedGoods,
): Promise<OrderCalculation | undefined> {
  if (draft.sent.calculate === true) return calculateOrder(draft, unit, goods);
  rejectCalculationFields(draft);
  return undefined;
}

function statusesOf({ stored }: OrderDraft): Stored<StatusField> {
  return stored as Stored<StatusField>;
}

/** Takes the stock of a new order. Sets `NBA` if units are backordered and the client sent no shipping status. */
async function checkPlacing(draft: OrderDraft, unit: Unit, goods: Goods): Promise<Findings> {
  const { values, sent, violations, past } = draft;
  if (past || !areValid(draft, 'items', 'payment_status', 'shipping_status')) return {};
  const items = itemsOf(draft);
  for (const item of items) item.taken = unitsTaken(item, goods);
  const { payment_status, shipping_status } = await codesOf(unit, values);
  if (!takesStock(payment_status, shipping_status)) return {};
  const movement = take(items.map(lineOf), goods);
  for (const { index, left } of movement.shortages)
    violations.add(`items[${index}].amount`, 'range', shortage(items[index]!, left));
  for (const [index, item] of items.entries()) {
    item.backordered_amount = movement.backordered[index]!;
    item.of_variant = movement.ofVariant[index]!;
  }
  values.stock_status = 'reduced';
  if (sent.shipping_status === undefined && movement.backordered.some((units) => units > 0))
    values.shipping_status = (await statusId(unit, 'shipping_status', BACKORDERED))!;
  return { movement };
}

type NewItem = Readonly<Record<string, Value>>;

/** Units that a new line takes out of the stock; 0 if the product's stock is not tracked. */
export function unitsTaken({ product_id, amount }: NewItem, { products }: Goods): number {
  return products.get(product_id!)?.inventory_traceable === true ? (amount as number) : 0;
}

/** Formats the violation message of a line that needs more units than the stock has. */
export function shortage({ sku, amount }: NewItem, left: number): string {
  return `Not enough stock of SKU ${JSON.stringify(sku)}: ${countOfUnits(left)} available, ${amount} requested.`;
}

/** Creates the action that sets a status. */
export function setStatus(field: StatusField) {
  return async (draft: OrderDraft, unit: Unit): Promise<void> => {
    const status = await requestedStatus(draft, unit, statusesOf(draft), { field, code: draft.sent.code, at: 'code' });
    if (status !== undefined) draft.values[field] = status;
  };
}

/** Sets the requested statuses, as the last step of settling an order (orders.md §15). */
export async function setStatuses(draft: OrderDraft, unit: Unit): Promise<void> {
  for (const field of ['payment_status', 'shipping_status'] as const) {
    const request = { field, code: draft.sent[field], at: field };
    const status = await requestedStatus(draft, unit, statusesOf(draft), request);
    if (status !== undefined) draft.values[field] = status;
  }
}

async function recordPlacing(draft: OrderDraft, unit: Unit, id: Value): Promise<void> {
  const order = await unit.read('Order', id);
  const { past, values, now, actor } = draft;
  const date = past && typeof values.create_date === 'number' ? values.create_date : now;
  await record(unit, { now: date, actor }, id, 'PLACE ORDER', { orderNumber: order!.order_number! });
}

async function recordEdits(draft: OrderDraft, unit: Unit, id: Value): Promise<void> {
  const { values, stored } = draft;
  const isChanged = (name: (typeof EDITED)[number] | 'notes' | 'admin_notes'): boolean =>
    values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(stored![name]);
  if (isChanged('admin_notes')) await record(unit, draft, id, 'CHANGE NOTES ORDER');
  if (isChanged('notes')) await record(unit, draft, id, 'CHANGE CUSTOMER NOTES ORDER');
  const fields = EDITED.filter(isChanged);
  if (fields.length > 0) await record(unit, draft, id, 'ORDER EDITED', { fields });
  if (isChanged('email') && stored!.customer_id === null) await moveUses(unit, id, values.email!);
}
