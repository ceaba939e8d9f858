/** Row K10 of docs/reliability/k-upgrade.md: the previous version works while the next one migrates and serves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { language } from '../../src/domain/store/language.ts';
import { flag } from '../../src/engine/fields/flag.ts';
import { link } from '../../src/engine/fields/link.ts';
import { integer } from '../../src/engine/fields/number.ts';
import { text } from '../../src/engine/fields/text.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import { difference } from '../../src/engine/model/migrations.ts';
import { schemaOf } from '../../src/engine/model/tables.ts';
import { type Migration, NewerSchema } from '../../src/engine/ports.ts';
import { resource } from '../../src/engine/resource.ts';
import { freshDatabase } from '../support/databases.ts';
import { migrationOf, serveDeclarations } from '../support/fixture.ts';

const ALL = ['list', 'create', 'read', 'replace', 'patch', 'remove'] as const;
const shelf = resource({
  name: 'Shelf',
  group: 'Store',
  description: 'A shelf for things.',
  fields: { name: text({ required: true }) },
  routes: [{ path: '/shelves/{id}', operations: ALL }],
});
const thingOf = (more: Parameters<typeof resource>[0]['fields']) =>
  resource({
    name: 'Thing',
    group: 'Store',
    description: 'A thing on a shelf.',
    fields: { name: text({ required: true, translated: true }), size: integer({ default: 1 }), ...more },
    routes: [{ path: '/things/{id}', operations: ALL }],
  });
const before = [thingOf({})];
const later = [
  shelf,
  thingOf({ note: text(), fragile: flag(), stands_on: link({ to: 'Shelf', onDelete: 'set null' }) }),
];

test('two versions on one PostgreSQL both read and write, and the older one cannot start again', async () => {
  const fresh = await freshDatabase('postgres');
  const first = migrationOf(before);
  const schemas = [before, later].map((declarations) => schemaOf(createModel([language, ...declarations])));
  const second: Migration = { name: '0002-shelves', steps: difference(schemas[0]!, schemas[1]!) };
  const older = await serveDeclarations(before, await fresh.open(), [first]);
  try {
    assert.equal((await older.request('POST', '/api/things', { name: 'before' })).status, 201);

    let isMigrated = false;
    const writing = (async () => {
      for (let number = 0; !isMigrated || number < 20; number += 1)
        assert.equal((await older.request('POST', '/api/things', { name: `while ${number}` })).status, 201);
    })();
    const newer = await serveDeclarations(later, await fresh.open(), [first, second]);
    isMigrated = true;
    await writing;
    try {
      const made = await older.request('POST', '/api/things', { name: 'by the older', size: 2 });
      assert.equal(made.status, 201);
      const path = `/api/things/${made.json.id}`;
      const seen = (await newer.request('GET', path)).json;
      assert.deepEqual([seen.name, seen.note, seen.fragile, seen.stands_on], ['by the older', '', false, null]);

      const { json: newShelf } = await newer.request('POST', '/api/shelves', { name: 'top' });
      const changed = await newer.request('PATCH', path, { note: 'careful', fragile: true, stands_on: newShelf.id });
      assert.equal(changed.status, 200, JSON.stringify(changed.json));
      assert.equal((await older.request('PATCH', path, { size: 3 })).status, 200);
      const both = (await newer.request('GET', path)).json;
      assert.deepEqual(
        [both.size, both.note, both.fragile],
        [3, 'careful', true],
        'the older version does not change unknown fields',
      );
      assert.equal((await older.request('GET', '/api/things?itemsPerPage=100')).status, 200);
      assert.equal((await older.request('DELETE', path)).status, 204);
      assert.equal((await newer.request('GET', path)).status, 404);

      const restarted = await fresh.open();
      await assert.rejects(restarted.migrate([first]), NewerSchema);
      await restarted.close();
    } finally {
      await newer.stop();
    }
  } finally {
    await older.stop();
    await fresh.remove();
  }
});
