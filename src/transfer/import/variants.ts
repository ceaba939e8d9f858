/**
 * Imports the variants of a product: its attributes, their values, and each variant with its image. An existing variant is
 * found by its SKU, or by its values if no variant has the SKU.
 */
import { sentenceOf } from '../api/store-api.ts';
import type { Catalog, NameList, Saved, StoredVariant, VariantLine } from './catalog.ts';
import type { OptionRow, PartFailure, ProductRow, VariantRow } from './import-row.ts';
import type { Names } from './names.ts';
import { NOTHING_ADDED, type RowReport } from './report.ts';

/** The identifiers of a product's attribute values. */
interface Values {
  /** @returns the identifier for an option, or why it could not be set */
  readonly of: (option: OptionRow) => Saved;
  /** How many values were added to the product. */
  readonly added: number;
}

interface AddedVariants {
  readonly rows: readonly RowReport[];
  readonly failures: readonly PartFailure[];
  readonly valuesAdded: number;
}

/** The product whose variants are imported. */
interface Owner {
  readonly catalog: Catalog;
  readonly productId: number;
  readonly handle: string;
}

/** @param unreachable addresses of images that are not retried in this run, with the reasons */
export async function addVariants(
  catalog: Catalog,
  names: Names,
  productId: number,
  { handle, variants = [] }: ProductRow,
  unreachable: ReadonlyMap<string, string>,
): Promise<AddedVariants> {
  if (variants.length === 0) return { rows: [], failures: [], valuesAdded: 0 };
  const owner: Owner = { catalog, productId, handle };
  const values = await addValues(catalog, names, productId, variants);
  const { skipped, planned } = await planVariants(owner, variants, values);
  const { rows, imagesToSet } = await saveVariants(owner, planned);
  const images = await setImages(owner, imagesToSet, unreachable);
  return {
    rows: [...skipped, ...rows, ...images.rows],
    failures: images.failures,
    valuesAdded: values.added,
  };
}

interface PlannedVariant {
  readonly variant: VariantRow;
  readonly line: VariantLine;
  readonly isRenamed: boolean;
}

/** Matches the rows with existing variants. Renames a variant that has the values of a row but another SKU. */
async function planVariants(
  owner: Owner,
  variants: readonly VariantRow[],
  values: Values,
): Promise<{ skipped: RowReport[]; planned: PlannedVariant[] }> {
  const stored = await owner.catalog.readVariants(owner.productId);
  const existing: ExistingVariants = {
    bySku: new Map(stored.map((variant) => [variant.sku, variant])),
    byValues: new Map(stored.map((variant) => [keyOf(variant.values), variant])),
  };
  const skipped: RowReport[] = [];
  const planned: PlannedVariant[] = [];
  for (const variant of variants) {
    const isFirst = stored.length === 0 && planned.length === 0;
    const plan = await planVariant(owner, variant, existing, values, isFirst);
    if ('reason' in plan) skipped.push(skippedRow(owner.handle, variant, plan.reason));
    else planned.push(plan);
  }
  return { skipped, planned };
}

interface ExistingVariants {
  readonly bySku: ReadonlyMap<string | null, StoredVariant>;
  readonly byValues: ReadonlyMap<string, StoredVariant>;
}

/** @param isFirst the product has no variant yet: this one becomes its default */
async function planVariant(
  { catalog, productId }: Owner,
  variant: VariantRow,
  { bySku, byValues }: ExistingVariants,
  values: Values,
  isFirst: boolean,
): Promise<PlannedVariant | { readonly reason: string }> {
  const { sku, input, inputOnCreate } = variant;
  const found = variant.options.map(values.of);
  const failed = found.find((value) => !value.ok);
  if (failed && !failed.ok)
    return { reason: `The options of the variant could not be set. ${sentenceOf(failed.problems)}` };
  const ids = found.flatMap((value) => (value.ok ? value.id : []));
  const ofValues = byValues.get(keyOf(ids));
  const ofSku = bySku.get(sku);
  if (ofSku && ofSku !== ofValues) return { reason: OTHER_OPTIONS };
  const isRenamed = !ofSku && ofValues !== undefined;
  if (isRenamed) {
    const renamed = await catalog.renameVariant(productId, ofValues.id, sku);
    if (!renamed.ok) return { reason: sentenceOf(renamed.problems) };
  }
  if (ofValues) return { variant, isRenamed, line: { stored: ofValues, input } };
  const created = { ...input, ...inputOnCreate, attribute_select_values: ids };
  return {
    variant,
    isRenamed,
    line: { stored: undefined, input: isFirst ? { ...created, default_variant: true } : created },
  };
}

const OTHER_OPTIONS = 'The variant with this SKU has other options in the store. Delete it there and import again.';

interface ImageToSet {
  readonly report: RowReport;
  readonly variantId: number;
  readonly image: NonNullable<VariantRow['image']>;
}

async function saveVariants(
  { catalog, productId, handle }: Owner,
  planned: readonly PlannedVariant[],
): Promise<{ rows: RowReport[]; imagesToSet: ImageToSet[] }> {
  const rows: RowReport[] = [];
  const imagesToSet: ImageToSet[] = [];
  if (planned.length === 0) return { rows, imagesToSet };
  const lines = planned.map(({ line }) => line);
  let index = 0;
  for await (const saved of catalog.saveVariants(productId, lines)) {
    const { variant, line, isRenamed } = planned[index++]!;
    const { row, sku, image } = variant;
    if (!saved.ok) {
      rows.push(skippedRow(handle, variant, sentenceOf(saved.problems)));
      continue;
    }
    const outcome = isRenamed ? 'updated' : saved.outcome;
    const report: RowReport = { row, handle, sku, outcome, ...NOTHING_ADDED, isVariant: true };
    if (image && !line.stored?.hasImage) imagesToSet.push({ report, variantId: saved.id, image });
    else rows.push({ ...report, imagesKnown: image ? 1 : 0 });
  }
  return { rows, imagesToSet };
}

async function setImages(
  { catalog, productId, handle }: Owner,
  imagesToSet: readonly ImageToSet[],
  unreachable: ReadonlyMap<string, string>,
): Promise<{ rows: RowReport[]; failures: PartFailure[] }> {
  const rows: RowReport[] = [];
  const failures: PartFailure[] = [];
  for (const { report, variantId, image } of imagesToSet) {
    const knownReason = unreachable.get(image.externalUrl);
    const saved: Saved =
      knownReason === undefined
        ? await catalog.setVariantImage(productId, variantId, image)
        : { ok: false, problems: [{ path: '', message: knownReason }] };
    rows.push({ ...report, imagesAdded: saved.ok ? 1 : 0 });
    if (!saved.ok) {
      const { row, sku } = report;
      const reason = sentenceOf(saved.problems);
      failures.push({ row, handle, sku, part: 'image', name: image.externalUrl, reason });
    }
  }
  return { rows, failures };
}

/** @returns why a product with variants cannot be created: a product already has the SKU of one of its variants */
export async function findConflictingProduct(
  catalog: Catalog,
  { variants = [] }: ProductRow,
): Promise<string | undefined> {
  for (const { sku } of variants)
    if (await catalog.findProduct(sku))
      return `The store has a product "${sku}", as created by --variants=products. Import with --variants=products again, or delete such products first.`;
  return undefined;
}

export function skippedRow(handle: string, { row, sku }: VariantRow, reason: string): RowReport {
  return { row, handle, sku, outcome: 'skipped', reason, ...NOTHING_ADDED, isVariant: true };
}

/** Adds missing select attributes, options and values to the product. */
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
    const cached = choices.get(attribute);
    if (cached) return cached;
    const read = await catalog.readChoices(productId, attribute);
    const fresh = new Map(read.map(({ id, optionId }) => [optionId, id]));
    choices.set(attribute, fresh);
    return fresh;
  }

  async function find({ name, value }: OptionRow): Promise<Saved> {
    const attributes: NameList = { kind: 'attributes of product', parents: [productId] };
    const attribute = await names.findOrCreate(attributes, name);
    if (!attribute.ok) return attribute;
    const parents = [productId, attribute.id];
    const option = await names.findOrCreate({ kind: 'options of product attribute', parents }, value);
    if (!option.ok) return option;
    const ofAttribute = await choicesOf(attribute.id);
    const id = ofAttribute.get(option.id);
    if (id !== undefined) return { ok: true, id, changed: false };
    const created = await catalog.addChoice(productId, attribute.id, option.id);
    if (created.ok) {
      ofAttribute.set(option.id, created.id);
      added += 1;
    }
    return created;
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
