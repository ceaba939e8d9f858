/** Kinds and scopes of attributes, from which the paths of attributes, options and values are built (catalog.md §7). */
import { type Admission, admission, type Reads, type Value } from '../../../engine/vocabulary.ts';

export const KINDS = ['text', 'checkbox', 'select', 'hidden'] as const;

export type Kind = (typeof KINDS)[number];

interface Scope {
  /** Path prefix before `/attributes_<kind>`. */
  readonly prefix: string;
  readonly parents: Readonly<Record<string, string>>;
  readonly fixed: Readonly<Record<string, Value>>;
  readonly kinds: readonly Kind[];
  readonly hasGroups: boolean;
}

export const SCOPES: readonly Scope[] = [
  { prefix: '', parents: {}, fixed: { product_class: null, product: null }, kinds: KINDS, hasGroups: true },
  {
    prefix: '/product_classes/{class_id}',
    parents: { class_id: 'product_class' },
    fixed: { product: null },
    kinds: ['text', 'checkbox', 'select'],
    hasGroups: true,
  },
  {
    prefix: '/products/{product_id}',
    parents: { product_id: 'product' },
    fixed: { product_class: null },
    kinds: ['text', 'checkbox', 'select'],
    hasGroups: false,
  },
];

/**
 * Restricts routes below a product to the attributes that the product has: global ones, its own and those of its class.
 *
 * @param kind - accepts only attributes of this kind
 */
export function attributeOfProduct(kind?: Kind): Admission {
  return admission(USES, async ({ product_id, attribute_id }, reads) => {
    const attribute = await reads.read('Attribute', attribute_id!);
    if (!attribute || (kind !== undefined && attribute.kind !== kind)) return false;
    if (attribute.product !== null) return attribute.product === product_id;
    if (attribute.product_class === null) return true;
    return attribute.product_class === (await classOf(product_id!, reads));
  });
}

const USES = { Attribute: ['kind', 'product', 'product_class'], Product: ['product_class'] } as const;

async function classOf(product: Value, reads: Reads<typeof USES>): Promise<Value | undefined> {
  return (await reads.read('Product', product))?.product_class;
}
