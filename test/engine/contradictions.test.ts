/** A contradictory declaration stops the start with a sentence that names resource, field and remedy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../../src/domain/store/language.ts';
import { flag } from '../../src/engine/fields/flag.ts';
import { link, links, partOf, parts, reference } from '../../src/engine/fields/link.ts';
import { integer } from '../../src/engine/fields/number.ts';
import { treePath } from '../../src/engine/fields/path.ts';
import { text } from '../../src/engine/fields/text.ts';
import { timestamp } from '../../src/engine/fields/timestamp.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import type { Resource } from '../../src/engine/resource.ts';

const sound: Resource = {
  name: 'Thing',
  description: 'A thing.',
  fields: { name: text({ searchable: true }), count: integer() },
  routes: [{ path: '/things/{id}', operations: ['list', 'read'] }],
};

const place = (more: object) => ({
  routes: [{ path: '/things/{id}', operations: ['list', 'read'] as const, ...more }],
});

/** A contradictory declaration, and words that the sentence must have. */
const CASES: readonly [string, Partial<Resource> | Resource[], RegExp][] = [
  ['twice the same name', [sound, { ...sound, routes: [] }], /Thing, is declared twice; give one/],
  ['two at one path', [sound, { ...sound, name: 'Other' }], /Other, path \/things\/\{id\}: is taken by Thing/],
  [
    'an alias that another has',
    [
      sound,
      { ...sound, name: 'Other', routes: [{ path: '/others/{id}', aliases: ['/things/{id}'], operations: ['read'] }] },
    ],
    /Other, path \/things\/\{id\}: is taken by Thing/,
  ],
  [
    'a search in a text without key',
    { fields: { name: text() }, search: { in: ['name'], ranks: [] } },
    /search in name: is no searchable text/,
  ],
  [
    'a filter that gives way to no field',
    {
      fields: { above: reference({ to: 'Thing', nullable: true, tree: true, onDelete: 'cascade' }) },
      filters: [{ field: 'above', elseNone: { every: 'all', unless: ['nobody'] } }],
    },
    /filter above: nobody is no field/,
  ],
  [
    'a path without a tree',
    { fields: { name: text(), way: treePath('Thing', ['name']) } },
    /field way: shows a path, but the records form no tree/,
  ],
  [
    'an alias with other parameters',
    place({ aliases: ['/stuff/{stuff_id}'] }),
    /alias \/stuff\/\{stuff_id\} has other parameters/,
  ],
  [
    'PUT without read one',
    place({ operations: ['list', 'replace'] }),
    /path \/things\/\{id\}: offers replace without read; add read/,
  ],
  ['PATCH without read one', place({ operations: ['patch'] }), /offers patch without read/],
  ['DELETE without read one', place({ operations: ['remove'] }), /offers remove without read/],
  [
    'a path without parameter',
    { routes: [{ path: '/things', operations: ['list'] }] },
    /does not end with the record’s parameter/,
  ],
  [
    'a parent that is no link',
    { routes: [{ path: '/a/{a_id}/things/{id}', operations: ['list'] }] },
    /\{a_id\} fills in no link; name the link/,
  ],
  ['an unknown parent parameter', place({ parents: { nobody: 'name' } }), /has no \{nobody\}/],
  ['a field named id', { fields: { id: integer() } }, /field id: is made by the engine; remove it/],
  [
    'an identifier that is no field',
    { identifier: { kind: 'manual', field: 'code', pattern: /^a$/ } },
    /identifier code is no field/,
  ],
  [
    'a loose identifier pattern',
    { identifier: { kind: 'manual', field: 'name', pattern: /a/ } },
    /may match a part; anchor it/,
  ],
  [
    'a manual identifier that is no text',
    { identifier: { kind: 'manual', field: 'count', pattern: /^a$/ } },
    /field count: a manual identifier is a text/,
  ],
  [
    'an unknown group',
    { fields: { name: text({ groups: ['write' as never] }) } },
    /field name: has the unknown group write/,
  ],
  [
    'a link to nothing',
    { fields: { other: link({ to: 'Nobody', onDelete: 'set null' }) } },
    /field other: links to Nobody, which is not declared/,
  ],
  [
    'parts of what is no part',
    { fields: { others: parts('Thing') } },
    /which is not part of Thing; declare a field of Thing with partOf/,
  ],
  ['a filter on nothing', { filters: ['colour'] }, /filter colour: is no field/],
  [
    'a partial filter without a key',
    { fields: { note: text() }, filters: [{ field: 'note', partial: true }] },
    /filter note: is partial, but the text has no search key/,
  ],
  [
    'an order by a set',
    { fields: { others: links({ to: 'Thing', shown: 'ids' }) }, orders: ['others'] },
    /order others: a links cannot be sorted by/,
  ],
  [
    'an order by a text without a key',
    { fields: { note: text() }, orders: ['note'] },
    /order note: the text has no search key/,
  ],
  [
    'a name filter without names',
    { fields: { others: links({ to: 'Thing', shown: 'records' }) }, filters: ['others'] },
    /no unique translated name/,
  ],
  [
    'required and nullable',
    { fields: { name: text({ required: true, nullable: true }) } },
    /field name: is required and nullable/,
  ],
  [
    'required and kept',
    { fields: { name: text({ required: true, preservedOnReplace: true }) } },
    /cannot be left out and kept/,
  ],
  [
    'required and read-only',
    { fields: { name: text({ required: true, groups: ['read'] }) } },
    /is required, but no input has it/,
  ],
  [
    'no value when left out',
    { fields: { when: timestamp() } },
    /field when: is neither required nor nullable and has no default/,
  ],
  ['a unique flag', { fields: { on: { ...flag(), unique: true } } }, /field on: only texts can be unique/],
  [
    'a stamp that clients set',
    { fields: { when: { ...timestamp({ stamped: 'changed' }), groups: ['update'] } } },
    /field when: is set by the engine/,
  ],
  [
    'limited siblings of nothing',
    { siblingsMax: { count: 1, field: 'a', message: '' } },
    /limits its siblings, but is part of nothing/,
  ],
  [
    'a part that is kept for years, of what no person is forgotten in',
    {
      retention: { setting: 'years', from: 'when' },
      fields: { when: timestamp({ stamped: 'changed' }), thing: partOf('Thing') },
    },
    /is kept for years, and nothing tells when its person was forgotten/,
  ],
  [
    'a number that two may have',
    { fields: { name: text({ numbered: true }) } },
    /is numbered, but two records may have/,
  ],
  [
    'a name that is no unique text',
    { naming: 'count' },
    /is named by count, which is no unique text; declare the field unique/,
  ],
  [
    'a name among the parts of nothing',
    { label: 'name', fields: { name: text({ translated: true }) } },
    /is called by name, but is part of nothing/,
  ],
  [
    'a name among parts that is no translated text',
    { label: 'count', fields: { count: integer(), owner: partOf('Thing') } },
    /is called by count, which is no translated text/,
  ],
  [
    'two names',
    { label: 'name', fields: { name: text({ translated: true, unique: true }), owner: partOf('Thing') } },
    /is called by name and named by name; drop called/,
  ],
  [
    'a fall-back that is no text',
    { fields: { name: text({ translated: true, fallback: 'count' }), count: integer() } },
    /falls back to count, which is no untranslated text/,
  ],
  [
    'a fall-back for a text that is searched',
    { fields: { name: text({ translated: true, searchable: true, fallback: 'code' }), code: text() } },
    /is searchable and has a fall-back that is not/,
  ],
  [
    'a moment of creation that a client may change',
    { fields: { made: timestamp({ stamped: 'created', groups: ['all', 'read', 'update'] }) } },
    /is set by the engine, so a client cannot/,
  ],
  [
    'a parameter that translations need',
    {
      identifier: { kind: 'manual', field: 'code', pattern: /^a$/ },
      fields: { code: text({ required: true, unique: true }), name: text({ translated: true }) },
      routes: [{ path: '/things/{code}', operations: ['read'] }],
    },
    /path \/things\/\{code\}: \{code\} is the language of its translations; give the parameter another name/,
  ],
  [
    'an action where translations are',
    { fields: { name: text({ translated: true }) }, actions: [action('translations')] },
    /the path of its translations is taken/,
  ],
  ['two actions of one name', { actions: [action('go'), action('go')] }, /two actions of one name/],
];

function action(name: string) {
  return { name, method: 'POST' as const, summary: '', input: {}, run: () => {} };
}

test('the sound declaration is taken', () => {
  assert.ok(createModel([language, sound]).resources.has('Thing'));
  assert.ok(createModel([language, sound, { ...sound, name: 'Part', fields: { thing: partOf('Thing') }, routes: [] }]));
});

for (const [name, declared, sentence] of CASES)
  test(name, () => {
    const declarations = Array.isArray(declared) ? declared : [{ ...sound, ...declared }];
    assert.throws(() => createModel([language, ...declarations]), {
      name: 'ContradictoryDeclaration',
      message: sentence,
    });
  });

test('a translated text without languages', () => {
  const declaration = { ...sound, fields: { name: text({ translated: true }) } };
  assert.throws(
    () => createModel([declaration]),
    /field name: is translated, but there is no resource Language; declare Language/,
  );
});
