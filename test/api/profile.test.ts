/** Customers and their address books (profiles.md §1, §2): unique logins, and passwords that no response contains. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { dumpTables } from '../support/dump.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { onEachDatabase, onOneDatabase, READ_ONLY_KEY, REAL_PASSWORD_HASHES, Store } from '../support/store.ts';

const PROFILES = '/api/profiles';

onEachDatabase('profiles', {}, (store) => {
  test('are created, read, replaced, updated and deleted', async () => {
    const made = await store.post(PROFILES, { login: 'ada@example.com' });
    assert.equal(made.status, 201, made.text);
    const { id, create_date } = made.json;
    const profile = whole('Profile', { id, login: 'ada@example.com', create_date });
    assert.deepEqual(Object.keys(made.json), outputNames('Profile'));
    assert.deepEqual(made.json, profile);
    assert.equal(made.headers.location, `${store.address}${PROFILES}/${id}`);
    const one = `${PROFILES}/${id}`;
    const { id: membership_id } = await store.made('/api/memberships', { name: 'Wholesale' });
    const changes = {
      ...{ status: 'D', status_comment: 'Asked to', referer: 'https://example.com/', language: 'pt-BR' },
      ...{ membership_id, pending_membership_id: membership_id, force_change_password: true },
    };
    const changed = await store.patch(one, changes);
    assert.deepEqual(changed.json, { ...profile, ...changes });
    const back = await store.put(one, changed.json);
    assert.deepEqual([back.text, back.headers.etag], [changed.text, changed.headers.etag]);
    assert.deepEqual((await store.get(one)).text, changed.text);
    await store.delete(`/api/memberships/${membership_id}`);
    const unlinked = { ...profile, ...changes, membership_id: null, pending_membership_id: null };
    assert.deepEqual((await store.get(one)).json, unlinked);
    assert.deepEqual((await store.put(one, { login: 'ada@example.com' })).json, profile);
    assert.equal((await store.delete(one)).status, 204);
    for (const path of [one, `${one}/addresses`, `${one}/addresses/1`]) assertProblem(await store.get(path), 404);
  });

  test('show the name in the billing address, else in the first address with a name', async () => {
    const { id } = await store.made(PROFILES, { login: 'named@example.com' });
    const one = `${PROFILES}/${id}`;
    const nameAt = async (path: string): Promise<string> => (await store.get(path)).json.display_name;
    assert.equal(await nameAt(one), '');
    const addresses = [
      { city: 'London' },
      { company: 'Engine Ltd' },
      { firstname: 'Ada', lastname: 'Lovelace', company: 'Engine Ltd' },
      { is_billing: true, street: '12 St James Square' },
      { is_billing: true, lastname: 'King' },
    ];
    const names = ['', 'Engine Ltd', 'Engine Ltd', 'Engine Ltd', 'King'];
    for (const [index, address] of addresses.entries()) {
      const before = await store.get(one);
      await store.made(`${one}/addresses`, address);
      assert.equal(await nameAt(one), names[index]);
      assert.notEqual((await store.get(one)).headers.etag, before.headers.etag);
    }
    const { json } = await store.get(`${PROFILES}?login=named@example.com&fields=id,display_name`);
    assert.deepEqual(json, [{ id, display_name: 'King' }]);
    const whole = await store.get(one);
    assert.equal((await store.put(one, whole.json)).text, whole.text, 'output can be sent back');
    assertViolations(await store.patch(one, { display_name: 'Other' }), ['display_name', 'read_only']);
    const addressId = (await store.get(`${one}/addresses`)).json.at(-1).id;
    await store.delete(`${one}/addresses/${addressId}`);
    assert.equal(await nameAt(one), 'Engine Ltd');
  });

  test('have a VAT id in its plain form, whose form and check digits are right', async () => {
    const made = await store.made(PROFILES, { login: 'vat@example.com', vat_id: ' de 136.695-976 ' });
    assert.deepEqual([made.tax_exempt, made.vat_id], [false, 'DE136695976']);
    const one = `${PROFILES}/${made.id}`;
    assert.equal(
      (await store.patch(one, { vat_id: 'DE 136695976' })).headers.etag,
      (await store.get(one)).headers.etag,
    );
    for (const vat_id of [
      'FR40303265045',
      'ATU13585627',
      'NL004495445B01',
      'EL094259216',
      'IE6433435OA',
      'XI980780684',
    ])
      assert.equal((await store.patch(one, { vat_id })).json.vat_id, vat_id);
    const wrong = ['DE136695975', 'DE13669597', '136695976', 'XX136695976', 'DE', 'DE136695976X', 'äöü'];
    for (const vat_id of wrong) assertViolations(await store.patch(one, { vat_id }), ['vat_id', 'format']);
    assertViolations(await store.patch(one, { vat_id: 'x'.repeat(33) }), ['vat_id', 'too_long']);
    assertViolations(
      await store.patch(one, { vat_id: null, tax_exempt: 1 }),
      ['vat_id', 'null'],
      ['tax_exempt', 'type'],
    );
    await store.patch(one, { tax_exempt: true });
    // A PUT of an older client does not know the fields.
    const replaced = await store.put(one, { login: 'vat@example.com' });
    assert.deepEqual([replaced.json.tax_exempt, replaced.json.vat_id], [true, 'XI980780684']);
    assert.equal((await store.patch(one, { vat_id: '' })).json.vat_id, '');
  });

  test('leave no VAT id behind after erasure', async () => {
    const { id } = await store.made(PROFILES, { login: 'forgotten@example.com', vat_id: 'DK13585628' });
    const exported = await store.get(`${PROFILES}/${id}/export`);
    assert.equal(exported.json.records[0].record.vat_id, 'DK13585628');
    assert.ok((await store.rows()).some((row) => row.includes('DK13585628')));
    assert.equal((await store.post(`${PROFILES}/${id}/erase`, {})).status, 200);
    assert.ok(!(await store.rows()).some((row) => row.includes('DK13585628')));
  });

  test('have a unique login, regardless of case', async () => {
    const { id } = await store.made(PROFILES, { login: 'Grace@Example.com' });
    const other = await store.made(PROFILES, { login: 'hopper@example.com' });
    for (const login of ['Grace@Example.com', 'grace@example.com', 'GRACE@EXAMPLE.COM']) {
      assertViolations(await store.post(PROFILES, { login }), ['login', 'not_unique']);
      assertViolations(await store.patch(`${PROFILES}/${other.id}`, { login }), ['login', 'not_unique']);
    }
    assert.equal((await store.patch(`${PROFILES}/${id}`, { login: 'grace@example.com' })).status, 200);
    const forms = ['race@example.com', 'Race@example.com', 'RACE@example.com', 'race@EXAMPLE.com'];
    const responses = await Promise.all(forms.map((login) => store.post(PROFILES, { login })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422, 422, 422]);
  });

  test('are filtered and sorted', async () => {
    const { id: membership_id } = await store.made('/api/memberships', { name: 'Found' });
    const one = await store.made(PROFILES, { login: 'Finder@example.net', membership_id, status: 'D' });
    const two = await store.made(PROFILES, { login: 'keeper@example.net', pending_membership_id: membership_id });
    const found = async (query: string) =>
      (await store.get(`${PROFILES}?${query}`)).json.map(({ id }: { id: number }) => id);
    assert.deepEqual(await found('login=INDER@EXAMPLE.N'), [one.id]);
    assert.deepEqual(await found('login=@example.net&order[login]=desc'), [two.id, one.id]);
    assert.deepEqual(await found('login=@example.net&status=D'), [one.id]);
    assert.deepEqual(await found(`membership_id=${membership_id}`), [one.id]);
    assert.deepEqual(await found(`pending_membership_id=${membership_id}`), [two.id]);
    assert.deepEqual(await found(`id[]=${one.id}&id[]=${two.id}`), [one.id, two.id]);
    assert.deepEqual(await found('login=@example.net&create_date[before]=2000-01-01'), []);
    assert.deepEqual(await found('login=@example.net&last_login_date[after]=2000-01-01'), []);
    assert.deepEqual(await found('login=@example.net&first_login_date[before]=2100-01-01'), []);
  });

  test('are found by login or by the name in one of their addresses', async () => {
    const people = ['augusta@example.org', 'byron@example.org', 'other@example.org'];
    const ids: number[] = [];
    for (const login of people) ids.push((await store.made(PROFILES, { login })).id);
    const [augusta, byron, other] = ids;
    await store.made(`${PROFILES}/${augusta}/addresses`, { firstname: 'Augusta Ada', lastname: 'Lovelace' });
    await store.made(`${PROFILES}/${augusta}/addresses`, { firstname: 'Zoë', lastname: 'Größe_%' });
    await store.made(`${PROFILES}/${byron}/addresses`, { firstname: 'Lord', lastname: 'Byron' });
    const found = async (value: string) =>
      (await store.get(`${PROFILES}?searchFakeField=${encodeURIComponent(value)}`)).json
        .map(({ id }: { id: number }) => id)
        .filter((id: number) => ids.includes(id));
    assert.deepEqual(await found('ADA LOVE'), [augusta]);
    assert.deepEqual(await found('lovelace augusta'), [augusta]);
    assert.deepEqual(await found('zoe gro'), [augusta]);
    assert.deepEqual(await found('größe_%'), [augusta]);
    assert.deepEqual(await found('e_%x'), []);
    // First and last name of different addresses do not match together.
    assert.deepEqual(await found('zoe lovelace'), []);
    assert.deepEqual(await found('byron'), [byron]);
    assert.deepEqual(await found('other@EXAMPLE'), [other]);
    const list = await store.get(`${PROFILES}?searchFakeField[]=lord&searchFakeField[]=other@&order[id]=desc`);
    assert.deepEqual(
      list.json.map(({ id }: { id: number }) => id),
      [other, byron],
    );
    await store.delete(`${PROFILES}/${byron}`);
    assert.deepEqual(await found('byron'), []);
    const { json } = await store.get(`${PROFILES}?login=augusta&added[after]=2020-01-01&added[before]=2999-01-01`);
    assert.deepEqual(
      json.map(({ id }: { id: number }) => id),
      [augusta],
    );
    assert.deepEqual((await store.get(`${PROFILES}?login=augusta&first_login[after]=2020-01-01`)).json, []);
    assert.deepEqual((await store.get(`${PROFILES}?login=augusta&first_login=2020-01-01`)).json, []);
  });

  test('have addresses with the fields of order addresses', async () => {
    const { id } = await store.made(PROFILES, { login: 'home@example.com' });
    const path = `${PROFILES}/${id}/addresses`;
    const input = {
      ...{ is_billing: true, firstname: 'Ada', street: '12 St James Square', zipcode: 'SW1Y 4JH' },
      ...{ country_code: 'GB', state: 0, custom_fields: [{ name: 'Floor', value: '3' }] },
    };
    const made = await store.made(path, input);
    assert.deepEqual(made, whole('ProfileAddress', { id: made.id, ...input, state: null }));
    const order = await store.made('/api/orders', {
      email: 'home@example.com',
      billing_address: input,
      items: [{ product_id: (await store.product()).id, amount: 1 }],
    });
    const { id: _, ...members } = made;
    assert.deepEqual(members, order.billing_address);
    const version = async () => (await store.get(`${PROFILES}/${id}`)).headers.etag;
    const earlier = await version();
    assert.equal((await store.patch(`${path}/${made.id}`, { city: 'London' })).json.city, 'London');
    assert.notEqual(await version(), earlier);
    assertViolations(
      await store.post(path, { country_code: 'gb', zipcode: 'z'.repeat(33) }),
      ['country_code', 'format'],
      ['zipcode', 'too_long'],
    );
    const { id: other } = await store.made(PROFILES, { login: 'other@example.com' });
    assertProblem(await store.get(`${PROFILES}/${other}/addresses/${made.id}`), 404);
    assert.deepEqual((await store.get(`${PROFILES}/${other}/addresses`)).json, []);
    assert.equal((await store.delete(`${path}/${made.id}`)).status, 204);
    assert.deepEqual((await store.get(path)).json, []);
    for (const unknown of [`${PROFILES}/4711/addresses`, `${PROFILES}/x/addresses`])
      for (const method of ['GET', 'POST']) assertProblem(await store.request(method, unknown, { body: {} }), 404);
  });
});

onEachDatabase('customer of an order', {}, (store) => {
  test('is a profile, and null after its deletion', async () => {
    const { id: customer } = await store.made(PROFILES, { login: 'buyer@example.com' });
    const { id: product } = await store.product();
    const order = { email: 'buyer@example.com', items: [{ product_id: product, amount: 1 }] };
    const placed = await store.made('/api/orders', { ...order, customer_id: customer });
    assert.deepEqual([placed.customer_id, placed.order_profile_id], [customer, null]);
    assertViolations(await store.post('/api/orders', { ...order, customer_id: 4711 }), ['customer_id', 'unknown_link']);
    assert.equal((await store.made('/api/orders', { ...order, customer_id: 0 })).customer_id, null);
    const found = async () => (await store.get(`/api/orders?customer_id=${customer}`)).json.length;
    assert.equal(await found(), 1);
    const read = await store.get(`/api/orders/${placed.id}`);
    assert.equal((await store.patch(`/api/orders/${placed.id}`, read.json)).headers.etag, read.headers.etag);
    assert.equal((await store.delete(`${PROFILES}/${customer}`)).status, 204);
    assert.equal((await store.get(`/api/orders/${placed.id}`)).json.customer_id, null);
    assert.equal(await found(), 0);
  });

  test('of a past order is null if unknown', async () => {
    const { id: customer } = await store.made(PROFILES, { login: 'past@example.com' });
    await store.product({ sku: 'PAST' });
    const line = { order_number: 'W-1', email: 'a@example.com', items: [{ sku: 'PAST', amount: 1 }] };
    for (const [customer_id, result] of [
      [customer, 'created'],
      [4711, 'unchanged'],
      [null, 'unchanged'],
    ] as const) {
      const body = `${JSON.stringify({ ...line, customer_id })}\n`;
      const headers = { 'content-type': 'application/x-ndjson' };
      const response = await store.request('POST', '/api/orders/bulk?past', { body, headers });
      assert.equal(JSON.parse(response.text.split('\n')[0]!).result, result, response.text);
    }
    assert.equal((await store.get('/api/orders/by_number/W-1')).json.customer_id, null);
  });
});

onOneDatabase('bodies of profiles', {}, (store) => {
  for (const [body, ...violations] of [
    [{}, ['login', 'required']],
    [{ login: 'a@b' }, ['login', 'too_short']],
    [{ login: `${'a'.repeat(117)}@example.com` }, ['login', 'too_long']],
    [{ login: 'no address' }, ['login', 'format']],
    [{ login: 'b@example.com', access_level: 100 }, ['access_level', 'choice', /API key/]],
    [{ login: 'b@example.com', access_level: 5 }, ['access_level', 'choice']],
    [{ login: 'b@example.com', access_level: 101 }, ['access_level', 'range']],
    [{ login: 'b@example.com', status: 'X' }, ['status', 'choice']],
    [{ login: 'b@example.com', language: 'German' }, ['language', 'format']],
    [{ login: 'b@example.com', membership_id: 4711 }, ['membership_id', 'unknown_link']],
    [{ login: 'b@example.com', role_ids: [1] }, ['role_ids', 'read_only']],
    [{ login: 'b@example.com', password: '1234567' }, ['password', 'too_short']],
    [{ login: 'b@example.com', password: 'x'.repeat(129) }, ['password', 'too_long']],
    [{ login: 'b@example.com', password: 12345678 }, ['password', 'type']],
    [{ login: 'b@example.com', password: 'half \ud800 pair' }, ['password', 'format']],
  ] as const)
    test(`reject ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const response = await store.post(PROFILES, body);
      assertViolations(response, ...violations);
      const { password } = body as { password?: unknown };
      if (typeof password === 'string') assert.ok(!response.text.includes(password));
    });

  test('accept 0 and null for absent links', async () => {
    const login = 'none@example.com';
    const made = await store.made(PROFILES, { login, membership_id: 0, access_level: 0, role_ids: [], password: null });
    assert.deepEqual([made.membership_id, made.role_ids], [null, []]);
    assert.equal((await store.request('GET', PROFILES, { key: READ_ONLY_KEY })).status, 200);
  });
});

for (const name of databaseNames)
  describe(`passwords (${name})`, () => {
    let store: Store;
    let url: string;
    let remove: () => Promise<void>;
    before(async () => {
      const fresh = await freshDatabase(name, 'migrated');
      ({ url, remove } = fresh);
      store = new Store(name, { DATABASE_URL: url, ...REAL_PASSWORD_HASHES });
      await store.start();
    });
    after(async () => {
      await store.stop();
      await remove();
    });

    test('are stored as a hash only', async () => {
      const secret = 'sesame-open-now';
      const headers = { 'idempotency-key': 'a-profile' };
      const body = { login: 'secret@example.com', password: secret };
      const made = await store.post(PROFILES, body, headers);
      assert.equal(made.status, 201, made.text);
      assert.ok(!('password' in made.json));
      const again = await store.post(PROFILES, body, headers);
      assert.deepEqual([again.headers['idempotency-replayed'], again.text], ['true', made.text]);
      assertProblem(await store.post(PROFILES, { ...body, password: `${secret}!` }, headers), 422);
      const one = `${PROFILES}/${made.json.id}`;
      const stored = await hashOf();
      assert.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$/);
      // A PUT of the output does not change the password.
      assert.equal((await store.put(one, made.json)).status, 200);
      assert.equal(await hashOf(), stored);
      assert.equal((await store.patch(one, { password: secret })).status, 200);
      assert.notEqual(await hashOf(), stored, 'the same password gets another salt');
      const sent = { login: body.login, password: secret };
      assert.equal((await store.post(`${PROFILES}/check_password`, sent)).status, 200);
      const lines = await store.get(PROFILES, { accept: 'application/x-ndjson' });
      const changes = await store.get('/api/changes');
      for (const text of [await dumpTables(url), lines.text, changes.text]) {
        assert.match(text, /secret@example|profiles/);
        assert.ok(!text.includes(secret));
      }
      assert.ok(!lines.text.includes('scrypt'));
      // A reader of the tables cannot test passwords against a fast hash of the request.
      assert.match(await dumpTables(url), /"fingerprint":"s:/);
      assert.equal((await store.patch(one, { password: null })).status, 200);
      assert.equal(await hashOf(), null);

      async function hashOf(): Promise<string> {
        const line = (await dumpTables(url)).split('\n').find((row) => row.startsWith('profile {'))!;
        return JSON.parse(line.slice('profile '.length)).password;
      }
    });
  });

onEachDatabase('password check', { FAILED_LOGINS_PER_MINUTE: '3' }, (store) => {
  const check = (login: string, password: string, headers = {}) =>
    store.post(`${PROFILES}/check_password`, { login, password }, headers);

  test('finds the login in any case and records it in the profile', async () => {
    const made = await store.post(PROFILES, { login: 'Ada@example.com', password: 'correct horse' });
    const one = `${PROFILES}/${made.json.id}`;
    const right = await check('ada@EXAMPLE.com', 'correct horse');
    assert.equal(right.status, 200, right.text);
    const { first_login_date, last_login_date } = right.json;
    assert.ok(first_login_date);
    assert.deepEqual(right.json, { ...made.json, first_login_date, last_login_date: first_login_date });
    assert.equal(last_login_date, first_login_date);
    const read = await store.get(one);
    assert.deepEqual([read.text, read.headers.etag], [right.text, right.headers.etag]);
    const version = (etag: unknown) => String(etag).split('-')[0];
    assert.equal(version(read.headers.etag), version(made.headers.etag), 'a login does not change the version');
    assert.equal((await store.get('/api/changes')).json.filter(({ path }: { path: string }) => path === one).length, 1);
    assert.equal((await check('Ada@example.com', 'correct horse')).json.first_login_date, first_login_date);
    // Unicode has two encodings of é.
    await store.patch(one, { password: 'caf\u00e9 au lait' });
    assert.equal((await check('ada@example.com', 'cafe\u0301 au lait')).status, 200);
  });

  test('returns the same error for every reason, three times per minute', async () => {
    const wrong = ['password', 'conflict', /does not match this login/] as const;
    await store.made(PROFILES, { login: 'grace@example.com', password: 'correct horse' });
    await store.made(PROFILES, { login: 'off@example.com', password: 'correct horse', status: 'D' });
    const responses = await Promise.all([
      check('Grace@example.com', 'wrong horse'),
      check('off@example.com', 'correct horse'),
      check('nobody@example.com', 'correct horse'),
    ]);
    for (const response of responses) assertViolations(response, wrong);
    assert.equal(new Set(responses.map(({ json }) => JSON.stringify(json.violations))).size, 1);
    const late = await check('grace@example.com', 'correct horse');
    assertProblem(late, 429, /Too many wrong attempts/);
    assert.ok(Number(late.headers['retry-after']) > 0);
    const { first_login_date } = (await store.get(`${PROFILES}?login=grace@example.com`)).json[0];
    assert.equal(first_login_date, null);
  });

  test('requires a valid body and a write key', async () => {
    const path = `${PROFILES}/check_password`;
    assertViolations(await store.post(path, {}), ['login', 'required'], ['password', 'required']);
    assertViolations(await store.post(path, { login: 'x@example.com', password: null }), ['password', 'null']);
    const body = { login: 'ada@example.com', password: 'correct horse' };
    assertProblem(await store.request('POST', path, { body, key: READ_ONLY_KEY }), 403);
    assertProblem(await store.request('GET', path), 405);
    assertProblem(await store.post(path, body, { 'if-match': '*' }), 400);
  });
});

/** Fast hashes would be processed sequentially. Checks that wait must not occupy the slots of those that run. */
const FEW_SLOTS = { FAILED_LOGINS_PER_MINUTE: '3', WRITES_AT_ONCE_MAX: '2', ...REAL_PASSWORD_HASHES };

onEachDatabase('concurrent password checks', FEW_SLOTS, (store) => {
  test('succeed for any number of correct passwords', async () => {
    const login = 'many@example.com';
    const check = () => store.post(`${PROFILES}/check_password`, { login, password: 'correct horse' });
    await store.made(PROFILES, { login, password: 'correct horse' });
    const responses = await Promise.all(Array.from({ length: 8 }, check));
    assert.deepEqual(
      responses.map(({ status }) => status),
      Array(8).fill(200),
    );
    assert.equal((await check()).status, 200);
  });
});

onOneDatabase(
  'limit of wrong passwords per login',
  { FAILED_LOGINS_PER_MINUTE: '2', TRUST_PROXY: '127.0.0.1' },
  (store) => {
    test('counts wrong passwords from all addresses and no correct ones', async () => {
      const from = (last: number) => ({ 'x-forwarded-for': `192.0.2.${last}` });
      const login = 'guessed@example.com';
      const check = (password: string, address: number) =>
        store.post(`${PROFILES}/check_password`, { login, password }, from(address));
      await store.made(PROFILES, { login, password: 'correct horse' });
      for (const address of [1, 1, 1]) assert.equal((await check('correct horse', address)).status, 200);
      assertProblem(await check('wrong horse', 2), 422);
      assertProblem(await check('wrong horse', 3), 422);
      assertProblem(await check('wrong horse', 4), 429);
      const other = await store.post(
        `${PROFILES}/check_password`,
        { login: 'b@example.com', password: 'wrong horse' },
        from(4),
      );
      assertProblem(other, 422);
    });

    test('applies to concurrent requests', async () => {
      const check = (password: string, address: number) =>
        store.post(
          `${PROFILES}/check_password`,
          { login: 'many@example.com', password },
          { 'x-forwarded-for': `203.0.113.${address}` },
        );
      const responses = await Promise.all(Array.from({ length: 9 }, (_, index) => check('wrong horse', index)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [422, 422, ...Array(7).fill(429)]);
    });

    test('does not count requests of a blocked address', async () => {
      const check = (login: string, password: string, address: number) =>
        store.post(`${PROFILES}/check_password`, { login, password }, { 'x-forwarded-for': `198.51.100.${address}` });
      const login = 'victim@example.com';
      await store.made(PROFILES, { login, password: 'correct horse' });
      for (const nobody of ['n1@example.com', 'n2@example.com'])
        assertProblem(await check(nobody, 'wrong horse', 1), 422);
      for (let attempt = 0; attempt < 3; attempt += 1) assertProblem(await check(login, 'wrong horse', 1), 429);
      assert.equal((await check(login, 'correct horse', 2)).status, 200);
    });
  },
);
