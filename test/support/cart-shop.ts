/** A shop whose carts are calculated in the test's own process, and compared with quotes of the same orders. */
import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { calculateCart, cartShippingOptions } from '../../src/domain/rules/carts/calculation.ts';
import type { CalculatedCart, CartContent, CartLine, SentLine } from '../../src/domain/rules/carts/cart-content.ts';
import { resolveCoupons } from '../../src/domain/rules/carts/cart-coupons.ts';
import { resolveLines } from '../../src/domain/rules/carts/cart-lines.ts';
import type { CartReads } from '../../src/domain/rules/carts/cart-uses.ts';
import { Violations } from '../../src/engine/errors.ts';
import { committed } from '../../src/engine/unit/reads.ts';
import type { DatabaseName } from './databases.ts';
import { INJECT_KEY, serverOf } from './injected-server.ts';
import { type OpenedStore, openedStore } from './opened-store.ts';
import type { Json } from './store.ts';

const LANGUAGES = { language: 'en', defaultLanguage: 'en' };
const LINE_AMOUNT_MAX = 1000;
const CURRENCY = 'USD';
const DECLINED = { payment_status: 'D' };

export const EMPTY: CartContent = {
  ...{ lines: [], customer: null, email: '', coupons: [], shipping: null },
  ...{ billing_address: null, shipping_address: null },
};

// biome-ignore lint/suspicious/noExplicitAny: the bodies of responses
type Body = any;

export class CartShop {
  readonly #opened: OpenedStore;
  readonly #app: FastifyInstance;

  private constructor(opened: OpenedStore, app: FastifyInstance) {
    this.#opened = opened;
    this.#app = app;
  }

  static async make(database: DatabaseName): Promise<CartShop> {
    const opened = await openedStore(database);
    return new CartShop(opened, await serverOf(opened.service));
  }

  async remove(): Promise<void> {
    await this.#app.close();
    await this.#opened.remove();
  }

  async request(
    method: 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: Json,
  ): Promise<{ status: number; json: Body }> {
    const headers = { 'x-auth-token': INJECT_KEY, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await this.#app.inject({
      method,
      url,
      headers,
      ...(body ? { payload: JSON.stringify(body) } : {}),
    });
    return { status: response.statusCode, json: response.body === '' ? undefined : response.json() };
  }

  /** Creates a record and asserts 201. */
  async made(url: string, body: Json): Promise<Body> {
    const { status, json } = await this.request('POST', url, body);
    assert.equal(status, 201, JSON.stringify(json));
    return json;
  }

  async changed(url: string, body: Json): Promise<void> {
    const { status, json } = await this.request('PATCH', url, body);
    assert.equal(status, 200, JSON.stringify(json));
  }

  async deleted(url: string): Promise<void> {
    assert.equal((await this.request('DELETE', url)).status, 204);
  }

  get #reads(): CartReads {
    return committed(this.#opened.service, LANGUAGES) as unknown as CartReads;
  }

  get #context() {
    return { ...LANGUAGES, currency: CURRENCY, lineAmountMax: LINE_AMOUNT_MAX, now: this.#opened.service.clock.now() };
  }

  /** Resolves lines. @returns them with ids, or the violations as `path code` */
  async lines(sent: readonly SentLine[], customer: number | null = null): Promise<CartLine[] | string[]> {
    const violations = new Violations();
    const context = { ...LANGUAGES, currency: CURRENCY, customer, pathOf: (index: number) => `lines[${index}]` };
    const lines = await resolveLines(this.#reads, sent, context, violations);
    return lines ? lines.map((line, index) => ({ id: index + 1, ...line })) : codes(violations);
  }

  async coupons(sent: readonly string[]): Promise<string[]> {
    const violations = new Violations();
    const found = await resolveCoupons(this.#reads, sent, (index) => `coupons[${index}]`, violations);
    return [...found, ...codes(violations)];
  }

  calculate(content: CartContent): Promise<CalculatedCart> {
    return calculateCart(this.#reads, content, this.#context);
  }

  /**
   * Asserts that a cart has the amounts of the quote for its valid parts, and that a quote of the whole cart is a 422 if and
   * only if it has a problem.
   */
  async assertLikeQuote(content: CartContent): Promise<CalculatedCart> {
    const cart = await this.calculate(content);
    const context = JSON.stringify({ content, cart });
    const counted = cart.lines.flatMap(({ price }, index) => (price === null ? [] : [index]));
    const invalid = new Set(cart.problems.map(({ path }) => path));
    const all = content.lines.map((_, index) => index);
    const whole = await this.#quote(content, all, () => true);
    // The back office can order products that are disabled.
    const isRejected = cart.problems.some(({ code }) => code !== 'unavailable');
    if (isRejected || invalid.size === 0)
      assert.equal(whole.status, isRejected ? 422 : 200, `${JSON.stringify(whole.json)} ${context}`);
    if (counted.length === 0) {
      assert.deepEqual([cart.sub_total, cart.total, cart.surcharges], [0, 0, []]);
      return cart;
    }
    // A declined order takes no stock, so that missing stock does not reject it.
    const { status, json } = await this.#quote(content, counted, (path) => !invalid.has(path), DECLINED);
    assert.equal(status, 200, `${JSON.stringify(json)} ${context}`);
    assert.deepEqual([cart.sub_total, cart.total], [json.totals.sub_total, json.totals.total], context);
    const lines = counted.map((index) => [cart.lines[index]!.price, cart.lines[index]!.discounted_subtotal]);
    assert.deepEqual(
      lines,
      json.lines.map(({ price, subtotal }: Body) => [price, subtotal]),
    );
    const surcharges = [
      ...json.discounts.map(({ value }: Body) => ['discount', value === 0 ? 0 : -value]),
      ...json.charges.map(({ type, value }: Body) => [type, value]),
      ...json.taxes.map(({ value }: Body) => ['tax', value]),
    ];
    assert.deepEqual(
      cart.surcharges.map(({ type, value }) => [type, value]),
      surcharges,
      context,
    );
    await this.#assertSameShippingOptions({ ...content, shipping: null });
    return cart;
  }

  async #assertSameShippingOptions(content: CartContent): Promise<void> {
    const indexes = content.lines.map((_, index) => index);
    const { status, json } = await this.#quote(content, indexes, () => true, DECLINED, '?shipping_options');
    // A coupon that applies only if the order is picked up.
    if (status === 422) return;
    assert.deepEqual(await cartShippingOptions(this.#reads, content, this.#context), json.shipping_options);
  }

  /** @param isValid whether a part of the cart, such as `coupons[0]`, is part of the quote */
  #quote(
    content: CartContent,
    indexes: readonly number[],
    isValid: (path: string) => boolean,
    fields: Json = {},
    query = '',
  ) {
    const { lines, customer, email, coupons, shipping, billing_address, shipping_address } = content;
    return this.request('POST', `/api/orders/quote${query}`, {
      items: indexes.map((index) => {
        const { id: _, variant, product_id, ...line } = lines[index]!;
        return { ...line, ...(variant === null ? { product_id } : { variant }) };
      }),
      customer_id: customer,
      ...(email ? { email } : {}),
      ...fields,
      ...{ billing_address, shipping_address },
      coupons: coupons.filter((_, index) => isValid(`coupons[${index}]`)),
      shipping: isValid('shipping') ? shipping : null,
    });
  }
}

function codes({ list }: Violations): string[] {
  return list.map(({ propertyPath, code }) => `${propertyPath} ${code}`);
}
