/**
 * What the items of a feed show besides the fields of their product: variants, categories, default options and the values of
 * some attributes. Read for a batch of products, with a few statements.
 */
import type { Modifiers } from '../domain/rules/orders/order-prices.ts';
import { committed, type Reads, type ShownRecord, type Value } from '../engine/index.ts';
import type { ListedCategory, Source } from './listed.ts';

/** Attributes by the purpose of their value, such as `brand`; an unknown one is absent. */
export type FeedAttributes = ReadonlyMap<string, { readonly id: Value; readonly kind: Value }>;

export interface ProductDetails {
  readonly variants: readonly ShownRecord[];
  /** Names from the top level to the category. */
  readonly categoryPath: readonly string[] | undefined;
  /** Select and checkbox values, by identifier and by attribute. */
  readonly values: readonly ChoosableValue[];
  /** Texts of text and hidden attributes, by attribute. */
  readonly texts: ReadonlyMap<Value, string>;
}

export interface ChoosableValue extends Modifiers {
  readonly id: Value;
  readonly kind: 'select' | 'checkbox';
  readonly attribute: Value;
  readonly isDefault: boolean;
  readonly position: number;
  readonly text: string;
}

/** @param ids by purpose, as in the settings; 0 is none */
export async function feedAttributes(source: Source, ids: Readonly<Record<string, number>>): Promise<FeedAttributes> {
  const reads = committed(source.service, source.requestOptions);
  const found = await reads.list('Attribute', { id: Object.values(ids) });
  const isGlobal = (attribute: ShownRecord): boolean => attribute.product === null && attribute.product_class === null;
  const byId = new Map(found.filter(isGlobal).map((attribute) => [attribute.id as number, attribute]));
  return new Map(
    Object.entries(ids).flatMap(([purpose, id]) => {
      const attribute = byId.get(id);
      return attribute ? [[purpose, { id: attribute.id!, kind: attribute.kind! }] as const] : [];
    }),
  );
}

export async function detailsOf(
  source: Source,
  products: readonly Value[],
  categories: ReadonlyMap<Value, ListedCategory>,
  attributes: FeedAttributes,
): Promise<(product: Value) => ProductDetails> {
  const reads = committed(source.service, source.requestOptions);
  const ids = [...products];
  const variants = Map.groupBy(await reads.list('Variant', { product_id: ids }), ({ product_id }) => product_id!);
  const links = Map.groupBy(await reads.list('CategoryProduct', { product_id: ids }), ({ product_id }) => product_id!);
  const values = await choosableValues(reads, ids);
  const texts = await textsOf(reads, ids, attributes);
  return (product) => {
    const linked = (links.get(product!) ?? []).map(({ category }) => category as number);
    const [first] = linked.filter((category) => categories.has(category)).sort((one, other) => one - other);
    return {
      variants: variants.get(product!) ?? [],
      categoryPath: first === undefined ? undefined : categories.get(first)!.path,
      values: values.get(product) ?? [],
      texts: texts.get(product) ?? new Map(),
    };
  };
}

export async function choosableValues(reads: Reads, products: Value[]): Promise<ReadonlyMap<Value, ChoosableValue[]>> {
  const selects = await reads.list('AttributeValueSelect', { product: products });
  const checkboxes = await reads.list('AttributeValueCheckbox', { product: products });
  const options = await shownTexts(reads, 'AttributeOption', [...new Set(selects.map(({ option }) => option!))]);
  const all = [
    ...selects.map((row) => [row, choosable(row, 'select', options.get(row.option!) ?? '')] as const),
    ...checkboxes.map((row) => [row, choosable(row, 'checkbox', row.value === true ? 'Yes' : 'No')] as const),
  ];
  const byProduct = Map.groupBy(all, ([row]) => row.product!);
  return new Map([...byProduct].map(([product, pairs]) => [product, pairs.map(([, value]) => value)]));
}

function choosable(row: ShownRecord, kind: ChoosableValue['kind'], text: string): ChoosableValue {
  return {
    id: row.id!,
    kind,
    attribute: row.attribute!,
    isDefault: row.is_default === true,
    position: (row.position ?? 0) as number,
    text,
    price_modifier: row.price_modifier as number,
    price_modifier_type: row.price_modifier_type!,
    weight_modifier: row.weight_modifier as number,
    weight_modifier_type: row.weight_modifier_type!,
  };
}

/** Values of the text and hidden attributes among these, by product and attribute. */
async function textsOf(
  reads: Reads,
  products: Value[],
  attributes: FeedAttributes,
): Promise<ReadonlyMap<Value, Map<Value, string>>> {
  const found = new Map<Value, Map<Value, string>>();
  const idsOf = (kind: string): Value[] =>
    [...attributes.values()].filter((attribute) => attribute.kind === kind).map(({ id }) => id);
  const add = ({ product, attribute }: ShownRecord, text: string): void => {
    found.set(product!, (found.get(product!) ?? new Map()).set(attribute!, text));
  };
  const ofTexts = idsOf('text');
  if (ofTexts.length > 0) {
    const rows = await reads.list('AttributeValueText', { product: products, attribute: ofTexts });
    const texts = await shownTexts(
      reads,
      'AttributeValueText',
      rows.map(({ id }) => id!),
    );
    for (const row of rows) add(row, texts.get(row.id!) ?? '');
  }
  const ofHidden = idsOf('hidden');
  if (ofHidden.length > 0) {
    const rows = await reads.list('AttributeValueHidden', { product: products, attribute: ofHidden });
    const options = await shownTexts(
      reads,
      'AttributeOption',
      rows.map(({ option }) => option!),
    );
    for (const row of rows) add(row, options.get(row.option!) ?? '');
  }
  return found;
}

/** A translated field of these records, as output shows it (http.md §5). */
export async function shownTexts(
  reads: Reads,
  resource: string,
  ids: readonly Value[],
  field = 'value',
): Promise<ReadonlyMap<Value, string>> {
  const { language, defaultLanguage } = reads;
  const all = await reads.texts(resource, ids, field);
  return new Map(
    [...all].map(([id, texts]) => [id, texts[language] ?? texts[defaultLanguage] ?? Object.values(texts)[0] ?? '']),
  );
}
