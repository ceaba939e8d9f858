/** Shipping methods: their fields and the holes between their rates (shipping.md §§1, 3). */
import {
  type Draft,
  decimal,
  type Field,
  flag,
  integer,
  list,
  object,
  type View,
  view,
} from '../../../engine/vocabulary.ts';
import { type Bounds, holesBetween } from '../../../pricing/index.ts';
import { addressFields } from '../orders/address.ts';
import { UNLIMITED } from './result-fields.ts';
import { BOUNDS } from './shipping-rate.ts';
import { checkMoney } from './value.ts';

export const METHOD_FIELDS = ['handling_fee'] as const;

/** The address of the shop is not personal data. */
export function pickupAddress(): Field {
  const members = Object.entries(addressFields('shipping')).map(([name, { personal: _, ...member }]) => [name, member]);
  return object(Object.fromEntries(members) as Readonly<Record<string, Field>>, {
    nullable: true,
    description: 'Where orders are picked up. It determines zone and taxes of the processor `pickup`.',
  });
}

export function checkShippingMethod(draft: Draft<(typeof METHOD_FIELDS)[number]>): void {
  checkMoney(draft.values.handling_fee, 'handling_fee', draft);
}

/** `GET /shipping_methods/{id}/coverage`. */
export const coverage: View = view(
  { ShippingRate: ['method', 'zone_id', ...BOUNDS] },
  {
    name: 'coverage',
    summary: 'List the orders that no rate of a shipping method applies to',
    description:
      'For each zone with rates, the holes between them: ranges of orders for which the method is not offered. Holes do not overlap. If there are too many, some are missing.',
    isList: true,
    output: {
      zone_id: integer({ description: 'Id of the zone.', shownExample: 1 }),
      complete: flag({ description: 'Whether all holes are listed.', shownExample: true }),
      holes: list(
        {
          min_weight: decimal({ description: 'Minimum weight.' }),
          max_weight: decimal({ nullable: true, description: 'Maximum weight; null for no limit.' }),
          min_total: decimal({ description: 'Minimum total before discounts.' }),
          max_total: decimal({ nullable: true, description: 'Maximum total before discounts; null for no limit.' }),
          min_discounted_total: decimal({ description: 'Minimum total after discounts.' }),
          max_discounted_total: decimal({
            nullable: true,
            description: 'Maximum total after discounts; null for no limit.',
          }),
          min_items: integer({ description: 'Minimum number of units.' }),
          max_items: integer({ nullable: true, description: 'Maximum number of units; null for no limit.' }),
        },
        {
          ...UNLIMITED,
          description: 'Ranges without a rate, at most 1000. All bounds are inclusive.',
          shownExample: [
            {
              ...{ min_weight: 30.0001, max_weight: null, min_total: 0, max_total: null },
              ...{ min_discounted_total: 0, max_discounted_total: null, min_items: 1, max_items: null },
            },
          ],
        },
      ),
    },
    async read(method, reads) {
      const rates = await reads.list('ShippingRate', { method });
      const byZone = Map.groupBy(rates, ({ zone_id }) => zone_id as number);
      return [...byZone]
        .sort(([one], [other]) => one - other)
        .map(([zone_id, ofZone]) => {
          // By the number of rates, so that the duration of the request has a limit with any number of zones.
          const share = ofZone.length / rates.length;
          const { holes, complete } = holesBetween(ofZone as unknown as Bounds[], share);
          return { zone_id, complete, holes: holes as never };
        });
    },
  },
);
