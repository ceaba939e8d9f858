/** The screens of the records that a rejected deletion names by their paths. */
import { store } from '../api/client.ts';
import { isSame } from '../api/record-diff.ts';

export interface RuleLink {
  readonly to: string;
  /** The name of the record; undefined if it has none. */
  readonly name?: string;
  readonly kind: 'tax_rates' | 'tax_settings' | 'sale_discounts' | 'volume_discounts' | 'coupons' | 'shipping_methods';
}

/** The screen of each kind of record. */
export const SCREENS: Readonly<Record<RuleLink['kind'], (id: number) => string>> = {
  tax_rates: (id) => `/taxes/rates?rate=${id}`,
  tax_settings: () => '/taxes/settings',
  sale_discounts: (id) => `/sale_discounts/${id}`,
  volume_discounts: (id) => `/volume_discounts/${id}`,
  coupons: (id) => `/coupons/${id}`,
  shipping_methods: (id) => `/shipping/${id}`,
};

const PATH = /\/(tax_rates|tax_settings|sale_discounts|volume_discounts|coupons|shipping_methods)(?:\/(\d+))?/g;

/** Reads the names of the records whose paths are in a message of the store (docs/contract/pricing.md §7). */
export async function rulesIn(message: string): Promise<RuleLink[]> {
  const found = [...message.matchAll(PATH)].map(([, kind, id]) => ({ kind: kind as RuleLink['kind'], id: Number(id) }));
  // Several rates of a shipping method are one link.
  const links = found.filter((one, at) => found.findIndex((other) => isSame(one, other)) === at);
  return Promise.all(
    links.map(async ({ kind, id }) => {
      const name = await nameOf(kind, id).catch(() => undefined);
      return { kind, to: SCREENS[kind](id), ...(name === undefined ? {} : { name }) };
    }),
  );
}

async function nameOf(kind: RuleLink['kind'], id: number): Promise<string | undefined> {
  if (kind === 'tax_rates') return (await store.get('/tax_rates/{id}', { id })).data.name;
  if (kind === 'sale_discounts') return (await store.get('/sale_discounts/{id}', { id })).data.name;
  if (kind === 'shipping_methods') return (await store.get('/shipping_methods/{id}', { id })).data.name;
  if (kind === 'coupons') return (await store.get('/coupons/{id}', { id })).data.code;
  return undefined;
}
