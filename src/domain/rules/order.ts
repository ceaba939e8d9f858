/**
 * The life of an order: placed, paid, shipped, cancelled (orders.md §§1–4). Statuses decide about stock, stock about
 * statuses, and history is written in the same transaction.
 */
import type { Value } from '../../engine/ports.ts';
import type { Draft, Records, Rules } from '../../engine/resource.ts';
import { record, recordStatus, remembered } from './order-history.ts';
import { areRight, itemsOf, price } from './order-placing.ts';
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

/** What a check found out about a write, for the writes that follow it. */
interface Findings {
  readonly products: Products;
  movement?: Movement;
  /** Stored items whose owed pieces change. */
  readonly owed: { readonly id: Value; readonly pieces: number }[];
}

/** A draft lives as long as one attempt to write. */
const findings = new WeakMap<Draft, Findings>();

export const orderRules: Rules = {
  async derive(draft, records) {
    if (draft.operation === 'create') findings.set(draft, { products: await price(draft, records), owed: [] });
  },
  async check(draft, records) {
    if (draft.operation === 'create') await checkPlacing(draft, records);
    if (draft.operation === 'action') await checkStatusChange(draft, records);
  },
  async within(draft, records, id) {
    const { products, movement, owed } = findings.get(draft) ?? { products: new Map(), owed: [] };
    if (draft.operation === 'create') await recordPlacing(draft, records, id);
    if (movement) await saveAmounts(records, movement);
    for (const { id: item, pieces } of owed) await records.change('OrderItem', item, { backordered_amount: pieces });
    for (const field of Object.keys(STATUSES) as StatusField[])
      if (draft.operation === 'action' && draft.values[field] !== undefined)
        await recordStatus(records, draft, id, field, [
          await remembered(records, field, draft.stored![field]!),
          await remembered(records, field, draft.values[field]),
        ]);
    if (draft.operation === 'patch') await recordEdits(draft, records, id);
    if (movement && movement.amounts.size > 0)
      await record(records, draft, id, 'CHANGE PRODUCT AMOUNT', { changes: told(movement, products) });
  },
};

/** Takes the stock of a new order, whose statuses are known now. */
async function checkPlacing(draft: Draft, records: Records): Promise<void> {
  const { values, sent, violations, past } = draft;
  const found = findings.get(draft);
  if (!found || past || !areRight(draft, 'items', 'payment_status', 'shipping_status')) return;
  const items = itemsOf(draft);
  for (const item of items) {
    const isTraceable = found.products.get(item.product_id!)?.inventory_traceable === true;
    item.taken = isTraceable ? (item.amount as number) : 0;
  }
  const isTaken = takesStock(
    await codeOf(records, draft, 'payment_status'),
    await codeOf(records, draft, 'shipping_status'),
  );
  if (!isTaken) return;
  const movement = take(items.map(lineOf), found.products);
  for (const { index, left } of movement.shortages)
    violations.add(
      `items[${index}].amount`,
      'range',
      `Of ${JSON.stringify(items[index]!.sku)} ${left} ${left === 1 ? 'piece is' : 'pieces are'} left; this item asks for ${items[index]!.amount}.`,
    );
  for (const [index, item] of items.entries()) item.backordered_amount = movement.backordered[index]!;
  values.stock_status = 'reduced';
  if (sent.shipping_status === undefined && movement.backordered.some((pieces) => pieces > 0))
    values.shipping_status = await idOf(records, 'shipping_status', BACKORDERED);
  found.movement = movement;
}

/** The action that sets a status: the store may forbid the move, and stock may forbid the status. */
export function setStatus(field: StatusField) {
  return async (draft: Draft, records: Records): Promise<void> => {
    const { code } = draft.sent;
    if (typeof code !== 'string') return;
    const { resource, moves } = STATUSES[field];
    const id = await idOf(records, field, code);
    const before = await codeOf(records, draft, field);
    if (id === undefined) {
      const known = (await records.list(resource, {})).map((status) => status.code).join(', ');
      draft.violations.add('code', 'unknown_link', `The store has no status ${JSON.stringify(code)}; it has ${known}.`);
      return;
    }
    const allowed = code === before ? undefined : allowedMoves(draft.settings[moves], before);
    if (allowed && !allowed.includes(code))
      draft.conflicts.push(
        `The store lets ${allowed.length === 0 ? 'nothing' : allowed.join(', ')} follow the status ${before}; ${code} is not allowed.`,
      );
    draft.values[field] = id;
  };
}

async function checkStatusChange(draft: Draft, records: Records): Promise<void> {
  const { values, stored, violations, conflicts } = draft;
  if (violations.list.length > 0) return;
  const before = await codesOf(records, { ...draft, values: {} });
  const after = await codesOf(records, draft);
  const wasTaken = takesStock(before.payment_status, before.shipping_status);
  const isTaken = takesStock(after.payment_status, after.shipping_status);
  // Pieces that this very change takes are owed anew.
  const leavesBackorder = wasTaken && before.shipping_status === BACKORDERED && after.shipping_status !== BACKORDERED;
  if (wasTaken === isTaken && !leavesBackorder) return;
  const items = await records.list('OrderItem', { order: stored!.id! });
  const lines = items.map(lineOf);
  const moved = lines.filter(({ pieces }) => pieces > 0);
  const products =
    wasTaken === isTaken
      ? new Map()
      : await holdProducts(
          records,
          moved.map(({ product }) => product),
        );
  const found: Findings = { products, owed: [] };
  if (wasTaken !== isTaken) {
    found.movement = isTaken ? take(lines, products) : giveBack(lines, products);
    values.stock_status = isTaken ? 'reduced' : 'increased';
    for (const [id, amount] of found.movement.amounts)
      if (!Number.isSafeInteger(amount))
        conflicts.push(
          `With the pieces of this order, the stock of ${JSON.stringify(products.get(id)!.sku)} would be more than ${Number.MAX_SAFE_INTEGER}.`,
        );
    for (const { index, left } of found.movement.shortages)
      conflicts.push(
        `Of item ${items[index]!.id}, ${JSON.stringify(items[index]!.sku)}, ${left} of ${items[index]!.taken} pieces are left in stock, so the order cannot take them again.`,
      );
  }
  for (const [index, item] of items.entries()) {
    const pieces = leavesBackorder ? 0 : found.movement!.backordered[index]!;
    if (pieces !== item.backordered_amount) found.owed.push({ id: item.id!, pieces });
  }
  findings.set(draft, found);
}

function lineOf(item: Readonly<Record<string, Value>>): Line {
  return { product: item.product_id ?? null, pieces: item.taken as number };
}

async function codesOf(
  records: Records,
  draft: Pick<Draft, 'values' | 'stored'>,
): Promise<Record<StatusField, string>> {
  return {
    payment_status: await codeOf(records, draft, 'payment_status'),
    shipping_status: await codeOf(records, draft, 'shipping_status'),
  };
}

/** The code of the status that the order will have. */
async function codeOf(
  records: Records,
  { values, stored }: Pick<Draft, 'values' | 'stored'>,
  field: StatusField,
): Promise<string> {
  const status = await records.read(STATUSES[field].resource, values[field] ?? stored![field]!);
  return status!.code as string;
}

async function idOf(records: Records, field: StatusField, code: string): Promise<Value> {
  return (await records.identify(STATUSES[field].resource, 'code', [code])).get(code)!;
}

async function recordPlacing(draft: Draft, records: Records, id: Value): Promise<void> {
  const order = await records.read('Order', id);
  const { past, values, now, visitor } = draft;
  const date = past && typeof values.create_date === 'number' ? values.create_date : now;
  await record(records, { now: date, visitor }, id, 'PLACE ORDER', { orderNumber: order!.order_number! });
}

const EDITED = ['email', 'billing_address', 'shipping_address', 'shipping_method_name'];

async function recordEdits(draft: Draft, records: Records, id: Value): Promise<void> {
  const { values, stored } = draft;
  const isChanged = (name: string): boolean =>
    values[name] !== undefined && JSON.stringify(values[name]) !== JSON.stringify(stored![name]);
  if (isChanged('admin_notes')) await record(records, draft, id, 'CHANGE NOTES ORDER');
  if (isChanged('notes')) await record(records, draft, id, 'CHANGE CUSTOMER NOTES ORDER');
  const fields = EDITED.filter(isChanged);
  if (fields.length > 0) await record(records, draft, id, 'ORDER EDITED', { fields });
}
