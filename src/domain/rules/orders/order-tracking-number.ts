/** A change of a tracking number is one of the shipment that it came with, too (orders.md §11). */
import type { Draft, Removal, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { recordedAs, USES_OF_HISTORY } from './order-history.ts';

/** Something to be seen, and nothing that steers a terminal: of an order and of its shipments alike. */
export const TRACKING_NUMBER_FORM = {
  pattern: /^(?=.*[^\p{Z}\p{Default_Ignorable_Code_Point}])\P{C}{1,255}$/u,
  schemaPattern: /\S/,
  expected: '1 to 255 printable characters',
};

export const USES_OF_TRACKING_NUMBER = {
  own: ['order', 'value', 'shipment'],
  ...USES_OF_HISTORY,
  OrderShipment: ['tracking_numbers'],
} as const;

type Own = (typeof USES_OF_TRACKING_NUMBER.own)[number];
type Unit = UnitOfWork<typeof USES_OF_TRACKING_NUMBER>;

const recorded = recordedAs<Own>('ORDER TRACKING', ({ value }, operation) => ({
  value: value!,
  removed: operation === 'removal',
}));

export const trackingNumberRules = {
  async within(draft: Draft<Own>, unit: Unit): Promise<void> {
    await recorded.within(draft, unit);
    const { stored, values } = draft;
    if (stored && values.value !== undefined) await replaceIn(unit, stored, [values.value as string]);
  },
  async withinRemoval(removal: Removal<Own>, unit: Unit): Promise<void> {
    await recorded.withinRemoval(removal, unit);
    await replaceIn(unit, removal.stored, []);
  },
};

async function replaceIn(
  unit: Unit,
  { shipment, value }: Readonly<Record<'shipment' | 'value', Value>>,
  by: readonly string[],
): Promise<void> {
  const found = shipment === null ? undefined : await unit.read('OrderShipment', shipment);
  if (!found) return;
  const numbers = (found.tracking_numbers as string[]).flatMap((number) => (number === value ? by : [number]));
  await unit.update('OrderShipment', found.id, { tracking_numbers: [...new Set(numbers)] });
}
