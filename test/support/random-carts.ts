/** Random carts in a random shop whose products, rules and settings change between them, compared with quotes. */
import type { CalculatedCart, CartContent, CartLine } from '../../src/domain/rules/carts/cart-content.ts';
import { type CartShop, EMPTY } from './cart-shop.ts';
import { randomFrom } from './random.ts';
import type { Json } from './store.ts';

type Sent = Parameters<CartShop['lines']>[0][number];

const ADDRESSES = [
  null,
  { country_code: 'DE', city: 'Berlin', zipcode: '10115', state_name: '' },
  { country_code: 'FR', city: 'Paris', zipcode: '75001', state_name: '' },
  { country_code: 'US', city: 'Austin', zipcode: '78701', state_name: 'Texas' },
  { country_code: null, city: 'Nowhere', zipcode: '', state_name: '' },
];
const PRODUCTS = 6;

export class RandomCarts {
  readonly #shop: CartShop;
  readonly #random: () => number;
  readonly #zones: number[] = [];
  readonly #classes: number[] = [];
  readonly #memberships: number[] = [];
  readonly #profiles: number[] = [];
  readonly #methods: number[] = [];
  readonly #coupons: { readonly id: number; readonly code: string }[] = [];
  readonly #products: number[] = [];
  /** Paths of the values of options. */
  readonly #values: string[] = [];
  /** Paths of the variants. */
  readonly #variants: string[] = [];
  /** Lines that can be sent. */
  readonly #offers: Sent[] = [];
  #made = 0;

  private constructor(shop: CartShop, seed: number) {
    this.#shop = shop;
    this.#random = randomFrom(seed);
  }

  static async make(shop: CartShop, seed: number): Promise<RandomCarts> {
    const carts = new RandomCarts(shop, seed);
    await carts.#fill();
    return carts;
  }

  /** Compares the next cart. */
  async compare(): Promise<CalculatedCart> {
    const content = await this.#cart();
    await this.#change();
    return this.#shop.assertLikeQuote(content);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random() * all.length)]!;
  }

  #some<T>(all: readonly T[], probability: number): T[] {
    return all.filter(() => this.#chance(probability));
  }

  #amount(max: number, decimals = 2): number {
    return Math.round(this.#random() * max * 10 ** decimals) / 10 ** decimals;
  }

  async #add(path: string, body: Json): Promise<number> {
    this.#made += 1;
    return (await this.#shop.made(path, body)).id;
  }

  async #fill(): Promise<void> {
    for (const elements of [
      [{ countries: ['DE'] }],
      [{ countries: ['FR'] }, { countries: ['US'], zips: ['787*'] }],
      [],
    ])
      this.#zones.push(await this.#add('/api/zones', { name: `Zone ${this.#made}`, elements }));
    for (const name of ['Reduced', 'Shipping']) this.#classes.push(await this.#add('/api/tax_classes', { name }));
    for (const enabled of [true, true, false])
      this.#memberships.push(await this.#add('/api/memberships', { name: `M ${this.#made}`, enabled }));
    for (const membership_id of [null, ...this.#memberships])
      this.#profiles.push(
        await this.#add('/api/profiles', {
          ...{ login: `p${this.#made}@example.com`, membership_id, tax_exempt: this.#chance(0.2) },
          vat_id: this.#chance(0.3) ? 'DE136695976' : '',
        }),
      );
    for (let count = 0; count < PRODUCTS; count += 1) await this.#addProduct();
    for (let count = 0; count < 5; count += 1) await this.#addRules();
    for (let count = 0; count < 6; count += 1) await this.#addCoupon();
    for (const processor of ['offline', 'offline', 'pickup']) await this.#addMethod(processor);
  }

  async #addProduct(): Promise<void> {
    const price = 20 + this.#amount(60);
    const id = await this.#add('/api/products', {
      ...{ sku: `R-${this.#made}`, name: `Product ${this.#made}`, price, weight: this.#amount(3, 4) },
      ...{ amount: Math.floor(this.#random() * 60), inventory_traceable: this.#chance(0.5) },
      ...{ available_for_backorder: this.#chance(0.5), backorder_limit: 5, free_shipping: this.#chance(0.25) },
      ...{ taxable: this.#chance(0.85), tax_class: this.#oneOf([null, ...this.#classes]) },
      ...{ participate_sale: this.#chance(0.3), discount_type: this.#oneOf(['sale_price', 'sale_percent']) },
      ...{ sale_price_value: this.#amount(20), apply_sale_to_wholesale: this.#chance(0.5) },
      memberships: this.#chance(0.15) ? [this.#oneOf(this.#memberships)] : [],
    });
    this.#products.push(id);
    const path = `/api/products/${id}`;
    if (this.#chance(0.5))
      for (const quantity_range_begin of [2, 5])
        await this.#add(`${path}/wholesale_prices`, {
          ...{ price: this.#amount(50), quantity_range_begin, type: this.#oneOf(['price', 'percent']) },
          membership: this.#oneOf([null, null, ...this.#memberships]),
        });
    const sizes = this.#chance(0.5) ? await this.#addAttribute(path, 'Size', {}) : [];
    const colors = this.#chance(0.6) ? await this.#addAttribute(path, 'Color', { modified: true }) : [];
    const options = () => (colors.length > 0 && this.#chance(0.7) ? { options: [this.#oneOf(colors)] } : {});
    if (sizes.length === 0) {
      for (let count = 0; count < 3; count += 1) this.#offers.push({ product_id: id, amount: 1, ...options() });
      return;
    }
    for (const { value_id } of sizes) {
      const variant = await this.#add(`${path}/variants`, {
        ...{ attribute_select_values: [value_id], default_price: this.#chance(0.5), price: this.#amount(90) },
        ...{ default_weight: this.#chance(0.5), weight: this.#amount(2), default_amount: this.#chance(0.5), amount: 9 },
      });
      this.#variants.push(`${path}/variants/${variant}`);
      for (let count = 0; count < 2; count += 1) this.#offers.push({ variant, amount: 1, ...options() });
    }
  }

  async #addAttribute(path: string, name: string, { modified = false }) {
    const attribute_id = await this.#add(`${path}/attributes_select`, { name });
    const at = `${path}/attributes_select/${attribute_id}`;
    const values: { attribute_id: number; value_id: number }[] = [];
    for (const index of [0, 1, 2]) {
      const option_id = await this.#add(`${at}/options`, { value: `${name} ${index}` });
      const modifiers = {
        ...{ price_modifier: this.#amount(40) - 20, price_modifier_type: this.#oneOf(['percent', 'absolute']) },
        ...{ weight_modifier: this.#amount(2), weight_modifier_type: 'absolute', is_default: index === 0 },
      };
      const value_id = await this.#add(`${at}/values`, { option_id, ...(modified ? modifiers : {}) });
      values.push({ attribute_id, value_id });
      if (modified) this.#values.push(`${at}/values/${value_id}`);
    }
    return values;
  }

  async #addRules(): Promise<void> {
    const membership = this.#oneOf([null, null, ...this.#memberships]);
    const zone = this.#oneOf([null, ...this.#zones]);
    await this.#add('/api/tax_rates', {
      ...{
        tax: this.#oneOf(['VAT', 'CITY']),
        name: `Rate ${this.#made}`,
        zone,
        membership,
        value: this.#amount(25, 2),
      },
      ...{ tax_class: this.#oneOf([null, null, ...this.#classes]), position: Math.floor(this.#random() * 3) },
      base: this.#oneOf(['subtotal', 'discounted_subtotal', 'discounted_subtotal', 'shipping']),
    });
    await this.#add('/api/sale_discounts', {
      ...{
        name: `Sale ${this.#made}`,
        enabled: true,
        value: this.#amount(20, 2),
        apply_to_wholesale: this.#chance(0.5),
      },
      ...{ memberships: membership ? [membership] : [], specific_products: this.#chance(0.3) },
      products: this.#some(this.#products, 0.4),
    });
    await this.#add('/api/volume_discounts', {
      ...{
        type: this.#oneOf(['%', '$']),
        value: this.#amount(10),
        subtotal_range_begin: this.#amount(300),
        membership,
      },
      zones: zone ? [zone] : [],
    });
  }

  async #addCoupon(): Promise<void> {
    const code = `Random-${this.#made}`;
    const type = this.#oneOf(['%', '$', 'S']);
    const id = await this.#add('/api/coupons', {
      ...{ code, type, value: type === 'S' ? 0 : this.#amount(20), single_use: this.#chance(0.15) },
      ...{ memberships: this.#some(this.#memberships, 0.04), zones: this.#some(this.#zones, 0.1) },
      ...{ specific_products: this.#chance(0.4), products: this.#some(this.#products, 0.5) },
      ...(this.#chance(0.3) ? { total_range_begin: this.#amount(200) } : {}),
    });
    this.#coupons.push({ id, code });
  }

  async #addMethod(processor: string): Promise<void> {
    const id = await this.#add('/api/shipping_methods', {
      ...{
        name: `Method ${this.#made}`,
        processor,
        handling_fee: this.#amount(3),
        free_from: this.#oneOf([null, 150]),
      },
      ...{ tax_class: this.#oneOf([null, ...this.#classes]), free_by_coupon: this.#chance(0.7) },
      ...(processor === 'pickup' ? { pickup_address: ADDRESSES[1] } : {}),
    });
    this.#methods.push(id);
    for (const zone_id of this.#some(this.#zones, 0.8))
      await this.#add(`/api/shipping_methods/${id}/rates`, {
        ...{ zone_id, markup_flat: this.#amount(9), markup_percent: this.#amount(4), markup_per_item: this.#amount(1) },
        ...{ markup_per_weight: this.#amount(1, 4), max_weight: this.#oneOf([null, 40]) },
      });
  }

  /** A cart whose lines are valid now. */
  async #cart(): Promise<CartContent> {
    const customer = this.#oneOf([null, ...this.#profiles]);
    const sent = this.#some(this.#offers, 5 / this.#offers.length).map((offer) => ({
      ...offer,
      amount: 1 + Math.floor(this.#random() * (this.#chance(0.2) ? 40 : 4)),
    }));
    const lines: CartLine[] = [];
    for (const line of sent) {
      const [resolved] = await this.#shop.lines([line], customer);
      if (typeof resolved === 'object') lines.push({ ...resolved, id: lines.length + 1 });
    }
    const [billing_address, shipping_address] = [this.#oneOf(ADDRESSES), this.#oneOf(ADDRESSES)];
    return {
      ...EMPTY,
      ...{ lines, customer, billing_address, shipping_address },
      email: this.#oneOf(['', 'ada@example.com']),
      coupons: this.#some(this.#coupons, 0.3).map(({ code }) => code),
      shipping: this.#chance(0.7) ? { method_id: this.#oneOf(this.#methods) } : null,
    };
  }

  /** Changes the shop, so that parts of the cart can become invalid. */
  async #change(): Promise<void> {
    const product = `/api/products/${this.#oneOf(this.#products)}`;
    const changes: readonly (readonly [string, Json])[] = [
      [
        '/api/tax_settings',
        {
          ...{ prices_include_tax: this.#chance(0.5), default_zone: this.#oneOf(this.#zones) },
          ...{ shipping: this.#oneOf(['rates', 'proportional']), outside_zone: this.#oneOf(['net', 'gross']) },
          ...{ address: this.#oneOf(['shipping', 'billing']), vat_id_exempt_zone: this.#oneOf([null, ...this.#zones]) },
          rounding_target: this.#oneOf(['unit', 'line', 'total']),
        },
      ],
      [product, { enabled: this.#chance(0.8) }],
      [product, { price: 20 + this.#amount(60), memberships: this.#some(this.#memberships, 0.08) }],
      [`/api/coupons/${this.#oneOf(this.#coupons).id}`, { enabled: this.#chance(0.8) }],
      [`/api/shipping_methods/${this.#oneOf(this.#methods)}`, { enabled: this.#chance(0.8) }],
      ...(this.#values.length > 0
        ? [
            [
              this.#oneOf(this.#values),
              { price_modifier: this.#amount(100) - 70, is_default: this.#chance(0.5) },
            ] as const,
          ]
        : []),
    ];
    await this.#shop.changed(...this.#oneOf(changes));
    const index = Math.floor(this.#random() * this.#variants.length);
    if (this.#variants.length > 0 && this.#chance(0.05)) await this.#shop.deleted(this.#variants.splice(index, 1)[0]!);
  }
}
