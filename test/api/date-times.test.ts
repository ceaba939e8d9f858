/** How times are written and shown, in the store's time zone (http.md §1). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { formatTimestamp, readTimestampFor } from '../../src/engine/index.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { onOneDatabase } from '../support/store.ts';

const VALID: Record<string, string> = {
  '2021-10-22': '2021-10-22T00:00:00+00:00',
  '2021-10-22T10:11:12+00:00': '2021-10-22T10:11:12+00:00',
  '2021-10-22T10:11:12Z': '2021-10-22T10:11:12+00:00',
  '2021-10-22T10:11': '2021-10-22T10:11:00+00:00',
  '2021-10-22 10:11:12': '2021-10-22T10:11:12+00:00',
  '2021-10-22 10:11:12Z': '2021-10-22T10:11:12+00:00',
  '2021-10-22T10:11:12.999999Z': '2021-10-22T10:11:12+00:00',
  '2021-10-22T10:11:12.5': '2021-10-22T10:11:12+00:00',
  '2021-10-22T10:11:12+02:00': '2021-10-22T08:11:12+00:00',
  '2021-10-22T10:11:12-0530': '2021-10-22T15:41:12+00:00',
  '2021-10-22T00:30:00+14:00': '2021-10-21T10:30:00+00:00',
  '2024-02-29': '2024-02-29T00:00:00+00:00',
  '1969-12-31T23:59:59Z': '1969-12-31T23:59:59+00:00',
  '2038-01-19T03:14:08Z': '2038-01-19T03:14:08+00:00',
  '9999-12-31T23:59:59Z': '9999-12-31T23:59:59+00:00',
};

const INVALID = [
  ...['', 'now', '2024-02-30', '2023-02-29', '2021-13-01', '2021-00-10', '2021-01-00', '2021-1-1', '21-01-01'],
  ...['2021-10-22T24:00:01', '2021-10-22T25:00', '2021-10-22T10:60', '2021-10-22T10:11:60', '2021-10-22T10'],
  ...['2021-10-22T10:11:12+25:00', '2021-10-22T10:11:12+2', '2021-10-22T10:11:12 UTC', '2021-10-22+02:00'],
  ...['10000-01-01', '2021-10-22T10:11:12.', ' 2021-10-22', '2021-10-22 ', '2021/10/22', '22.10.2021', '1634860800'],
  ...['2021-10-22\n', '２０２１-10-22', '2021-10-22T10:11:12+00:00+00:00', '2021-W42-5'],
];

onOneDatabase('date-times', {}, (store) => {
  let path: string;
  before(async () => {
    path = `/api/products/${(await store.product()).id}`;
  });

  for (const [written, shown] of Object.entries(VALID))
    test(`show ${written} as ${shown}`, async () => {
      const response = await store.patch(path, { arrival_date: written });
      assert.equal(response.json.arrival_date, shown, response.text);
      assert.equal((await store.get(path)).json.arrival_date, shown);
      const found = await store.get(`/api/products?arrival_date=${encodeURIComponent(shown)}`);
      assert.deepEqual(
        found.json.map(({ id }: { id: number }) => `/api/products/${id}`),
        [path],
      );
    });

  for (const written of INVALID)
    test(`reject ${JSON.stringify(written)} in a body and in a query`, async () => {
      const { arrival_date } = (await store.get(path)).json;
      assertViolations(await store.patch(path, { arrival_date: written }), ['arrival_date', 'format']);
      assert.equal((await store.get(path)).json.arrival_date, arrival_date);
      const query = `arrival_date[after]=${encodeURIComponent(written)}`;
      assertProblem(await store.get(`/api/products?${query}`), 400, /arrival_date/);
    });

  test('read a space before the offset as + in a query', async () => {
    await store.patch(path, { arrival_date: '2030-01-01T00:00:00+02:00' });
    for (const query of ['2030-01-01T00:00:00+02:00', '2030-01-01T00:00:00%2B02:00', '2030-01-01T00:00:00%2002:00'])
      assert.equal((await store.get(`/api/products?arrival_date=${query}`)).json.length, 1, query);
  });

  test('have the same form in all time fields', async () => {
    const product = (await store.get(path)).json;
    for (const field of ['create_date', 'update_date', 'arrival_date'])
      assert.match(product[field], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  });
});

onOneDatabase('date-times in Berlin', { STORE_TIME_ZONE: 'Europe/Berlin' }, (store) => {
  const times = {
    '2026-07-01': '2026-07-01T00:00:00+02:00',
    '2026-12-01': '2026-12-01T00:00:00+01:00',
    '2026-07-01T12:00:00Z': '2026-07-01T14:00:00+02:00',
    '2026-12-01 12:00': '2026-12-01T12:00:00+01:00',
    '2026-10-25T00:59:59Z': '2026-10-25T02:59:59+02:00',
    '2026-10-25T01:00:00Z': '2026-10-25T02:00:00+01:00',
    '2026-10-25T02:30:00+01:00': '2026-10-25T02:30:00+01:00',
  };
  for (const [written, shown] of Object.entries(times))
    test(`show ${written} as ${shown}`, async () => {
      const { id, arrival_date } = await store.product({ arrival_date: written });
      assert.equal(arrival_date, shown);
      const day = shown.slice(0, 10);
      for (const query of [`arrival_date=${day}`, `arrival_date=${encodeURIComponent(shown)}`])
        assert.deepEqual((await store.get(`/api/products?${query}&id=${id}`)).json.length, 1, query);
    });

  test('a filter by a bare date uses the day of the store', async () => {
    const { id } = await store.product({ arrival_date: '2027-06-30T22:00:00Z' });
    assert.equal((await store.get(`/api/products?id=${id}&arrival_date=2027-07-01`)).json.length, 1);
    assert.equal((await store.get(`/api/products?id=${id}&arrival_date=2027-06-30`)).json.length, 0);
    assert.equal((await store.get(`/api/products?id=${id}&arrival_date[after]=2027-07-01`)).json.length, 1);
    assert.equal((await store.get(`/api/products?id=${id}&arrival_date[strictly_after]=2027-07-01`)).json.length, 0);
    assert.equal((await store.get(`/api/products?id=${id}&arrival_date[before]=2027-07-01`)).json.length, 1);
    assert.equal((await store.get(`/api/products?id=${id}&arrival_date[strictly_before]=2027-07-01`)).json.length, 0);
  });
});

onOneDatabase('date-times of lenient mode', { STORE_TIME_ZONE: 'Europe/Berlin' }, (store) => {
  const lenient = { prefer: 'handling=lenient' };
  const forms: Record<string, string> = {
    '22-10-2021': '2021-10-22T00:00:00+02:00',
    '22-10-2021 10:11': '2021-10-22T10:11:00+02:00',
    '22-10-2021T10:11:12Z': '2021-10-22T12:11:12+02:00',
    '2021/10/22': '2021-10-22T00:00:00+02:00',
    '2021/10/22 10:11:12.5+00:00': '2021-10-22T12:11:12+02:00',
    '20211222': '2021-12-22T00:00:00+01:00',
    '2021-10-22t10:11:12z': '2021-10-22T12:11:12+02:00',
    'Fri, 22 Oct 2021 10:11:12 +0000': '2021-10-22T12:11:12+02:00',
    'fri, 22 oct 2021 10:11:12 gmt': '2021-10-22T12:11:12+02:00',
    '1 Jan 2021 00:30 EST': '2021-01-01T06:30:00+01:00',
  };
  for (const [written, shown] of Object.entries(forms))
    test(`show ${written} as ${shown}`, async () => {
      const response = await store.post('/api/products', { sku: written, name: 'P', arrival_date: written }, lenient);
      assert.equal(response.json.arrival_date, shown, response.text);
      const query = `arrival_date=${encodeURIComponent(written)}&id=${response.json.id}`;
      assert.equal((await store.get(`/api/products?${query}`, lenient)).json.length, 1);
    });

  const invalid = [
    ...[
      '31-02-2021',
      '2021/13/01',
      '20210230',
      'Mon, 22 Oct 2021 10:11:12 GMT',
      '32 Oct 2021 10:11:12 GMT',
      '22-10-21',
    ],
    ...[
      '22 Okt 2021 10:11 GMT',
      '22 Oct 2021 10:11 CET',
      'tomorrow',
      'day',
      '1 day',
      '+0 day',
      '-10000 day',
      '-1 year',
    ],
    ...['2021102', '202110221011', 'now ', '-1.5 day', 'constructor', ''],
  ];
  for (const written of invalid)
    test(`reject ${JSON.stringify(written)}`, async () => {
      const body = { sku: 'invalid', name: 'P', arrival_date: written };
      assertViolations(await store.post('/api/products', body, lenient), ['arrival_date', 'format']);
    });
});

test('distances from now use the calendar of the time zone, and a missing day overflows as in PHP', () => {
  const at = (text: string, now: string, timeZone = 'Europe/Berlin'): string | undefined => {
    const reading = { lenient: true, timeZone, now: Date.parse(now) / 1000 };
    const timestamp = readTimestampFor(reading, text);
    return timestamp && formatTimestamp(timestamp.seconds, timeZone);
  };
  assert.equal(at('now', '2026-03-28T12:00:00Z'), '2026-03-28T13:00:00+01:00');
  // Clocks change on 2026-03-29: a day later is 23 hours later.
  assert.equal(at('+1 day', '2026-03-28T12:00:00Z'), '2026-03-29T13:00:00+02:00');
  assert.equal(at('+24 hours', '2026-03-28T12:00:00Z'), '2026-03-29T14:00:00+02:00');
  assert.equal(at('-1 WEEK', '2026-03-31T12:00:00Z'), '2026-03-24T14:00:00+01:00');
  assert.equal(at('+1 month', '2026-01-31T12:00:00Z', 'UTC'), '2026-03-03T12:00:00+00:00');
  assert.equal(at('+1 month', '2024-01-31T12:00:00Z', 'UTC'), '2024-03-02T12:00:00+00:00');
  assert.equal(at('today', '2026-01-31T23:30:00Z'), '2026-02-01T00:00:00+01:00');
  assert.equal(at('yesterday', '2026-03-29T22:30:00Z'), '2026-03-29T00:00:00+01:00');
  assert.equal(at('-9999 months', '2026-01-31T12:00:00Z', 'UTC'), '1192-10-31T12:00:00+00:00');
});
