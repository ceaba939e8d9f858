/**
 * Rules of variants (catalog.md §12): prices, stock and weight inherited from the product, distinct combinations of values,
 * and a single default variant. Every write of a variant locks its product, so its other variants cannot change meanwhile.
 */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import { afterWrite } from '../after-write.ts';
import { checkPercent } from '../pricing/value.ts';
import { checkboxText } from './attribute-values.ts';
import { deriveEmbeddedImage } from './image.ts';
import { checkSalePrice, sentOf } from './sale.ts';
import { checkAmount, stockAfter } from './stock.ts';

/** Attributes that distinguish the variants of one product. */
const ATTRIBUTES_MAX = 50;

/** Numbers of a variant, each with the flag that inherits it from the product. */
const NUMBERS = [
  ['price', 'default_price'],
  ['amount', 'default_amount'],
  ['weight', 'default_weight'],
] as const;

/** Fields that link attribute values, with the resource of each. */
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
    'sale_discount_type',
    'sale_price_value',
    'default_sale_price',
    'default_variant',
    'image',
    'product_id',
    'attribute_checkbox_values',
    'attribute_select_values',
    'combination',
    'attributes',
    'delta',
  ],
  Product: ['amount', 'available_for_backorder', 'backorder_limit', 'price', 'participate_sale'],
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
  deriveSale(draft);
  deriveEmbeddedImage(draft, 'image');
}

/** Sending a number without its flag sets the flag to false. While the flag is true, the variant stores 0. */
function deriveNumber(
  { sent, values, stored, violations }: VariantDraft,
  number: (typeof NUMBERS)[number][0],
  flag: (typeof NUMBERS)[number][1],
): void {
  if (sent[number] !== undefined && sent[flag] === undefined) values[flag] = false;
  const staysOwn = stored?.[flag] === false && (values[number] ?? stored[number]) === stored[number];
  if ((values[flag] ?? stored?.[flag]) === true) values[number] = 0;
  else if (sent[number] === undefined && sent[flag] === false && !staysOwn) {
    const isReported = violations.list.some(({ propertyPath }) => propertyPath === number);
    if (!isReported)
      violations.add(number, 'required', `If ${flag} is false, the variant needs its own ${number}. Send it too.`);
  }
}

/** Like `deriveNumber`, for a number and its type, which share the flag. */
function deriveSale({ sent, values, stored, violations }: VariantDraft): void {
  const isSent = sent.sale_price_value !== undefined || sent.sale_discount_type !== undefined;
  if (isSent && sent.default_sale_price === undefined) values.default_sale_price = false;
  const isInherited = values.default_sale_price ?? stored?.default_sale_price;
  if (isInherited === true) Object.assign(values, { sale_price_value: 0, sale_discount_type: 'sale_percent' });
  const isReported = violations.list.some(({ propertyPath }) => propertyPath === 'sale_price_value');
  const becomesOwn = isInherited === false && stored?.default_sale_price !== false;
  if (becomesOwn && sent.sale_price_value === undefined && !isReported)
    violations.add(
      'sale_price_value',
      'required',
      'If default_sale_price is false, the variant needs its own sale_price_value. Send it too.',
    );
}

/** Fields that determine the variant's own sale. */
const SALE_FIELDS = ['sale_price_value', 'sale_discount_type', 'default_sale_price', 'price', 'default_price'] as const;

/** Checks the variant's own sale by the rules of a product's. */
async function checkSale(draft: VariantDraft, unit: Unit): Promise<void> {
  const { sent, values, stored, violations } = draft;
  const isWritten = SALE_FIELDS.some((name) => values[name] !== undefined && values[name] !== stored?.[name]);
  if (!isWritten) return;
  const own = afterWrite(draft);
  const { default_sale_price, sale_discount_type: type, sale_price_value: value } = own;
  if (default_sale_price !== false || typeof value !== 'number') return;
  if (type === 'sale_percent') checkPercent(value, 'sale_price_value', violations);
  if (
    type !== 'sale_price' ||
    violations.list.some(({ propertyPath }) => SALE_FIELDS.some((name) => name === propertyPath))
  )
    return;
  const product = (await unit.read('Product', own.product_id!))!;
  if (product.participate_sale !== true) return;
  const price = (own.default_price === true ? product.price : own.price) as number;
  checkSalePrice(value, price, sentOf(sent, SALE_FIELDS), violations);
}

export async function checkVariant(draft: VariantDraft, unit: Unit): Promise<void> {
  if (draft.operation === 'action') return;
  checkAmount(draft);
  await checkSale(draft, unit);
  if (draft.operation === 'create') await checkValues(draft, unit);
}

/** Checks that the variant has one value of each distinguishing attribute, in a combination that no other variant has. */
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
    // The lock makes a concurrent deletion of a value wait; it then finds the variant and is rejected.
    const locked = new Map((await unit.hold(resource, ids)).map((value) => [value.id, value]));
    for (const id of ids) {
      const value = locked.get(id);
      if (value?.product === values.product_id) found.push(value!);
      else violations.add(name, 'unknown_link', `The product has no such value with the id ${id}.`);
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
      'A variant needs at least one value, here or in attribute_checkbox_values.',
    );
  else if (twice !== undefined)
    violations.add(
      'attribute_select_values',
      'conflict',
      `Attribute ${twice} has two values. A variant can have one value of each attribute.`,
    );
  else if (attributes.length > ATTRIBUTES_MAX)
    violations.add(
      'attribute_select_values',
      'too_long',
      `A variant can have values of at most ${ATTRIBUTES_MAX} attributes.`,
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
    violations.add('attribute_select_values', 'not_unique', `Variant ${same.id} has the same values.`);
    return;
  }
  if ((await unit.count('Variant', { product_id, attributes })) > 0) return;
  const [first] = await unit.list('Variant', { product_id });
  if (first)
    violations.add(
      'attribute_select_values',
      'conflict',
      `The variants of this product have values of the attributes ${listed(first.attributes)}, but these values are of ${listed(attributes)}.`,
    );
}

const listed = (attributes: Value): string => String(attributes).replaceAll(',', ', ');

/** Replaces the booleans of checkbox values by texts. */
export function optionTexts(options: Value): Value {
  return (options as Record<string, Value>[]).map((option) =>
    typeof option.value === 'boolean' ? { ...option, value: checkboxText(option.value) } : option,
  );
}

/** Unsets the previous default variant. */
export async function moveDefaultVariant({ values, stored }: VariantDraft, unit: Unit, id: Value): Promise<void> {
  if (values.default_variant !== true || stored?.default_variant === true) return;
  const product_id = values.product_id ?? stored!.product_id!;
  const others = await unit.list('Variant', { product_id, default_variant: true });
  const changes = others
    .filter((other) => other.id !== id)
    .map((other) => [other.id, { default_variant: false }] as const);
  await unit.updateAll('Variant', new Map(changes));
}

/** Adds to the variant's own stock, or to the product's if the variant shares it. The product's backorder limit applies. */
export async function changeVariantStock(draft: VariantDraft, unit: Unit): Promise<void> {
  const { stored, values, violations } = draft;
  const product = (await unit.read('Product', stored!.product_id))!;
  const isShared = stored!.default_amount === true;
  const after = stockAfter(draft, isShared ? product : { ...product, amount: stored!.amount });
  if (after === undefined || violations.list.length > 0) return;
  if (isShared) await unit.update('Product', product.id, { amount: after });
  else values.amount = after;
}
