/** Which zones match an address (pricing.md §4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressForTaxes,
  matchedZones,
  type PostalAddress,
  type Zone,
  type ZoneElement,
} from '../../src/pricing/index.ts';

const AUSTIN: PostalAddress = { country_code: 'US', state_name: 'Texas', zipcode: '78701-1234', city: 'Austin' };

function element(given: Partial<ZoneElement>): ZoneElement {
  return { countries: [], states: [], zips: [], cities: [], ...given };
}

function matches(given: Partial<ZoneElement>, address: Partial<PostalAddress> = {}): boolean {
  return matchedZones([{ id: 1, elements: [element(given)] }], { ...AUSTIN, ...address }, null).length === 1;
}

for (const [pattern, zipcode, expected] of [
  ['78701', '78701', true],
  ['78701', '78701-1234', false],
  ['78701-1234', '787011234', true],
  ['sw1a 1aa', 'SW1A1AA', true],
  ['SW1A1AA', 'sw1a-1aa', true],
  ['787*', '78701', true],
  ['787*', '78801', false],
  ['sw1 *', 'SW1A 1AA', true],
  ['*', '78701', true],
  ['75000-79999', '78701', true],
  ['75000-79999', '78701-1234', true],
  ['75000-79999', '75000', true],
  ['75000-79999', '79999', true],
  ['75000-79999', '74999', false],
  ['75000-79999', '80000', false],
  ['75000-79999', '7500', false],
  ['75000-79999', '7500A', false],
  ['75000-79999', '75000B', true],
  ['01000-09999', '05000', true],
  ['79999-75000', '7999975000', true],
  ['79999-75000', '78000', false],
  ['1000-19999', '100019999', true],
  ['78701', null, false],
  ['*', null, false],
] as const)
  test(`the zip ${pattern} ${expected ? 'matches' : 'does not match'} ${zipcode}`, () => {
    assert.equal(matches({ countries: ['US'], zips: [pattern] }, { zipcode }), expected);
  });

test('compares names of states and cities without case and accents', () => {
  assert.ok(matches({ countries: ['BR'], cities: ['SAO PAULO'] }, { country_code: 'BR', city: 'São Paulo' }));
  assert.ok(matches({ countries: ['US'], states: ['TÉXAS'] }));
  assert.ok(!matches({ countries: ['US'], states: ['Tex'] }));
  assert.ok(!matches({ countries: ['US'], states: ['Texas'] }, { state_name: null }));
});

test('an element matches only if every list that is not empty matches', () => {
  assert.ok(matches({ countries: ['US'], states: ['Texas'], cities: ['Austin'] }));
  assert.ok(!matches({ countries: ['US'], states: ['Texas'], cities: ['Dallas'] }));
  assert.ok(!matches({ countries: ['MX'], states: ['Texas'] }));
});

test('a zone is as specific as its most specific matching element, ties go to the lower id', () => {
  const zones: Zone[] = [
    { id: 6, elements: [] },
    { id: 5, elements: [element({ countries: ['US'], states: ['Texas'] })] },
    { id: 4, elements: [element({ countries: ['US'], cities: ['Austin'] })] },
    { id: 3, elements: [element({ countries: ['US'] }), element({ countries: ['US'], zips: ['787*'] })] },
    { id: 2, elements: [element({ countries: ['US', 'CA'] }), element({ countries: ['US'], zips: ['10001'] })] },
    { id: 1, elements: [element({ countries: ['US'] })] },
    { id: 7, elements: [element({ countries: ['CA'] })] },
  ];
  assert.deepEqual(matchedZones(zones, AUSTIN, 7), [
    { id: 3, specificity: 4 },
    { id: 4, specificity: 3 },
    { id: 5, specificity: 2 },
    { id: 1, specificity: 1 },
    { id: 2, specificity: 1 },
    { id: 6, specificity: 0 },
  ]);
});

for (const [name, missing] of [
  ['null', null],
  ['an address without country_code', { ...AUSTIN, country_code: '' }],
  ['an address whose country_code is null', { ...AUSTIN, country_code: null }],
] as const)
  test(`${name} is only in the default zone and in zones without elements`, () => {
    const zones: Zone[] = [
      { id: 1, elements: [element({ countries: ['US'] })] },
      { id: 2, elements: [element({ countries: ['DE'] })] },
      { id: 3, elements: [] },
    ];
    assert.deepEqual(matchedZones(zones, missing, 2), [
      { id: 2, specificity: 1 },
      { id: 3, specificity: 0 },
    ]);
    assert.deepEqual(matchedZones(zones, missing, null), [{ id: 3, specificity: 0 }]);
  });

test('taxes use the address of the setting, or the other if it is null', () => {
  assert.equal(addressForTaxes('shipping', 'A', 'B'), 'A');
  assert.equal(addressForTaxes('billing', 'A', 'B'), 'B');
  assert.equal(addressForTaxes('shipping', null, 'B'), 'B');
  assert.equal(addressForTaxes('billing', 'A', null), 'A');
  assert.equal(addressForTaxes('billing', null, null), null);
});
