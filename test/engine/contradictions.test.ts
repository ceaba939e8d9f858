/** Contradictory declarations prevent the start, with an error that names resource, field and remedy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../../src/domain/store/language.ts';
import type { Field } from '../../src/engine/field.ts';
import { linkedValues } from '../../src/engine/fields/computed.ts';
import { flag } from '../../src/engine/fields/flag.ts';
import { link, links, partOf, parts, reference } from '../../src/engine/fields/link.ts';
import { integer } from '../../src/engine/fields/number.ts';
import { treePath } from '../../src/engine/fields/path.ts';
import { text } from '../../src/engine/fields/text.ts';
import { timestamp } from '../../src/engine/fields/timestamp.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import type { Resource } from '../../src/engine/resource.ts';
import type { View } from '../../src/engine/rules.ts';

const valid: Resource = {
  name: 'Thing',
  description: 'A thing.',
  fields: { name: text({ searchable: true }), count: integer() },
  routes: [{ path: '/things/{id}', operations: ['list', 'read'] }],
};

const route = (more: object) => ({
  routes: [{ path: '/things/{id}', operations: ['list', 'read'] as const, ...more }],
});

/** Title, contradictory declaration, and part of the expected message. */
const CASES: readonly [string, Partial<Resource> | Resource[], RegExp][] = [
  [
    'rejects two resources with the same name',
    [valid, { ...valid, routes: [] }],
    /Thing: is declared twice\. Give one/,
  ],
  [
    'rejects two resources at the same path',
    [valid, { ...valid, name: 'Other' }],
    /Other: path \/things\/\{id\} is already used by Thing/,
  ],
  [
    'rejects an alias that is the path of another resource',
    [
      valid,
      { ...valid, name: 'Other', routes: [{ path: '/others/{id}', aliases: ['/things/{id}'], operations: ['read'] }] },
    ],
    /Other: path \/things\/\{id\} is already used by Thing/,
  ],
  [
    'rejects a search in a text without a search key',
    { fields: { name: text() }, search: { in: ['name'], ranks: [] } },
    /search in name, which is not a searchable text/,
  ],
  [
    'rejects a default filter that depends on an unknown field',
    {
      fields: { above: reference({ to: 'Thing', nullable: true, tree: true, onDelete: 'cascade' }) },
      filters: [{ field: 'above', elseNone: { every: 'all', unless: ['unknown'] } }],
    },
    /filter above: unknown is not a field/,
  ],
  [
    'rejects a tree path of a resource without a tree',
    { fields: { name: text(), way: treePath('Thing', ['name']) } },
    /field way shows a path, but the records form no tree/,
  ],
  [
    'rejects linked values of a field that is no set of links',
    { fields: { name: text(), shown: linkedValues({ members: {}, sets: [{ links: 'name', members: {} }] }) } },
    /field shown shows values through name, which is no set of links/,
  ],
  [
    'rejects linked values with a path to no stored value',
    {
      fields: {
        things: links({ to: 'Thing', shown: 'ids' }),
        shown: linkedValues({ members: {}, sets: [{ links: 'things', members: { name: 'things.name' } }] }),
        name: text(),
      },
    },
    /field shown shows things\.name of things, which is no stored value over single links/,
  ],
  [
    'rejects linked values of records whose changes are not published',
    {
      fields: {
        things: links({ to: 'Thing', shown: 'ids' }),
        shown: linkedValues({ members: {}, sets: [{ links: 'things', members: { seen: 'seen' } }] }),
        seen: timestamp({ unpublished: true, nullable: true, groups: ['all', 'read'] }),
      },
    },
    /field shown shows values of Thing, whose changes are not published/,
  ],
  [
    'rejects an alias with other parameters than its path',
    route({ aliases: ['/stuff/{stuff_id}'] }),
    /has other parameters than its alias \/stuff\/\{stuff_id\}/,
  ],
  [
    'rejects PUT without GET of one record',
    route({ operations: ['list', 'replace'] }),
    /path \/things\/\{id\} offers replace without read\. Add read/,
  ],
  ['rejects PATCH without GET of one record', route({ operations: ['patch'] }), /offers patch without read/],
  ['rejects DELETE without GET of one record', route({ operations: ['remove'] }), /offers remove without read/],
  [
    'rejects a path without a parameter',
    { routes: [{ path: '/things', operations: ['list'] }] },
    /does not end with the record’s parameter/,
  ],
  [
    'rejects a parent parameter without a link',
    { routes: [{ path: '/a/{a_id}/things/{id}', operations: ['list'] }] },
    /has \{a_id\}, which sets no link\. Name the link/,
  ],
  [
    'rejects parents with a parameter that is not in the path',
    route({ parents: { unknown: 'name' } }),
    /has no \{unknown\}/,
  ],
  ['rejects a declared field named id', { fields: { id: integer() } }, /field id is created by the engine\. Remove it/],
  [
    'rejects an identifier that is not a field',
    { identifier: { kind: 'manual', field: 'code', pattern: /^a$/ } },
    /identifier code is not a field/,
  ],
  [
    'rejects an identifier pattern without anchors',
    { identifier: { kind: 'manual', field: 'name', pattern: /a/ } },
    /may match a substring\. Anchor it/,
  ],
  [
    'rejects a manual identifier that is not a text',
    { identifier: { kind: 'manual', field: 'count', pattern: /^a$/ } },
    /manual identifier count is not a text/,
  ],
  [
    'rejects a field with an unknown group',
    { fields: { name: text({ groups: ['write' as never] }) } },
    /field name has the unknown group write/,
  ],
  [
    'rejects a link to an undeclared resource',
    { fields: { other: link({ to: 'Unknown', onDelete: 'set null' }) } },
    /field other links to Unknown, which is not declared/,
  ],
  [
    'rejects parts of a resource that is not part of this one',
    { fields: { others: parts('Thing') } },
    /which is not part of Thing\. Declare a field of Thing with partOf/,
  ],
  ['rejects a filter by an unknown field', { filters: ['color'] }, /filter color is not a field/],
  [
    'rejects a partial filter by a text without a search key',
    { fields: { note: text() }, filters: [{ field: 'note', partial: true }] },
    /filter note is partial, but the text has no search key/,
  ],
  [
    'rejects sorting by a set of links',
    { fields: { others: links({ to: 'Thing', shown: 'ids' }) }, orders: ['others'] },
    /order others is of the kind links, which cannot be sorted by/,
  ],
  [
    'rejects sorting by a text without a search key',
    { fields: { note: text() }, orders: ['note'] },
    /order note is a text without a search key/,
  ],
  [
    'rejects a filter by names of records without unique names',
    { fields: { others: links({ to: 'Thing', shown: 'records' }) }, filters: ['others'] },
    /has no unique name/,
  ],
  [
    'rejects a required field that is nullable',
    { fields: { name: text({ required: true, nullable: true }) } },
    /field name is required and nullable/,
  ],
  [
    'rejects a required field that PUT preserves',
    { fields: { name: text({ required: true, preservedOnReplace: true }) } },
    /a PUT cannot omit and preserve it/,
  ],
  [
    'rejects a required field without an input group',
    { fields: { name: text({ required: true, groups: ['read'] }) } },
    /is required, but has no input group/,
  ],
  [
    'rejects an optional field without a value if omitted',
    { fields: { when: timestamp() } },
    /field when is neither required nor nullable and has no default/,
  ],
  ['rejects a unique boolean', { fields: { on: { ...flag(), unique: true } } }, /field on is unique, but not a text/],
  [
    'rejects a timestamp of changes that clients set',
    { fields: { when: { ...timestamp({ stamped: 'changed' }), groups: ['update'] } } },
    /field when is set by the engine/,
  ],
  [
    'rejects a limit of records without an owner or serialized writes',
    { siblingsMax: { count: 1, field: 'a', message: '' } },
    /limits its records, but concurrent writes could exceed the limit/,
  ],
  [
    'rejects a retention of parts whose owner has no data subject',
    {
      retention: { setting: 'years', from: 'when' },
      fields: { when: timestamp({ stamped: 'changed' }), thing: partOf('Thing') },
    },
    /its owner does not record when its data subject was erased/,
  ],
  [
    'rejects a numbered text that is not unique',
    { fields: { name: text({ numbered: true }) } },
    /is numbered, but two records may have/,
  ],
  [
    'rejects a naming field that is not a unique text',
    { naming: 'count' },
    /naming field count is not a unique text\. Declare the field unique/,
  ],
  [
    'rejects a label without an owner',
    { label: 'name', fields: { name: text({ translated: true }) } },
    /has the label name, but no owner/,
  ],
  [
    'rejects a label that is not a translated text',
    { label: 'count', fields: { count: integer(), owner: partOf('Thing') } },
    /label count is not a translated text/,
  ],
  [
    'rejects a label together with a naming field',
    { label: 'name', fields: { name: text({ translated: true, unique: true }), owner: partOf('Thing') } },
    /has both the label name and the naming field name\. Drop label/,
  ],
  [
    'rejects a fallback that is not a text',
    { fields: { name: text({ translated: true, fallback: 'count' }), count: integer() } },
    /falls back to count, which is not an untranslated text/,
  ],
  [
    'rejects a fallback of a searchable text',
    { fields: { name: text({ translated: true, searchable: true, fallback: 'code' }), code: text() } },
    /is searchable, but its fallback is not/,
  ],
  [
    'rejects a timestamp of creation that clients change',
    { fields: { made: timestamp({ stamped: 'created', groups: ['all', 'read', 'update'] }) } },
    /is set by the engine, so clients cannot set it/,
  ],
  [
    'rejects a parameter with the name that translations use',
    {
      identifier: { kind: 'manual', field: 'code', pattern: /^a$/ },
      fields: { code: text({ required: true, unique: true }), name: text({ translated: true }) },
      routes: [{ path: '/things/{code}', operations: ['read'] }],
    },
    /path \/things\/\{code\} has the parameter \{code\} of its translations\. Rename the parameter/,
  ],
  [
    'rejects an action at the path of translations',
    { fields: { name: text({ translated: true }) }, actions: [action('translations')] },
    /the path of its translations is already used/,
  ],
  [
    'rejects two actions with the same name',
    { actions: [action('go'), action('go')] },
    /two actions with the same name/,
  ],
  [
    'rejects a query parameter that names an undeclared resource',
    { views: [viewWith('price', reference({ to: 'Unknown', nullable: true, onDelete: 'no action' }))] },
    /the parameter parameter of price refers to Unknown, which is not declared\. Correct the name/,
  ],
  [
    'rejects a view with query parameters at the path of an action',
    { views: [viewWith('go', integer())], actions: [action('go')] },
    /the view go has parameters, but an action has its path\. Rename one of the two/,
  ],
];

/** A view with one query parameter. */
function viewWith(name: string, parameter: Field): View {
  return { name, summary: 'View', output: {}, parameters: { parameter }, read: async () => ({}) };
}

function action(name: string) {
  return { name, method: 'POST' as const, summary: '', input: {}, run: () => {} };
}

test('accepts valid declarations', () => {
  assert.ok(createModel([language, valid]).resources.has('Thing'));
  assert.ok(createModel([language, valid, { ...valid, name: 'Part', fields: { thing: partOf('Thing') }, routes: [] }]));
});

for (const [title, declared, message] of CASES)
  test(title, () => {
    const declarations = Array.isArray(declared) ? declared : [{ ...valid, ...declared }];
    assert.throws(() => createModel([language, ...declarations]), {
      name: 'ContradictoryDeclaration',
      message,
    });
  });

test('rejects a translated text without a resource Language', () => {
  const declaration = { ...valid, fields: { name: text({ translated: true }) } };
  assert.throws(
    () => createModel([declaration]),
    /field name is translated, but there is no resource Language\. Declare Language/,
  );
});
