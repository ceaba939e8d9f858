/**
 * The rules of variants (catalog.md §12): numbers that are the product's until a variant has its own, the values that tell
 * variants apart, and the one default. Every write of a variant holds its product, so the others stay as they are found.
 */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { deriveImageInside } from './image.ts';
import { checkAmount, stockAfter } from './stock.ts';

/** The attributes that tell variants apart. */
const ATTRIBUTES_MAX = 50;

/** Numbers of a variant, each with the flag that makes it the product's. */
const NUMBERS = [
  ['price', 'default_price'],
  ['amount', 'default_amount'],
  ['weight', 'default_weight'],
] as const;

/** The sets of values, with the resource of each. */
const VALUE_SETS = [
  ['attribute_checkbox_values', 'AttributeValueCheckbox'],
  ['attribute_select_values', 'AttributeValueSelect'],
] as const;

export const USES_OF_VARIANT = {
  own: [
    'price',
    'default_price',
    'amount',
    'default_amount',
    'weight',
    'default_weight',
    'default_variant',
    'image',
    'product_id',
    'attribute_checkbox_values',
    'attribute_select_values',
    'combination',
    'attributes',
    'delta',
  ],
  Product: ['amount', 'available_for_backorder', 'backorder_limit'],
  Variant: ['product_id', 'default_variant', 'attributes', 'combination'],
  AttributeValueCheckbox: ['product', 'attribute'],
  AttributeValueSelect: ['product', 'attribute'],
} as const;

type VariantDraft = Draft<(typeof USES_OF_VARIANT.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_VARIANT>;
type AttributeValue = Stored<'product' | 'attribute'>;

export function deriveVariant(draft: VariantDraft): void {
  if (draft.operation === 'action') return;
  for (const [number, flag] of NUMBERS) deriveNumber(draft, number, flag);
  deriveImageInside(draft);
}

/** A number without its flag is the variant's own. While the flag is true, the variant keeps none. */
function deriveNumber(
  { sent, values, stored, violations }: VariantDraft,
  number: (typeof NUMBERS)[number][0],
  flag: (typeof NUMBERS)[number][1],
): void {
  if (sent[number] !== undefined && sent[flag] === undefined) values[flag] = false;
  const staysOwn = stored?.[flag] === false && (values[number] ?? stored[number]) === stored[number];
  if ((values[flag] ?? stored?.[flag]) === true) values[number] = 0;
  else if (sent[number] === undefined && sent[flag] === false && !staysOwn) {
    const isTold = violations.list.some(({ propertyPath }) => propertyPath === number);
    if (!isTold)
      violations.add(number, 'required', `Send ${number} too: while ${flag} is false, it is the variant’s own.`);
  }
}

export async function checkVariant(draft: VariantDraft, unit: Unit): Promise<void> {
  if (draft.operation === 'action') return;
  checkAmount(draft);
  if (draft.operation === 'create') await checkValues(draft, unit);
}

/** One value of each attribute that tells the product's variants apart, and not those of another variant. */
async function checkValues(draft: VariantDraft, unit: Unit): Promise<void> {
  const { values, violations } = draft;
  const isWrong = violations.list.some(({ propertyPath }) =>
    VALUE_SETS.some(([name]) => propertyPath.startsWith(name)),
  );
  if (isWrong) return;
  const found: AttributeValue[] = [];
  const marks: string[] = [];
  for (const [name, resource] of VALUE_SETS) {
    const ids = (values[name] ?? []) as number[];
    // Whoever deletes one of them waits, and then finds the variant.
    const held = new Map((await unit.hold(resource, ids)).map((value) => [value.id, value]));
    for (const id of ids) {
      const value = held.get(id);
      if (value?.product === values.product_id) found.push(value!);
      else violations.add(name, 'unknown_link', `The product has no value with the id ${id} here.`);
      marks.push(`${name === 'attribute_select_values' ? 's' : 'c'}${id}`);
    }
  }
  if (found.length < marks.length) return;
  const attributes = found.map(({ attribute }) => attribute as number).sort((one, other) => one - other);
  const twice = attributes.find((attribute, index) => attribute === attributes[index - 1]);
  if (found.length === 0)
    violations.add(
      'attribute_select_values',
      'required',
      'A variant has at least one value, here or in attribute_checkbox_values.',
    );
  else if (twice !== undefined)
    violations.add(
      'attribute_select_values',
      'conflict',
      `Two of the values are of the attribute ${twice}; a variant has one of each.`,
    );
  else if (attributes.length > ATTRIBUTES_MAX)
    violations.add(
      'attribute_select_values',
      'too_long',
      `A variant has values of at most ${ATTRIBUTES_MAX} attributes.`,
    );
  else await checkAmongOthers(draft, unit, attributes.join(), marks.join());
}

async function checkAmongOthers(
  { values, violations }: VariantDraft,
  unit: Unit,
  attributes: string,
  combination: string,
): Promise<void> {
  Object.assign(values, { attributes, combination });
  const product_id = values.product_id!;
  const [same] = await unit.list('Variant', { product_id, combination });
  if (same) {
    violations.add('attribute_select_values', 'not_unique', `The variant ${same.id} has the same values.`);
    return;
  }
  if ((await unit.count('Variant', { product_id, attributes })) > 0) return;
  const [first] = await unit.list('Variant', { product_id });
  if (first)
    violations.add(
      'attribute_select_values',
      'conflict',
      `The variants of this product have one value each of the attributes ${told(first.attributes)}; these are of ${told(attributes)}.`,
    );
}

const told = (attributes: Value): string => String(attributes).replaceAll(',', ', ');

/** The new default takes the place of the old one. */
export async function moveDefaultVariant({ values, stored }: VariantDraft, unit: Unit, id: Value): Promise<void> {
  if (values.default_variant !== true || stored?.default_variant === true) return;
  const product_id = values.product_id ?? stored!.product_id!;
  const others = await unit.list('Variant', { product_id, default_variant: true });
  const changes = others
    .filter((other) => other.id !== id)
    .map((other) => [other.id, { default_variant: false }] as const);
  await unit.updateAll('Variant', new Map(changes));
}

/** Adds to the variant's own stock, or to the product's, which it then shares. The product says how much may be owed. */
export async function changeVariantStock(draft: VariantDraft, unit: Unit): Promise<void> {
  const { stored, values, violations } = draft;
  const product = (await unit.read('Product', stored!.product_id))!;
  const isShared = stored!.default_amount === true;
  const after = stockAfter(draft, isShared ? product : { ...product, amount: stored!.amount });
  if (after === undefined || violations.list.length > 0) return;
  if (isShared) await unit.update('Product', product.id, { amount: after });
  else values.amount = after;
}
