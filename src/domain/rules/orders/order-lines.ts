/** Lines of an order's documents (shipments, returns, edits): the items they refer to and the units of each. */
import type { Draft, Reads, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { codesOf, type USES_OF_STATUS_CHANGE } from './order-status-change.ts';

type Unit = UnitOfWork<typeof USES_OF_STATUS_CHANGE>;

/** A stored item of an order. */
export type Item = Stored<(typeof USES_OF_STATUS_CHANGE.OrderItem)[number]>;

/** A line as the client sent it. */
type Line = Record<string, Value>;

/** The items of an order, by identifier. */
export async function itemsOfOrder(unit: Reads<typeof USES_OF_STATUS_CHANGE>, order: Value): Promise<Map<Value, Item>> {
  return new Map((await unit.list('OrderItem', { order })).map((item) => [item.id, item]));
}

/** Returns the lines of a document. Replaces the client's reference to an item with the item's identifier. */
export function linesOf({ values }: Pick<Draft<'lines'>, 'values'>): Line[] {
  const lines = (values.lines ?? []) as Line[];
  for (const line of lines) line.item_id = idOf(line.item_id);
  return lines;
}

/** Returns the identifier of a reference that is parsed but not yet resolved. */
function idOf(reference: Value | undefined): Value {
  const isReference = typeof reference === 'object' && reference !== null;
  return (isReference ? (reference as unknown as { readonly id: Value }).id : reference) ?? null;
}

/**
 * Matches lines to items of the order. Adds a violation for each line whose item is not in the order.
 *
 * @returns the matched lines, each with its item and its property path
 */
export function matchLines(
  lines: readonly Line[],
  items: ReadonlyMap<Value, Item>,
  { violations }: Pick<Draft, 'violations'>,
  path = 'lines',
): { readonly line: Line; readonly item: Item; readonly at: string }[] {
  return lines.flatMap((line, index) => {
    const at = `${path}[${index}]`;
    const item = items.get(line.item_id!);
    if (item) return [{ line, item, at }];
    if (line.item_id !== null)
      violations.add(`${at}.item_id`, 'unknown_link', `The order has no item with the id ${line.item_id}.`);
    return [];
  });
}

/** Sums the units of lines by item. */
export function unitsByItem(lines: readonly Readonly<Record<'item_id' | 'amount', Value>>[]): Map<Value, number> {
  const units = new Map<Value, number>();
  for (const { item_id, amount } of lines)
    units.set(item_id, (units.get(item_id) ?? 0) + ((amount as number | undefined) ?? 0));
  return units;
}

/** Adds a conflict if the order is canceled or declined: such orders cannot be shipped, returned or edited. */
export async function rejectEndedOrder(
  { conflicts }: Pick<Draft, 'conflicts'>,
  unit: Unit,
  order: Stored<'payment_status' | 'shipping_status'>,
): Promise<void> {
  const { payment_status: code } = await codesOf(unit, order);
  const ended = ENDED[code];
  if (ended) conflicts.push(`The order is ${ended}. Set another payment status first.`);
}

const ENDED: Readonly<Record<string, string>> = { C: 'canceled', D: 'declined' };
