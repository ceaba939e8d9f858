/** The attributes of products that shoppers see: those that they choose, and all others (storefront.md §2). */
import { basePriceOf, priceEffect } from '../../domain/rules/orders/order-prices.ts';
import type { Product } from '../../domain/rules/orders/order-stock.ts';
import type { Reads, ShownRecord, Value } from '../../engine/index.ts';
import { amountOf } from '../../pricing/money.ts';
import { type ChoosableValue, choosableValues, shownTexts } from '../feed-details.ts';
import type { ShopReading } from './view.ts';

interface ShownAttribute {
  readonly name: string;
  readonly values: readonly string[];
}

interface ShownChoice {
  readonly attribute_id: Value;
  readonly name: string;
  readonly values: readonly {
    readonly value_id: Value;
    readonly value: string;
    readonly is_default: boolean;
    readonly price_effect: number;
  }[];
}

export interface ProductOptions {
  readonly attributes: readonly ShownAttribute[];
  /** @param price before options */
  readonly choices: (price: number) => readonly ShownChoice[];
}

export const DESCRIBED_ATTRIBUTES = {
  schema: {
    type: 'array',
    description: 'Attributes that shoppers do not choose.',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the attribute.' },
        values: { type: 'array', items: { type: 'string' }, description: 'Its values.' },
      },
      required: ['name', 'values'],
    },
  },
  example: [{ name: 'Material', values: ['Cotton'] }],
};

export const DESCRIBED_CHOICES = {
  schema: {
    type: 'array',
    description: 'Attributes that shoppers choose: those with several values, and texts that shoppers write.',
    items: {
      type: 'object',
      properties: {
        attribute_id: { type: 'integer', format: 'int64', description: 'Id of the attribute.' },
        name: { type: 'string', description: 'Name of the attribute.' },
        values: {
          type: 'array',
          description: 'The values; empty for a text.',
          items: {
            type: 'object',
            properties: {
              value_id: {
                type: 'integer',
                format: 'int64',
                description: 'Id of the value, as in `value_ids` of variants.',
              },
              value: { type: 'string', description: 'The value as text.' },
              is_default: { type: 'boolean', description: 'Whether prices assume this value.' },
              price_effect: {
                type: 'number',
                description: 'What the value adds to the price; 0 if it distinguishes variants.',
              },
            },
            required: ['value_id', 'value', 'is_default', 'price_effect'],
          },
        },
      },
      required: ['attribute_id', 'name', 'values'],
    },
  },
  example: [
    {
      attribute_id: 1,
      name: 'Size',
      values: [
        { value_id: 1, value: 'Large', is_default: true, price_effect: 0 },
        { value_id: 2, value: 'Small', is_default: false, price_effect: 0 },
      ],
    },
  ],
};

interface AttributeOfProduct {
  readonly attribute: Value;
  readonly name: string;
  readonly values: readonly ChoosableValue[];
  /** The text of a text attribute. */
  readonly text?: { readonly value: string; readonly isEditable: boolean };
}

/** Reads the options of products. The number of SQL statements does not depend on how many there are. */
export async function optionsOf(
  { reads }: ShopReading,
  products: readonly Value[],
  variants: ReadonlyMap<Value, readonly ShownRecord[]>,
): Promise<(product: Value) => ProductOptions> {
  const ids = [...products];
  if (ids.length === 0) return () => ({ attributes: [], choices: () => [] });
  const values = await choosableValues(reads, ids);
  const texts = Map.groupBy(await reads.list('AttributeValueText', { product: ids }), ({ product }) => product!);
  const rows = [...texts.values()].flat();
  const written = await shownTexts(
    reads,
    'AttributeValueText',
    rows.map(({ id }) => id!),
  );
  const attributes = await attributesOf(reads, [
    ...rows.map(({ attribute }) => attribute!),
    ...[...values.values()].flat().map(({ attribute }) => attribute),
  ]);
  return (product) => {
    const byAttribute = Map.groupBy(values.get(product!) ?? [], ({ attribute }) => attribute);
    const all: AttributeOfProduct[] = [
      ...[...byAttribute].map(([attribute, own]) => ({ attribute, name: '', values: own })),
      ...(texts.get(product!) ?? []).map(({ id, attribute, editable }) => ({
        ...{ attribute: attribute!, name: '', values: [] },
        text: { value: written.get(id!) ?? '', isEditable: editable === true },
      })),
    ];
    const named = all.map((each) => ({ ...each, name: attributes.get(each.attribute)?.name ?? '' }));
    const sorted = named.toSorted((one, other) => attributes.compare(one.attribute, other.attribute));
    return shownOptions(sorted, usedBy(variants.get(product) ?? []));
  };
}

function shownOptions(all: readonly AttributeOfProduct[], ofVariants: Used): ProductOptions {
  const isChoice = ({ values, text }: AttributeOfProduct): boolean => values.length > 1 || text?.isEditable === true;
  return {
    attributes: all
      .filter((each) => !isChoice(each))
      .map(({ name, values, text }) => ({ name, values: text ? [text.value] : values.map((value) => value.text) })),
    choices: (price) =>
      all.filter(isChoice).map(({ attribute, name, values }) => {
        const isOfVariants = values.some(ofVariants);
        const base = basePriceOf({ price, weight: 0 } as unknown as Product, undefined);
        const sorted = values.toSorted((one, other) => one.position - other.position);
        return {
          ...{ attribute_id: attribute, name },
          values: sorted.map((value) => ({
            ...{ value_id: value.id, value: value.text, is_default: value.isDefault },
            price_effect: isOfVariants ? 0 : amountOf(priceEffect(value, base)),
          })),
        };
      }),
  };
}

type Used = (value: ChoosableValue) => boolean;

/** Whether a value determines one of the variants. */
function usedBy(variants: readonly ShownRecord[]): Used {
  const used = { select: new Set<Value>(), checkbox: new Set<Value>() };
  for (const { attribute_select_values: selects, attribute_checkbox_values: checkboxes } of variants) {
    for (const id of selects as Value[]) used.select.add(id);
    for (const id of checkboxes as Value[]) used.checkbox.add(id);
  }
  return ({ id, kind }) => used[kind].has(id);
}

async function attributesOf(reads: Reads, ids: readonly Value[]) {
  const wanted = [...new Set(ids)];
  const rows = wanted.length === 0 ? [] : await reads.list('Attribute', { id: wanted }, { only: ['position'] });
  const names = await shownTexts(reads, 'Attribute', wanted, 'name');
  const positions = new Map(rows.map(({ id, position }) => [id, Number(position)]));
  return {
    get: (id: Value) => (positions.has(id) ? { name: names.get(id) ?? '' } : undefined),
    compare: (one: Value, other: Value): number =>
      (positions.get(one) ?? 0) - (positions.get(other) ?? 0) || Number(one) - Number(other),
  };
}
