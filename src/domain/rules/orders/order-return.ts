/**
 * Returns of an order (orders.md §12). Received pieces leave the order for good: they are back in stock, or written off, and
 * no later change of a status moves them again. A write of a return holds its order, so none comes back twice.
 */
import { type Draft, rules, type Stored, type UnitOfWork, type Value } from '../../../engine/vocabulary.ts';
import { record } from './order-history.ts';
import { type Item, itemsOfOrder, linesOf, meantBy, refuseEnded, unitsAre } from './order-lines.ts';
import { returnedOrAsked } from './order-shipment.ts';
import {
  carryOutMovement,
  codesOf,
  holdLines,
  lineOf,
  refuseTooMany,
  USES_OF_STATUS_CHANGE,
} from './order-status-change.ts';
import { takesStock } from './order-statuses.ts';
import { giveBack, type Line, type Movement, take } from './order-stock.ts';

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

/** Received pieces of one item. */
interface Received {
  readonly item: Item;
  readonly units: number;
  /** Those of them that can be sold again. */
  readonly restocked: number;
  /** Those that had been taken out of the stock: to be sold again, and not. */
  readonly taken: { readonly restocked: number; readonly lost: number };
}

/** A check's findings, for the writes that follow it. */
interface Findings {
  readonly received: readonly Received[];
  readonly movement?: Movement;
}

export const returnRules = rules(USES, {
  mayConflict: true,
  derive(draft): void {
    linesOf(draft);
  },
  async check(draft, unit): Promise<Findings> {
    const { values, stored, violations, operation } = draft;
    const nothing: Findings = { received: [] };
    const order = (await unit.read('Order', (values.order ?? stored!.order) as Value))!;
    const items = await itemsOfOrder(unit, order.id);
    if (operation === 'create') await checkLines(draft, unit, order.id, items);
    const isMoved = stored !== undefined && values.status !== undefined && values.status !== stored.status;
    if (isMoved && stored.status !== 'requested')
      draft.conflicts.push(`The return is ${stored.status}; that is for good.`);
    const isReceived = values.status === 'received' && (operation === 'create' || isMoved);
    if (operation === 'create' || isReceived) await refuseEnded(draft, unit, order);
    if (!isReceived || violations.list.length > 0) return nothing;
    const lines: readonly ReturnedLine[] =
      operation === 'create' ? linesOf(draft) : await unit.list('OrderReturnLine', { return: stored!.id });
    const received = receivedOf(lines, items);
    return { received, movement: await move(draft, unit, order, received) };
  },
  async within(draft, unit, id, found) {
    const { values, stored } = draft;
    const { received, movement } = found!;
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
    if (movement) await carryOutMovement(movement, draft, unit, order);
  },
});

/** Pieces that were sent back or are asked to be are never more than were shipped. */
async function checkLines(
  draft: ReturnDraft,
  unit: Unit,
  order: Value,
  items: ReadonlyMap<Value, Item>,
): Promise<void> {
  const counted = await returnedOrAsked(unit, order, items);
  for (const { line, item, at } of meantBy(linesOf(draft), items, draft)) {
    const before = counted.get(item.id)!;
    const left = (item.shipped_amount as number) - before;
    counted.set(item.id, before + (line.amount as number));
    if ((line.amount as number) > left)
      draft.violations.add(
        `${at}.amount`,
        'range',
        `Of item ${item.id} ${item.shipped_amount} were shipped, and ${unitsAre(Math.max(0, left))} in no return yet.`,
      );
  }
}

function receivedOf(lines: readonly ReturnedLine[], items: ReadonlyMap<Value, Item>): Received[] {
  return [...Map.groupBy(lines, ({ item_id }) => item_id!)].map(([id, own]) => {
    const item = items.get(id)!;
    const count = (of: readonly ReturnedLine[]) => of.reduce((sum, { amount }) => sum + (amount as number), 0);
    const [units, restocked] = [count(own), count(own.filter(({ restock }) => restock === true))];
    const back = Math.min(restocked, item.taken as number);
    const lost = Math.min(units - restocked, (item.taken as number) - back);
    return { item, units, restocked, taken: { restocked: back, lost } };
  });
}

/**
 * While the order has its pieces out, those to be sold again come back. While a status has brought them back already,
 * these stay, and those that are lost go out again.
 */
async function move(
  { conflicts }: ReturnDraft,
  unit: Unit,
  order: Stored<'payment_status' | 'shipping_status'>,
  received: readonly Received[],
): Promise<Movement> {
  const { payment_status, shipping_status } = await codesOf(unit, order);
  const areOut = takesStock(payment_status, shipping_status);
  const lines: Line[] = received.map(({ item, taken }) => ({
    ...lineOf(item),
    units: areOut ? taken.restocked : taken.lost,
  }));
  const goods = await holdLines(unit, lines);
  const movement = areOut ? giveBack(lines, goods) : take(lines, goods);
  refuseTooMany(movement, conflicts);
  for (const { index, left } of movement.shortages) {
    const { item, taken } = received[index]!;
    conflicts.push(
      `Of item ${item.id}, ${JSON.stringify(item.sku)}, ${left} of the ${taken.lost} pieces that are lost are left in stock, where a status had brought them back.`,
    );
  }
  return movement;
}
