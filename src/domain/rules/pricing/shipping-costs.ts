/** The costs of shipping methods for an order (shipping.md §§3, 4). */
import {
  decimal,
  type Field,
  integer,
  type Languages,
  list,
  type Reads,
  text,
  type Value,
} from '../../../engine/vocabulary.ts';
import {
  type Charge,
  evaluate,
  type Input,
  type MatchedZone,
  type PostalAddress,
  type ShippingBasis,
  type ShippingOffer,
  type ShippingRate,
  type ShippingTerms,
  shippingOffer,
} from '../../../pricing/index.ts';
import { textsIn } from '../orders/order-options.ts';
import type { StoreRules } from './calculation-facts.ts';
import { UNLIMITED } from './result-fields.ts';
import { BOUNDS } from './shipping-rate.ts';

export const USES_OF_SHIPPING = {
  ShippingMethod: [
    ...(['name', 'delivery_time', 'enabled', 'position', 'tax_class', 'handling_fee'] as const),
    ...(['processor', 'free_from', 'free_by_coupon', 'pickup_address'] as const),
  ],
  ShippingRate: [
    ...(['method', 'zone_id', ...BOUNDS] as const),
    ...(['markup_flat', 'markup_percent', 'markup_per_item', 'markup_per_weight'] as const),
  ],
} as const;

type ShippingReads = Pick<Reads<typeof USES_OF_SHIPPING>, 'list' | 'texts'>;

/** A shipping method with its cost for an order. */
export interface Shipping {
  readonly id: number;
  readonly name: string;
  readonly delivery_time: string;
  readonly enabled: boolean;
  /** Zones of the pickup address; undefined if the method sends orders. They also determine taxes and discounts. */
  readonly pickupZones: readonly MatchedZone[] | undefined;
  offerFor(basis: ShippingBasis): ShippingOffer;
  /** The charge for shipping; none if the method is not offered. */
  chargesFor(basis: ShippingBasis): readonly Charge[];
}

/** What the costs of an order depend on, besides its lines. */
interface Destination extends Languages, Pick<StoreRules, 'zonesAt'> {
  /** The address to which offline methods send. */
  readonly address: PostalAddress | null;
  readonly currency: string;
}

/** Reads shipping methods by position, with those of their rates that can apply. @param where which methods */
export async function readShipping(
  reads: ShippingReads,
  where: { readonly id: Value } | { readonly enabled: true },
  { address, zonesAt, currency, ...languages }: Destination,
): Promise<Shipping[]> {
  const methods = await reads.list('ShippingMethod', where);
  const sent = zonesAt(address);
  const pickup = new Map(
    methods
      .filter(({ processor }) => processor === 'pickup')
      .map(({ id, pickup_address }) => [id, zonesAt(pickup_address as PostalAddress | null)]),
  );
  const zones = [...new Set([sent, ...pickup.values()].flat().map(({ id }) => id))];
  const method = methods.map(({ id }) => id);
  const rates = zones.length === 0 ? [] : await reads.list('ShippingRate', { method, zone_id: zones });
  const ratesOf = Map.groupBy(rates, (rate) => rate.method);
  const textsOf = (name: 'name' | 'delivery_time') =>
    textsIn(methods, name, languages, (ids) => reads.texts('ShippingMethod', ids, name));
  const names = await textsOf('name');
  const times = await textsOf('delivery_time');
  return methods
    .toSorted((one, other) => (one.position as number) - (other.position as number))
    .map(({ id, enabled, tax_class, ...terms }) => {
      const own = (ratesOf.get(id) ?? []) as unknown as readonly ShippingRate[];
      const pickupZones = pickup.get(id);
      const offerFor = (basis: ShippingBasis): ShippingOffer =>
        shippingOffer(terms as unknown as ShippingTerms, own, pickupZones ?? sent, basis, currency);
      const name = names.get(id)!;
      const charge = { type: 'shipping', code: 'SHIPPING', name, tax_class: tax_class as number | null };
      return {
        ...{ id: id as number, name, delivery_time: times.get(id)!, enabled: enabled as boolean },
        ...{ pickupZones, offerFor },
        chargesFor: (basis) => {
          const offer = offerFor(basis);
          return 'cost' in offer ? [{ ...charge, value: offer.cost }] : [];
        },
      };
    });
}

/** A method that a buyer can choose. */
export interface ShippingOption {
  readonly method_id: number;
  readonly name: string;
  readonly delivery_time: string;
  readonly cost: number;
}

/**
 * Returns the methods that a buyer can choose for an order, with their costs.
 *
 * @param address zones that determine taxes and discounts unless the order is picked up
 */
export function shippingOptions(
  methods: readonly Shipping[],
  input: Input,
  address: readonly MatchedZone[],
): ShippingOption[] {
  const known = new Map<string, ShippingBasis>();
  const basisIn = (zones: readonly MatchedZone[]): ShippingBasis => {
    const key = JSON.stringify(zones);
    const basis = known.get(key) ?? evaluate({ ...input, address: zones, shipping: [], explain: false }).shippingBasis;
    known.set(key, basis);
    return basis;
  };
  return methods.flatMap(({ id, name, delivery_time, pickupZones, offerFor }) => {
    const offer = offerFor(basisIn(pickupZones ?? address));
    return 'cost' in offer ? [{ method_id: id, name, delivery_time, cost: offer.cost }] : [];
  });
}

export function shippingOptionsField(): Field {
  return list(
    {
      method_id: integer({ description: 'Id of the shipping method.' }),
      name: text({ description: 'Name of the method, in the language of the request.' }),
      delivery_time: text({ description: 'When the order arrives.' }),
      cost: decimal({ description: 'Cost before taxes that are added.' }),
    },
    {
      ...UNLIMITED,
      nullable: true,
      shownExample: null,
      description: 'The shipping methods that the buyer can choose, by position; null without `shipping_options`.',
    },
  );
}
