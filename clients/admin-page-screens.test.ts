/** Every screen of the admin page in both color schemes and all languages. What is shown does not depend on the database. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { attachedFile } from '../test/support/attachments.ts';
import { newCart, newShopKey } from '../test/support/carts.ts';
import type { Store } from '../test/support/store.ts';
import { accessibilityProblems, animated, onAdminPage, overflow, PIXEL, settled, skip } from './support/admin-page.ts';

interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  readonly language: 'en' | 'de' | 'fr' | 'es';
}

/** Each width, each color scheme and each language. */
const LOOKS: readonly Look[] = [
  { width: 1400, scheme: 'light', language: 'en' },
  { width: 800, scheme: 'dark', language: 'es' },
  // The longest texts in the narrowest window.
  { width: 390, scheme: 'light', language: 'de' },
  { width: 390, scheme: 'dark', language: 'fr' },
];

/** Elements whose text comes from the page; names and other data may be shortened. */
const TEXTS =
  'h1, h2, h3, label, legend, th, .MuiButton-root, .MuiChip-label, .MuiTab-root, .MuiAlert-message, .MuiFormHelperText-root, .MuiSelect-select, .MuiToggleButton-root';

/** Returns texts that do not fit into their element. */
function cutTexts(page: Page): Promise<(string | null)[]> {
  return page
    .locator(TEXTS)
    .evaluateAll((elements) =>
      elements
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent),
    );
}

/** Returns texts that are cut off, what axe-core finds, and whether the page is wider than the window. */
async function problemsOf(page: Page, screen: string): Promise<string[]> {
  const found = [...(await layoutProblems(page)), ...(await accessibilityProblems(page))];
  return found.map((problem) => `${screen}: ${problem}`);
}

/** Returns the buttons of other pages that the floating button for a new record covers, at any position of the page. */
function coveredButtons(page: Page): Promise<(string | null)[]> {
  return page.locator('.MuiTablePagination-actions button').evaluateAll((buttons) => {
    const floating = document.querySelector('.RaCreateButton-floating')?.getBoundingClientRect();
    return buttons
      .filter((button) => floating && button.getBoundingClientRect().right > floating.left)
      .map((button) => button.getAttribute('aria-label'));
  });
}

async function layoutProblems(page: Page): Promise<string[]> {
  await animated(page);
  const excess = await overflow(page);
  return [
    ...(await cutTexts(page)).map((text) => `cut off: ${text}`),
    ...(await coveredButtons(page)).map((name) => `covered: ${name}`),
    ...(excess > 0 ? [`${excess} pixels too wide`] : []),
  ];
}

const PRODUCT_TABS = [
  ...['basics', 'texts', 'images', 'attachments', 'categories', 'related'],
  ...['attributes', 'variants', 'prices', 'stock', 'history'],
];
const DISCOUNTS = ['sale_discounts', 'volume_discounts', 'coupons'];
const SETTINGS = [
  ...['keys', 'store', 'webhooks', 'languages', 'attributes', 'product_tabs'],
  ...['tax_classes', 'memberships', 'statuses'],
];

/** Fills a store. @returns the address of each screen */
async function fill(store: Store): Promise<Readonly<Record<string, string>>> {
  const product = await store.product({
    name: 'Linen shirt',
    price: 59,
    tags: ['Summer'],
    images: [{ attachment: PIXEL, filename: 'a.png', alt: 'A shirt' }],
  });
  const off = await store.product({
    name: 'A product with a long name that has to be broken somewhere',
    enabled: false,
  });
  const size = await store.made('/api/attributes_select', { name: 'Size' });
  for (const value of ['S', 'M']) {
    const option = await store.made(`/api/attributes_select/${size.id}/options`, { value });
    const { id } = await store.made(`/api/products/${product.id}/attributes_select/${size.id}/values`, {
      option_id: option.id,
    });
    await store.made(`/api/products/${product.id}/variants`, { attribute_select_values: [id] });
  }
  const category = await store.made('/api/categories', { name: 'Clothes' });
  await store.post(`/api/categories/${category.id}/products`, { product_id: product.id });
  const membership = await store.made('/api/memberships', { name: 'Wholesale' });
  const at = `/api/products/${product.id}`;
  await store.made(`${at}/related_products`, { product_id: off.id });
  await store.made(
    `${at}/attachments`,
    attachedFile('size-chart.txt', Buffer.from('S M L'), { title: 'Size chart', access: `${membership.id}` }),
  );
  for (const status of [0, 1])
    await store.made(`${at}/reviews`, {
      rating: 4,
      reviewer_name: 'Ada',
      review: 'Fits.',
      response: 'Thanks.',
      status,
    });
  await store.post('/api/front_page/featured', { product_id: product.id });
  await store.post(`/api/categories/${category.id}/featured`, { product_id: off.id });
  await store.patch(`/api/categories/${category.id}`, { clean_url: 'all-clothes' });
  await store.made(`${at}/wholesale_prices`, { type: 'percent', price: 10, quantity_range_begin: 10 });
  await store.made(`${at}/wholesale_prices`, { price: 45.5, quantity_range_begin: 50, membership: membership.id });
  const period = { date_range_begin: '2030-01-01', date_range_end: '2030-02-01T12:00' };
  const discounts = {
    sale_discounts: { name: 'Winter sale', value: 20, specific_products: true, ...period },
    volume_discounts: { value: 5, subtotal_range_begin: 100, membership: membership.id },
    coupons: { code: 'SHIP-FREE', type: 'S', uses_limit: 100, categories: [category.id], products: [product.id] },
  };
  const discountPaths: string[] = [];
  for (const [kind, discount] of Object.entries(discounts))
    discountPaths.push(`/${kind}/${(await store.made(`/api/${kind}`, discount)).id}`);
  await store.made('/api/custom_product_tabs', { name: 'Delivery', brief_info: 'Fast', content: '<p>Two days</p>' });
  const order = await store.made('/api/orders', {
    ...{ email: 'ada@example.com', items: [{ product_id: off.id, amount: 3 }], notes: 'Please ring twice' },
    surcharges: [{ type: 'shipping', value: 4.9 }],
  });
  await store.made(`/api/orders/${order.id}/payment_transactions`, { type: 'sale', status: 'S', value: 10 });
  const [item] = (await store.get(`/api/orders/${order.id}`)).json.items;
  await store.made(`/api/orders/${order.id}/shipments`, {
    lines: [{ item_id: item.id, amount: 2 }],
    carrier: 'Post',
  });
  await store.made(`/api/orders/${order.id}/returns`, { lines: [{ item_id: item.id, amount: 1 }] });
  // Without an invoice that applies, the order's page warns that the store has no seller.
  const invoice = await store.made(`/api/orders/${order.id}/invoices`, {});
  await store.made(`/api/orders/${order.id}/invoices`, { kind: 'credit_note', of: invoice.id });
  const customer = await store.made('/api/profiles', {
    login: 'ada@example.com',
    pending_membership_id: membership.id,
  });
  const lives = { firstname: 'Ada', lastname: 'Lovelace', street: '12 St James Square', city: 'London' };
  await store.made(`/api/profiles/${customer.id}/addresses`, { ...lives, country_code: 'GB', is_shipping: true });
  const { id: unprinted } = await store.made('/api/orders', {
    ...{ email: 'ada@example.com', customer_id: customer.id, items: [{ product_id: off.id, amount: 1 }] },
  });
  const area = { countries: ['US'], states: ['Texas'], zips: ['787*', '75000-79999'], cities: ['Austin'] };
  const zone = await store.made('/api/zones', { name: 'Austin', elements: [area] });
  await store.patch('/api/tax_settings', { prices_include_tax: true, default_zone: zone.id });
  await store.made('/api/tax_rates', {
    ...{ tax: 'SALES_TAX', name: 'Sales tax', value: 8.25, zone: zone.id, membership: membership.id },
  });
  await store.made('/api/tax_rates', { tax: 'SALES_TAX', name: 'Sales tax of Texas', value: 6.25, zone: zone.id });
  const pickup_address = { company: 'Purveyor Ltd', street: '1 High Street', city: 'Austin', country_code: 'US' };
  const method = await store.made('/api/shipping_methods', {
    ...{ name: 'Collect from our shop', delivery_time: '2–3 days', processor: 'pickup', pickup_address },
    ...{ free_from: 50, handling_fee: 1.5 },
  });
  const rates = `/api/shipping_methods/${method.id}/rates`;
  await store.made(rates, { zone_id: zone.id, max_weight: 5, max_total: 100, markup_flat: 4.9, markup_per_item: 0.5 });
  await store.made(rates, { zone_id: zone.id, min_weight: 5, min_discounted_total: 20, markup_percent: 2 });
  await store.made('/api/keys', { name: 'Warehouse', kind: 'read-only' });
  await store.made('/api/keys', { name: 'Shop', kind: 'publishable', origins: ['https://shop.example.com'] });
  const user = await store.made('/api/users', { email: 'grace@example.com', name: 'Grace Hopper', role_ids: [3, 4] });
  await store.made('/api/roles', { name: 'Pickers', scopes: ['orders:write'], masks: ['Order.email'] });
  await store.made('/api/webhooks', { url: 'https://example.com/hook', events: ['*'], enabled: false });
  const [variant] = (await store.get(`${at}/variants`)).json;
  const cart = await newCart(store, await newShopKey(store), {
    ...{ email: 'ada@example.com', notes: 'Please wrap it' },
    lines: [{ product_id: product.id, variant: variant.id, amount: 2 }],
    ...{ shipping_address: { ...lives, country_code: 'GB' }, coupons: ['SHIP-FREE'] },
  });
  return {
    home: '/',
    products: '/products',
    'new-product': '/products/create',
    ...Object.fromEntries(PRODUCT_TABS.map((tab) => [`product-${tab}`, `/products/${product.id}?tab=${tab}`])),
    orders: '/orders',
    'new-order': '/orders/create',
    print: `/print?orders=${order.id},${unprinted}`,
    help: '/help/orders',
    order: `/orders/${order.id}/show`,
    carts: '/carts',
    cart: `/carts?cart=${cart.id}`,
    customers: '/profiles',
    'new-customer': '/profiles/create',
    customer: `/profiles/${customer.id}`,
    guests: '/guests?email=ada@example.com',
    ...Object.fromEntries(DISCOUNTS.map((kind) => [kind, `/${kind}`])),
    ...Object.fromEntries(DISCOUNTS.map((kind) => [`new-${kind}`, `/${kind}/create`])),
    ...Object.fromEntries(DISCOUNTS.map((kind, at) => [`one-${kind}`, discountPaths[at]!])),
    categories: `/categories/${category.id}`,
    'front-page': '/front-page',
    reviews: '/reviews',
    taxes: '/taxes',
    zones: '/taxes/zones',
    'tax-settings': '/taxes/settings',
    shipping: '/shipping',
    'shipping-method': `/shipping/${method.id}`,
    mails: '/mails',
    'mail-templates': '/mails/templates',
    'price-tester': `/taxes/tester?product=${product.id}`,
    staff: '/staff',
    'staff-user': `/staff/users/${user.id}`,
    'staff-roles': '/staff/roles',
    activity: '/activity',
    ...Object.fromEntries(SETTINGS.map((part) => [`settings-${part}`, `/settings/${part}`])),
  };
}

/** Buttons that open a dialog: the key of the button's text, its name in that text, and the screen. */
const DIALOGS = [
  ...[
    'orders.action.ship',
    'orders.action.return',
    'orders.action.refund',
    'orders.action.edit',
    'orders.editContact',
  ].map((key) => [key, '', 'order'] as const),
  ['taxes.new', '', 'taxes'],
  ['staff.invite', '', 'staff'],
  ['staff.newRole', '', 'staff-roles'],
  ['zones.new', '', 'zones'],
  ['shipping.new', '', 'shipping'],
  ['button.edit', '', 'shipping-method'],
  ['shipping.newRate', '', 'shipping-method'],
  ['settings.newKey', '', 'settings-keys'],
  ['webhooks.new', '', 'settings-webhooks'],
  ['productTabs.new', '', 'settings-product_tabs'],
  ['attachments.add', '', 'product-attachments'],
  ['images.library', '', 'product-images'],
  ['images.cropOf', 'A shirt', 'product-images'],
] as const;

function textIn(language: string, key: string, name: string): string {
  const file = new URL(`../admin/src/i18n/${language}.json`, import.meta.url);
  const text = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[key]!;
  return text.replace('%{name}', name);
}

onAdminPage('screens of the admin page', {}, (admin) => {
  let screens: Readonly<Record<string, string>>;
  before(async () => {
    if (!skip) screens = await fill(admin.store);
  });

  for (const { width, scheme, language } of LOOKS)
    test(`every screen passes axe-core and shows whole texts at ${width} px, ${scheme}, in ${language}`, {
      skip,
    }, async (context) => {
      const { page, go, close } = await admin.open({ width, scheme, locale: language });
      const problems: string[] = [];
      for (const [name, hash] of Object.entries(screens)) {
        await go(hash);
        await admin.screenshot(page, `${name}-${width}-${scheme}-${language}`);
        problems.push(...(await problemsOf(page, name)));
      }
      for (const [key, name, screen] of DIALOGS) {
        await go(screens[screen]!);
        await page.getByRole('button', { name: textIn(language, key, name), exact: true }).click();
        await page.getByRole('dialog').waitFor();
        await admin.screenshot(page, `dialog-${key}-${width}-${scheme}-${language}`);
        problems.push(...(await problemsOf(page, `dialog ${key}`)));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await settled(page);
      await close();
      for (const problem of problems) context.diagnostic(problem);
      assert.deepEqual(problems, []);
    });

  test('on a phone the menus keep their accessible names', { skip }, async () => {
    const { page, go, close } = await admin.open({ width: 390 });
    await go('/');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).waitFor();
    await close();
  });
});
