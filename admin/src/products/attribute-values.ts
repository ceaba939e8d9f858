/** The attributes that apply to a product, whichever scope declares them, and the product's values of them. */
import { useQuery } from '@tanstack/react-query';
import { type Item, type ProductOutput, StoreProblem } from 'purveyor/client';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import {
  type AttributeKind,
  classScope,
  globalScope,
  hasOptions,
  optionsPathOf,
  productScope,
  type Scope,
} from '../attributes/scope.ts';

export interface ProductAttribute {
  readonly id: number;
  readonly name: string;
  readonly kind: AttributeKind;
  readonly scope: Scope;
}

/** A value of a select or checkbox attribute. A product can have several. */
export interface ChoiceValue {
  readonly id: number;
  readonly label: string;
  /** Of a select attribute. */
  readonly optionId?: number;
  /** Of a checkbox attribute. */
  readonly isYes?: boolean;
  readonly price_modifier: number;
  readonly price_modifier_type: 'absolute' | 'percent';
}

export interface ValueParameters {
  readonly product_id: number;
  readonly attribute_id: number;
}

export const TEXT_VALUE_PATH = '/products/{product_id}/attributes_text/{attribute_id}/values';
export const HIDDEN_VALUE_PATH = '/products/{product_id}/attributes_hidden/{attribute_id}/values';
const CHOICE_VALUES_PATHS = {
  select: '/products/{product_id}/attributes_select/{attribute_id}/values',
  checkbox: '/products/{product_id}/attributes_checkbox/{attribute_id}/values',
} as const;

export type ChoiceKind = keyof typeof CHOICE_VALUES_PATHS;

export const isChoice = (kind: AttributeKind): kind is ChoiceKind => kind in CHOICE_VALUES_PATHS;

export const choiceValuesPath = (kind: ChoiceKind) => CHOICE_VALUES_PATHS[kind];

export function useProductAttributes(product: ProductOutput) {
  return useQuery({
    queryKey: ['attributes-of', product.id, product.product_class?.id],
    queryFn: () => readProductAttributes(product),
  });
}

/** Reads global attributes first, then those of the product's class, then the product's own. */
export async function readProductAttributes({ id, product_class }: ProductOutput): Promise<ProductAttribute[]> {
  const scopes: Scope[] = [...(product_class ? [classScope(product_class.id)] : []), productScope(id)];
  const lists = await Promise.all([
    readAll('/attributes').then((all) => all.map((attribute) => ({ ...attribute, scope: globalScope() }))),
    ...scopes.flatMap((scope) =>
      (['text', 'checkbox', 'select'] as const).map(async (kind) =>
        (await readAll(scope.paths[kind]!, scope.parameters)).map(({ id, name }) => ({ id, name, kind, scope })),
      ),
    ),
  ]);
  return lists.flat();
}

/** Reads the options of a select or hidden attribute; other kinds have none. */
export async function readOptions({ id, kind, scope }: ProductAttribute) {
  return hasOptions(kind) ? readAll(optionsPathOf(scope, kind), { ...scope.parameters, attribute_id: id }) : [];
}

/** @param yes the label of a checkbox's value true */
export async function readChoiceValues(
  product_id: number,
  { id: attribute_id }: ProductAttribute,
  kind: ChoiceKind,
  [yes, no]: readonly [yes: string, no: string],
): Promise<ChoiceValue[]> {
  const values = await readAll(choiceValuesPath(kind), { product_id, attribute_id });
  return values.map((value) => {
    const choice = choiceOf(value);
    return { ...value, ...choice, label: choice.label ?? (choice.isYes ? yes : no) };
  });
}

type ValueOutput = Item<ReturnType<typeof choiceValuesPath>>;

function choiceOf(value: ValueOutput): { label?: string; optionId?: number; isYes?: boolean } {
  return 'option' in value ? { label: value.option.value, optionId: value.option.id } : { isYes: value.value };
}

/** Reads the value of a text attribute. @returns null if the product has none */
export const readTextValue = (parameters: ValueParameters) => orNull(store.get(TEXT_VALUE_PATH, parameters));

/** Reads the value of a hidden attribute. @returns null if the product has none */
export const readHiddenValue = (parameters: ValueParameters) => orNull(store.get(HIDDEN_VALUE_PATH, parameters));

async function orNull<T>(request: Promise<{ readonly data: T }>): Promise<T | null> {
  try {
    return (await request).data;
  } catch (error) {
    if (error instanceof StoreProblem && error.status === 404) return null;
    throw error;
  }
}
