/**
 * The variants of a product, brought into a catalog: the attributes of the product that tell them apart, their values, and each
 * variant with its picture. A variant is known by its SKU, and where the store has none of that SKU, by its values.
 */
import { sentenceOf } from '../api/store-api.ts';
import type { Catalog, NameList, Saved, StoredVariant, VariantLine } from './catalog.ts';
import type { OptionRow, PartFailure, ProductRow, VariantRow } from './import-row.ts';
import type { Names } from './names.ts';
import { NOTHING_ADDED, type RowReport } from './report.ts';

/** The identifiers of the values of a product, by attribute and option; or why one is none. */
interface Values {
  readonly of: (option: OptionRow) => Saved;
  /** How many the product has now and had not before. */
  readonly added: number;
}

interface Added {
  readonly rows: readonly RowReport[];
  readonly failures: readonly PartFailure[];
  readonly valuesAdded: number;
}

const NOTHING: Added = { rows: [], failures: [], valuesAdded: 0 };

/** @param unreachable addresses of images that are not asked again in this run */
export async function addVariants(
  catalog: Catalog,
  names: Names,
  productId: number,
  { handle, variants = [] }: ProductRow,
  unreachable: ReadonlyMap<string, string>,
): Promise<Added> {
  if (variants.length === 0) return NOTHING;
  const values = await addValues(catalog, names, productId, variants);
  const stored = await catalog.readVariants(productId);
  const [bySku, byValues] = [
    new Map(stored.map((variant) => [variant.sku, variant])),
    new Map(stored.map((variant) => [keyOf(variant.values), variant])),
  ];
  const rows: RowReport[] = [];
  const underway: { variant: VariantRow; stored: StoredVariant | undefined; isRenamed: boolean }[] = [];
  const lines: VariantLine[] = [];
  for (const variant of variants) {
    const { sku, input, inputOnCreate } = variant;
    const skip = (reason: string): void => void rows.push(skippedRow(handle, variant, reason));
    const found = variant.options.map(values.of);
    const refused = found.find((value) => !value.ok);
    if (refused && !refused.ok) {
      skip(`its options could not be set: ${sentenceOf(refused.problems)}`);
      continue;
    }
    const ids = found.flatMap((value) => (value.ok ? value.id : []));
    const ofValues = byValues.get(keyOf(ids));
    const ofSku = bySku.get(sku);
    if (ofSku && ofSku !== ofValues) {
      skip('the variant with this SKU has other options in the store; delete it there and import again');
      continue;
    }
    const isRenamed = !ofSku && ofValues !== undefined;
    if (isRenamed) {
      const renamed = await catalog.renameVariant(productId, ofValues.id, sku);
      if (!renamed.ok) {
        skip(sentenceOf(renamed.problems));
        continue;
      }
    }
    const isFirst = stored.length === 0 && lines.length === 0;
    underway.push({ variant, stored: ofValues, isRenamed });
    lines.push({
      stored: ofValues,
      input: ofValues
        ? input
        : {
            ...{ ...input, ...inputOnCreate, attribute_select_values: ids },
            ...(isFirst ? { default_variant: true } : {}),
          },
    });
  }

  const failures: PartFailure[] = [];
  const toImage: { row: RowReport; variantId: number; image: NonNullable<VariantRow['image']> }[] = [];
  if (lines.length > 0)
    for await (const saved of catalog.saveVariants(productId, lines)) {
      const { variant, stored: before, isRenamed } = underway.shift()!;
      const { row, sku, image } = variant;
      if (!saved.ok) {
        rows.push(skippedRow(handle, variant, sentenceOf(saved.problems)));
        continue;
      }
      const outcome = isRenamed ? 'updated' : saved.outcome;
      const report: RowReport = { row, handle, sku, outcome, ...NOTHING_ADDED, isVariant: true };
      if (image && !before?.hasImage) toImage.push({ row: report, variantId: saved.id, image });
      else rows.push({ ...report, imagesKnown: image ? 1 : 0 });
    }
  for (const { row, variantId, image } of toImage) {
    const reason = unreachable.get(image.externalUrl);
    const set: Saved =
      reason === undefined
        ? await catalog.setVariantImage(productId, variantId, image)
        : { ok: false, problems: [{ path: '', message: reason }] };
    rows.push({ ...row, imagesAdded: set.ok ? 1 : 0 });
    if (!set.ok) {
      const { sku } = row;
      failures.push({
        row: row.row,
        handle,
        sku,
        part: 'image',
        name: image.externalUrl,
        reason: sentenceOf(set.problems),
      });
    }
  }
  return { rows, failures, valuesAdded: values.added };
}

/**
 * Why the rows of a product that is not in the store cannot become one: a product of its own has the SKU of a variant.
 * @returns undefined where nothing is in the way
 */
export async function findConflictingProduct(
  catalog: Catalog,
  { variants = [] }: ProductRow,
): Promise<string | undefined> {
  for (const { sku } of variants)
    if (await catalog.findProduct(sku))
      return `the store has a product "${sku}", as --variants=products makes it; go on with that, or delete such products first`;
  return undefined;
}

export function skippedRow(handle: string, { row, sku }: VariantRow, reason: string): RowReport {
  return { row, handle, sku, outcome: 'skipped', reason, ...NOTHING_ADDED, isVariant: true };
}

/** Makes the select attributes of the product, their options and its values, where they are missing. */
async function addValues(
  catalog: Catalog,
  names: Names,
  productId: number,
  variants: readonly VariantRow[],
): Promise<Values> {
  const known = new Map<string, Saved>();
  const choices = new Map<number, Map<number, number>>();
  let added = 0;

  async function choicesOf(attribute: number): Promise<Map<number, number>> {
    const before = choices.get(attribute);
    if (before) return before;
    const read = await catalog.readChoices(productId, attribute);
    const fresh = new Map(read.map(({ id, optionId }) => [optionId, id]));
    choices.set(attribute, fresh);
    return fresh;
  }

  async function find({ name, value }: OptionRow): Promise<Saved> {
    const attributes: NameList = { kind: 'attributes of product', parents: [productId] };
    const attribute = await names.findOrMake(attributes, name);
    if (!attribute.ok) return attribute;
    const parents = [productId, attribute.id];
    const option = await names.findOrMake({ kind: 'options of product attribute', parents }, value);
    if (!option.ok) return option;
    const ofAttribute = await choicesOf(attribute.id);
    const id = ofAttribute.get(option.id);
    if (id !== undefined) return { ok: true, id, changed: false };
    const made = await catalog.addChoice(productId, attribute.id, option.id);
    if (made.ok) {
      ofAttribute.set(option.id, made.id);
      added += 1;
    }
    return made;
  }

  for (const option of variants.flatMap(({ options }) => options))
    if (!known.has(textOf(option))) known.set(textOf(option), await find(option));
  return { of: (option) => known.get(textOf(option))!, added };
}

function textOf({ name, value }: OptionRow): string {
  return JSON.stringify([name, value]);
}

function keyOf(ids: readonly number[]): string {
  return ids.toSorted((one, other) => one - other).join(' ');
}
