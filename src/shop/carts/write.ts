/** Writes of carts (storefront.md §5). Each locks the cart, and ends with its calculation. */

import type { CalculatedCart, ResolvedLine, SentLine } from '../../domain/rules/carts/cart-content.ts';
import { resolveCoupons } from '../../domain/rules/carts/cart-coupons.ts';
import { CART_COUPONS_MAX, CART_TOTAL_MAX } from '../../domain/rules/carts/cart-fields.ts';
import { resolveLines } from '../../domain/rules/carts/cart-lines.ts';
import { isProblem, type Problem, problem, type Unit, Violations, validationFailed } from '../../engine/index.ts';
import {
  type CartValues,
  EMPTY_CART,
  holdCart,
  insertCart,
  openCartOf,
  removeCart,
  type StoredCart,
  type StoredLine,
  updateCart,
} from '../../store/carts/stored-cart.ts';
import { newCartToken } from '../../store/carts/tokens.ts';
import { eraseIdempotencyRecords } from '../../store/idempotency-records.ts';
import { addCounts } from '../../store/shoppers/counted.ts';
import { calculated, rulesReads } from './calculated.ts';
import type { CartChange, LineChange, NewCart } from './inputs.ts';
import { countedCart, countedCode, countUnknown, type Rejection, rejectBeyond } from './limits.ts';
import { addLines, removeLine, replaceLine } from './lines.ts';
import type { CartOwner, CartSettings, CartWriting } from './settings.ts';
import { contextOf, namesOf, type ShownCart, shownCart } from './shown-cart.ts';

/** Decides what a write sets. */
type Change = (unit: Unit, cart: StoredCart) => Promise<CartValues | Problem>;

/** @returns the problem of a cart that cannot be used any more */
export function rejectGone({ state, expires_at, lines }: StoredCart, now: number): Problem | undefined {
  if (state === 'merged')
    return problem('cart-gone', 'This cart was merged into the cart of the customer. Use the customer’s cart.');
  if (state === 'open' && expires_at > now) return undefined;
  return lines.length === 0 ? noCart() : problem('cart-gone', 'The cart has expired. Create a new one.');
}

export function noCart(): Problem {
  return problem('not-found', 'There is no cart with this token. Create one with POST /storefront/carts.');
}

/** Locks a cart that can be used, and checks the client’s conditions. */
async function holdUsable(unit: Unit, id: number, { begin, check }: CartWriting): Promise<StoredCart | Problem> {
  const ended = await begin(unit);
  if (ended) return ended;
  const cart = await holdCart(unit, id);
  if (!cart) return noCart();
  return rejectGone(cart, unit.now) ?? (await check(unit, cart)) ?? cart;
}

/** Changes a cart. @returns the cart with its prices; later responses report changes of them */
export async function changeCart(
  unit: Unit,
  id: number,
  writing: CartWriting,
  change: Change,
): Promise<ShownCart | Problem> {
  const cart = await holdUsable(unit, id, writing);
  if (isProblem(cart)) return cart;
  const values = await change(unit, cart);
  return isProblem(values) ? values : writeCart(unit, cart, values, writing);
}

/** Writes a cart that the unit has locked. */
export async function writeCart(
  unit: Unit,
  cart: StoredCart,
  values: CartValues,
  { settings }: CartWriting,
): Promise<ShownCart> {
  const result = await calculated(unit, values, cart.customer_id, settings);
  // An erasure finds the cart by its new address only.
  if (cart.email !== null && cart.email !== values.email) await eraseResponses(unit, cart.id);
  const written = await updateCart(unit, cart, withResult(values, result));
  return shownCart(unit.service, written, result, cart.lines);
}

export async function deleteCart(unit: Unit, id: number, writing: CartWriting): Promise<Problem | undefined> {
  const cart = await holdUsable(unit, id, writing);
  if (isProblem(cart)) return cart;
  await removeCart(unit, id);
  await eraseResponses(unit, id);
  return undefined;
}

/** Erases stored responses, which have personal data of the cart. */
async function eraseResponses(unit: Unit, id: number): Promise<void> {
  await eraseIdempotencyRecords(unit, [`/api/carts/${id}`], false);
}

interface CreatedCart {
  /** Undefined if the cart already existed. */
  readonly token: string | undefined;
  readonly shown: ShownCart;
}

/**
 * Creates a cart. If a customer has an open one, adds to that.
 * @param readOwner reads the customer after the session is locked; undefined for a guest
 */
export async function createCart(
  unit: Unit,
  sent: NewCart,
  writing: CartWriting,
  readOwner?: (unit: Unit) => Promise<CartOwner>,
): Promise<CreatedCart | Problem | Rejection> {
  const codes = sent.coupons ?? [];
  const code = countedCode(writing);
  const tooManyCarts = await rejectBeyond(unit, [countedCart(writing)]);
  const rejectedFirst =
    (await rejectBeyond(
      unit,
      codes.flatMap(() => code),
    )) ?? (await writing.begin(unit));
  if (rejectedFirst) return rejectedFirst;
  const owner = await readOwner?.(unit);
  const open = owner && (await openCartOf(unit, owner.id, unit.now));
  if (!open && tooManyCarts) return tooManyCarts;
  const violations = new Violations();
  const values = await sentValues(unit, open ? valuesOf(open) : EMPTY_CART, sent, owner, {
    ...writing.settings,
    violations,
  });
  if (violations.list.length > 0) return countUnknown(unit, validationFailed(violations.list), violations, code);
  if (open) return { token: undefined, shown: await writeCart(unit, open, values, writing) };
  await addCounts(unit.service, unit, [countedCart(writing)]);
  const customer_id = owner?.id ?? null;
  const result = await calculated(unit, values, customer_id, writing.settings);
  const { token, hash } = newCartToken();
  const cart = await insertCart(unit, { customer_id, hash }, withResult(values, result), contextCurrency(unit));
  return { token, shown: shownCart(unit.service, cart, result, []) };
}

/** The values with everything that a request for a new cart sends. */
async function sentValues(
  unit: Unit,
  before: CartValues,
  sent: NewCart,
  owner: CartOwner | undefined,
  { violations, ...settings }: CartSettings & { readonly violations: Violations },
): Promise<CartValues> {
  const changed = await changedValues(unit, before, sent, violations);
  const limits = { ...settings, violations, pathOf: (index: number) => `lines[${index}]` };
  const resolved = await resolvedLines(unit, sent.lines ?? [], owner?.id ?? null, limits);
  const found = await resolveCoupons(rulesReads(unit), sent.coupons ?? [], (index) => `coupons[${index}]`, violations);
  const coupons = [...new Set([...before.coupons, ...found])];
  if (coupons.length > CART_COUPONS_MAX) violations.add('coupons', 'too_long', TOO_MANY_COUPONS);
  return { ...changed, email: changed.email ?? owner?.login ?? null, ...addLines(before, resolved, limits), coupons };
}

const TOO_MANY_COUPONS = `A cart can have at most ${CART_COUPONS_MAX} coupons. Remove one first.`;

function contextCurrency({ service }: Unit): string {
  return service.environment.settings.currency!;
}

/** Sets fields of a cart. */
export function setFields(sent: CartChange): Change {
  return async (unit, cart) => {
    const violations = new Violations();
    const values = await changedValues(unit, valuesOf(cart), sent, violations);
    return rejected(violations) ?? values;
  };
}

/** @param pathOf path of a line in the body */
export function addNewLines(
  sent: readonly SentLine[],
  pathOf: (index: number) => string,
  settings: CartSettings,
): Change {
  return async (unit, cart) => {
    const limits = { ...settings, violations: new Violations(), pathOf };
    const resolved = await resolvedLines(unit, sent, cart.customer_id, limits);
    return rejected(limits.violations) ?? added(cart, resolved, limits);
  };
}

function added(cart: StoredCart, lines: readonly ResolvedLine[], limits: Parameters<typeof addLines>[2]) {
  const values = { ...valuesOf(cart), ...addLines(cart, lines, limits) };
  return rejected(limits.violations) ?? values;
}

export function changeLine(id: number, sent: LineChange, settings: CartSettings): Change {
  return async (unit, cart) => {
    const line = cart.lines.find((each) => each.id === id);
    if (!line) return noLine(id);
    const limits = { ...settings, violations: new Violations(), pathOf: () => '' };
    const { product_id, variant, options } = line;
    const { amount = line.amount } = sent;
    const changed = { product_id, variant, options, amount };
    const [resolved] = sent.options
      ? await resolvedLines(unit, [{ ...changed, options: sent.options }], cart.customer_id, limits)
      : [changed];
    if (!resolved) return validationFailed(limits.violations.list);
    const values = { ...valuesOf(cart), ...replaceLine(cart, id, resolved, limits) };
    return rejected(limits.violations) ?? values;
  };
}

export function dropLine(id: number): Change {
  return async (_unit, cart) => {
    if (!cart.lines.some((each) => each.id === id)) return noLine(id);
    return { ...valuesOf(cart), ...removeLine(cart, id) };
  };
}

function noLine(id: number): Problem {
  return problem('not-found', `The cart has no line with the id ${id}. Read the cart for its current lines.`);
}

/** Adds a coupon. Unknown codes count toward limits, so that codes cannot be guessed. */
export async function addCoupon(
  unit: Unit,
  id: number,
  code: string,
  writing: CartWriting,
): Promise<ShownCart | Problem | Rejection> {
  const counted = countedCode(writing, id);
  const over = await rejectBeyond(unit, counted);
  if (over) return over;
  const violations = new Violations();
  const changed = await changeCart(unit, id, writing, async (_unit, cart) => {
    const [found] = await resolveCoupons(rulesReads(unit), [code], () => 'code', violations);
    if (found !== undefined && !cart.coupons.includes(found) && cart.coupons.length >= CART_COUPONS_MAX)
      violations.add('code', 'too_long', TOO_MANY_COUPONS);
    if (violations.list.length > 0) return validationFailed(violations.list);
    return { ...valuesOf(cart), coupons: [...new Set([...cart.coupons, found!])] };
  });
  return isProblem(changed) ? countUnknown(unit, changed, violations, counted) : changed;
}

/** @param code regardless of case */
export function dropCoupon(code: string): Change {
  return async (_unit, cart) => {
    const isSame = (each: string): boolean => each.toLowerCase() === code.toLowerCase();
    if (!cart.coupons.some(isSame)) return problem('not-found', 'The cart does not have this coupon.');
    return { ...valuesOf(cart), coupons: cart.coupons.filter((each) => !isSame(each)) };
  };
}

/** Without the columns that the write itself sets. */
export function valuesOf(cart: StoredCart): CartValues {
  return Object.fromEntries(Object.keys(EMPTY_CART).map((name) => [name, cart[name as keyof CartValues]])) as never;
}

function rejected({ list }: Violations): Problem | undefined {
  return list.length > 0 ? validationFailed(list) : undefined;
}

async function resolvedLines(
  unit: Unit,
  sent: readonly SentLine[],
  customer: number | null,
  { violations, pathOf, ...settings }: CartSettings & Parameters<typeof addLines>[2],
): Promise<readonly ResolvedLine[]> {
  const context = { ...contextOf(unit.service, unit, settings), customer, pathOf };
  return (await resolveLines(rulesReads(unit), sent, context, violations)) ?? [];
}

/** The values with these fields. Addresses keep the members that were not sent. */
async function changedValues(
  unit: Unit,
  values: CartValues,
  { payment_method, shipping, ...sent }: CartChange,
  violations: Violations,
): Promise<CartValues> {
  const { fields } = unit.service.model.resources.get('Cart')!;
  const addressIn = (name: 'billing_address' | 'shipping_address'): CartValues[typeof name] =>
    sent[name] === undefined ? values[name] : (fields.get(name)!.field.merge!(values[name], sent[name]) as never);
  if (payment_method) violations.add('payment_method', 'unknown_link', 'There are no payment methods yet. Send null.');
  if (
    shipping &&
    (await unit.list('ShippingMethod', { id: shipping.method_id, enabled: true }, { only: [] })).length === 0
  )
    violations.add(
      'shipping.method_id',
      'unknown_link',
      'There is no enabled shipping method with this id. Send a method_id from the cart’s shipping_options.',
    );
  return {
    ...values,
    email: sent.email === undefined ? values.email : sent.email,
    notes: sent.notes ?? values.notes,
    billing_address: addressIn('billing_address'),
    shipping_address: addressIn('shipping_address'),
    shipping: shipping === undefined ? values.shipping : shipping && { method_id: shipping.method_id },
  };
}

/** Adds what the response will show: prices, SKUs and names of the lines, and the totals. */
function withResult(values: CartValues, { lines, sub_total, total }: CalculatedCart) {
  const shown = new Map(lines.map((line) => [line.id, line]));
  const withPrice = (line: StoredLine): StoredLine => {
    const found = shown.get(line.id)!;
    return { ...line, price: found.price, ...namesOf(found, line) };
  };
  return {
    ...values,
    lines: values.lines.map(withPrice),
    sub_total: Math.min(sub_total, CART_TOTAL_MAX),
    total: Math.min(total, CART_TOTAL_MAX),
  };
}
