/**
 * Returns of an order (orders.md §12). Received units leave the order permanently: they go back into stock or are written
 * off, and no later status change moves them again. A write of a return locks its order, so no unit is returned twice.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { record } from './order-history.ts';
import { type Item, itemsOfOrder, linesOf, matchLines, rejectEndedOrder } from './order-lines.ts';
import { returnedOrRequested } from './order-shipment.ts';
import {
  applyMovement,
  codesOf,
  holdLines,
  lineOf,
  rejectUnsafeStock,
  USES_OF_STATUS_CHANGE,
} from './order-status-change.ts';
import { takesStock } from './order-statuses.ts';
import { countOfUnits, giveBack, type Line, type Movement, take } from './order-stock.ts';

export const RETURN_STATUSES = ['requested', 'received', 'refused'];

const USES = {
  ...USES_OF_STATUS_CHANGE,
  own: ['order', 'lines', 'status'],
  OrderReturn: ['order', 'status'],
  OrderReturnLine: ['return', 'item_id', 'amount', 'restock'],
} as const;

type Unit = UnitOfWork<typeof USES>;
type ReturnDraft = Draft<(typeof USES.own)[number]>;
type ReturnedLine = Readonly<Partial<Record<'item_id' | 'amount' | 'restock', Value>>>;

/** Received units of one item. */
interface ReceivedItem {
  readonly item: Item;
  readonly units: number;
  /** Units that can be sold again. */
  readonly restocked: number;
  /** Units that the order had taken out of the stock, by whether they can be sold again. */
  readonly taken: { readonly restocked: number; readonly lost: number };
}

/** Results of the check that the writes need. */
interface Findings {
  readonly received: readonly ReceivedItem[];
  readonly movement?: Movement;
}

export const returnRules = rules(USES, {
  mayConflict: true,
  derive(draft): void {
    linesOf(draft);
  },
  async check(draft, unit): Promise<Findings> {
    const { values, stored, violations, operation } = draft;
    const order = (await unit.read('Order', (values.order ?? stored!.order) as Value))!;
    const items = await itemsOfOrder(unit, order.id);
    if (operation === 'create') await checkLines(draft, unit, order.id, items);
    const isMoved = stored !== undefined && values.status !== undefined && values.status !== stored.status;
    if (isMoved && stored.status !== 'requested')
      draft.conflicts.push(`The return is already ${stored.status}. Its status cannot change again.`);
    const isReceived = values.status === 'received' && (operation === 'create' || isMoved);
    if (operation === 'create' || isReceived) await rejectEndedOrder(draft, unit, order);
    if (!isReceived || violations.list.length > 0) return { received: [] };
    const lines: readonly ReturnedLine[] =
      operation === 'create' ? linesOf(draft) : await unit.list('OrderReturnLine', { return: stored!.id });
    const received = receivedItems(lines, items);
    return { received, movement: await moveStock(draft, unit, order, received) };
  },
  async within(draft, unit, id, findings) {
    const { values, stored } = draft;
    const { received, movement } = findings!;
    const order = (values.order ?? stored!.order) as Value;
    await unit.updateAll(
      'OrderItem',
      new Map(
        received.map(({ item, units, restocked, taken }) => [
          item.id,
          {
            returned_amount: (item.returned_amount as number) + units,
            restocked_amount: (item.restocked_amount as number) + restocked,
            taken: (item.taken as number) - taken.restocked - taken.lost,
          },
        ]),
      ),
    );
    if (values.status !== undefined) await record(unit, draft, order, 'RETURN', { return: id, status: values.status });
    if (movement) await applyMovement(movement, draft, unit, order);
  },
});

/** Checks that returned and requested units together never exceed the shipped units. */
async function checkLines(
  draft: ReturnDraft,
  unit: Unit,
  order: Value,
  items: ReadonlyMap<Value, Item>,
): Promise<void> {
  const counted = await returnedOrRequested(unit, order, items);
  for (const { line, item, at } of matchLines(linesOf(draft), items, draft)) {
    const before = counted.get(item.id)!;
    const left = (item.shipped_amount as number) - before;
    counted.set(item.id, before + (line.amount as number));
    if ((line.amount as number) > left)
      draft.violations.add(
        `${at}.amount`,
        'range',
        `Only ${Math.max(0, left)} of the ${countOfUnits(item.shipped_amount)} shipped of item ${item.id} can still be returned.`,
      );
  }
}

function receivedItems(lines: readonly ReturnedLine[], items: ReadonlyMap<Value, Item>): ReceivedItem[] {
  return [...Map.groupBy(lines, ({ item_id }) => item_id!)].map(([id, own]) => {
    const item = items.get(id)!;
    const count = (of: readonly ReturnedLine[]) => of.reduce((sum, { amount }) => sum + (amount as number), 0);
    const [units, restocked] = [count(own), count(own.filter(({ restock }) => restock === true))];
    const restockedOfTaken = Math.min(restocked, item.taken as number);
    const lost = Math.min(units - restocked, (item.taken as number) - restockedOfTaken);
    return { item, units, restocked, taken: { restocked: restockedOfTaken, lost } };
  });
}

/**
 * Computes the stock movement of received units. Normally the units that can be sold again go back into stock. If the
 * order's status has already returned its units to the stock, the lost ones are taken out again instead.
 */
async function moveStock(
  { conflicts }: ReturnDraft,
  unit: Unit,
  order: Stored<'payment_status' | 'shipping_status'>,
  received: readonly ReceivedItem[],
): Promise<Movement> {
  const { payment_status, shipping_status } = await codesOf(unit, order);
  const hasTaken = takesStock(payment_status, shipping_status);
  const lines: Line[] = received.map(({ item, taken }) => ({
    ...lineOf(item),
    units: hasTaken ? taken.restocked : taken.lost,
  }));
  const goods = await holdLines(unit, lines);
  const movement = hasTaken ? giveBack(lines, goods) : take(lines, goods);
  rejectUnsafeStock(movement, conflicts);
  for (const { index, left } of movement.shortages) {
    const { item, taken } = received[index]!;
    conflicts.push(
      `Not enough stock to write off item ${item.id} (SKU ${JSON.stringify(item.sku)}): ${left} of ${countOfUnits(taken.lost)} available.`,
    );
  }
  return movement;
}
