/**
 * Rows that are variants of one product, put together to that product. A row that cannot be one of its variants is skipped with
 * the reason, and what a variant cannot have of its own is noted; nothing goes missing without a word.
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

/** A row that has an owner. */
type Member = ProductRow & { readonly variantOf: NonNullable<ProductRow['variantOf']> };

/** Pieces that a new product has where nobody says how many (catalog.md §1). */
const UNCOUNTED_AMOUNT = 1000;

export function mergeVariants(file: ImportRows): ImportRows {
  const productRows: ProductRow[] = [];
  const skipped: SkippedRow[] = [...file.skipped];
  const notes: string[] = [];
  const done = new Set<OwnerRow>();
  const groups = Map.groupBy(file.productRows.filter(isMember), ({ variantOf }) => variantOf.owner);
  for (const draft of file.productRows) {
    if (!isMember(draft)) productRows.push(draft);
    else if (!done.has(draft.variantOf.owner)) {
      const { owner } = draft.variantOf;
      done.add(owner);
      const { members, refused } = fitting(groups.get(owner)!);
      skipped.push(...refused);
      productRows.push(members[0]!.options.length === 0 ? alone(members[0]!) : merged(owner, members));
      notes.push(...notesOf(members));
    }
  }
  return { ...file, productRows, skipped, notes: [...notes, ...file.notes] };
}

function isMember(draft: ProductRow): draft is Member {
  return draft.variantOf !== undefined;
}

/** Rows that can be variants beside each other: each has a value of each option, and no other has the same. The first row may stay. */
function fitting(all: readonly Member[]): { members: Member[]; refused: SkippedRow[] } {
  const fullest = all.reduce((most, member) => (member.options.length > most.options.length ? member : most));
  const members: Member[] = [];
  const refused: SkippedRow[] = [];
  const rowOf = new Map<string, number>();
  for (const member of all) {
    const refuse = (reason: string): void => void refused.push(skip(member, reason));
    const missing = fullest.options.filter(({ name }) => !member.options.some((option) => sameName(option.name, name)));
    const key = JSON.stringify(member.options.map(({ name, value }) => [nameMatch(name), nameMatch(value)]).sort());
    const duplicate = rowOf.get(key);
    if (missing.length > 0)
      refuse(
        `it has no value of ${missing.map(quoted).join(' and ')}, as row ${fullest.row} has; each variant needs one`,
      );
    else if (member.options.length === 0 && duplicate !== undefined)
      refuse(`no option tells it from row ${duplicate}; give each variant of a product options of its own`);
    else if (duplicate !== undefined) refuse(`row ${duplicate} is the variant ${told(member.options)} already`);
    else if (members.length === VARIANTS_MAX) refuse(`a product has up to ${VARIANTS_MAX} variants`);
    else {
      rowOf.set(key, member.row);
      members.push(member);
    }
  }
  return { members, refused };
}

/** A row that no option tells from others is a product like any other. */
function alone({ variantOf, ...draft }: Member): ProductRow {
  return { ...draft, images: variantOf.owner.images };
}

function merged(owner: OwnerRow, members: readonly Member[]): ProductRow {
  const [first] = members as [Member];
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

/** A product counts its pieces where one of its variants does; undefined where the file does not say. */
function areCounted(members: readonly Member[]): boolean | undefined {
  const told = members.flatMap(({ input }) => input.inventory_traceable ?? []);
  return told.length === 0 ? undefined : told.includes(true);
}

/** The pieces that variants share; else all of theirs. */
function amountOf(members: readonly Member[]): number | undefined {
  const shared = members.find(({ variantOf }) => variantOf.sharesStock);
  if (shared) return shared.input.amount;
  const isCounted = areCounted(members) === true;
  const amounts = members.flatMap((member) => (isCounted && isUncounted(member) ? [] : (member.input.amount ?? [])));
  return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0);
}

function isUncounted({ input }: Member): boolean {
  return input.inventory_traceable === false;
}

function hasAmountOnCreate({ inputOnCreate }: Member): boolean {
  return inputOnCreate.amount !== undefined;
}

/** @param isCounted the product counts its pieces */
function variantOf({ row, sku, input, ...member }: Member, product: ProductInput, isCounted: boolean): VariantRow {
  const { image, sharesStock } = member.variantOf;
  const isLeftOut = isCounted && input.inventory_traceable === false;
  const amount = isLeftOut ? undefined : input.amount;
  const { amount: amountOnCreate = isLeftOut ? UNCOUNTED_AMOUNT : undefined } = member.inputOnCreate;
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

/** Fields of the product alone. */
const OF_PRODUCT = ['market_price', 'cost_price', 'taxable', 'available_for_backorder'] as const;

function notesOf(members: readonly Member[]): string[] {
  const [first, ...others] = members as [Member, ...Member[]];
  const notes: string[] = [];
  const differing = others.flatMap(({ row, input }) => {
    const fields = OF_PRODUCT.filter((field) => input[field] !== first.input[field]);
    return fields.length === 0 ? [] : [`row ${row} (${fields.join(', ')})`];
  });
  if (differing.length > 0)
    notes.push(
      `${first.handle}: a product has these fields, a variant none of its own, and the product has those of row ${first.row}; not kept: ${differing.join(', ')}.`,
    );
  const uncounted = areCounted(members) === true ? members.filter(isUncounted) : [];
  if (uncounted.length > 0)
    notes.push(
      `${first.handle}: the pieces of other variants are counted, so those of ${rowsOf(uncounted)} are too; a new variant begins with ${UNCOUNTED_AMOUNT}. Set its stock.`,
    );
  for (const { row, handle, variantOf } of members)
    if (variantOf.notKept.length > 0)
      notes.push(
        `${handle}: a variant has no ${variantOf.notKept.join(', ')} of its own; that of row ${row} is not kept.`,
      );
  return notes;
}

function rowsOf(members: readonly Member[]): string {
  return `${members.length === 1 ? 'row' : 'rows'} ${members.map(({ row }) => row).join(', ')}`;
}

function withoutAmount({ amount: _, ...input }: ProductInput): ProductInput {
  return input;
}

function skip({ row, handle, sku }: Member, reason: string): SkippedRow {
  return { row, handle, sku, outcome: 'skipped', reason, isVariant: true };
}

function sameName(one: string, other: string): boolean {
  return nameMatch(one) === nameMatch(other);
}

function quoted({ name }: OptionRow): string {
  return `"${name}"`;
}

function told(options: readonly OptionRow[]): string {
  return options.map(({ name, value }) => `${name} ${value}`).join(', ');
}
