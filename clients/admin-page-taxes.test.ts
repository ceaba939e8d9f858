/** Taxes, zones, tax settings and the price tester on the admin page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READ_ONLY_KEY } from '../test/support/store.ts';
import { accessibilityProblems, onAdminPage, overflow, saved, settled, skip } from './support/admin-page.ts';

onAdminPage('taxes on the admin page', {}, (admin) => {
  const { store } = admin;
  const list = async (path: string) => (await store.get(path)).json as Record<string, unknown>[];
  const settings = async () => (await store.get('/api/tax_settings')).json as Record<string, unknown>;

  test('a store without taxes is set up with a country, a rate and two answers', { skip }, async () => {
    await admin.on('/taxes', async ({ page }) => {
      await admin.screenshot(page, 'taxes-setup');
      const form = page.getByRole('form', { name: 'Set up taxes' });
      await form.getByRole('combobox', { name: 'Country' }).fill('germ');
      await page.keyboard.press('Enter');
      await form.getByRole('button', { name: 'Set up taxes' }).click();
      await form.getByText('Fill in this field.').waitFor();
      await form.getByRole('textbox', { name: 'Rate in %' }).fill('19');
      await form.getByText('Prices include VAT 19% in Germany.').waitFor();
      await form.getByRole('button', { name: 'Set up taxes' }).click();
      await page.getByRole('rowheader', { name: 'VAT 19%' }).waitFor();
      await page.getByRole('cell', { name: 'Germany', exact: true }).waitFor();
    });
    const [zone, ...otherZones] = await list('/api/zones');
    const [rate, ...otherRates] = await list('/api/tax_rates');
    assert.deepEqual([...otherZones, ...otherRates], []);
    assert.deepEqual(zone!.elements, [{ countries: ['DE'], states: [], zips: [], cities: [] }]);
    assert.deepEqual([rate!.name, rate!.tax, rate!.value, rate!.zone], ['VAT 19%', 'VAT', 19, zone!.id]);
    const { prices_include_tax, default_zone, shipping } = await settings();
    assert.deepEqual([prices_include_tax, default_zone, shipping], [true, zone!.id, 'proportional']);
  });

  test('a zone has parts of a country; a rejected postal code is named at its list', { skip }, async () => {
    await admin.on('/taxes/zones', async ({ page }) => {
      await page.getByRole('button', { name: 'New zone' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Germany');
      await dialog.getByRole('combobox', { name: 'Countries' }).fill('united states');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Only parts of the country' }).click();
      await dialog.getByRole('combobox', { name: 'States or regions' }).fill('Texas,');
      const zips = dialog.getByRole('combobox', { name: 'Postal codes' });
      await zips.fill('787*, 79999-75000');
      await zips.press('Enter');
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.getByText('79999-75000: The end of a range must not be below its begin.').waitFor();
      await admin.screenshot(page, 'taxes-zone');
      await zips.press('Backspace');
      await zips.fill('75000-79999,');
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.getByText('This value is already in use. Choose another.').waitFor();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Austin');
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByRole('cell', { name: /^United States \(States or regions: Texas; Postal codes: 787\*/ })
        .waitFor();
    });
    const zone = (await list('/api/zones')).find(({ name }) => name === 'Austin')!;
    assert.deepEqual(zone.elements, [
      { countries: ['US'], states: ['Texas'], zips: ['787*', '75000-79999'], cities: [] },
    ]);
  });

  test('a zone can have the European Union, or every address', { skip }, async () => {
    await admin.on('/taxes/zones', async ({ page }) => {
      await page.getByRole('button', { name: 'New zone' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Add the European Union' }).click();
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'New zone' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Everywhere');
      await dialog.getByRole('radio', { name: 'Every address' }).check();
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'Every address', exact: true }).waitFor();
    });
    const elementsOf = async (name: string) => (await list('/api/zones')).find((zone) => zone.name === name)!.elements;
    const [union, ...others] = (await elementsOf('European Union')) as { countries: string[] }[];
    assert.deepEqual([union!.countries.length, union!.countries.includes('DE'), others], [27, true, []]);
    assert.deepEqual(await elementsOf('Everywhere'), []);
  });

  test('a zone in use is not deleted, and the records that use it are linked by their names', { skip }, async () => {
    await admin.on('/taxes/zones', async ({ page }) => {
      await page.getByRole('button', { name: 'Delete: Germany' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      const alert = page.getByRole('alert').filter({ hasText: '“Germany” is in use' });
      await alert.getByRole('link', { name: 'Tax settings' }).waitFor();
      await admin.screenshot(page, 'taxes-zone-in-use');
      await alert.getByRole('link', { name: 'Tax rate: VAT 19%' }).click();
      await page.getByRole('dialog', { name: 'Edit tax rate' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
    assert.ok((await list('/api/zones')).some(({ name }) => name === 'Germany'));
  });

  test('a tax rate is created with what the store rejects at its fields, changed and deleted', { skip }, async () => {
    const { id: reduced } = await store.made('/api/tax_classes', { name: 'Reduced' });
    const rateNamed = async (name: string) => (await list('/api/tax_rates')).find((rate) => rate.name === name);
    await admin.on('/taxes/rates', async ({ page, writes }) => {
      await page.getByRole('button', { name: 'New tax rate' }).click();
      const dialog = page.getByRole('dialog');
      const save = () => dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).first().fill('VAT 7%');
      await dialog.getByRole('textbox', { name: 'Rate' }).fill('7');
      await dialog.getByRole('combobox', { name: 'Tax class' }).click();
      await page.getByRole('option', { name: 'Reduced' }).click();
      await dialog.getByRole('combobox', { name: 'Zone of the buyer' }).click();
      await page.getByRole('option', { name: 'Germany' }).click();
      await dialog.getByRole('combobox', { name: 'Kind of rate' }).click();
      await page.getByRole('option', { name: 'Amount' }).click();
      await save();
      await dialog.getByText('While prices include taxes (/tax_settings), a rate must be a percentage.').waitFor();
      await admin.screenshot(page, 'taxes-rate');
      await dialog.getByRole('combobox', { name: 'Kind of rate' }).click();
      await page.getByRole('option', { name: 'Percentage' }).click();
      await save();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'Germany · tax class “Reduced”' }).waitFor();
      assert.deepEqual((await rateNamed('VAT 7%'))!.tax_class, reduced);
      await page.getByRole('button', { name: 'Edit: VAT 7%' }).click();
      await dialog.getByRole('textbox', { name: 'Rate' }).fill('7.5');
      await save();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(writes.at(-1)!.body, { value: 7.5 });
      assert.ok(writes.at(-1)!.ifMatch);
      await page.getByRole('button', { name: 'Delete: VAT 7%' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('rowheader', { name: 'VAT 7%' }).waitFor({ state: 'detached' });
    });
    assert.equal(await rateNamed('VAT 7%'), undefined);
  });

  test('the tax settings name what is missing, and are saved', { skip }, async () => {
    await admin.on('/taxes/settings', async ({ page, writes }) => {
      await admin.screenshot(page, 'taxes-settings');
      const zone = page.getByRole('combobox', { name: 'Home zone' });
      await zone.click();
      await page.getByRole('option', { name: 'None' }).click();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Fill in this field.').waitFor();
      await zone.click();
      await page.getByRole('option', { name: 'Germany' }).click();
      await page.getByRole('combobox', { name: 'No tax for businesses in' }).click();
      await page.getByRole('option', { name: 'Austin' }).click();
      await page.getByRole('radio', { name: 'pay the same price' }).check();
      await saved(page, () => page.getByRole('button', { name: 'Save changes' }).click());
      const austin = (await list('/api/zones')).find(({ name }) => name === 'Austin')!.id;
      assert.deepEqual(writes.at(-1)!.body, { outside_zone: 'gross', vat_id_exempt_zone: austin });
    });
    assert.equal((await settings()).outside_zone, 'gross');
    await store.patch('/api/tax_settings', { outside_zone: 'net' });
  });

  test('the tester shows what a buyer pays, and why other rules are not used', { skip }, async () => {
    const { id: gold } = await store.made('/api/memberships', { name: 'Gold' });
    const product = await store.product({ name: 'Desk lamp', price: 119 });
    const at = `/api/products/${product.id}/wholesale_prices`;
    await store.made(at, { price: 100, quantity_range_begin: 10, membership: gold });
    await store.made('/api/coupons', { code: 'SPRING10', value: 10 });
    await store.made('/api/volume_discounts', { value: 5, subtotal_range_begin: 5000 });
    const { id: customer } = await store.made('/api/profiles', {
      ...{ login: 'buyer@example.com', vat_id: 'DE136695976', tax_exempt: true },
    });
    const lives = { country_code: 'US', state_name: 'Texas', zipcode: '78701', is_shipping: true };
    await store.made(`/api/profiles/${customer}/addresses`, lives);
    await admin.on(`/taxes/tester?product=${product.id}`, async ({ page, writes }) => {
      const result = page.getByRole('region', { name: 'What the buyer pays' });
      const amount = (label: string, value: string) =>
        result.locator('dl > div').filter({ hasText: label }).filter({ hasText: value }).waitFor();
      const line = (text: string | RegExp) => result.getByRole('listitem').filter({ hasText: text }).waitFor();
      await amount('Price per unit', '119.00');
      await amount('VAT 19%', '19.00');
      await amount('Without taxes (net)', '100.00');
      await line(/Regular price: .*119\.00 – used/);
      await line(
        /Wholesale price for members of “Gold” from 10 units: .*100\.00 – not used: the buyer is not one of these members/,
      );
      await line(/VAT 19% in the zone “Germany”: .*19\.00 – used/);
      await line(/Volume discount 5% for everyone from a subtotal of .*5,000\.00 – not used: the subtotal is too low/);
      await page.getByRole('combobox', { name: 'Buyer' }).click();
      await page.getByRole('option', { name: 'A member' }).click();
      await page.getByRole('combobox', { name: 'Membership' }).click();
      await page.getByRole('option', { name: 'Gold' }).click();
      await line(/from 10 units: .*100\.00 – not used: the quantity is too small/);
      await page.getByRole('textbox', { name: 'Quantity' }).fill('10');
      await amount('Price per unit', '100.00');
      await line(/From 10 units: .*100\.00 each/);
      await page.getByRole('textbox', { name: 'Coupon' }).fill('nothing');
      await page.getByText('No coupon has this code.').waitFor();
      await page.getByRole('textbox', { name: 'Coupon' }).fill('spring10');
      await line(/Coupon SPRING10 \(10%\): -.*100\.00 – used/);
      await page.getByRole('combobox', { name: 'Country' }).fill('france');
      await page.keyboard.press('Enter');
      await line(/VAT 19% in the zone “Germany” – not used: the address is not in the zone/);
      await result.getByText('The price was converted to the taxes of this buyer').waitFor();
      await admin.screenshot(page, 'taxes-tester');
      await page.getByRole('combobox', { name: 'Buyer' }).click();
      await page.getByRole('option', { name: 'A customer' }).click();
      await page.getByRole('combobox', { name: 'Customer', exact: true }).fill('buyer');
      await page.getByRole('option', { name: 'buyer@example.com' }).click();
      await page.getByRole('textbox', { name: 'State or region' }).and(page.locator('[value="Texas"]')).waitFor();
      await page.getByRole('combobox', { name: 'Country' }).fill('germany');
      await page.keyboard.press('Enter');
      await line(/VAT 19% in the zone “Germany” – not used: this buyer pays no tax/);
      await result.getByRole('link', { name: /VAT 19% in the zone/ }).waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await settled(page);
      assert.ok((await overflow(page)) <= 0);
      assert.deepEqual(await accessibilityProblems(page), []);
      await admin.screenshot(page, 'taxes-tester-390');
      assert.deepEqual(writes, []);
    });
  });

  test('a customer has a VAT ID, and can be exempt from taxes', { skip }, async () => {
    const { id } = await store.made('/api/profiles', { login: 'business@example.com' });
    await admin.on(`/profiles/${id}`, async ({ page, writes }) => {
      const field = page.getByRole('textbox', { name: 'VAT ID' });
      await field.fill('no');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      await field.fill('de 136695976');
      await page.getByRole('switch', { name: 'Pays no tax' }).check();
      await saved(page, () => page.getByRole('button', { name: 'Save changes' }).click());
      assert.deepEqual(writes.at(-1)!.body, { tax_exempt: true, vat_id: 'de 136695976' });
    });
    const { tax_exempt, vat_id } = (await store.get(`/api/profiles/${id}`)).json;
    assert.deepEqual([tax_exempt, vat_id], [true, 'DE136695976']);
  });

  test('a read-only key sees the screens without controls that change them', { skip }, async () => {
    const { on } = admin;
    await on(
      '/taxes',
      async ({ page, go }) => {
        const shows = { rates: 'VAT 19%', zones: 'European Union', settings: 'Home zone', tester: 'Buyer' };
        for (const [tab, text] of Object.entries(shows)) {
          await go(`/taxes/${tab}`);
          await page.getByText(text).first().waitFor();
          for (const name of [/^New/, /^Edit/, /^Delete/, /^Save/, /^Set up/])
            assert.equal(await page.getByRole('button', { name }).count(), 0, `${tab}: ${name}`);
        }
      },
      { key: READ_ONLY_KEY },
    );
  });
});
