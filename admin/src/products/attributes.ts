/** The attributes that a product may have values of, wherever they are declared, and these values. */
import { useQuery } from '@tanstack/react-query';
import { type ProductOutput, StoreProblem } from 'purveyor/client';
import { anyStore } from '../store/data-provider.ts';

export type Kind = 'text' | 'checkbox' | 'select' | 'hidden';

export interface Attribute {
  readonly id: number;
  readonly name: string;
  readonly kind: Kind;
  readonly scope: 'global' | 'class' | 'product';
  /** Path of its options, if it has some. */
  readonly optionsPath: string;
}

/** A value of an attribute; of the kinds with something to choose. */
export interface Value {
  readonly id: number;
  readonly label: string;
  readonly option_id?: number;
  readonly isYes?: boolean;
  readonly price_modifier: number;
  readonly price_modifier_type: 'absolute' | 'percent';
  readonly is_default: boolean;
}

export interface Option {
  readonly id: number;
  readonly value: string;
}

type Output = Readonly<Record<string, never>>;

async function all(path: string): Promise<Output[]> {
  const found: Output[] = [];
  for await (const one of anyStore().list(path)) found.push(one);
  return found;
}

/** Global ones first, then those of the product's class, then its own. */
export async function attributesOf({ id, product_class }: ProductOutput): Promise<Attribute[]> {
  const below = [
    ...(product_class ? [{ scope: 'class' as const, path: `/product_classes/${product_class.id}` }] : []),
    { scope: 'product' as const, path: `/products/${id}` },
  ];
  const lists = await Promise.all([
    all('/attributes').then((found) => found.map((one) => attribute(one, one.kind!, 'global', ''))),
    ...below.flatMap(({ scope, path }) =>
      (['text', 'checkbox', 'select'] as const).map(async (kind) =>
        (await all(`${path}/attributes_${kind}`)).map((one) => attribute(one, kind, scope, path)),
      ),
    ),
  ]);
  return lists.flat();
}

function attribute({ id, name }: Output, kind: Kind, scope: Attribute['scope'], path: string): Attribute {
  return { id: id!, name: name!, kind, scope, optionsPath: `${path}/attributes_${kind}/${id}/options` };
}

export const valuesPath = (product: number, { id, kind }: Attribute): string =>
  `/products/${product}/attributes_${kind}/${id}/values`;

/** Options of a select or hidden attribute. */
export async function optionsOf(one: Attribute): Promise<Option[]> {
  return (await all(one.optionsPath)) as never;
}

/** Values of a select or checkbox attribute. @param yes and `no`: how a checkbox's values are called */
export async function choicesOf(product: number, one: Attribute, yes: string, no: string): Promise<Value[]> {
  const found = (await all(valuesPath(product, one))) as readonly Readonly<Record<string, unknown>>[];
  return found.map((value) => {
    const option = value.option as Option | undefined;
    const isYes = value.value === true;
    return { ...value, label: option?.value ?? (isYes ? yes : no), option_id: option?.id, isYes } as unknown as Value;
  });
}

/** The one value of a text or hidden attribute, if there is one. */
export async function singleOf(product: number, one: Attribute): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    return (await anyStore().get(valuesPath(product, one))).data;
  } catch (error) {
    if (error instanceof StoreProblem && error.status === 404) return null;
    throw error;
  }
}

export function useAttributes(product: ProductOutput) {
  return useQuery({
    queryKey: ['attributes-of', product.id, product.product_class?.id],
    queryFn: () => attributesOf(product),
  });
}
