/**
 * The life of an order: placed, paid, shipped, cancelled (orders.md §§1–4). Statuses decide about stock, stock about
 * statuses, and history is written in the same transaction.
 */
import { type Draft, type Reads, rules, type UnitOfWork, type Value } from '../../engine/vocabulary.ts';
import { record, recordStatus, remembered, USES_OF_HISTORY, USES_OF_STATUSES } from './order-history.ts';
import { areRight, itemsOf, price, USES_OF_PLACING } from './order-placing.ts';
import { allowedMoves, BACKORDERED, STATUSES, type StatusField, takesStock } from './order-statuses.ts';
import {
  giveBack,
  holdProducts,
  type Line,
  type Movement,
  type Products,
  saveAmounts,
  take,
  told,
} from './order-stock.ts';

const EDITED = ['email', 'billing_address', 'shipping_address', 'shipping_method_name'] as const;

export const USES_OF_ORDER = {
  ...USES_OF_PLACING,
  ...USES_OF_HISTORY,
  ...USES_OF_STATUSES,
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
  Order: ['order_number'],
  OrderItem: ['order', 'product_id', 'sku', 'taken', 'backordered_amount'],
} as const;

type OrderDraft = Draft<(typeof USES_OF_ORDER.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_ORDER>;

/** A check's findings about a write, for the writes that follow it. */
interface Findings {
  readonly products: Products;
  readonly movement?: Movement;
  /** Stored items whose owed pieces change. */
  readonly owed: ReadonlyMap<Value, number>;
}

const NOTHING_FOUND: Findings = { products: new Map(), owed: new Map() };

export const orderRules = rules(USES_OF_ORDER, {
  async derive(draft, unit): Promise<Products | undefined> {
    return draft.operation === 'create' ? price(draft, unit) : undefined;
  },
  async check(draft, unit, products): Promise<Findings> {
    if (draft.operation === 'create') return checkPlacing(draft, unit, products!);
    return draft.operation === 'action' ? checkStatusChange(draft, unit) : NOTHING_FOUND;
  },
  async within(draft, unit, id, found) {
    const { products, movement, owed } = found!;
    if (draft.operation === 'create') await recordPlacing(draft, unit, id);
    if (movement) await saveAmounts(unit, movement);
    const owedItems = [...owed].map(([item, pieces]) => [item, { backordered_amount: pieces }] as const);
    await unit.updateAll('OrderItem', new Map(owedItems));
    for (const field of Object.keys(STATUSES) as StatusField[])
      if (draft.operation === 'action' && draft.values[field] !== undefined)
        await recordStatus(unit, draft, id, field, [
          await remembered(unit, field, draft.stored![field]),
          await remembered(unit, field, draft.values[field]),
        ]);
    if (draft.operation === 'patch') await recordEdits(draft, unit, id);
    if (movement && movement.amounts.size > 0)
      await record(unit, draft, id, 'CHANGE PRODUCT AMOUNT', { changes: told(movement, products) });
  },
});

/** Takes the stock of a new order, whose statuses are known now. */
async function checkPlacing(draft: OrderDraft, unit: Unit, products: Products): Promise<Findings> {
  const { values, sent, violations, past } = draft;
  const found: Findings = { products, owed: new Map() };
  if (past || !areRight(draft, 'items', 'payment_status', 'shipping_status')) return found;
  const items = itemsOf(draft);
  for (const item of items) {
    const isTraceable = products.get(item.product_id!)?.inventory_traceable === true;
    item.taken = isTraceable ? (item.amount as number) : 0;
  }
  const isTaken = takesStock(await codeOf(unit, draft, 'payment_status'), await codeOf(unit, draft, 'shipping_status'));
  if (!isTaken) return found;
  const movement = take(items.map(lineOf), products);
  for (const { index, left } of movement.shortages)
    violations.add(
      `items[${index}].amount`,
      'range',
      `Of ${JSON.stringify(items[index]!.sku)} ${left} ${left === 1 ? 'piece is' : 'pieces are'} left; this item asks for ${items[index]!.amount}.`,
    );
  for (const [index, item] of items.entries()) item.backordered_amount = movement.backordered[index]!;
  values.stock_status = 'reduced';
  if (sent.shipping_status === undefined && movement.backordered.some((pieces) => pieces > 0))
    values.shipping_status = await idOf(unit, 'shipping_status', BACKORDERED);
  return { ...found, movement };
}

/** The action that sets a status: the store may forbid the move, and stock may forbid the status. */
export function setStatus(field: StatusField) {
  return async (draft: OrderDraft, unit: Unit): Promise<void> => {
    const { code } = draft.sent;
    if (typeof code !== 'string') return;
    const { resource, moves } = STATUSES[field];
    const id = await idOf(unit, field, code);
    const before = await codeOf(unit, draft, field);
    if (id === undefined) {
      const known = (await unit.list(resource, {})).map((status) => status.code).join(', ');
      draft.violations.add('code', 'unknown_link', `The store has no status ${JSON.stringify(code)}; it has ${known}.`);
      return;
    }
    const allowed = code === before ? undefined : allowedMoves(draft.world.settings[moves], before);
    if (allowed && !allowed.includes(code))
      draft.conflicts.push(
        `The store lets ${allowed.length === 0 ? 'nothing' : allowed.join(', ')} follow the status ${before}; ${code} is not allowed.`,
      );
    draft.values[field] = id;
  };
}

async function checkStatusChange(draft: OrderDraft, unit: Unit): Promise<Findings> {
  const { values, stored, violations, conflicts } = draft;
  if (violations.list.length > 0) return NOTHING_FOUND;
  const before = await codesOf(unit, { ...draft, values: {} });
  const after = await codesOf(unit, draft);
  const wasTaken = takesStock(before.payment_status, before.shipping_status);
  const isTaken = takesStock(after.payment_status, after.shipping_status);
  // Pieces that this very change takes are owed anew.
  const leavesBackorder = wasTaken && before.shipping_status === BACKORDERED && after.shipping_status !== BACKORDERED;
  if (wasTaken === isTaken && !leavesBackorder) return NOTHING_FOUND;
  const items = await unit.list('OrderItem', { order: stored!.id });
  const lines = items.map(lineOf);
  const moved = lines.filter(({ pieces }) => pieces > 0);
  const products =
    wasTaken === isTaken
      ? new Map()
      : await holdProducts(
          unit,
          moved.map(({ product }) => product),
        );
  let movement: Movement | undefined;
  if (wasTaken !== isTaken) {
    movement = isTaken ? take(lines, products) : giveBack(lines, products);
    values.stock_status = isTaken ? 'reduced' : 'increased';
    for (const [id, amount] of movement.amounts)
      if (!Number.isSafeInteger(amount))
        conflicts.push(
          `With the pieces of this order, the stock of ${JSON.stringify(products.get(id)!.sku)} would be more than ${Number.MAX_SAFE_INTEGER}.`,
        );
    for (const { index, left } of movement.shortages)
      conflicts.push(
        `Of item ${items[index]!.id}, ${JSON.stringify(items[index]!.sku)}, ${left} of ${items[index]!.taken} pieces are left in stock, so the order cannot take them again.`,
      );
  }
  const owed = new Map<Value, number>();
  for (const [index, item] of items.entries()) {
    const pieces = leavesBackorder ? 0 : movement!.backordered[index]!;
    if (pieces !== item.backordered_amount) owed.set(item.id, pieces);
  }
  return movement ? { products, movement, owed } : { products, owed };
}

function lineOf(item: { readonly product_id?: Value; readonly taken?: Value }): Line {
  return { product: item.product_id ?? null, pieces: item.taken as number };
}

type Statuses = Reads<typeof USES_OF_STATUSES>;

async function codesOf(
  reads: Statuses,
  draft: Pick<OrderDraft, 'values' | 'stored'>,
): Promise<Record<StatusField, string>> {
  return {
    payment_status: await codeOf(reads, draft, 'payment_status'),
    shipping_status: await codeOf(reads, draft, 'shipping_status'),
  };
}

/** The code of the status that the order will have. */
async function codeOf(
  reads: Statuses,
  { values, stored }: Pick<OrderDraft, 'values' | 'stored'>,
  field: StatusField,
): Promise<string> {
  const status = await reads.read(STATUSES[field].resource, values[field] ?? stored![field]!);
  return status!.code as string;
}

async function idOf(reads: Statuses, field: StatusField, code: string): Promise<Value> {
  return (await reads.identify(STATUSES[field].resource, 'code', [code])).get(code)!;
}

async function recordPlacing(draft: OrderDraft, unit: Unit, id: Value): Promise<void> {
  const order = await unit.read('Order', id);
  const { past, values, now, visitor } = draft;
  const date = past && typeof values.create_date === 'number' ? values.create_date : now;
  await record(unit, { now: date, visitor }, id, 'PLACE ORDER', { orderNumber: order!.order_number! });
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
