/** The start page of the admin page: recent changes and webhooks with problems. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessibilityProblems, focused, onAdminPage, overflow, skip, tabTo } from './support/admin-page.ts';

/** A port without a server. */
const DEAD = 'http://127.0.0.1:1/hook';

onAdminPage('home on the admin page', { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }, (admin) => {
  const { store } = admin;

  test('recent changes are listed, each with a link to its record', { skip }, async () => {
    const { id, create_date } = await store.product({ name: 'Changed lamp', price: 10 });
    let update_date = create_date;
    // The API shows timestamps to the second.
    for (let price = 11; update_date === create_date; price += 1) {
      await sleep(50);
      ({ update_date } = (await store.patch(`/api/products/${id}`, { price })).json);
    }
    const order = await store.made('/api/orders', { email: 'ada@example.com', items: [{ product_id: id, amount: 1 }] });
    await admin.on('/', async ({ page }) => {
      const changes = page.getByRole('region', { name: 'Recent changes' });
      // The table of the chart for screen readers must not make the page longer.
      const end = '[...document.querySelectorAll(".MuiCard-root")].at(-1).getBoundingClientRect().bottom + scrollY';
      const excess = await page.evaluate(`document.documentElement.scrollHeight - Math.max(innerHeight, ${end})`);
      assert.ok((excess as number) < 200, `${excess} pixels below the last card`);
      const lines = (await changes.getByRole('listitem').allInnerTexts()).map((line) => line.split('\n')[0]);
      assert.deepEqual(lines.toSorted(), [`Order ${order.order_number} created`, 'Product Changed lamp updated']);
      await tabTo(page, changes.getByRole('link', { name: 'Changed lamp' }));
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/admin#/products/${id}`);
    });
    await admin.on(`/products/${id}?tab=stock`, async ({ page }) => {
      const orders = page.getByRole('group', { name: 'Recent orders with this product' });
      await orders.getByRole('row').filter({ hasText: order.order_number }).filter({ hasText: '1' }).waitFor();
      await page.getByRole('link', { name: 'All orders with this product: 1' }).click();
      await page.getByRole('link', { name: order.order_number, exact: true }).waitFor();
      assert.match(page.url(), /#\/orders\?filter=/);
    });
  });

  test('the first steps of a store include a key until a user creates one', { skip }, async () => {
    for (const kind of ['read/write', 'read-only'])
      await store.made('/api/keys', { name: `first ${kind}`, kind: kind.replace('/', '-') });
    await admin.on('/', async ({ page, go }) => {
      const steps = page.getByRole('region', { name: 'First steps' });
      await steps.getByRole('link', { name: 'Make a key for your shop' }).waitFor();
      await store.made('/api/keys', { name: 'Shop', kind: 'read-write' });
      await go('/help');
      await store.product({ name: 'Made meanwhile' });
      await go('/');
      await steps.getByText('Make a key for your shop').waitFor();
      assert.equal(await steps.getByRole('link', { name: 'Make a key' }).count(), 0);
      await page.getByRole('region', { name: 'Recent changes' }).getByText('Made meanwhile').waitFor();
    });
  });

  test('webhooks with problems are listed, each with a link to its settings', { skip }, async () => {
    const well = await store.made('/api/webhooks', { url: 'http://127.0.0.1:2/well', events: ['tag.*'] });
    const hook = await store.made('/api/webhooks', { url: DEAD, events: ['product.*'] });
    const { id: product_id } = await store.product();
    const items = [{ product_id, amount: 1 }];
    const newest = await store.made('/api/orders', { email: 'new@example.com', items });
    const past = { email: 'old@example.com', create_date: '2020-01-02T10:00:00Z', items };
    const oldest = await store.made('/api/orders', past);
    for (let tries = 0; (await store.get(`/api/webhooks/${hook.id}`)).json.status === 'ok'; tries += 1) {
      assert.ok(tries < 200, 'the webhook did not fail');
      await sleep(50);
    }
    const { page, go, close } = await admin.open({ width: 390, scheme: 'dark' });
    await page.route(/\/api\/webhooks/, (route) => route.abort());
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await go('/');
    for (const path of ['/admin/session', '/api/languages', '/api/statistics'])
      assert.equal(requested.filter((one) => one === path).length, 1, path);
    const trouble = page.getByRole('region', { name: 'Webhooks with problems' });
    await trouble.getByRole('alert').waitFor();
    await page.unroute(/\/api\/webhooks/);
    await trouble.getByRole('button', { name: 'Try again' }).click();
    await trouble.getByRole('link', { name: DEAD }).waitFor();
    await trouble.getByText('failing, retrying').waitFor();
    assert.equal(await trouble.getByText(well.url).count(), 0);
    const recent = page.getByRole('region', { name: 'Recent orders' });
    await recent.getByText('2 Jan 2020').waitFor();
    const numbers = (await recent.getByRole('listitem').allInnerTexts()).map((line) => line.split('\n')[0]);
    assert.deepEqual([numbers[0], numbers.at(-1)], [newest.order_number, oldest.order_number], 'newest first, by date');
    const sales = page.getByRole('region', { name: 'Sales' });
    await sales.getByRole('button', { name: 'Order value' }).waitFor();
    await sales.getByText('Partial refunds are not subtracted.').waitFor();
    await page
      .getByRole('region', { name: 'Today' })
      .getByText(/\d orders?, paid or not/)
      .waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.ok((await overflow(page)) <= 0);
    await trouble.getByRole('link', { name: DEAD }).click();
    const card = page.getByRole('region', { name: DEAD });
    await card.waitFor();
    await focused(card);
    await close();
  });
});
