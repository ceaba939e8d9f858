/**
 * Merges the rows of one product into that product with variants. Rows that cannot be variants of it are skipped with a
 * reason; values that a variant cannot have are reported as notes.
 */
import { VARIANTS_MAX } from '../../domain/rules/catalog/variants-max.ts';
import { nameMatch } from '../../engine/text-forms.ts';
import type {
  ImportRows,
  OptionRow,
  OwnerRow,
  ProductInput,
  ProductRow,
  SkippedRow,
  VariantRow,
} from './import-row.ts';

/** A row that is a variant of a product. */
type VariantMember = ProductRow & { readonly variantOf: NonNullable<ProductRow['variantOf']> };

/** The default amount of a new product (catalog.md §1). */
const UNCOUNTED_AMOUNT = 1000;

export function mergeVariants(file: ImportRows): ImportRows {
  const productRows: ProductRow[] = [];
  const skipped: SkippedRow[] = [...file.skipped];
  const notes: string[] = [];
  const done = new Set<OwnerRow>();
  const groups = Map.groupBy(file.productRows.filter(isMember), ({ variantOf }) => variantOf.owner);
  for (const productRow of file.productRows) {
    if (!isMember(productRow)) productRows.push(productRow);
    else if (!done.has(productRow.variantOf.owner)) {
      const { owner } = productRow.variantOf;
      done.add(owner);
      const { members, conflicting } = compatibleMembers(groups.get(owner)!);
      skipped.push(...conflicting);
      productRows.push(members[0]!.options.length === 0 ? singleProduct(members[0]!) : merged(owner, members));
      notes.push(...notesOf(members));
    }
  }
  return { ...file, productRows, skipped, notes: [...notes, ...file.notes] };
}

function isMember(productRow: ProductRow): productRow is VariantMember {
  return productRow.variantOf !== undefined;
}

/**
 * Selects the rows that can be variants of the same product: each has a value for every option, and no two have the same
 * values. There is always at least one.
 */
function compatibleMembers(all: readonly VariantMember[]): { members: VariantMember[]; conflicting: SkippedRow[] } {
  const fullest = all.reduce((most, member) => (member.options.length > most.options.length ? member : most));
  const members: VariantMember[] = [];
  const conflicting: SkippedRow[] = [];
  const rowOf = new Map<string, number>();
  for (const member of all) {
    const key = JSON.stringify(member.options.map(({ name, value }) => [nameMatch(name), nameMatch(value)]).sort());
    const reason = conflictOf(member, fullest, rowOf.get(key), members.length);
    if (reason === undefined) {
      rowOf.set(key, member.row);
      members.push(member);
    } else conflicting.push(skip(member, reason));
  }
  return { members, conflicting };
}

/**
 * @param fullest the row with the most options
 * @param duplicate an earlier row with the same values
 * @returns why a row cannot be a variant together with the earlier ones
 */
function conflictOf(
  member: VariantMember,
  fullest: VariantMember,
  duplicate: number | undefined,
  memberCount: number,
): string | undefined {
  const missing = fullest.options.filter(({ name }) => !member.options.some((option) => sameName(option.name, name)));
  if (missing.length > 0)
    return `The variant has no value for ${missing.map(quoted).join(' and ')}, unlike row ${fullest.row}. Add one.`;
  if (duplicate !== undefined)
    return member.options.length === 0
      ? `The variant has no options that distinguish it from row ${duplicate}. Give each variant its own options.`
      : `Row ${duplicate} is already the variant ${optionsText(member.options)}. Change the options or remove the row.`;
  if (memberCount === VARIANTS_MAX)
    return `The product already has ${VARIANTS_MAX} variants, the maximum. Split it into several products.`;
  return undefined;
}

/** A single row without options is an ordinary product. */
function singleProduct({ variantOf, ...productRow }: VariantMember): ProductRow {
  return { ...productRow, images: variantOf.owner.images };
}

function merged(owner: OwnerRow, members: readonly VariantMember[]): ProductRow {
  const [first] = members as [VariantMember];
  const isCounted = areCounted(members);
  const backorders = members.flatMap(({ input }) => input.available_for_backorder ?? []);
  const amount = amountOf(members);
  const input: ProductInput = {
    ...withoutAmount(first.input),
    sku: owner.sku,
    ...(amount === undefined ? {} : { amount }),
    ...(isCounted === undefined ? {} : { inventory_traceable: isCounted }),
    ...(backorders.length === 0 ? {} : { available_for_backorder: backorders.every((isOpen) => isOpen) }),
  };
  return {
    row: owner.row,
    handle: first.handle,
    sku: owner.sku,
    input,
    inputOnCreate: amount === undefined ? (members.find(hasAmountOnCreate)?.inputOnCreate ?? {}) : {},
    images: owner.images,
    categoryPaths: first.categoryPaths,
    options: [],
    variants: members.map((member) => variantOf(member, input, isCounted === true)),
  };
}

/** Whether any variant has a counted stock; undefined if the file does not say. */
function areCounted(members: readonly VariantMember[]): boolean | undefined {
  const flags = members.flatMap(({ input }) => input.inventory_traceable ?? []);
  return flags.length === 0 ? undefined : flags.includes(true);
}

/** The stock that the variants share, or the total of their stocks. */
function amountOf(members: readonly VariantMember[]): number | undefined {
  const shared = members.find(({ variantOf }) => variantOf.sharesStock);
  if (shared) return shared.input.amount;
  const isCounted = areCounted(members) === true;
  const amounts = members.flatMap((member) => (isCounted && isUncounted(member) ? [] : (member.input.amount ?? [])));
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0);
}

function isUncounted({ input }: VariantMember): boolean {
  return input.inventory_traceable === false;
}

function hasAmountOnCreate({ inputOnCreate }: VariantMember): boolean {
  return inputOnCreate.amount !== undefined;
}

/** @param isCounted whether the stock of the product is counted */
function variantOf(
  { row, sku, input, ...member }: VariantMember,
  product: ProductInput,
  isCounted: boolean,
): VariantRow {
  const { image, sharesStock } = member.variantOf;
  const lacksAmount = isCounted && input.inventory_traceable === false;
  const amount = lacksAmount ? undefined : input.amount;
  const { amount: amountOnCreate = lacksAmount ? UNCOUNTED_AMOUNT : undefined } = member.inputOnCreate;
  return {
    row,
    sku,
    input: {
      sku,
      ...(input.price === product.price ? { default_price: true } : { price: input.price }),
      ...(sharesStock ? { default_amount: true } : amount === undefined ? {} : { amount }),
      ...weightOf(input, product),
    },
    inputOnCreate: amountOnCreate === undefined ? {} : { amount: amountOnCreate },
    options: member.options,
    image,
  };
}

function weightOf(
  { weight }: ProductInput,
  product: ProductInput,
): Pick<VariantRow['input'], 'weight' | 'default_weight'> {
  if (weight === undefined) return {};
  return weight === product.weight ? { default_weight: true } : { weight };
}

/** Fields that variants do not have. */
const OF_PRODUCT = ['market_price', 'cost_price', 'taxable', 'available_for_backorder'] as const;

function notesOf(members: readonly VariantMember[]): string[] {
  const [first, ...others] = members as [VariantMember, ...VariantMember[]];
  const notes: string[] = [];
  const differing = others.flatMap(({ row, input }) => {
    const fields = OF_PRODUCT.filter((field) => input[field] !== first.input[field]);
    return fields.length === 0 ? [] : [`row ${row} (${fields.join(', ')})`];
  });
  if (differing.length > 0)
    notes.push(
      `${first.handle}: variants cannot have their own values of these fields, so the product has those of row ${first.row}. Ignored: ${differing.join(', ')}.`,
    );
  const uncounted = areCounted(members) === true ? members.filter(isUncounted) : [];
  if (uncounted.length > 0)
    notes.push(
      `${first.handle}: the stock of ${rowsOf(uncounted)} is counted too, because that of other variants is. New variants start with ${UNCOUNTED_AMOUNT} units. Set their stock.`,
    );
  for (const { row, handle, variantOf } of members)
    if (variantOf.ignoredFields.length > 0)
      notes.push(
        `${handle}: a variant cannot have its own ${variantOf.ignoredFields.join(', ')}, so that of row ${row} was ignored.`,
      );
  return notes;
}

function rowsOf(members: readonly VariantMember[]): string {
  return `${members.length === 1 ? 'row' : 'rows'} ${members.map(({ row }) => row).join(', ')}`;
}

function withoutAmount({ amount: _, ...input }: ProductInput): ProductInput {
  return input;
}

function skip({ row, handle, sku }: VariantMember, reason: string): SkippedRow {
  return { row, handle, sku, outcome: 'skipped', reason, isVariant: true };
}

function sameName(one: string, other: string): boolean {
  return nameMatch(one) === nameMatch(other);
}

function quoted({ name }: OptionRow): string {
  return `"${name}"`;
}

function optionsText(options: readonly OptionRow[]): string {
  return options.map(({ name, value }) => `${name} ${value}`).join(', ');
}
