/** Products, variants and options of the lines of a cart (storefront.md §5). */
import { type Languages, type Value, Violations } from '../../../engine/vocabulary.ts';
import { fillInItems, type Item, type PricedGoods } from '../orders/order-placing.ts';
import { USES_OF_STOCK } from '../orders/order-stock.ts';
import { readBuyer } from '../pricing/calculation-facts.ts';
import type { CartOption, LineContext, ResolvedLine, SentLine } from './cart-content.ts';
import type { CartReads } from './cart-uses.ts';

export interface FilledLines {
  /** The lines as items of an order, with all that was found. */
  readonly items: readonly Item[];
  /** The visible products and their variants. */
  readonly goods: PricedGoods;
  /** With paths that begin with `lines[0]`. */
  readonly violations: Violations;
}

/** Completes lines, as those of an order. @param membership the enabled membership of the customer */
export async function fillInLines(
  reads: CartReads,
  lines: readonly SentLine[],
  membership: number | null,
  { currency, language, defaultLanguage }: Languages & { readonly currency: string },
): Promise<FilledLines> {
  const items = lines.map(itemOf);
  const violations = new Violations();
  const draft = {
    ...{ values: { currency }, sent: { calculate: true }, past: false },
    ...{ violations, language, defaultLanguage },
  };
  // The product of a line whose variant was deleted is read too.
  const own = lines.flatMap(({ product_id }) => product_id ?? []);
  const goods = await fillInItems(draft, reads, items, 'lines', async (products, variants) => ({
    products: await visibleProducts(reads, [...new Set([...products, ...own])], membership),
    variants: byId(
      variants.length === 0
        ? []
        : await reads.list('Variant', { id: [...new Set(variants)] }, { only: USES_OF_STOCK.Variant }),
    ),
  }));
  return { items, goods, violations };
}

function itemOf({ product_id, variant, sku, amount, options }: SentLine): Item {
  return {
    ...(typeof product_id === 'number' ? { product_id: { id: product_id } } : {}),
    ...(typeof variant === 'number' ? { variant: { id: variant } } : {}),
    ...(typeof sku === 'string' ? { sku } : {}),
    amount,
    options: (options ?? []) as readonly Value[] as Value,
  };
}

/** Reads those of these products that are enabled and that the customer may buy (storefront.md §2). */
async function visibleProducts(
  reads: CartReads,
  ids: readonly Value[],
  membership: number | null,
): Promise<PricedGoods['products']> {
  const only = [...USES_OF_STOCK.Product, 'enabled', 'memberships'] as const;
  const stored = ids.length === 0 ? [] : await reads.list('Product', { id: [...ids] }, { only });
  return byId(
    stored.filter(({ enabled, memberships }) => {
      const members = memberships as Value[];
      return enabled === true && (members.length === 0 || members.includes(membership));
    }),
  );
}

function byId<T extends { readonly id: Value }>(records: readonly T[]): Map<Value, T> {
  return new Map(records.map((record) => [record.id, record]));
}

/**
 * Finds the products and variants of lines, and completes their options. Adds the violations of orders.md §9. A product that
 * the customer cannot see is unknown.
 *
 * @returns undefined after a violation
 */
export async function resolveLines(
  reads: CartReads,
  lines: readonly SentLine[],
  context: LineContext,
  violations: Violations,
): Promise<ResolvedLine[] | undefined> {
  const { membership } = await readBuyer(reads, context.customer);
  const { items, goods, violations: found } = await fillInLines(reads, lines, membership, context);
  for (const { propertyPath, code, message } of found.list) {
    const [, index, rest] = /^lines\[(\d+)\]\.?(.*)$/.exec(propertyPath)!;
    const path = [context.pathOf(Number(index)), rest].filter((part) => part !== '').join('.');
    violations.add(path, code, message);
  }
  if (found.list.length > 0) return undefined;
  return items.map((item) => ({
    product_id: item.product_id as number,
    variant: item.variant as number | null,
    options: goods.sold.get(item)!.choices as readonly CartOption[],
    amount: item.amount as number,
  }));
}
