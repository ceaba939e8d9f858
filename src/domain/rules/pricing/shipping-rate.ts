/** Rules of the rates of shipping methods (shipping.md §2). */
import type { Draft, UnitOfWork } from '../../../engine/vocabulary.ts';
import { type Bounds, MEASURES, overlap } from '../../../pricing/index.ts';
import { afterWrite } from '../after-write.ts';

/** The fields with the bounds of a rate. */
export const BOUNDS = [
  ...(['min_weight', 'max_weight', 'min_total', 'max_total'] as const),
  ...(['min_discounted_total', 'max_discounted_total', 'min_items', 'max_items'] as const),
] as const;

const FIELDS = ['method', 'zone_id', ...BOUNDS] as const;

export const USES_OF_SHIPPING_RATE = { own: FIELDS, ShippingRate: FIELDS } as const;

/** Rejects a maximum below its minimum, and a rate that overlaps another one of its method and zone. */
export async function checkShippingRate(
  draft: Draft<(typeof FIELDS)[number]>,
  unit: UnitOfWork<typeof USES_OF_SHIPPING_RATE>,
): Promise<void> {
  const { stored, violations } = draft;
  const rate = afterWrite(draft);
  for (const measure of MEASURES) {
    const [min, max] = [rate[`min_${measure}`], rate[`max_${measure}`]];
    if (typeof min === 'number' && typeof max === 'number' && max < min)
      violations.add(
        `max_${measure}`,
        'conflict',
        `The maximum must not be below min_${measure}. Send null for no limit.`,
      );
  }
  if (violations.list.length > 0) return;
  const rates = await unit.list('ShippingRate', { method: rate.method!, zone_id: rate.zone_id! });
  const other = rates.find((each) => each.id !== stored?.id && overlap(each as unknown as Bounds, boundsOf(rate)));
  if (other)
    violations.add(
      '',
      'conflict',
      `The rate overlaps /shipping_methods/${rate.method}/rates/${other.id}. Change its ranges: the rates of a zone may share the end of a range, but must not overlap.`,
    );
}

function boundsOf(rate: Readonly<Record<string, unknown>>): Bounds {
  return Object.fromEntries(BOUNDS.map((name) => [name, rate[name]])) as unknown as Bounds;
}
