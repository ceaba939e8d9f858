/** Lines of a document of an order: which items they mean, how many pieces of each, and whether the order still takes any. */
import type { Draft, Reads, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { codesOf, type USES_OF_STATUS_CHANGE } from './order-status-change.ts';

type Unit = UnitOfWork<typeof USES_OF_STATUS_CHANGE>;

/** An item of an order as it is stored. */
export type Item = Stored<(typeof USES_OF_STATUS_CHANGE.OrderItem)[number]>;

/** A line as a client said it. */
type Line = Record<string, Value>;

/** The items of an order, by identifier. */
export async function itemsOfOrder(unit: Reads<typeof USES_OF_STATUS_CHANGE>, order: Value): Promise<Map<Value, Item>> {
  return new Map((await unit.list('OrderItem', { order })).map((item) => [item.id, item]));
}

/** The lines of a document, each with the identifier of its item in place of the client's reference. */
export function linesOf({ values }: Pick<Draft<'lines'>, 'values'>): Line[] {
  const lines = (values.lines ?? []) as Line[];
  for (const line of lines) line.item_id = idOf(line.item_id);
  return lines;
}

/** @returns the identifier in a reference that was read, but not looked up */
function idOf(reference: Value | undefined): Value {
  const isReference = typeof reference === 'object' && reference !== null;
  return (isReference ? (reference as unknown as { readonly id: Value }).id : reference) ?? null;
}

/** Refuses lines of what is no item of the order. @returns the others with their items and places */
export function meantBy(
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

/** Pieces by item. */
export function unitsByItem(lines: readonly Readonly<Record<'item_id' | 'amount', Value>>[]): Map<Value, number> {
  const units = new Map<Value, number>();
  for (const { item_id, amount } of lines)
    units.set(item_id, (units.get(item_id) ?? 0) + ((amount as number | undefined) ?? 0));
  return units;
}

/** An order that is cancelled or declined is not shipped, returned or edited. */
export async function refuseEnded(
  { conflicts }: Pick<Draft, 'conflicts'>,
  unit: Unit,
  order: Stored<'payment_status' | 'shipping_status'>,
): Promise<void> {
  const { payment_status: code } = await codesOf(unit, order);
  const ended = ENDED[code];
  if (ended) conflicts.push(`The order is ${ended}; give it another payment status first.`);
}

const ENDED: Readonly<Record<string, string>> = { C: 'cancelled', D: 'declined' };

/** `1 piece is`, `2 pieces are`. */
export function unitsAre(count: number): string {
  return count === 1 ? '1 piece is' : `${count} pieces are`;
}
