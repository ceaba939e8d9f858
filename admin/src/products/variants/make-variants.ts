/** Makes variants: first the attributes, options and values of the product that they need, then all of them with one request. */
import type { ProductOutput } from 'purveyor/client';
import { sendLines, variantsOf } from '../../api/bulk.ts';
import { store } from '../../api/client.ts';
import { createRecord } from '../../api/runtime-requests.ts';
import { optionsPathOf, productScope } from '../../attributes/scope.ts';
import {
  type ChoiceValue,
  choiceValuesPath,
  type ProductAttribute,
  readChoiceValues,
  readOptions,
  readProductAttributes,
} from '../attribute-values.ts';
import { optionsOf, type PlannedVariant, type TypedAttribute } from './variant-plan.ts';

const POSITION_STEP = 10;

const isSame = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

interface MadeVariants {
  readonly made: number;
  /** Why the others failed, each reason once. */
  readonly problems: readonly string[];
}

/**
 * @param attributes all typed attributes, in their order
 * @param onProgress is called with the number of finished requests and of all
 * @throws {StoreProblem} if an attribute, option or value is rejected; no variant is made then
 */
export async function makeVariants(
  product: ProductOutput,
  attributes: readonly TypedAttribute[],
  variants: readonly PlannedVariant[],
  onProgress: (done: number, total: number) => void,
): Promise<MadeVariants> {
  const used = attributes.filter((attribute) => variants[0]!.options.some((one) => one.attribute === attribute));
  const known = await readProductAttributes(product);
  const ids = new Map<TypedAttribute, ReadonlyMap<string, number>>();
  for (const [at, attribute] of used.entries()) {
    ids.set(attribute, await ensureValues(product, attribute, known, at));
    onProgress(at + 1, used.length + 1);
  }
  const bodies = variants.map(({ sku, options }) => {
    const valuesOf = (kind: 'select' | 'checkbox'): number[] =>
      options
        .filter(({ attribute }) => (attribute.kind ?? 'select') === kind)
        .map(({ attribute, option }) => ids.get(attribute)!.get(option.label)!);
    return {
      ...(sku === '' ? {} : { sku }),
      ...{ attribute_select_values: valuesOf('select'), attribute_checkbox_values: valuesOf('checkbox') },
    };
  });
  const made =
    bodies[0]!.sku === undefined ? await sendSingly(product.id, bodies) : await sendTogether(product.id, bodies);
  onProgress(used.length + 1, used.length + 1);
  return made;
}

type Body = { sku?: string; attribute_select_values: number[]; attribute_checkbox_values: number[] };

async function sendTogether(product_id: number, bodies: readonly Body[]): Promise<MadeVariants> {
  const lines = bodies.map((body) => ({ key: body.sku!, body }));
  const results = await sendLines(variantsOf(product_id), lines, { key: 'sku', mode: 'create' });
  const failed = results.filter(({ result }) => result === 'failed');
  const reasons = failed.map(({ key, problem }) => `${key}: ${problem?.violations?.[0]?.message ?? problem?.detail}`);
  return { made: results.length - failed.length, problems: [...new Set(reasons)] };
}

/** A bulk request identifies new variants by their SKU: those without one are made one by one. */
async function sendSingly(product_id: number, bodies: readonly Body[]): Promise<MadeVariants> {
  for (const body of bodies) await store.post('/products/{product_id}/variants', { product_id }, body);
  return { made: bodies.length, problems: [] };
}

/** Returns the product's value for each option. Creates the attribute, the options and the values that are missing. */
async function ensureValues(
  product: ProductOutput,
  typed: TypedAttribute,
  known: readonly ProductAttribute[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const kind = typed.kind ?? 'select';
  const attribute =
    known.find((one) => one.kind === kind && isSame(one.name, typed.name)) ??
    (await createAttribute(product, typed, at));
  const parameters = { product_id: product.id, attribute_id: attribute.id };
  const values: readonly ChoiceValue[] = await readChoiceValues(product.id, attribute, kind, ['yes', 'no']);
  const options = await readOptions(attribute);
  const ids = new Map<string, number>();
  for (const [index, { label, value }] of optionsOf(typed).entries()) {
    const known = value ? Number(value.split(':')[1]) : values.find((one) => isSame(one.label, label))?.id;
    const id = known ?? (await createValue(attribute, parameters, options, label, index));
    ids.set(label, id);
  }
  return ids;
}

async function createAttribute({ id }: ProductOutput, { name }: TypedAttribute, at: number): Promise<ProductAttribute> {
  const position = at * POSITION_STEP;
  const { data } = await store.post('/products/{product_id}/attributes_select', { product_id: id }, { name, position });
  return { id: data.id, name, kind: 'select', scope: productScope(id) };
}

async function createValue(
  attribute: ProductAttribute,
  parameters: { product_id: number; attribute_id: number },
  options: Awaited<ReturnType<typeof readOptions>>,
  label: string,
  at: number,
): Promise<number> {
  const position = at * POSITION_STEP;
  const found = options.find((option) => isSame(option.value, label));
  const path = optionsPathOf(attribute.scope, 'select');
  const scope = { ...attribute.scope.parameters, attribute_id: attribute.id };
  const option = found ?? (await createRecord(path, scope, { value: label, position })).data;
  const { data } = await store.post(choiceValuesPath('select'), parameters, { option_id: option.id, position });
  return data.id;
}
