/**
 * The options of a line: what a customer may choose of a product, what was chosen, and what the variant has chosen already
 * (orders.md §9). They are kept as they were sold.
 */

import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { amountOf } from './money.ts';
import { type Modifiers, ownOf, priceEffect } from './order-prices.ts';
import type { Product, Variant } from './order-stock.ts';

const MODIFIERS = ['price_modifier', 'price_modifier_type', 'weight_modifier', 'weight_modifier_type'] as const;
const VALUE = ['product', 'attribute', 'is_default', ...MODIFIERS] as const;

export const USES_OF_OPTIONS = {
  Attribute: ['name', 'position'],
  AttributeOption: ['value'],
  AttributeValueCheckbox: [...VALUE, 'value'],
  AttributeValueSelect: [...VALUE, 'option', 'position'],
  AttributeValueText: ['product', 'attribute', 'value', 'editable'],
} as const;

type Unit = UnitOfWork<typeof USES_OF_OPTIONS>;
type OptionsDraft = Pick<Draft, 'violations' | 'language' | 'defaultLanguage'>;
/** An option as a client says it. */
type Said = Readonly<Partial<Record<string, Value>>>;

/** A value of a product. */
interface OfProduct extends Modifiers {
  readonly id: Value;
  readonly attribute: Value;
  readonly is_default: boolean;
  readonly kind: 'checkbox' | 'select' | 'text';
  /** The option that names a select value, or what the value says. */
  readonly says: Value;
}

interface Chosen {
  readonly value: OfProduct;
  /** Of a text that the customer wrote. */
  readonly text?: string;
  /** It is what makes the variant, so it adds nothing. */
  readonly isOfVariant: boolean;
}

/** One line whose options are to be chosen. */
export interface Wanted {
  readonly path: string;
  readonly product: Product;
  readonly variant: Variant | undefined;
  readonly said: readonly Said[];
}

interface Sold {
  /** As output shows them. */
  readonly options: Value[];
  /** Those that change price and weight. */
  readonly modifiers: readonly Modifiers[];
}

/** Chooses the options of all lines with a fixed number of statements, however many there are. @returns them by line */
export async function chooseOptions(
  wanted: readonly Wanted[],
  draft: OptionsDraft,
  unit: Unit,
): Promise<ReadonlyMap<Wanted, Sold>> {
  const values = await valuesOf([...new Set(wanted.map(({ product }) => product.id))], draft, unit);
  const chosen = new Map<Wanted, Chosen[]>();
  const missing: { readonly line: Wanted; readonly attribute: Value }[] = [];
  for (const line of wanted) {
    const of = values.get(line.product.id) ?? [];
    const choice = choose(line, of, draft);
    chosen.set(line, choice.chosen);
    for (const attribute of choice.missing) missing.push({ line, attribute });
  }
  const all = [...chosen.values()].flat();
  const attributes = await attributesOf(
    [...all.map(({ value }) => value.attribute), ...missing.map(({ attribute }) => attribute)],
    draft,
    unit,
  );
  for (const { line, attribute } of missing)
    draft.violations.add(
      `${line.path}.options`,
      'required',
      `Choose a value of ${JSON.stringify(attributes.get(attribute)?.name ?? '')}, whose attribute_id is ${attribute}: ${idsOf(
        (values.get(line.product.id) ?? []).filter((value) => value.attribute === attribute),
      )}.`,
    );
  const says = await sayingsOf(all, draft, unit);
  return new Map(wanted.map((line) => [line, soldOf(line, chosen.get(line)!, attributes, says, draft)]));
}

/** The values of products that can be chosen, or that make variants. */
async function valuesOf(products: readonly Value[], draft: OptionsDraft, unit: Unit): Promise<Map<Value, OfProduct[]>> {
  if (products.length === 0) return new Map();
  const where = { product: [...products] };
  const checkboxes = await unit.list('AttributeValueCheckbox', where);
  const selects = await unit.list('AttributeValueSelect', where);
  const texts = await unit.list('AttributeValueText', { ...where, editable: true });
  const written = await textsIn(texts, 'value', draft, (ids) => unit.texts('AttributeValueText', ids, 'value'));
  const byPosition = [...selects].sort((one, other) => (one.position as number) - (other.position as number));
  const all = [
    ...checkboxes.map((value) => ofProduct(value, 'checkbox', value.value === true ? YES : NO)),
    ...byPosition.map((value) => ofProduct(value, 'select', value.option)),
    ...texts.map((value) => ofProduct(value, 'text', written.get(value.id)!)),
  ];
  return Map.groupBy(all, ({ product }) => product);
}

const [YES, NO] = ['Yes', 'No'];

type ValueRow = Stored<'product' | 'attribute'> & Partial<Record<(typeof VALUE)[number], Value>>;

function ofProduct(row: ValueRow, kind: OfProduct['kind'], says: Value): OfProduct & { readonly product: Value } {
  const { price_modifier, price_modifier_type, weight_modifier, weight_modifier_type } = row;
  return {
    id: row.id,
    product: row.product,
    attribute: row.attribute,
    is_default: row.is_default === true,
    kind,
    says,
    price_modifier: (price_modifier ?? 0) as number,
    price_modifier_type: price_modifier_type ?? 'percent',
    weight_modifier: (weight_modifier ?? 0) as number,
    weight_modifier_type: weight_modifier_type ?? 'percent',
  };
}

/** One of each attribute: the variant's, the customer's, or the default. @returns them, and attributes that have none */
function choose(
  { path, variant, said }: Wanted,
  values: readonly OfProduct[],
  { violations }: OptionsDraft,
): { chosen: Chosen[]; missing: Value[] } {
  const chosen: Chosen[] = [];
  const missing: Value[] = [];
  const open = new Map<Value, { readonly option: Said; readonly at: string }>();
  for (const [index, option] of said.entries()) {
    const at = `${path}.options[${index}]`;
    if (open.has(option.attribute_id!))
      violations.add(`${at}.attribute_id`, 'not_unique', 'Another option of this line is of the same attribute.');
    else if (option.attribute_id !== undefined) open.set(option.attribute_id, { option, at });
  }
  for (const [attribute, own] of Map.groupBy(values, (value) => value.attribute)) {
    const client = open.get(attribute);
    open.delete(attribute);
    const ofVariant = own.find((value) => isOfVariant(value, variant));
    const [only] = own;
    if (client) refuseOther(client, only!.kind, violations);
    if (only!.kind === 'text') chosen.push(textOf(only!, client, violations));
    else if (ofVariant ?? own.length === 1) {
      const fixed = ofVariant ?? only!;
      if (ofVariant) chosen.push({ value: fixed, isOfVariant: true });
      if (client && client.option.value_id !== fixed.id)
        violations.add(
          `${client.at}.value_id`,
          'conflict',
          ofVariant
            ? `The variant has the value ${fixed.id} of this attribute.`
            : `The product has one value of this attribute, ${fixed.id}; leave the option out.`,
        );
    } else if (client) {
      const value = own.find(({ id }) => id === client.option.value_id);
      if (value) chosen.push({ value, isOfVariant: false });
      else
        violations.add(
          `${client.at}.value_id`,
          'unknown_link',
          `Of this attribute the product has the values ${idsOf(own)}.`,
        );
    } else {
      const value = own.find(({ is_default }) => is_default);
      if (value) chosen.push({ value, isOfVariant: false });
      else missing.push(attribute);
    }
  }
  for (const { option, at } of open.values())
    violations.add(
      `${at}.attribute_id`,
      'unknown_link',
      `There is nothing to choose of the attribute ${option.attribute_id} for this product.`,
    );
  return { chosen, missing };
}

/** A text has no value to choose, and a choice no text. */
function refuseOther(
  { option, at }: { readonly option: Said; readonly at: string },
  kind: OfProduct['kind'],
  violations: Draft['violations'],
): void {
  if (kind === 'text' && typeof option.value_id === 'number')
    violations.add(`${at}.value_id`, 'contradiction', 'This attribute is an editable text; leave the value out.');
  if (kind !== 'text' && typeof option.text === 'string')
    violations.add(`${at}.text`, 'contradiction', 'This attribute has values to choose from; leave the text out.');
}

function isOfVariant({ id, kind }: OfProduct, variant: Variant | undefined): boolean {
  if (!variant || kind === 'text') return false;
  return (variant[`attribute_${kind}_values`] as Value[]).includes(id);
}

/** A text that the customer wrote, or the product's; as output shows it, it is called `value`. */
function textOf(
  value: OfProduct,
  client: { readonly option: Said; readonly at: string } | undefined,
  violations: Draft['violations'],
): Chosen {
  const text = client && (client.option.text ?? client.option.value);
  if (typeof text === 'string') return { value, text, isOfVariant: false };
  if (client)
    violations.add(`${client.at}.text`, 'required', 'Send the text; left out, the option keeps the product’s.');
  return { value, isOfVariant: false };
}

interface Named {
  readonly name: string;
  readonly position: number;
}

async function attributesOf(ids: readonly Value[], draft: OptionsDraft, unit: Unit): Promise<Map<Value, Named>> {
  const attributes = ids.length === 0 ? [] : await unit.list('Attribute', { id: [...new Set(ids)] });
  const names = await textsIn(attributes, 'name', draft, (elsewhere) => unit.texts('Attribute', elsewhere, 'name'));
  return new Map(attributes.map(({ id, position }) => [id, { name: names.get(id)!, position: position as number }]));
}

/** The texts of options and of the product, by their values. */
async function sayingsOf(chosen: readonly Chosen[], draft: OptionsDraft, unit: Unit): Promise<Map<Value, string>> {
  const ids = chosen.flatMap(({ value }) => (value.kind === 'select' ? [value.says] : []));
  const options = ids.length === 0 ? [] : await unit.list('AttributeOption', { id: [...new Set(ids)] });
  return textsIn(options, 'value', draft, (elsewhere) => unit.texts('AttributeOption', elsewhere, 'value'));
}

/** Texts as the request's language shows them. */
export async function textsIn<N extends string>(
  records: readonly Readonly<Record<N | 'id', Value>>[],
  name: N,
  { language, defaultLanguage }: Pick<OptionsDraft, 'language' | 'defaultLanguage'>,
  textsOf: (ids: Value[]) => Promise<ReadonlyMap<Value, Readonly<Record<string, string>>>>,
): Promise<Map<Value, string>> {
  const elsewhere = records.filter((record) => typeof record[name] !== 'string').map(({ id }) => id);
  const texts = await textsOf(elsewhere);
  return new Map(
    records.map((record) => {
      const own = record[name];
      const others = texts.get(record.id) ?? {};
      const shown = others[language] ?? others[defaultLanguage] ?? Object.values(others)[0] ?? '';
      return [record.id, typeof own === 'string' ? own : shown];
    }),
  );
}

function soldOf(
  { product, variant, said, path }: Wanted,
  chosen: readonly Chosen[],
  attributes: ReadonlyMap<Value, Named>,
  says: ReadonlyMap<Value, string>,
  { violations }: OptionsDraft,
): Sold {
  const own = ownOf(product, variant);
  // One that was deleted just now stands first, without a name.
  const named = ({ value }: Chosen): Named => attributes.get(value.attribute) ?? { name: '', position: 0 };
  const ordered = [...chosen].sort(
    (one, other) =>
      named(one).position - named(other).position ||
      (one.value.attribute as number) - (other.value.attribute as number),
  );
  const options = ordered.map((each) => {
    const { value, text, isOfVariant: isFree } = each;
    const { kind, price_modifier, price_modifier_type, weight_modifier, weight_modifier_type } = value;
    const sold = {
      attribute_id: value.attribute,
      name: named(each).name,
      value_id: kind === 'text' ? null : value.id,
      value: kind === 'select' ? (says.get(value.says) ?? '') : (text ?? value.says),
      price_modifier,
      price_modifier_type,
      weight_modifier,
      weight_modifier_type,
      price_effect: isFree ? 0 : amountOf(priceEffect(value, own)),
    };
    checkSaid(sold, said, path, violations);
    return sold;
  });
  return { options, modifiers: ordered.filter((each) => !each.isOfVariant).map(({ value }) => value) };
}

/** Members that only output has are right when they are what is sold. */
function checkSaid(
  sold: Readonly<Record<string, Value>>,
  said: readonly Said[],
  path: string,
  violations: Draft['violations'],
): void {
  const index = said.findIndex(({ attribute_id }) => attribute_id === sold.attribute_id);
  for (const [name, value] of Object.entries(said[index] ?? {}))
    if (name in sold && name !== 'value_id' && value !== sold[name])
      violations.add(
        `${path}.options[${index}].${name}`,
        'read_only',
        'The store sets this value, not the client; leave it out.',
      );
}

/** Whether options as they were sold are all that a line says of them. */
export function tellsOptions(sold: Value, said: Value): boolean {
  return (said as Said[]).every(({ text, ...option }) => {
    const own = (sold as Said[]).find(({ attribute_id }) => attribute_id === option.attribute_id);
    const members = Object.entries(text === undefined ? option : { ...option, value: text });
    return own !== undefined && members.every(([name, value]) => value === null || own[name] === value);
  });
}

const idsOf = (values: readonly OfProduct[]): string => values.map(({ id }) => id).join(', ');

/** Options once the customer is to be forgotten: the texts that he wrote are empty, and those of the shop stay. */
export function withoutWritten(options: Value): Value {
  return (options as Readonly<Record<string, Value>>[]).map((option) =>
    option.value_id === null ? { ...option, value: '' } : option,
  );
}
