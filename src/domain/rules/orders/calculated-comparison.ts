/** Compares a bulk line with the calculated order that it has placed before (sync.md §4; pricing.md §5). */
import type { BulkLine, Reads, Value } from '../../../engine/vocabulary.ts';
import type { Charge, Input } from '../../../pricing/index.ts';
import { plainVatId } from '../customers/profile.ts';
import { CHARGES, chargeWeight } from '../pricing/calculated-surcharges.ts';

type Values = Readonly<Record<string, Value>>;
type ComparedReads = Pick<Reads<{ readonly OrderCalculation: readonly ['order', 'input'] }>, 'list'>;
type Compared = { readonly sent: Values } | { readonly difference: string };

/** Returns the output that the line would have; for a line without `calculate`, the line itself. */
export async function comparedOrder({ id, sent, shown }: BulkLine, reads: ComparedReads): Promise<Compared> {
  if (sent.calculate !== true) return { sent };
  const [stored] = await reads.list('OrderCalculation', { order: id });
  if (!stored) return { difference: 'the order in the store has no calculation' };
  const surcharges = sent.surcharges as readonly Values[] | undefined;
  const difference =
    shippingDifference(sent, shown) ??
    (surcharges && taxClassDifference(surcharges, stored.input as unknown as Input, shown)) ??
    couponsDifference(sent, shown);
  if (difference !== undefined) return { difference };
  return {
    sent: {
      ...sent,
      ...(surcharges ? { surcharges: withCalculated(surcharges, shown.surcharges as readonly Values[]) as Value } : {}),
      ...(typeof sent.vat_id === 'string' ? { vat_id: plainVatId(sent.vat_id) } : {}),
      ...(typeof sent.expected_total === 'number' ? { total: sent.expected_total } : {}),
    },
  };
}

/** Replaces the charges among the order's surcharges by those of the line. */
function withCalculated(sent: readonly Values[], shown: readonly Values[]): Values[] {
  const calculated = shown.filter(({ type, source }) => source !== null || !CHARGES.some((charge) => charge === type));
  return [...calculated, ...sent.map((charge) => ({ ...charge, weight: chargeWeight(charge.type!) }))];
}

/** Compares tax classes of charges, which output does not show. Other differences of the charges are found later. */
function taxClassDifference(sent: readonly Values[], { shipping }: Input, shown: Values): string | undefined {
  const classes = (charges: readonly Pick<Charge, 'type' | 'tax_class'>[]) =>
    CHARGES.flatMap((type) =>
      charges.filter((charge) => charge.type === type).map(({ tax_class }) => tax_class ?? null),
    );
  const isSent = ({ type }: Charge): boolean => type !== 'shipping' || methodOf(shown) === null;
  const charges = (shipping as readonly Charge[]).filter(isSent);
  const [before, now] = [classes(charges), classes(sent as unknown as readonly Charge[])];
  const index = before.findIndex((each, position) => position < now.length && each !== now[position]);
  if (index === -1) return undefined;
  return `surcharges[${index}].tax_class is ${before[index]} in the store and ${now[index]} in the line`;
}

/** The id of the shipping method that determined the charge for shipping, or null. */
function methodOf({ surcharges }: Values): number | null {
  const sources = (surcharges as readonly Values[]).map(({ source }) => source as Values | null);
  return (sources.find((source) => source?.kind === 'shipping_method')?.id ?? null) as number | null;
}

function shippingDifference({ shipping }: Values, shown: Values): string | undefined {
  if (shipping === undefined) return undefined;
  const now = (shipping as Values | null)?.method_id ?? null;
  const before = methodOf(shown);
  return before === now ? undefined : `shipping.method_id is ${before} in the store and ${now} in the line`;
}

function couponsDifference(sent: Values, shown: Values): string | undefined {
  if (sent.coupons === undefined) return undefined;
  const codes = (list: readonly string[]): string => JSON.stringify(list.map((code) => code.toUpperCase()).sort());
  const before = codes((shown.used_coupons as { code: string }[]).map(({ code }) => code));
  const now = codes(sent.coupons as string[]);
  return before === now ? undefined : `coupons is ${before} in the store and ${now} in the line`;
}
