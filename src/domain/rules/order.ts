/**
 * The life of an order: placed, paid, shipped, cancelled (orders.md §§1–4). Statuses decide about stock, stock about
 * statuses, and history is written in the same transaction.
 */
import { type Draft, type Reads, rules, type UnitOfWork, type Value } from '../../engine/vocabulary.ts';
import { record, recordStatus, remembered, USES_OF_HISTORY, USES_OF_STATUSES } from './order-history.ts';
import { areRight, itemsOf, price, USES_OF_PLACING } from './order-placing.ts';
import { allowedMoves, BACKORDERED, STATUSES, type StatusField, takesStock } from './order-statuses.ts';
import { type Goods, giveBack, holdGoods, type Line, type Movement, saveAmounts, take, told } from './order-stock.ts';

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
  OrderItem: ['order', 'product_id', 'variant', 'sku', 'taken', 'of_variant', 'backordered_amount'],
} as const;

type OrderDraft = Draft<(typeof USES_OF_ORDER.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_ORDER>;

/** A check's findings about a write, for the writes that follow it. */
interface Findings {
  readonly movement?: Movement;
  /** Stored items whose pieces are counted otherwise from now on. */
  readonly items: ReadonlyMap<Value, { readonly backordered_amount: number; readonly of_variant: boolean }>;
}

const NOTHING_FOUND: Findings = { items: new Map() };

export const orderRules = rules(USES_OF_ORDER, {
  async derive(draft, unit): Promise<Goods | undefined> {
    return draft.operation === 'create' ? price(draft, unit) : undefined;
  },
  async check(draft, unit, goods): Promise<Findings> {
    if (draft.operation === 'create') return checkPlacing(draft, unit, goods!);
    return draft.operation === 'action' ? checkStatusChange(draft, unit) : NOTHING_FOUND;
  },
  async within(draft, unit, id, found) {
    const { movement, items } = found!;
    if (draft.operation === 'create') await recordPlacing(draft, unit, id);
    if (movement) await saveAmounts(unit, movement);
    await unit.updateAll('OrderItem', items);
    for (const field of Object.keys(STATUSES) as StatusField[])
      if (draft.operation === 'action' && draft.values[field] !== undefined)
        await recordStatus(unit, draft, id, field, [
          await remembered(unit, field, draft.stored![field]),
          await remembered(unit, field, draft.values[field]),
        ]);
    if (draft.operation === 'patch') await recordEdits(draft, unit, id);
    if (movement && movement.changes.length > 0)
      await record(unit, draft, id, 'CHANGE PRODUCT AMOUNT', { changes: told(movement) });
  },
});

/** Takes the stock of a new order, whose statuses are known now. */
async function checkPlacing(draft: OrderDraft, unit: Unit, goods: Goods): Promise<Findings> {
  const { values, sent, violations, past } = draft;
  if (past || !areRight(draft, 'items', 'payment_status', 'shipping_status')) return NOTHING_FOUND;
  const items = itemsOf(draft);
  for (const item of items) {
    const isTraceable = goods.products.get(item.product_id!)?.inventory_traceable === true;
    item.taken = isTraceable ? (item.amount as number) : 0;
  }
  const isTaken = takesStock(await codeOf(unit, draft, 'payment_status'), await codeOf(unit, draft, 'shipping_status'));
  if (!isTaken) return NOTHING_FOUND;
  const movement = take(items.map(lineOf), goods);
  for (const { index, left } of movement.shortages)
    violations.add(
      `items[${index}].amount`,
      'range',
      `Of ${JSON.stringify(items[index]!.sku)} ${left} ${left === 1 ? 'piece is' : 'pieces are'} left; this item asks for ${items[index]!.amount}.`,
    );
  for (const [index, item] of items.entries()) {
    item.backordered_amount = movement.backordered[index]!;
    item.of_variant = movement.ofVariant[index]!;
  }
  values.stock_status = 'reduced';
  if (sent.shipping_status === undefined && movement.backordered.some((pieces) => pieces > 0))
    values.shipping_status = await idOf(unit, 'shipping_status', BACKORDERED);
  return { ...NOTHING_FOUND, movement };
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
  let movement: Movement | undefined;
  if (wasTaken !== isTaken) {
    const moved = lines.filter(({ pieces }) => pieces > 0);
    const variants = moved.flatMap(({ variant }) => variant ?? []);
    const goods = await holdGoods(
      unit,
      moved.flatMap(({ product }) => product ?? []),
      variants,
    );
    movement = isTaken ? take(lines, goods) : giveBack(lines, goods);
    values.stock_status = isTaken ? 'reduced' : 'increased';
    for (const { sku, to } of movement.changes)
      if (!Number.isSafeInteger(to))
        conflicts.push(
          `With the pieces of this order, the stock of ${JSON.stringify(sku)} would be more than ${Number.MAX_SAFE_INTEGER}.`,
        );
    for (const { index, left } of movement.shortages)
      conflicts.push(
        `Of item ${items[index]!.id}, ${JSON.stringify(items[index]!.sku)}, ${left} of ${items[index]!.taken} pieces are left in stock, so the order cannot take them again.`,
      );
  }
  const changed: [Value, { backordered_amount: number; of_variant: boolean }][] = [];
  for (const [index, item] of items.entries()) {
    const backordered_amount = leavesBackorder ? 0 : movement!.backordered[index]!;
    const of_variant = movement?.ofVariant[index] ?? item.of_variant === true;
    if (backordered_amount !== item.backordered_amount || of_variant !== item.of_variant)
      changed.push([item.id, { backordered_amount, of_variant }]);
  }
  return { items: new Map(changed), ...(movement ? { movement } : {}) };
}

interface StoredLine {
  readonly product_id?: Value;
  readonly variant?: Value;
  readonly taken?: Value;
  readonly of_variant?: Value;
}

function lineOf({ product_id = null, variant = null, taken, of_variant }: StoredLine): Line {
  return { product: product_id, variant, isOfVariant: of_variant === true, pieces: taken as number };
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
