/** Rules of tracking numbers (orders.md §11). A change or deletion also updates the shipment that the number belongs to. */
import type { Draft, Removal, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { recordedAs, USES_OF_HISTORY } from './order-history.ts';

/** At least one visible character and no control characters. Shared by orders and shipments. */
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
  replacement: readonly string[],
): Promise<void> {
  const stored = shipment === null ? undefined : await unit.read('OrderShipment', shipment);
  if (!stored) return;
  const numbers = (stored.tracking_numbers as string[]).flatMap((number) =>
    number === value ? replacement : [number],
  );
  await unit.update('OrderShipment', stored.id, { tracking_numbers: [...new Set(numbers)] });
}
