/** The lines and surcharges of an order that is being written or edited. */
import type {
  OrderCalculationOutput,
  OrderItemInput,
  OrderItemOutput,
  SurchargeInput,
  SurchargeOutput,
  VariantOutput,
} from 'purveyor/client';
import type { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { readAll } from '../../api/runtime-requests.ts';
import { isChoice, readChoiceValues, readProductAttributes, readTextValue } from '../../products/attribute-values.ts';
import { parseNumber } from '../../utils/format.ts';
import { isFallbackName } from '../order-items.tsx';

type Translate = ReturnType<typeof useTranslate>;

/** A choice that the customer has: one of several values, or a text. */
export interface Choice {
  readonly attribute_id: number;
  readonly name: string;
  /** Empty for a text. */
  readonly values: readonly { readonly id: number; readonly label: string }[];
  /** The id of the value as text, or the text; empty for the product's own. */
  readonly chosen: string;
}

export interface DraftLine {
  readonly key: string;
  /** The line of the order; undefined for a new line. */
  readonly item?: OrderItemOutput;
  readonly product_id: number | null;
  readonly name: string;
  readonly sku: string;
  readonly variants: readonly { readonly id: number; readonly label: string }[];
  readonly variant: number | null;
  readonly choices: readonly Choice[];
  /** As typed. */
  readonly amount: string;
  /** As typed; empty for the store's price. */
  readonly price: string;
}

export interface DraftSurcharge {
  readonly key: string;
  readonly type: SurchargeInput['type'];
  readonly name: string;
  readonly value: string;
  /** The members that the page does not show. */
  readonly rest: Partial<SurchargeInput>;
}

let keys = 0;
export function nextKey(): string {
  keys += 1;
  return `new-${keys}`;
}

interface FoundProduct {
  readonly id: number;
  readonly name: string;
  readonly sku: string;
  readonly price: number;
  /** The variant whose SKU was searched. */
  readonly variant?: number;
}

const FOUND_MAX = 20;

/** Finds products by words, and a variant by its whole SKU. */
export async function findProducts(words: string): Promise<FoundProduct[]> {
  const fields = 'id,name,sku,price';
  const filter = words === '' ? { fields } : { fields, search: words };
  const [products, variants] = await Promise.all([
    store.page('/products', { filter, itemsPerPage: FOUND_MAX }),
    words === '' ? [] : store.page('/variants', { filter: { sku: words } }).then(({ data }) => data),
  ]);
  const ofVariants = variants.filter(({ product_id }) => products.data.every(({ id }) => id !== product_id));
  const owners = await Promise.all(
    ofVariants.map(async (variant) => {
      const { data } = await store.get('/products/{id}', { id: variant.product_id });
      return { id: data.id, name: data.name, sku: variant.sku ?? data.sku, price: variant.price, variant: variant.id };
    }),
  );
  return [...owners, ...products.data.map(({ id, name, sku, price }) => ({ id, name, sku, price }))];
}

/** Reads what can be chosen for a product, and returns a line of one unit. */
export async function lineFor({ id, name, sku, variant }: FoundProduct): Promise<DraftLine> {
  const { data: product } = await store.get('/products/{id}', { id });
  const [variants, attributes] = await Promise.all([
    readAll('/products/{product_id}/variants', { product_id: id }),
    readProductAttributes(product),
  ]);
  const labels = new Map<string, string>();
  const choices: Choice[] = [];
  for (const attribute of attributes) {
    const parameters = { product_id: id, attribute_id: attribute.id };
    const common = { attribute_id: attribute.id, name: attribute.name, chosen: '' };
    if (isChoice(attribute.kind)) {
      const values = await readChoiceValues(id, attribute, attribute.kind, ['✓', '✗']);
      for (const value of values) labels.set(`${attribute.kind}:${value.id}`, value.label);
      const isOfVariants = values.some((value) => valueIds(variants, attribute.kind).has(value.id));
      if (values.length > 1 && !isOfVariants) choices.push({ ...common, values });
    } else if (attribute.kind === 'text' && (await readTextValue(parameters))?.editable)
      choices.push({ ...common, values: [] });
  }
  const options = variants.map((one) => ({ id: one.id, label: variantLabel(one, labels) }));
  // Without a default variant, a choice that was forgotten would sell the wrong one.
  const first = variants.length === 1 ? variants[0] : variants.find(({ default_variant }) => default_variant);
  return {
    ...{ key: nextKey(), product_id: id, name, sku, variants: options, choices, amount: '1', price: '' },
    variant: variant ?? first?.id ?? null,
  };
}

function valueIds(variants: readonly VariantOutput[], kind: string): ReadonlySet<number> {
  return new Set(
    variants.flatMap((one) => (kind === 'select' ? one.attribute_select_values : one.attribute_checkbox_values)),
  );
}

function variantLabel(variant: VariantOutput, labels: ReadonlyMap<string, string>): string {
  const parts = [
    ...variant.attribute_select_values.map((id) => labels.get(`select:${id}`)),
    ...variant.attribute_checkbox_values.map((id) => labels.get(`checkbox:${id}`)),
  ].filter((label) => label !== undefined);
  return parts.join(' · ') || (variant.sku ?? `${variant.id}`);
}

/** Whether a variant is chosen, if the product has some. */
export const hasVariant = ({ variants, variant }: DraftLine): boolean => variants.length === 0 || variant !== null;

/** Returns the line as a request names it; its amount is NaN if the typed text is not a number. */
export function itemInput({ product_id, variant, choices, amount, price }: DraftLine): OrderItemInput {
  const options = choices
    .filter(({ chosen }) => chosen !== '')
    .map(({ attribute_id, values, chosen }) =>
      values.length > 0 ? { attribute_id, value_id: Number(chosen) } : { attribute_id, text: chosen },
    );
  const own = parseNumber(price);
  return {
    ...{ product_id, amount: parseNumber(amount) ?? Number.NaN },
    ...(variant === null ? {} : { variant }),
    ...(options.length === 0 ? {} : { options }),
    ...(own === undefined ? {} : { price: own }),
  };
}

/**
 * Returns the surcharges as a request names them, without new rows that are empty.
 *
 * @param translate a row without a name is sent with the one that the page shows
 */
export function surchargeInputs(surcharges: readonly DraftSurcharge[], translate: Translate): SurchargeInput[] {
  return surcharges
    .filter((surcharge) => !isUntouched(surcharge))
    .map((surcharge) => surchargeInput(surcharge, translate(`orders.surcharge.${surcharge.type}`)));
}

function isUntouched({ value, name, rest }: DraftSurcharge): boolean {
  return value.trim() === '' && name.trim() === '' && Object.keys(rest).length === 0;
}

function surchargeInput({ type, name, value, rest }: DraftSurcharge, shownName: string): SurchargeInput {
  return { ...rest, type, value: parseNumber(value) ?? Number.NaN, name: name.trim() || shownName };
}

/** @param decimal formats the value as the user types it */
export function draftSurcharge(surcharge: SurchargeOutput, decimal: (value: number) => string): DraftSurcharge {
  const { id, type, name, value, code, include, weight } = surcharge;
  return {
    ...{ key: `${id}`, type, name: ownName(name, type), value: decimal(value) },
    rest: { code, include, weight },
  };
}

/** A charge of a calculated order. Its tax class is only in the calculation. */
export function draftCharge(
  { type, code, name, value, tax_class }: OrderCalculationOutput['result']['charges'][number],
  decimal: (value: number) => string,
): DraftSurcharge {
  const rest = { code, ...(tax_class === null ? {} : { tax_class }) };
  const shown = { type: type as DraftSurcharge['type'], name: ownName(name, type), value: decimal(value) };
  return { key: nextKey(), ...shown, rest };
}

/** Empty for a name that the store has set, so that the page shows its own. */
function ownName(name: string, type: string): string {
  return isFallbackName(name, type) ? '' : name;
}
