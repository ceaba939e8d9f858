/**
 * The life of an order: placed, paid, shipped, cancelled (orders.md §§1–4). Statuses decide about stock, stock about
 * statuses, and history is written in the same transaction.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { record } from './order-history.ts';
import { areRight, itemsOf, price, USES_OF_PLACING } from './order-placing.ts';
import {
  askedStatus,
  carryOut,
  carryOutMovement,
  checkStatusChange,
  codesOf,
  lineOf,
  type StatusChange,
  statusId,
  USES_OF_STATUS_CHANGE,
} from './order-status-change.ts';
import { BACKORDERED, type StatusField, takesStock } from './order-statuses.ts';
import { type Goods, type Movement, take } from './order-stock.ts';

const EDITED = ['email', 'billing_address', 'shipping_address', 'shipping_method_name'] as const;

export const USES_OF_ORDER = {
  ...USES_OF_PLACING,
  ...USES_OF_STATUS_CHANGE,
  own: [
    ...USES_OF_PLACING.own,
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

/** A check's findings about a write, for the writes that follow it. */
interface Findings {
  /** The pieces of a new order. */
  readonly movement?: Movement;
  readonly change?: StatusChange;
}

export const orderRules = rules(USES_OF_ORDER, {
  async derive(draft, unit): Promise<Goods | undefined> {
    return draft.operation === 'create' ? price(draft, unit) : undefined;
  },
  async check(draft, unit, goods): Promise<Findings> {
    if (draft.operation === 'create') return checkPlacing(draft, unit, goods!);
    const { payment_status, shipping_status } = draft.values;
    if (draft.operation !== 'action' || (payment_status ?? shipping_status) === undefined) return {};
    const asked = Object.fromEntries(
      Object.entries({ payment_status, shipping_status }).filter(([, id]) => id !== undefined),
    );
    const change = await checkStatusChange(draft, unit, statusesOf(draft), asked);
    Object.assign(draft.values, change.values);
    return { change };
  },
  async within(draft, unit, id, found) {
    const { movement, change } = found!;
    if (draft.operation === 'create') await recordPlacing(draft, unit, id);
    if (draft.operation === 'patch') await recordEdits(draft, unit, id);
    if (movement) await carryOutMovement(movement, draft, unit, id);
    if (change) await carryOut(change, draft, unit);
  },
});

function statusesOf({ stored }: OrderDraft): Stored<StatusField> {
  return stored as Stored<StatusField>;
}

/** Takes the stock of a new order, whose statuses are known now. */
async function checkPlacing(draft: OrderDraft, unit: Unit, goods: Goods): Promise<Findings> {
  const { values, sent, violations, past } = draft;
  if (past || !areRight(draft, 'items', 'payment_status', 'shipping_status')) return {};
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

/** The pieces that a new line takes out of the stock. */
export function unitsTaken({ product_id, amount }: NewItem, { products }: Goods): number {
  return products.get(product_id!)?.inventory_traceable === true ? (amount as number) : 0;
}

export function shortage({ sku, amount }: NewItem, left: number): string {
  return `Of ${JSON.stringify(sku)} ${left} ${left === 1 ? 'piece is' : 'pieces are'} left; this item asks for ${amount}.`;
}

/** The action that sets a status: the store may forbid the move, and stock may forbid the status. */
export function setStatus(field: StatusField) {
  return async (draft: OrderDraft, unit: Unit): Promise<void> => {
    const asked = await askedStatus(draft, unit, statusesOf(draft), { field, code: draft.sent.code, at: 'code' });
    if (asked !== undefined) draft.values[field] = asked;
  };
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
}
