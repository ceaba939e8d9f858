/**
 * Options of an order line: the attribute values that the customer chose, or that the variant determines (orders.md §9).
 * They are stored as sold, so later changes of the product do not affect them.
 */

import {
  type Draft,
  type Languages,
  type Reads,
  type Stored,
  type Value,
  Violations,
} from '../../../engine/vocabulary.ts';
import { amountOf } from '../../../pricing/money.ts';
import { checkboxText } from '../catalog/attribute-values.ts';
import { basePriceOf, type Modifiers, priceEffect } from './order-prices.ts';
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

type OptionReads = Pick<Reads<typeof USES_OF_OPTIONS>, 'list' | 'texts'>;
type OptionsDraft = Pick<Draft, 'violations' | 'language' | 'defaultLanguage'>;
/** An option as the client sent it. */
type SentOption = Readonly<Partial<Record<string, Value>>>;

/** An attribute value that a product offers. */
interface ProductValue extends Modifiers {
  readonly id: Value;
  readonly attribute: Value;
  readonly is_default: boolean;
  readonly kind: 'checkbox' | 'select' | 'text';
  /** The identifier of a select value's option; otherwise the value's own text. */
  readonly content: Value;
}

interface ChosenValue {
  readonly value: ProductValue;
  /** The text that the customer wrote. */
  readonly text?: string;
  /** Whether the value determines the variant; if so, its modifiers do not apply. */
  readonly isOfVariant: boolean;
}

/** An option that the client sent, with its path in the request body. */
interface SentChoice {
  readonly option: SentOption;
  readonly path: string;
}

/** A line whose options are to be chosen. */
export interface OptionLine {
  readonly path: string;
  readonly product: Product;
  readonly variant: Variant | undefined;
  readonly sent: readonly SentOption[];
}

/** What determines the default options of a line. */
export interface OptionOwner {
  readonly product: Value;
  readonly variant: Pick<Variant, 'attribute_checkbox_values' | 'attribute_select_values'> | undefined;
}

/** A choice of the customer. */
interface Choice {
  readonly attribute_id: Value;
  /** Undefined for a text. */
  readonly value_id?: Value;
  readonly text?: string;
}

export interface SoldOptions {
  /** The options as output shows them. */
  readonly options: Value[];
  /** The modifiers that change price and weight. */
  readonly modifiers: readonly Modifiers[];
  /** Sorted by attribute, without values that the variant determines and without unchanged texts of the product. */
  readonly choices: readonly Choice[];
  /** The attributes for which the client must still choose a value. */
  readonly missing: readonly Value[];
}

/**
 * Chooses the options of all lines. The number of SQL statements does not depend on the number of lines.
 *
 * @returns the options by line
 */
export async function chooseOptions(
  lines: readonly OptionLine[],
  draft: OptionsDraft,
  reads: OptionReads,
): Promise<ReadonlyMap<OptionLine, SoldOptions>> {
  const values = await valuesOf([...new Set(lines.map(({ product }) => product.id))], draft, reads);
  const chosen = new Map<OptionLine, ChosenValue[]>();
  const missing: { readonly line: OptionLine; readonly attribute: Value }[] = [];
  for (const line of lines) {
    const choice = choose(line, values.get(line.product.id) ?? [], draft);
    chosen.set(line, choice.chosen);
    for (const attribute of choice.missing) missing.push({ line, attribute });
  }
  const all = [...chosen.values()].flat();
  const attributes = await attributesOf(
    [...all.map(({ value }) => value.attribute), ...missing.map(({ attribute }) => attribute)],
    draft,
    reads,
  );
  for (const { line, attribute } of missing)
    draft.violations.add(
      `${line.path}.options`,
      'required',
      `Choose a value of the attribute ${JSON.stringify(attributes.get(attribute)?.name ?? '')} (attribute_id ${attribute}): ${idsOf(
        (values.get(line.product.id) ?? []).filter((value) => value.attribute === attribute),
      )}.`,
    );
  const texts = await optionTextsOf(all, draft, reads);
  const missingOf = Map.groupBy(missing, ({ line }) => line);
  return new Map(
    lines.map((line) => [
      line,
      {
        ...toSoldOptions(line, chosen.get(line)!, attributes, texts, draft),
        choices: choicesOf(chosen.get(line)!),
        missing: (missingOf.get(line) ?? []).map(({ attribute }) => attribute),
      },
    ]),
  );
}

/**
 * Returns the modifiers of the options that a line has if the client sends none. An attribute without a default is left out.
 */
export async function defaultModifiers(
  owner: OptionOwner,
  languages: Languages,
  reads: OptionReads,
): Promise<Modifiers[]> {
  return (await defaultModifiersOfAll([owner], languages, reads))[0]!;
}

/** Like `defaultModifiers`, of several lines. The number of SQL statements does not depend on their number. */
export async function defaultModifiersOfAll(
  owners: readonly OptionOwner[],
  languages: Languages,
  reads: OptionReads,
): Promise<Modifiers[][]> {
  const draft = {
    language: languages.language,
    defaultLanguage: languages.defaultLanguage,
    violations: new Violations(),
  };
  const values = await valuesOf([...new Set(owners.map(({ product }) => product))], draft, reads);
  return owners.map(({ product, variant }) =>
    modifiersOf(choose({ path: '', variant, sent: [] }, values.get(product) ?? [], draft).chosen),
  );
}

/** Reads the values of products that can be chosen or that determine variants, by product. */
async function valuesOf(
  products: readonly Value[],
  draft: OptionsDraft,
  reads: OptionReads,
): Promise<Map<Value, ProductValue[]>> {
  if (products.length === 0) return new Map();
  const where = { product: [...products] };
  const checkboxes = await reads.list('AttributeValueCheckbox', where);
  const selects = await reads.list('AttributeValueSelect', where);
  const texts = await reads.list('AttributeValueText', { ...where, editable: true });
  const written = await textsIn(texts, 'value', draft, (ids) => reads.texts('AttributeValueText', ids, 'value'));
  const byPosition = [...selects].sort((one, other) => (one.position as number) - (other.position as number));
  const all = [
    ...checkboxes.map((value) => toProductValue(value, 'checkbox', checkboxText(value.value))),
    ...byPosition.map((value) => toProductValue(value, 'select', value.option)),
    ...texts.map((value) => toProductValue(value, 'text', written.get(value.id)!)),
  ];
  return Map.groupBy(all, ({ product }) => product);
}

type ValueRow = Stored<'product' | 'attribute'> & Partial<Record<(typeof VALUE)[number], Value>>;

function toProductValue(
  row: ValueRow,
  kind: ProductValue['kind'],
  content: Value,
): ProductValue & { readonly product: Value } {
  const { price_modifier, price_modifier_type, weight_modifier, weight_modifier_type } = row;
  return {
    id: row.id,
    product: row.product,
    attribute: row.attribute,
    is_default: row.is_default === true,
    kind,
    content,
    price_modifier: (price_modifier ?? 0) as number,
    price_modifier_type: price_modifier_type ?? 'percent',
    weight_modifier: (weight_modifier ?? 0) as number,
    weight_modifier_type: weight_modifier_type ?? 'percent',
  };
}

/**
 * Chooses one value of each attribute: the variant's, the customer's or the default.
 *
 * @returns the chosen values, and the attributes for which the client must still choose one
 */
function choose(
  { path, variant, sent }: Pick<OptionLine, 'path' | 'sent'> & Pick<OptionOwner, 'variant'>,
  values: readonly ProductValue[],
  { violations }: OptionsDraft,
): { chosen: ChosenValue[]; missing: Value[] } {
  const chosen: ChosenValue[] = [];
  const missing: Value[] = [];
  const unused = sentByAttribute(sent, path, violations);
  for (const [attribute, candidates] of Map.groupBy(values, (value) => value.attribute)) {
    const choice = chooseValue(candidates, unused.get(attribute), variant, violations);
    unused.delete(attribute);
    if (choice === 'missing') missing.push(attribute);
    else if (choice) chosen.push(choice);
  }
  for (const { option, path: optionPath } of unused.values())
    violations.add(
      `${optionPath}.attribute_id`,
      'unknown_link',
      `This product has no values to choose for attribute ${option.attribute_id}.`,
    );
  return { chosen, missing };
}

function sentByAttribute(
  sent: readonly SentOption[],
  path: string,
  violations: Draft['violations'],
): Map<Value, SentChoice> {
  const choices = new Map<Value, SentChoice>();
  for (const [index, option] of sent.entries()) {
    const optionPath = `${path}.options[${index}]`;
    const { attribute_id } = option;
    if (choices.has(attribute_id!))
      violations.add(`${optionPath}.attribute_id`, 'not_unique', 'Another option of this item has the same attribute.');
    else if (attribute_id !== undefined) choices.set(attribute_id, { option, path: optionPath });
  }
  return choices;
}

/**
 * Chooses a value of one attribute.
 *
 * @returns `missing` if the client must choose; undefined if the line has no such option
 */
function chooseValue(
  candidates: readonly ProductValue[],
  sent: SentChoice | undefined,
  variant: OptionOwner['variant'],
  violations: Draft['violations'],
): ChosenValue | 'missing' | undefined {
  const [first] = candidates;
  if (sent) rejectWrongKind(sent, first!.kind, violations);
  if (first!.kind === 'text') return chooseText(first!, sent, violations);
  const ofVariant = candidates.find((value) => isOfVariant(value, variant));
  if (ofVariant) {
    rejectOtherValue(sent, ofVariant, `The variant has value ${ofVariant.id} of this attribute.`, violations);
    return { value: ofVariant, isOfVariant: true };
  }
  // A single value leaves no choice, so it is not an option of the line.
  if (candidates.length === 1) {
    const message = `The product has a single value of this attribute, ${first!.id}. Omit the option.`;
    rejectOtherValue(sent, first!, message, violations);
    return undefined;
  }
  const value = candidates.find(({ id, is_default }) => (sent ? id === sent.option.value_id : is_default));
  if (value) return { value, isOfVariant: false };
  if (!sent) return 'missing';
  const message = `The product does not have this value. Its values of the attribute are ${idsOf(candidates)}.`;
  violations.add(`${sent.path}.value_id`, 'unknown_link', message);
  return undefined;
}

function rejectOtherValue(
  sent: SentChoice | undefined,
  value: ProductValue,
  message: string,
  violations: Draft['violations'],
): void {
  if (sent && sent.option.value_id !== value.id) violations.add(`${sent.path}.value_id`, 'conflict', message);
}

/** Adds a violation if the client sent a value for an editable text, or a text for a choice. */
function rejectWrongKind(
  { option, path }: SentChoice,
  kind: ProductValue['kind'],
  violations: Draft['violations'],
): void {
  if (kind === 'text' && typeof option.value_id === 'number')
    violations.add(`${path}.value_id`, 'contradiction', 'This attribute is an editable text. Omit value_id.');
  if (kind !== 'text' && typeof option.text === 'string')
    violations.add(`${path}.text`, 'contradiction', 'This attribute has values to choose from. Omit text.');
}

/** Whether the value is one of those that determine the variant. */
function isOfVariant({ id, kind }: ProductValue, variant: OptionOwner['variant']): boolean {
  if (!variant || kind === 'text') return false;
  return (variant[`attribute_${kind}_values`] as Value[]).includes(id);
}

/** Returns the customer's text, or the product's if none was sent. Output shows it as `value`, which is accepted too. */
function chooseText(value: ProductValue, sent: SentChoice | undefined, violations: Draft['violations']): ChosenValue {
  const text = sent && (sent.option.text ?? sent.option.value);
  if (typeof text === 'string') return { value, text, isOfVariant: false };
  if (sent)
    violations.add(`${sent.path}.text`, 'required', 'Send a text, or omit the option to use the product’s text.');
  return { value, isOfVariant: false };
}

interface AttributeName {
  readonly name: string;
  readonly position: number;
}

async function attributesOf(
  ids: readonly Value[],
  languages: Languages,
  reads: OptionReads,
): Promise<Map<Value, AttributeName>> {
  const attributes = ids.length === 0 ? [] : await reads.list('Attribute', { id: [...new Set(ids)] });
  const names = await textsIn(attributes, 'name', languages, (untranslated) =>
    reads.texts('Attribute', untranslated, 'name'),
  );
  return new Map(attributes.map(({ id, position }) => [id, { name: names.get(id)!, position: position as number }]));
}

/** Returns the names of attributes, by id. */
export async function attributeNames(
  ids: readonly Value[],
  languages: Languages,
  reads: OptionReads,
): Promise<ReadonlyMap<Value, string>> {
  const found = await attributesOf(ids, languages, reads);
  return new Map([...found].map(([id, { name }]) => [id, name]));
}

/** Reads the texts of the chosen select options, by identifier. */
async function optionTextsOf(
  chosen: readonly ChosenValue[],
  draft: OptionsDraft,
  reads: OptionReads,
): Promise<Map<Value, string>> {
  const ids = chosen.flatMap(({ value }) => (value.kind === 'select' ? [value.content] : []));
  const options = ids.length === 0 ? [] : await reads.list('AttributeOption', { id: [...new Set(ids)] });
  return textsIn(options, 'value', draft, (untranslated) => reads.texts('AttributeOption', untranslated, 'value'));
}

/**
 * Returns the texts of records in the request's language, or in another one if a record has no text in it.
 *
 * @param textsOf - reads the texts, by language, of records that have none in the request's language
 */
export async function textsIn<N extends string>(
  records: readonly Readonly<Record<N | 'id', Value>>[],
  name: N,
  { language, defaultLanguage }: Pick<OptionsDraft, 'language' | 'defaultLanguage'>,
  textsOf: (ids: Value[]) => Promise<ReadonlyMap<Value, Readonly<Record<string, string>>>>,
): Promise<Map<Value, string>> {
  const untranslated = records.filter((record) => typeof record[name] !== 'string').map(({ id }) => id);
  const texts = await textsOf(untranslated);
  return new Map(
    records.map((record) => {
      const own = record[name];
      const others = texts.get(record.id) ?? {};
      const shown = others[language] ?? others[defaultLanguage] ?? Object.values(others)[0] ?? '';
      return [record.id, typeof own === 'string' ? own : shown];
    }),
  );
}

function toSoldOptions(
  { product, variant, sent, path }: OptionLine,
  chosen: readonly ChosenValue[],
  attributes: ReadonlyMap<Value, AttributeName>,
  optionTexts: ReadonlyMap<Value, string>,
  { violations }: OptionsDraft,
): Pick<SoldOptions, 'options' | 'modifiers'> {
  const base = basePriceOf(product, variant);
  // An attribute that was deleted in the meantime comes first, without a name.
  const attributeOf = ({ value }: ChosenValue): AttributeName =>
    attributes.get(value.attribute) ?? { name: '', position: 0 };
  const ordered = [...chosen].sort(
    (one, other) =>
      attributeOf(one).position - attributeOf(other).position ||
      (one.value.attribute as number) - (other.value.attribute as number),
  );
  const options = ordered.map((each) => {
    const { value, text, isOfVariant: isFree } = each;
    const { kind, price_modifier, price_modifier_type, weight_modifier, weight_modifier_type } = value;
    const sold = {
      attribute_id: value.attribute,
      name: attributeOf(each).name,
      value_id: kind === 'text' ? null : value.id,
      value: kind === 'select' ? (optionTexts.get(value.content) ?? '') : (text ?? value.content),
      price_modifier,
      price_modifier_type,
      weight_modifier,
      weight_modifier_type,
      price_effect: isFree ? 0 : amountOf(priceEffect(value, base)),
    };
    rejectOtherValues(sold, sent, path, violations);
    return sold;
  });
  return { options, modifiers: modifiersOf(ordered) };
}

function choicesOf(chosen: readonly ChosenValue[]): Choice[] {
  return chosen
    .filter(({ isOfVariant: isFixed }) => !isFixed)
    .flatMap(({ value: { attribute, kind, id, content }, text }): Choice[] => {
      if (kind !== 'text') return [{ attribute_id: attribute, value_id: id }];
      return text === undefined || text === content ? [] : [{ attribute_id: attribute, text }];
    })
    .sort((one, other) => (one.attribute_id as number) - (other.attribute_id as number));
}

function modifiersOf(chosen: readonly ChosenValue[]): Modifiers[] {
  return chosen.filter(({ isOfVariant }) => !isOfVariant).map(({ value }) => value);
}

/** Adds a violation for each read-only member that was sent with a value other than the one the store computed. */
function rejectOtherValues(
  sold: Readonly<Record<string, Value>>,
  sent: readonly SentOption[],
  path: string,
  violations: Draft['violations'],
): void {
  const index = sent.findIndex(({ attribute_id }) => attribute_id === sold.attribute_id);
  for (const [name, value] of Object.entries(sent[index] ?? {}))
    if (name in sold && name !== 'value_id' && value !== sold[name])
      violations.add(`${path}.options[${index}].${name}`, 'read_only', 'This value is set by the store. Omit it.');
}

/** Whether the stored options contain everything that the client sent. */
export function matchesOptions(sold: Value, sent: Value): boolean {
  return (sent as SentOption[]).every(({ text, ...option }) => {
    const match = (sold as SentOption[]).find(({ attribute_id }) => attribute_id === option.attribute_id);
    const members = Object.entries(text === undefined ? option : { ...option, value: text });
    return match !== undefined && members.every(([name, value]) => value === null || match[name] === value);
  });
}

const idsOf = (values: readonly ProductValue[]): string => values.map(({ id }) => id).join(', ');

/** Erases the texts that the customer wrote. The shop's own texts stay. */
export function eraseCustomerTexts(options: Value): Value {
  return (options as Readonly<Record<string, Value>>[]).map((option) =>
    option.value_id === null ? { ...option, value: '' } : option,
  );
}
