/** Orders whose prices, discounts and taxes the store calculates (pricing.md §5). */
import type { Draft, UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import {
  type Charge,
  evaluate,
  type Input,
  type PostalAddress,
  type Rejection,
  type Result,
  relevantInput,
  type ShippingBasis,
} from '../../../pricing/index.ts';
import { deriveVatId } from '../customers/profile.ts';
import { CHARGES, type Shares, surchargesOfResult } from '../pricing/calculated-surcharges.ts';
import {
  linesOf,
  readBuyer,
  readStoreRules,
  type StoreRules,
  USES_OF_CALCULATION,
} from '../pricing/calculation-facts.ts';
import { COUPON_REASONS, SHIPPING_REASONS } from '../pricing/rejections.ts';
import {
  readShipping,
  type Shipping,
  type ShippingOption,
  shippingOptions,
  USES_OF_SHIPPING,
} from '../pricing/shipping-costs.ts';
import { claimCoupons, countUses, USES_OF_COUPONS, type UsedCoupon, usedCouponsOf } from './coupon-uses.ts';
import { computeTotals, type Item, itemsOf, type PricedGoods, surchargesOf } from './order-placing.ts';

/** What the calculation of an order without a shipping method uses. */
export const USES_WITHOUT_SHIPPING = {
  ...USES_OF_CALCULATION,
  ...USES_OF_COUPONS,
  own: [
    ...(['items', 'surcharges', 'currency', 'sub_total', 'total', 'create_date', 'customer_id', 'email'] as const),
    ...(['billing_address', 'shipping_address', 'payment_status', 'used_coupons'] as const),
    ...(['calculate', 'coupons', 'vat_id', 'expected_total'] as const),
    ...(['shipping', 'shipping_id', 'shipping_method_name'] as const),
  ],
  TaxClass: ['name'],
  OrderItem: ['order', 'surcharges'],
  Surcharge: ['order', 'weight'],
  OrderCalculation: ['order', 'input', 'result'],
} as const;

export const USES_OF_CALCULATED_ORDER = { ...USES_WITHOUT_SHIPPING, ...USES_OF_SHIPPING } as const;

type CalculatedDraft = Draft<(typeof USES_OF_CALCULATED_ORDER.own)[number]>;
type Unit = UnitOfWork<typeof USES_OF_CALCULATED_ORDER>;

/** The calculation of an order, as the order stores it. */
export interface OrderCalculation {
  readonly input: Input;
  readonly result: Result;
  readonly coupons: readonly UsedCoupon[];
  readonly shares: Shares;
  /** Only of a quote that asks for them. */
  readonly shippingOptions: readonly ShippingOption[] | undefined;
}

/** Rejects fields that only calculated orders can have, instead of ignoring them silently. */
export function rejectCalculationFields({ sent, violations, past }: CalculatedDraft): void {
  if (past) return;
  for (const name of ['coupons', 'vat_id', 'expected_total', 'shipping'] as const) {
    const value = sent[name];
    const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length);
    if (!isEmpty) violations.add(name, 'conflict', ONLY_CALCULATED);
  }
  rejectTaxClasses(sent.surcharges, violations);
}

/** Rejects the tax classes of charges in an order or edit that is not calculated. */
export function rejectTaxClasses(surcharges: Value | undefined, violations: CalculatedDraft['violations']): void {
  for (const [index, { tax_class }] of sentSurcharges(surcharges).entries())
    if (typeof tax_class === 'number') violations.add(`surcharges[${index}].tax_class`, 'conflict', ONLY_CALCULATED);
}

const ONLY_CALCULATED = 'Send this field only in an order with "calculate": true.';

/** Items of a quote with an explanation, which has an entry for each item and rule. */
const EXPLAINED_ITEMS_MAX = 50;

/**
 * Calculates a new order: sets the prices of its items, its surcharges, its coupons and its totals.
 *
 * @returns undefined if the order has violations
 */
export async function calculateOrder(
  draft: CalculatedDraft,
  unit: Unit,
  goods: PricedGoods,
): Promise<OrderCalculation | undefined> {
  const { values, violations, environment } = draft;
  rejectWhatCannotBeCalculated(draft);
  deriveVatId(draft);
  const charges = await chargesOf(surchargesOf(draft), unit, violations);
  if (violations.list.length > 0) return undefined;
  const storeRules = await readStoreRules(
    unit,
    draft,
    environment.settings.currency!,
    itemsOf(draft).map(({ product_id }) => product_id!),
    draft.quote?.explain,
  );
  const buyer = await readBuyer(unit, values.customer_id);
  if (typeof draft.sent.vat_id !== 'string') values.vat_id = buyer.vat_id;
  const coupons = await claimCoupons(draft, unit);
  const shipping = await chosenShipping(draft, unit, storeRules);
  if (violations.list.length > 0) return undefined;
  const [toAddress, billingAddress] = addressesOf(draft);
  const address = storeRules.zonesOf(toAddress, billingAddress);
  const input: Input = {
    lines: await linesOf(itemsOf(draft), (draft.sent.items ?? []) as readonly Item[], goods, unit),
    buyer: { ...buyer, vat_id: values.vat_id as string },
    address: shipping?.pickupZones ?? address,
    time: (values.create_date as number | undefined) ?? draft.now,
    coupons,
    shipping: (basis) => [...(shipping?.chargesFor(basis) ?? []), ...charges],
    rules: storeRules.rules,
    explain: draft.quote?.explain === true,
  };
  const { result, rejections, shippingBasis } = evaluate(input);
  for (const rejection of rejections) report(rejection, (draft.sent.coupons ?? []) as string[], violations);
  if (shipping) applyShipping(draft, shipping, shippingBasis);
  if (violations.list.length > 0) return undefined;
  const shares = applyResult(draft, input, result);
  if (violations.list.length > 0) return undefined;
  const used = await usedCouponsOf(draft, unit, result, coupons);
  values.used_coupons = used.map(({ uses: _, ...coupon }) => coupon) as Value;
  return {
    input: { ...relevantInput(input), shipping: result.charges },
    ...{ result, coupons: used, shares },
    shippingOptions: draft.quote?.shipping_options
      ? shippingOptions(await readShipping(unit, { enabled: true }, destinationOf(draft, storeRules)), input, address)
      : undefined,
  };
}

/** The shipping address and the billing address. */
function addressesOf({ values }: Pick<CalculatedDraft, 'values'>): [PostalAddress | null, PostalAddress | null] {
  return [values.shipping_address ?? null, values.billing_address ?? null] as unknown as [
    PostalAddress | null,
    PostalAddress | null,
  ];
}

/** Where the order is sent. */
function destinationOf(draft: CalculatedDraft, { zonesAt }: StoreRules) {
  const { language, defaultLanguage, environment } = draft;
  const [shipping, billing] = addressesOf(draft);
  const currency = environment.settings.currency!;
  return { language, defaultLanguage, zonesAt, currency, address: shipping ?? billing };
}

/** Reads the shipping method of an order. @returns undefined if the order has none, and after a violation */
async function chosenShipping(
  draft: CalculatedDraft,
  unit: Unit,
  storeRules: StoreRules,
): Promise<Shipping | undefined> {
  const { sent, violations } = draft;
  const method = sent.shipping as { readonly method_id?: number } | null | undefined;
  if (method?.method_id === undefined) return undefined;
  for (const [index, { type }] of sentSurcharges(sent.surcharges).entries())
    if (type === 'shipping')
      violations.add(
        `surcharges[${index}].type`,
        'conflict',
        'The shipping method determines the charge for shipping. Omit this surcharge, or omit shipping.',
      );
  if (typeof sent.shipping_id === 'number' && sent.shipping_id !== 0 && sent.shipping_id !== method.method_id)
    violations.add('shipping_id', 'conflict', 'This id differs from shipping.method_id. Omit shipping_id.');
  const [shipping] = await readShipping(unit, { id: method.method_id }, destinationOf(draft, storeRules));
  if (!shipping)
    violations.add('shipping.method_id', 'unknown_link', `There is no ShippingMethod with the id ${method.method_id}.`);
  return shipping;
}

/** Adds the charge of the shipping method to the surcharges, or a violation if the order cannot have this method. */
function applyShipping(draft: CalculatedDraft, shipping: Shipping, basis: ShippingBasis): void {
  const { values, violations } = draft;
  const offer = shipping.offerFor(basis);
  const reason = shipping.enabled ? ('reason' in offer ? offer.reason : undefined) : 'disabled';
  if (reason)
    violations.add(
      'shipping.method_id',
      'conflict',
      `The shipping method does not apply (${reason}): ${SHIPPING_REASONS[reason]}. Choose another one.`,
    );
  const charges = shipping.chargesFor(basis).map(({ tax_class: _, ...charge }) => ({
    ...charge,
    source: {
      ...{ kind: 'shipping_method', id: shipping.id, type: '$', value: charge.value },
      ...{ base: null, rounding: null, rounding_target: null },
    },
  }));
  values.surcharges = [...charges, ...surchargesOf(draft)] as Value;
  values.shipping_id = shipping.id;
  values.shipping_method_name ??= shipping.name;
}

/** Stores the calculation of an order that was just created, and counts the uses of its coupons. */
export async function storeCalculation(
  unit: Unit,
  order: Value,
  { input, result, coupons, shares, shippingOptions: options }: OrderCalculation,
): Promise<void> {
  await unit.insert('OrderCalculation', {
    order,
    input: input as unknown as Value,
    result: { ...result, ...(options ? { shipping_options: options } : {}) } as unknown as Value,
  });
  await countUses(unit, coupons);
  if (shares.some((ofItem) => ofItem.length > 0)) await storeShares(unit, order, shares);
}

/** Stores the shares of an order's items. @param shares by item, in the order of their ids */
export async function storeShares(unit: Unit, order: Value, shares: Shares): Promise<void> {
  const surcharges = await unit.list('Surcharge', { order });
  const items = await unit.list('OrderItem', { order });
  const changes = items.map((item, index) => {
    const own = shares[index]!.map(({ surcharge, value }) => {
      const { order: _order, ...shown } = surcharges[surcharge]! as Record<string, Value>;
      return { ...shown, value };
    });
    return [item.id, { surcharges: own as Value }] as const;
  });
  await unit.updateAll('OrderItem', new Map(changes));
}

/** Removes the calculation of an order whose items or surcharges an edit has changed. Its coupons remain used. */
export async function removeCalculation(unit: Unit, order: Value): Promise<void> {
  if ((await unit.count('OrderCalculation', { order })) === 0) return;
  await unit.remove('OrderCalculation', { order });
  const items = await unit.list('OrderItem', { order });
  await unit.updateAll('OrderItem', new Map(items.map(({ id }) => [id, { surcharges: [] }])));
}

function rejectWhatCannotBeCalculated(draft: CalculatedDraft): void {
  const { sent, values, violations, quote, environment } = draft;
  const currency = environment.settings.currency!;
  if (quote?.explain && itemsOf(draft).length > EXPLAINED_ITEMS_MAX)
    violations.add(
      'items',
      'too_long',
      `A quote of more than ${EXPLAINED_ITEMS_MAX} items has no explanation. Omit explain.`,
    );
  if (values.currency !== currency)
    violations.add(
      'currency',
      'conflict',
      `The store calculates only in its own currency, ${currency}. Send this currency, or omit the field.`,
    );
  rejectOtherCharges(sent.surcharges, violations);
}

/** Rejects surcharges other than the charges of a calculated order, which are shipping and handling. */
export function rejectOtherCharges(surcharges: Value | undefined, violations: CalculatedDraft['violations']): void {
  for (const [index, { type, include, weight, value }] of sentSurcharges(surcharges).entries()) {
    const at = `surcharges[${index}]`;
    if (typeof type === 'string' && !CHARGES.some((charge) => charge === type))
      violations.add(
        `${at}.type`,
        'conflict',
        'The store calculates discounts and taxes. Send only shipping and handling.',
      );
    if (include === true || (typeof weight === 'number' && weight !== 0))
      violations.add(
        `${at}.${include === true ? 'include' : 'weight'}`,
        'conflict',
        'The store sets this field of a calculated order. Omit it.',
      );
    if (typeof value === 'number' && value < 0)
      violations.add(`${at}.value`, 'range', 'A charge of a calculated order must be at least 0.');
  }
}

function sentSurcharges(sent: Value | undefined): readonly Readonly<Record<string, Value>>[] {
  return (sent ?? []) as Readonly<Record<string, Value>>[];
}

/** Returns charges as the calculation takes them. @param surcharges complete, with code and name */
export async function chargesOf(
  surcharges: readonly Item[],
  unit: Unit,
  violations: CalculatedDraft['violations'],
): Promise<Charge[]> {
  const classes = surcharges.flatMap(({ tax_class }) => (typeof tax_class === 'number' ? [tax_class] : []));
  const known = new Set((classes.length === 0 ? [] : await unit.list('TaxClass', { id: classes })).map(({ id }) => id));
  for (const [index, { tax_class }] of surcharges.entries())
    if (typeof tax_class === 'number' && !known.has(tax_class))
      violations.add(
        `surcharges[${index}].tax_class`,
        'unknown_link',
        `There is no tax class with the id ${tax_class}. Send the id of an existing one.`,
      );
  return surcharges.map(({ type, code, name, tax_class, value }) => ({
    type: type as string,
    code: code as string,
    name: name as string,
    tax_class: (tax_class ?? null) as number | null,
    value: value as number,
  }));
}

/** Adds a violation for a reason against an order. @param coupons the codes that the client sent */
export function report(
  { path, code, reason }: Rejection,
  coupons: readonly string[],
  violations: CalculatedDraft['violations'],
): void {
  if (reason === 'negative_price')
    violations.add(path, code, 'With these options a unit costs less than 0. Choose other options, or send a price.');
  else if (!path.startsWith('coupons'))
    violations.add(
      path,
      code,
      'Only members can buy this product, and the buyer has none of its memberships. Remove the item.',
    );
  else {
    const coupon = coupons[Number(/\d+/.exec(path)![0])];
    violations.add(path, code, `Coupon ${coupon} does not apply (${reason}): ${COUPON_REASONS[reason]}. Remove it.`);
  }
}

/** Sets the prices of items, the surcharges and the totals. @returns the shares of each item */
function applyResult(draft: CalculatedDraft, input: Input, result: Result): Shares {
  const { values } = draft;
  for (const [index, item] of itemsOf(draft).entries()) {
    const { price, subtotal } = result.lines[index]!;
    Object.assign(item, { price, item_net_price: price, discounted_subtotal: subtotal });
  }
  const { surcharges, shares } = surchargesOfResult(surchargesOf(draft), input, result);
  values.surcharges = surcharges as Value;
  computeTotals(draft);
  rejectOtherTotal(draft);
  return shares;
}

/** Adds a violation if the total is not the one that the buyer has seen. */
export function rejectOtherTotal({
  sent,
  values,
  violations,
}: Pick<Draft<'expected_total' | 'total'>, 'sent' | 'values' | 'violations'>): void {
  if (typeof sent.expected_total === 'number' && values.total !== sent.expected_total)
    violations.add(
      'expected_total',
      'conflict',
      `The total is ${values.total}. Send this total if the buyer accepts it.`,
    );
}
