/** The resources that a cached list depends on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { link, partOf } from '../../src/engine/fields/link.ts';
import { text } from '../../src/engine/fields/text.ts';
import { dependencyResources } from '../../src/engine/model/cache-dependencies.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import type { Resource } from '../../src/engine/resource.ts';

const DECLARATIONS: readonly Resource[] = [
  {
    name: 'Shelf',
    description: 'A shelf.',
    fields: { name: text() },
    routes: [{ path: '/shelves/{id}', operations: ['list', 'read'] }],
  },
  {
    name: 'Author',
    description: 'An author.',
    fields: { name: text() },
    routes: [{ path: '/authors/{id}', operations: ['list', 'read'] }],
  },
  {
    name: 'Book',
    description: 'A book.',
    fields: {
      shelf: partOf('Shelf'),
      title: text({ searchable: true }),
      author: link({ to: 'Author', onDelete: 'set null' }),
    },
    routes: [{ path: '/shelves/{shelf_id}/books/{id}', parents: { shelf_id: 'shelf' }, operations: ['list', 'read'] }],
    search: { in: ['title', { parts: 'Note', field: 'words' }], ranks: [] },
  },
  {
    name: 'Note',
    description: 'A note on a book.',
    fields: { book: partOf('Book'), words: text({ searchable: true }) },
    routes: [],
  },
];

test('a list depends on the resources of its filters, its search and its parents', () => {
  const { resources } = createModel(DECLARATIONS);
  const reached = (name: string) => [...dependencyResources(resources.get(name)!.routes[0]!)].sort();
  assert.deepEqual(reached('Book'), ['Author', 'Book', 'Note', 'Shelf']);
  assert.deepEqual(reached('Author'), ['Author']);
});
