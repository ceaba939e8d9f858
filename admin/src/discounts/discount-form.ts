/** Discounts as form values, and how to create and save them. */
import { store } from '../api/client.ts';
import { changedFields, type Values } from '../api/record-diff.ts';
import { createRecord, readRecord } from '../api/runtime-requests.ts';
import { type Texts, textValues } from '../forms/translated-texts.ts';
import type { Discount, Kind } from './kinds.ts';
import { toLocalTime } from './period.ts';

/** The translated texts of a sale discount, in display order. */
export const TEXTS = ['name', 'meta_title', 'meta_tags', 'meta_description'] as const;

const PERIOD = { date_range_begin: null, date_range_end: null };
const RESTRICTIONS = { specific_products: false, products: [], product_classes: [], categories: [], memberships: [] };

/** The fields of each kind, with the values of a new record. */
export const INITIAL_VALUES: Readonly<Record<Kind, Values>> = {
  sale_discounts: {
    ...{ name: '', enabled: true, value: 0, ...RESTRICTIONS, ...PERIOD },
    ...{ apply_to_wholesale: false, show_in_separate_section: false, clean_url: '' },
    ...{ meta_title: '', meta_tags: '', meta_description: '' },
  },
  volume_discounts: { value: 0, type: '%', subtotal_range_begin: 0, membership: null, zones: [], ...PERIOD },
  coupons: {
    ...{ code: '', enabled: true, value: 0, type: '%', ...RESTRICTIONS, zones: [], ...PERIOD },
    ...{ total_range_begin: 0, total_range_end: 0, uses_limit: 0, uses_limit_per_user: 0, single_use: false },
    comment: '',
  },
};

/** What to send for emptied fields: a text is empty, a number is 0. */
export const EMPTY_VALUES: Values = Object.fromEntries(
  Object.values(INITIAL_VALUES)
    .flatMap((values) => Object.entries(values))
    .filter(([, value]) => value === '' || value === 0),
);

export interface LoadedDiscount {
  readonly discount: Discount;
  readonly values: Values;
  readonly etag: string;
}

/** @throws {StoreProblem} if the record does not exist */
export async function loadDiscount(kind: Kind, id: number): Promise<LoadedDiscount> {
  const [{ data, etag }, texts] = await Promise.all([
    readRecord(`/${kind}/{id}` as const, { id }),
    kind === 'sale_discounts' ? store.get('/sale_discounts/{id}/translations', { id }) : undefined,
  ]);
  const fields = Object.keys(INITIAL_VALUES[kind]);
  const own = Object.fromEntries(Object.entries(data).filter(([name]) => fields.includes(name)));
  const values = {
    ...own,
    date_range_begin: toLocalTime(data.date_range_begin),
    date_range_end: toLocalTime(data.date_range_end),
    ...(texts ? textValues(texts.data as unknown as Texts, TEXTS) : {}),
  };
  return { discount: data, values, etag: etag! };
}

/** Free shipping has no value. */
export const normalized = (values: Values): Values => (values.type === 'S' ? { ...values, value: 0 } : values);

/** @throws {StoreProblem} if the store rejects a field */
export function createDiscount(kind: Kind, values: Values): Promise<{ readonly data: { readonly id: number } }> {
  const changed = changedFields(INITIAL_VALUES[kind], normalized(values), EMPTY_VALUES);
  const required = kind === 'sale_discounts' ? { name: '' } : kind === 'coupons' ? { code: '' } : {};
  return createRecord(`/${kind}` as const, {}, { ...required, ...changed } as never);
}

/** Returns the message of a period without any time in it. */
export function checkPeriod(
  { date_range_begin: begin, date_range_end: end }: Values,
  translate: (key: string) => string,
): Readonly<Record<string, string>> | undefined {
  if (typeof begin !== 'string' || typeof end !== 'string' || begin < end) return undefined;
  return { date_range_end: translate('discounts.endBeforeBegin') };
}
