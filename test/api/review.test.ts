/** Reviews of products (catalog.md §13): dates of responses, counts and averages, erasure. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { outputNames } from '../support/fields.ts';
import { onEachDatabase } from '../support/store.ts';

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const OLD = '2020-01-01T00:00:00+00:00';

onEachDatabase('reviews', {}, (store) => {
  let product: { id: number };
  let path: string;
  const reviewed = (fields: object = {}, at = path) =>
    store.made(at, { rating: 5, reviewer_name: 'Ada', review: 'Good', ...fields });
  before(async () => {
    product = await store.product();
    path = `/api/products/${product.id}/reviews`;
  });

  test('are created with their defaults, read, replaced, updated and deleted', async () => {
    const made = await store.post(path, { rating: 4, reviewer_name: 'Ada' });
    assert.equal(made.status, 201, made.text);
    const { id, addition_date, ...fields } = made.json;
    assert.deepEqual(Object.keys(made.json), outputNames('Review'));
    assert.match(addition_date, DATE);
    assert.deepEqual(fields, {
      ...{ rating: 4, reviewer_name: 'Ada', review: '', response: null, response_date: null },
      ...{ profile: null, respondent: null, status: 1, use_for_meta: false, product_id: product.id },
    });
    const one = `${path}/${id}`;
    assert.equal(made.headers.location, `${store.address}${one}`);
    const back = await store.put(one, made.json);
    assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
    assert.equal((await store.patch(one, { addition_date: '2020-01-01' })).json.addition_date, OLD);
    const replaced = await store.put(one, { rating: 1, reviewer_name: 'Grace', status: 0 });
    assert.deepEqual(replaced.json, { ...made.json, rating: 1, reviewer_name: 'Grace', status: 0, addition_date: OLD });
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(one), 404);
    assertProblem(await store.get('/api/products/999999/reviews'), 400);
  });

  test('reject invalid values at their fields', async () => {
    assertViolations(await store.post(path, {}), ['rating', 'required'], ['reviewer_name', 'required']);
    const invalid = {
      ...{ rating: 6, reviewer_name: ' ', review: 'x'.repeat(10_001), response: 'x'.repeat(10_001), status: 2 },
      ...{ addition_date: null, profile: 999_999, respondent: 999_999, use_for_meta: 1 },
    };
    assertViolations(
      await store.post(path, invalid),
      ...(['rating', 'status'] as const).map((name) => [name, 'range'] as const),
      ['reviewer_name', 'blank'],
      ...(['review', 'response'] as const).map((name) => [name, 'too_long'] as const),
      ['addition_date', 'null'],
      ...(['profile', 'respondent'] as const).map((name) => [name, 'unknown_link'] as const),
      ['use_for_meta', 'type'],
    );
    const { id } = await reviewed();
    assertViolations(await store.put(`${path}/${id}`, { reviewer_name: 'Ada' }), ['rating', 'required']);
    assertViolations(await store.post(path, { rating: 0, reviewer_name: 'Ada' }), ['rating', 'range']);
  });

  test('have a date of the response exactly while they have a response', async () => {
    const one = `${path}/${(await reviewed()).id}`;
    const dateAfter = async (change: object) => (await store.patch(one, change)).json.response_date;
    assertViolations(await store.patch(one, { response_date: OLD }), ['response_date', 'conflict']);
    assert.match(await dateAfter({ response: 'Thank you' }), DATE);
    assert.equal(await dateAfter({ response_date: OLD }), OLD);
    assert.equal(await dateAfter({ response: 'Thank you very much' }), OLD);
    const whole = (await store.get(one)).json;
    assert.equal((await store.put(one, whole)).json.response_date, OLD);
    const { response_date: _, ...others } = whole;
    assert.equal((await store.put(one, { ...others, response: 'Thanks' })).json.response_date, OLD);
    assertViolations(await store.patch(one, { response_date: null }), ['response_date', 'conflict']);
    assertViolations(await store.patch(one, { response: null, response_date: OLD }), ['response_date', 'conflict']);
    assert.equal(await dateAfter({ response: null }), null);
    assert.match(await dateAfter({ response: 'Again', response_date: null }), DATE);
    assert.equal((await store.put(one, { rating: 1, reviewer_name: 'Ada' })).json.response_date, null);
    const made = await reviewed({ response: 'Thanks', response_date: OLD });
    assert.equal(made.response_date, OLD);
  });

  test('are listed by descending date, filtered and sorted, also those of all products', async () => {
    const other = await store.product();
    const at = `/api/products/${other.id}/reviews`;
    const profile = (await store.made('/api/profiles', { login: 'reviewer@example.com' })).id;
    const first = await reviewed({ rating: 3, addition_date: '2021-01-01' }, at);
    const second = await reviewed({ rating: 5, addition_date: '2023-01-01', status: 0 }, at);
    const third = await reviewed({ rating: 4, addition_date: '2021-01-01', profile }, at);
    const idsAt = async (url: string) => (await store.get(url)).json.map(({ id }: { id: number }) => id);
    assert.deepEqual(await idsAt(at), [second.id, first.id, third.id]);
    assert.deepEqual(await idsAt(`${at}?order[rating]=asc`), [first.id, third.id, second.id]);
    assert.deepEqual(await idsAt(`${at}?order[addition_date]=asc`), [first.id, third.id, second.id]);
    assert.deepEqual(await idsAt(`${at}?order[id]=desc`), [third.id, second.id, first.id]);
    assert.deepEqual(await idsAt(`${at}?rating[gte]=4&status=1`), [third.id]);
    assert.deepEqual(await idsAt(`${at}?profile=${profile}`), [third.id]);
    assert.deepEqual(await idsAt(`${at}?addition_date[after]=2022-01-01`), [second.id]);
    assert.deepEqual(await idsAt(`${at}?id[]=${first.id}&id[]=${third.id}`), [first.id, third.id]);
    assert.deepEqual(await idsAt(`/api/reviews?product_id=${other.id}`), [second.id, first.id, third.id]);
    assert.deepEqual(await idsAt(`/api/reviews?product_id[]=${other.id}&status=0`), [second.id]);
    const lines = await store.get(`/api/reviews?product_id=${other.id}`, { accept: 'application/x-ndjson' });
    assert.deepEqual(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
      [first.id, second.id, third.id],
    );
    assertProblem(await store.get(`/api/reviews/${first.id}`), 404);
    assertProblem(await store.post('/api/reviews', { rating: 1, reviewer_name: 'Ada' }), 405);
  });

  test('are counted and averaged for their product if they are approved', async () => {
    const { id } = await store.product();
    const at = `/api/products/${id}`;
    const summary = async () => (await store.get(`${at}?fields=id,reviews_count,average_rating`)).json;
    assert.deepEqual(await summary(), { id, reviews_count: 0, average_rating: null });
    assert.equal('reviews_count' in (await store.get(at)).json, false);
    for (const [index, rating] of [5, 5, 5, 5, 4, 4, 4, 1].entries()) {
      await reviewed({ rating }, `${at}/reviews`);
      assert.equal((await summary()).reviews_count, index + 1);
    }
    assert.deepEqual(await summary(), { id, reviews_count: 8, average_rating: 4.13 });
    const pending = await reviewed({ rating: 1, status: 0 }, `${at}/reviews`);
    assert.equal((await summary()).average_rating, 4.13);
    const list = `/api/products?id=${id}&fields=reviews_count,average_rating`;
    assert.deepEqual((await store.get(list)).json, [{ reviews_count: 8, average_rating: 4.13 }]);
    await store.patch(`${at}/reviews/${pending.id}`, { status: 1 });
    assert.deepEqual((await store.get(list)).json, [{ reviews_count: 9, average_rating: 3.78 }]);
    assert.deepEqual(await summary(), { id, reviews_count: 9, average_rating: 3.78 });
    await store.delete(`${at}/reviews/${pending.id}`);
    assert.deepEqual((await store.get(list)).json, [{ reviews_count: 8, average_rating: 4.13 }]);
  });

  test('have entries of their own in the change feed, and do not change the product', async () => {
    const { id } = await store.product();
    const before = await store.get(`/api/products/${id}`);
    const cursor = await now((url) => store.get(url));
    const one = await reviewed({}, `/api/products/${id}/reviews`);
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, path: at }) => [resource, action, at]),
      [['Review', 'created', `/api/products/${id}/reviews/${one.id}`]],
    );
    assert.equal((await store.get(`/api/products/${id}`)).headers.etag, before.headers.etag);
    await store.delete(`/api/products/${id}`);
    const after = await pages((url) => store.get(url), `after=${cursor}`);
    const deleted = after.entries.filter(({ action }) => action === 'deleted').map(({ resource }) => resource);
    assert.deepEqual(deleted.sort(), ['Product', 'Review']);
    assert.deepEqual((await store.get(`/api/reviews?product_id=${id}`)).json, []);
  });

  test('lose their text and name when the customer is erased, and their link when the profile is deleted', async () => {
    const customer = (await store.made('/api/profiles', { login: 'forgotten@example.com' })).id;
    const clerk = (await store.made('/api/profiles', { login: 'clerk@example.com' })).id;
    const one = await reviewed({ rating: 2, profile: customer, respondent: clerk, response: 'Sorry' });
    const exported = await store.get(`/api/profiles/${customer}/export`);
    assert.deepEqual(
      exported.json.records.map(({ resource }: { resource: string }) => resource),
      ['profile', 'review', 'audit_entry', 'audit_entry'],
    );
    const erased = await store.post(`/api/profiles/${customer}/erase`, {});
    assert.deepEqual(erased.json, {
      erased: [
        { resource: 'profile', count: 1, fields: null },
        { resource: 'review', count: 1, fields: ['reviewer_name', 'review'] },
      ],
      retained: [{ resource: 'review', count: 1, until: null }],
    });
    const left = { ...one, reviewer_name: '-', review: '', profile: null };
    assert.deepEqual((await store.get(`${path}/${one.id}`)).json, left);
    await store.delete(`/api/profiles/${clerk}`);
    assert.deepEqual((await store.get(`${path}/${one.id}`)).json, { ...left, respondent: null });
  });
});
