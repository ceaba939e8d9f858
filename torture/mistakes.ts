/**
 * The mistakes that `mutants.ts` makes, one after the other, in a copy of the program, room by room; each with the smallest
 * tests that should notice it. `test/mutants.test.ts` looks that each can still be made.
 */

/** A line that a developer could have written otherwise. */
export interface Mistake {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Files of tests, of which one test at least fails then. */
  readonly tests: readonly string[];
  /** A pattern in the full names of the tests that are played; every test without it. */
  readonly only?: string;
}

export function isFoundOnce(text: string, from: string): boolean {
  const first = text.indexOf(from);
  return first !== -1 && text.indexOf(from, first + 1) === -1;
}

const FRESHNESS = 'test/faults/freshness.test.ts';
const HISTORY = 'test/faults/history.test.ts';
const CONCURRENCY = 'test/api/concurrency.test.ts';
const CONDITIONAL = 'test/api/conditional.test.ts';
const FILTERS = 'test/api/filters.test.ts';
const IDEMPOTENCY = 'test/api/idempotency.test.ts';
const IMAGE_FILES = 'test/api/image-files.test.ts';
const JOURNAL = 'test/api/journal.test.ts';
const JOURNALS = 'test/faults/journal.test.ts';
const KEPT_AND_ANEW = 'test/http/kept-and-anew.test.ts';
const KEPT_LISTS = 'test/http/kept-lists.test.ts';
const KEPT_READS = 'test/http/kept-reads.test.ts';
const LANGUAGES = 'test/api/languages.test.ts';
const MONEY = 'test/api/money.test.ts';
const PAGES = 'test/api/pages.test.ts';
const PRODUCT = 'test/api/product.test.ts';
const RELEASED = 'test/faults/released-files.test.ts';
const READ_ONLY = 'test/api/read-only.test.ts';
const REPEATS = 'test/http/repeats.test.ts';
const SEARCH = 'test/api/search.test.ts';
const STOCK = 'test/api/order-stock.test.ts';
const TREE = 'test/api/category-tree.test.ts';
const UNITS = 'test/faults/units.test.ts';
const UNIT_OF_WORK = 'test/engine/unit.test.ts';
const VALIDATION = 'test/api/validation.test.ts';

/** Where one database is enough. */
const SQLITE = '\\(sqlite\\)';

const UNIT: readonly Mistake[] = [
  {
    name: 'the journal leaves new records out',
    file: 'src/engine/unit/unit.ts',
    from: `for (const { id, path } of made) this.#journal.note(resource, id, 'created', { version: 1, path });`,
    to: '',
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'the journal leaves out what is changed together with others',
    file: 'src/engine/unit/unit.ts',
    from: `this.#journal.note(resource, id as Value, 'updated', stateOf(version, path), Object.keys(first));`,
    to: 'void [id, version, path];',
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'the journal has the deleted record’s last version once more',
    file: 'src/engine/unit/unit.ts',
    from: `stateOf(Number(version) + 1, path)`,
    to: `stateOf(Number(version), path)`,
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'the path of an option leaves its attribute’s scope out of account',
    file: 'src/engine/model/path-forms.ts',
    from: 'when.push(...above.when);',
    to: '',
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'the version is not counted up',
    file: 'src/engine/unit/rows.ts',
    from: 'sql.id(resource.table, VERSION)} + 1`',
    to: 'sql.id(resource.table, VERSION)} + 0`',
    tests: [CONDITIONAL],
    only: '^tags of records \\(sqlite\\)',
  },
  {
    name: 'a part that changes does not touch its owner',
    file: 'src/engine/unit/unit.ts',
    from: 'if (resource.owner) await this.#touch(resource, [owner as Value]);',
    to: 'void owner;',
    tests: ['test/api/category-pictures.test.ts', 'test/api/product-image.test.ts'],
    only: SQLITE,
  },
  {
    name: 'a part that is made does not touch its owner',
    file: 'src/engine/unit/unit.ts',
    from: 'if (owner) await this.#touch(resource, [...new Set(all.map((values) => values[owner.name]!))]);',
    to: 'void owner;',
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'one link is forgotten when a record goes',
    file: 'src/engine/unit/unit.ts',
    from: `if (storage.onDelete === 'cascade')`,
    to: `if (storage.onDelete === 'cascade' && link !== resource.linkedFrom.find((each) => each.storage.in === 'link'))`,
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'a link still leads to a record that is gone',
    file: 'src/engine/unit/unit.ts',
    from: `if (storage.onDelete === 'set null')`,
    to: `if (storage.onDelete === 'set null' && ids.length === 0)`,
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'only the top of a branch is deleted',
    file: 'src/engine/unit/unit.ts',
    from: 'if (resource.tree) ids = await this.#withAllBelow(resource, ids);',
    to: '',
    tests: [JOURNAL],
    only: SQLITE,
  },
  {
    name: 'a refused unit is not undone',
    file: 'src/engine/unit/unit.ts',
    from: 'if (isProblem(result)) throw new Refused(result);',
    to: '',
    tests: [UNIT_OF_WORK],
    only: SQLITE,
  },
  {
    name: 'commits that only release files are not told',
    file: 'src/engine/unit/unit.ts',
    from: 'releasesFiles: this.#released.size > 0 };',
    to: 'releasesFiles: false };',
    tests: [IMAGE_FILES],
    only: SQLITE,
  },
  {
    name: 'the file of a deleted record is not released',
    file: 'src/engine/unit/unit.ts',
    from: 'for (const file of files) this.#released.add(file as string);',
    to: 'void files;',
    tests: [IMAGE_FILES],
    only: SQLITE,
  },
  {
    name: 'the file of a replaced picture is not released',
    file: 'src/engine/unit/unit.ts',
    from: 'if (field.field.file && stored) this.#released.add(stored[field.name] as string);',
    to: '',
    tests: ['test/api/category-pictures.test.ts'],
    only: SQLITE,
  },
  {
    name: 'a claim is not ended by its row',
    file: 'src/engine/unit/released-files.ts',
    from: `const ended = await unit.ask('end claims', claimsEnded, { ids: claims.map(({ id }) => id) });`,
    to: 'const ended = claims;',
    tests: [IMAGE_FILES],
    only: SQLITE,
  },
  {
    name: 'a claim that ran out is taken for one',
    file: 'src/engine/unit/released-files.ts',
    from: 'if (ended.length < claims.length) throw',
    to: 'if (ended.length > claims.length) throw',
    tests: [UNIT_OF_WORK],
    only: SQLITE,
  },
  {
    name: 'the sweep removes a file that is claimed',
    file: 'src/engine/unit/released-files.ts',
    from: 'if (isClaimed) return false;',
    to: 'void isClaimed;',
    tests: [UNIT_OF_WORK],
    only: SQLITE,
  },
  {
    name: 'the sweep removes a file that a row names',
    file: 'src/engine/unit/released-files.ts',
    from: `if (await finds('file holders', lookUps.fileHolders(service.model.files))) {`,
    to: `if (await finds('file claimed', () => sql\`select 1 where 1 = 0\`)) {`,
    tests: [IMAGE_FILES],
    only: SQLITE,
  },
  {
    name: 'the sweep removes files while a backup runs',
    file: 'src/engine/unit/released-files.ts',
    from: `if (await finds('removals held', removalsHeld)) return false;`,
    to: '',
    tests: [UNIT_OF_WORK],
    only: SQLITE,
  },
  {
    name: 'a stamp goes back with the clock',
    file: 'src/engine/unit/rows.ts',
    from: 'case when ${stamp} > ${now} then ${stamp} else ${now} end`',
    to: '${now}`',
    tests: ['test/faults/clock.test.ts'],
    only: '^a clock that jumps',
  },
  {
    name: 'stock is read outside of its lock',
    file: 'src/engine/unit/unit.ts',
    from: 'await this.#lockAll(`all ${name}`, lookUps.lockRecords(resource), ids);\n    return this.list(',
    to: 'return this.list(',
    tests: [STOCK],
    only: '^at once \\(postgres\\) (100|50) orders',
  },
  {
    name: 'positions are those of the writes, not of the commits (PostgreSQL)',
    file: 'src/engine/unit/journal.ts',
    from: `insert into \${sql.table('change_inbox')} (\${CHANGE_COLUMNS}) select \${GIVEN} from`,
    to: `insert into \${sql.table('change')} (position, \${CHANGE_COLUMNS}) select nextval(pg_get_serial_sequence('change_inbox', 'id')), \${GIVEN} from`,
    tests: [JOURNALS],
  },
  {
    name: 'the journal is written after the commit of what it tells',
    file: 'src/engine/unit/unit.ts',
    from: '      return { outcome: result, commit: await unit.finish() };\n    });',
    to: `      return { outcome: result, unit };
    }).then(({ outcome, unit }) => service.database.transaction(async (other) => {
      unit.run = (statement, values) => other.run(statement, values);
      return { outcome, commit: await unit.finish() };
    }));`,
    tests: [UNITS],
  },
  {
    name: 'changes of one record are ordered by their versions as text (PostgreSQL)',
    file: 'src/engine/unit/order.ts',
    from: 'over (order by id)',
    to: 'over (order by resource, record, cast(version as text))',
    tests: [JOURNALS],
  },
  {
    name: 'a record that an owner’s part changes is not told',
    file: 'src/engine/unit/unit.ts',
    from: "this.#journal.note(resource, id as Value, 'updated', stateOf(version, path), fields);",
    to: 'void [id, version, path];',
    tests: [JOURNALS],
  },
  {
    name: 'a row may refer to a record that is being deleted (PostgreSQL)',
    file: 'src/adapters/postgres/dialect.ts',
    from: 'forRemoval: sql`for update`',
    to: 'forRemoval: sql`for no key update`',
    tests: [UNITS],
  },
  {
    name: 'an upload does not wait for the removal of the same bytes',
    file: 'src/engine/unit/released-files.ts',
    from: 'if ((await transaction.run(beingRemoved, { name, now })).length > 0) return false;',
    to: 'void removed;',
    tests: [RELEASED],
  },
  {
    name: 'a release that is there already is not held (PostgreSQL)',
    file: 'src/engine/unit/released-files.ts',
    from: `on conflict (name) do update set removing_until = \${sql.id('released_file', 'removing_until')}`,
    to: 'on conflict (name) do nothing',
    tests: [RELEASED],
  },
];

const OPERATIONS: readonly Mistake[] = [
  {
    name: 'a record is read before it is locked',
    file: 'src/engine/operations/read.ts',
    from: [
      'const [row] = await unit.ask(`lock ${place.path}`, lookUps.lockRecord(place), values);',
      'const shown = row && (await unit.shown(target));',
      'if (!shown) return undefined;',
    ].join('\n  '),
    to: [
      'const shown = await unit.shown(target);',
      'const [row] = await unit.ask(`lock ${place.path}`, lookUps.lockRecord(place), values);',
      'if (!shown || !row) return undefined;',
    ].join('\n  '),
    tests: [HISTORY],
    only: 'right on PostgreSQL',
  },
  {
    name: 'the client’s condition is not looked at',
    file: 'src/engine/operations/read.ts',
    from: 'return condition?.(before) ?? before;',
    to: 'return before;',
    tests: [CONDITIONAL],
    only: '^If-Match \\(sqlite\\)',
  },
  {
    name: 'If-None-Match is passed over where a record is made',
    file: 'src/engine/operations/create.ts',
    from: 'const failed = existing && condition?.(existing);',
    to: 'const failed = undefined;',
    tests: [CONDITIONAL],
    only: '^If-None-Match on a write \\(sqlite\\)',
  },
  {
    name: 'changes of a tree do not wait for each other',
    file: 'src/engine/operations/read.ts',
    from: 'if (tree || declaration.takesTurns)',
    to: 'if (declaration.takesTurns)',
    tests: [TREE],
    only: '^two moves at once \\(postgres\\) never make a cycle: by move, 1 ',
  },
  {
    name: 'a language that was deleted meanwhile is written in',
    file: 'src/engine/operations/read.ts',
    from: 'if (gone) return gone;',
    to: 'void gone;',
    tests: [UNIT_OF_WORK],
    only: SQLITE,
  },
  {
    name: 'a read-only value is accepted in a change',
    file: 'src/engine/operations/sent-back.ts',
    from: 'if (!isUncompared(field) && !isShownAs(value, before.record[field.name], world, field))',
    to: 'if (isUncompared(field) && value === path && before === undefined)',
    tests: [READ_ONLY],
    only: '^read-only fields in PUT and PATCH \\(sqlite\\)',
  },
  {
    name: 'a read-only value is accepted in a new record',
    file: 'src/engine/operations/sent-back.ts',
    from: 'if (isKnown && !isShownAs(',
    to: 'if (!isKnown && !isShownAs(',
    tests: [READ_ONLY],
    only: '^read-only fields in POST \\(sqlite\\)',
  },
  {
    name: 'a fixed field may be changed',
    file: 'src/engine/operations/sent-back.ts',
    from: 'if (before && meansStored(field, value, before, world)) continue;',
    to: 'if (before) continue;',
    tests: [READ_ONLY],
    only: '^read-only fields in PUT and PATCH \\(sqlite\\)',
  },
  {
    name: 'uniqueness is not checked',
    file: 'src/engine/operations/checks.ts',
    from: `if (rows.length > 0) draft.violations.add(field.name, 'not_unique', messages.notUnique);`,
    to: `if (rows.length < 0) draft.violations.add(field.name, 'not_unique', messages.notUnique);`,
    tests: [VALIDATION],
    only: 'sqlite.*are unique',
  },
  {
    name: 'twins are not looked for',
    file: 'src/engine/operations/checks.ts',
    from: `if (twin) draft.violations.add(`,
    to: `if (twin === null) draft.violations.add(`,
    tests: ['test/api/sku-twins.test.ts'],
    only: SQLITE,
  },
  {
    name: 'one more sibling than there may be',
    file: 'src/engine/operations/checks.ts',
    from: 'if (count >= limit.count)',
    to: 'if (count > limit.count)',
    tests: ['test/api/product-image.test.ts', 'test/api/product-image-upload.test.ts'],
    only: '\\(sqlite\\) are the most',
  },
  {
    name: 'the rules of parts are not run',
    file: 'src/engine/operations/parts.ts',
    from: 'const derived = await rules.derive?.(part, unit);',
    to: 'const derived = undefined;',
    tests: ['test/api/product-images-with-product.test.ts'],
    only: '\\(sqlite\\) shows them by position',
  },
  {
    name: 'what is wrong with a picture is not told',
    file: 'src/engine/operations/pictures.ts',
    from: 'body.violations.addAll(violations, task.path);',
    to: '',
    tests: ['test/api/product-images-with-product.test.ts'],
    only: '\\(sqlite\\) tells everything that is wrong',
  },
  {
    name: 'a PUT resets what the store keeps',
    file: 'src/engine/operations/draft.ts',
    from: `if (operation === 'replace' && field.field.kept) continue;`,
    to: '',
    tests: ['test/api/put-and-patch.test.ts'],
    only: '^PUT \\(sqlite\\) resets',
  },
  {
    name: 'a record that must stay is deleted',
    file: 'src/engine/operations/remove.ts',
    from: 'if (obstacle !== undefined) return',
    to: 'if (obstacle === null) return',
    tests: ['test/api/language.test.ts'],
    only: '\\(sqlite\\) is not ',
  },
  {
    name: 'a refused write is saved',
    file: 'src/engine/operations/write.ts',
    from: 'if (refused) return refused;',
    to: 'void refused;',
    tests: ['test/api/problems.test.ts'],
    only: '\\(sqlite\\) every broken rule',
  },
];

const REQUESTS: readonly Mistake[] = [
  {
    name: '“or greater” is greater',
    file: 'src/engine/request/operators.ts',
    from: `gte: { takes: 'number', sql: '>=',`,
    to: `gte: { takes: 'number', sql: '>',`,
    tests: [FILTERS],
    only: 'sqlite.*gte',
  },
  {
    name: '“after” is strictly after',
    file: 'src/engine/request/operators.ts',
    from: `after: { takes: 'moment', sql: '>=',`,
    to: `after: { takes: 'moment', sql: '>',`,
    tests: [FILTERS],
    only: 'sqlite.*after',
  },
  {
    name: 'a list in a filter has one value less',
    file: 'src/engine/request/intent.ts',
    from: 'if (group.length > LIST_VALUES_MAX)',
    to: 'if (group.length >= LIST_VALUES_MAX)',
    tests: [FILTERS],
    only: '\\(sqlite\\) (id\\[\\]=1&){5}',
  },
  {
    name: 'a search has one word less',
    file: 'src/engine/request/word-search.ts',
    from: 'if (words.length > WORDS_MAX)',
    to: 'if (words.length >= WORDS_MAX)',
    tests: [SEARCH],
    only: '\\(sqlite\\) of 10 words',
  },
  {
    name: 'an unknown parameter is passed over',
    file: 'src/engine/request/intent.ts',
    from: 'if (!filter) return this.#unknown(first.written);',
    to: 'if (!filter) return undefined;',
    tests: [FILTERS],
    only: 'sqlite.*refused',
  },
  {
    name: 'every query is read leniently',
    file: 'src/engine/request/intent.ts',
    from: 'if (refused !== undefined && !lenient)',
    to: 'if (refused !== undefined && lenient)',
    tests: [FILTERS],
    only: 'sqlite.*refused',
  },
  {
    name: 'every body is read leniently',
    file: 'src/engine/request/body.ts',
    from: `else if (!reading.lenient) refuseUnknown('', name, known, violations);`,
    to: '',
    tests: [VALIDATION],
    only: '^a broken rule of a product \\(sqlite\\) .*: unknown_field',
  },
  {
    name: 'a required field may be left out',
    file: 'src/engine/request/body.ts',
    from: 'if (field.field.required && !Object.hasOwn(body, field.name))',
    to: 'if (field.field.required && Object.hasOwn(body, field.name) && body[field.name] === undefined)',
    tests: [VALIDATION],
    only: 'sqlite.*required',
  },
  {
    name: 'a page may have as many records as are asked for',
    file: 'src/engine/request/intent.ts',
    from: 'this.#itemsPerPage = Math.min(number, ITEMS_PER_PAGE_MAX);',
    to: 'this.#itemsPerPage = number;',
    tests: [PAGES],
    only: '\\(sqlite\\) \\?itemsPerPage=1',
  },
  {
    name: 'a page begins one page later',
    file: 'src/engine/operations/list.ts',
    from: 'offset: (intent.page - 1) * intent.itemsPerPage',
    to: 'offset: intent.page * intent.itemsPerPage',
    tests: [PAGES],
    only: '\\(sqlite\\) \\?itemsPerPage=1',
  },
  {
    name: 'a day in a filter is a second',
    file: 'src/engine/request/intent.ts',
    from: 'dateOnly ? nextDay : seconds + 1',
    to: 'nextDay < 0 || dateOnly ? seconds + 1 : seconds + 1',
    tests: [FILTERS],
    only: 'sqlite.*date',
  },
];

const STATEMENTS: readonly Mistake[] = [
  {
    name: 'equal records stand in any order',
    file: 'src/engine/sql/source.ts',
    from: 'return sql.join(wanted.some(({ field }) => field.isIdentifier) ? terms : [...terms, sql`${id} asc`]);',
    to: 'return sql.join(terms.length > 0 ? terms : [id]);',
    tests: ['test/api/sorting.test.ts'],
    only: '^sorting \\(postgres\\)',
  },
  {
    name: 'a filter on a link lets every linked record through',
    file: 'src/engine/sql/conditions.ts',
    from: 'wanted ? sql`${column} in (${wanted})` :',
    to: 'wanted ? sql`(${column} is not null or ${column} in (${wanted}))` :',
    tests: [FILTERS],
    only: 'sqlite.*product_class',
  },
  {
    name: 'a search wants each word in every text',
    file: 'src/engine/sql/search.ts',
    from: 'return sql`(${sql.join(inOne, sql` or `)})`;',
    to: 'return sql`(${sql.join(inOne, sql` and `)})`;',
    tests: [SEARCH],
    only: '^a search \\(sqlite\\) for',
  },
  {
    name: 'a search does not look for whole words first',
    file: 'src/engine/sql/search.ts',
    from: `return hasAll(source, 'search_words', (pattern) => like(spaced(key), pattern));`,
    to: `return hasAll(source, 'search_patterns', (pattern) => like(key, pattern));`,
    tests: [SEARCH],
    only: '^a search \\(sqlite\\) for',
  },
  {
    name: 'a text falls back to the last of the languages',
    file: 'src/engine/sql/source.ts',
    from: `order by \${sql.id('x', 'language')} limit 1)`,
    to: `order by \${sql.id('x', 'language')} desc limit 1)`,
    tests: [LANGUAGES],
    only: '^texts \\(sqlite\\) without one',
  },
  {
    name: 'a set shows what records before are linked to',
    file: 'src/engine/sql/selection.ts',
    from: `const mine = sql\`\${sql.id(pair, ownerColumn(source.resource))} =`,
    to: `const mine = sql\`\${sql.id(pair, ownerColumn(source.resource))} <=`,
    tests: ['test/api/links.test.ts'],
    only: '\\(sqlite\\)',
  },
];

const FIELDS: readonly Mistake[] = [
  {
    name: 'a whole number may not be its least',
    file: 'src/engine/fields/number.ts',
    from: 'if (value < min || value > max)',
    to: 'if (value <= min || value > max)',
    tests: [VALIDATION],
    only: '^a kept rule of a product \\(sqlite\\) backorder_limit',
  },
  {
    name: 'a decimal may be more than its most',
    file: 'src/engine/fields/number.ts',
    from: 'if (number < min || number > max)',
    to: 'if (number < min)',
    tests: [VALIDATION],
    only: '^a broken rule of a product \\(sqlite\\) .*: range',
  },
  {
    name: 'a decimal may have as many decimals as a double',
    file: 'src/engine/fields/number.ts',
    from: 'if (value instanceof LossyNumber || !hasFewDecimals(number))',
    to: 'if (value instanceof LossyNumber)',
    tests: [VALIDATION],
    only: '^a broken rule of a product \\(sqlite\\) .*: decimals',
  },
  {
    name: 'every field may be null',
    file: 'src/engine/fields/members.ts',
    from: 'if (field.nullable) read[name] = null;',
    to: 'if (name !== path || field.nullable || value === null) read[name] = null;',
    tests: [VALIDATION],
    only: '^a broken rule of a product \\(sqlite\\) .*: null',
  },
  {
    name: 'a text may be one character longer',
    file: 'src/engine/fields/text.ts',
    from: 'reaches(value, options.lengthMax + 1)',
    to: 'reaches(value, options.lengthMax + 2)',
    tests: [VALIDATION],
    only: '^a broken rule of a product \\(sqlite\\) .*: too_long',
  },
  {
    name: 'characters outside of the first plane count twice',
    file: 'src/engine/fields/text.ts',
    from: 'for (const _ of value) points += 1;',
    to: 'points = value.length;',
    tests: [VALIDATION],
    only: '^a kept rule of a product \\(sqlite\\) (sku|name)',
  },
];

const HTTP: readonly Mistake[] = [
  {
    name: 'If-Match is not compared',
    file: 'src/http/tags.ts',
    from: 'const matches = ifMatch === undefined ||',
    to: `const matches = ifMatch !== '' ||`,
    tests: [HISTORY],
    only: 'right on SQLite',
  },
  {
    name: 'If-None-Match is not compared on a write',
    file: 'src/http/tags.ts',
    from: 'if (namesTag(ifNoneMatch, etag))',
    to: 'if (namesTag(undefined, etag))',
    tests: [CONDITIONAL],
    only: '^If-None-Match on a write \\(sqlite\\)',
  },
  {
    name: 'If-Match compares with the tag of another form',
    file: 'src/http/writes.ts',
    from: 'return conditionOf(conditionsOf(request), (now) => represent(request, now, shown).etag);',
    to: `return conditionOf(conditionsOf(request), (now) => representation('application/json', request.service.world)(now, shown).etag);`,
    tests: ['test/api/json-ld.test.ts'],
    only: '\\(sqlite\\) each form has a tag of its own',
  },
  {
    name: 'the tag of an encoded answer is unknown when it comes back',
    file: 'src/http/tags.ts',
    from: `.replace(ENCODED, '"')`,
    to: '',
    tests: ['test/api/encodings.test.ts'],
    only: '\\(sqlite\\) have tags',
  },
  {
    name: 'the tag of some fields holds whatever its version',
    file: 'src/http/tags.ts',
    from: '?.[1] === String(version);',
    to: '?.[1] !== String(-version);',
    tests: ['test/api/shown-fields.test.ts'],
    only: '\\(sqlite\\) have a tag whose version',
  },
  {
    name: 'what a client has already is sent again',
    file: 'src/http/answer.ts',
    from: `if (isRead(request) && namesTag(`,
    to: `if (!isRead(request) && namesTag(`,
    tests: [CONDITIONAL],
    only: '^If-None-Match \\(sqlite\\)',
  },
  {
    name: 'requests with one Idempotency-Key do not wait for each other',
    file: 'src/http/idempotency.ts',
    from: 'const first = running.get(name);',
    to: 'const first = undefined as Promise<void> | undefined;',
    tests: [IDEMPOTENCY],
    only: '^a download under a key \\(sqlite\\) that lasts a second',
  },
  {
    name: 'requests with one Idempotency-Key do not wait across processes',
    file: 'src/http/idempotency.ts',
    from: 'await unit.lock(',
    to: 'void (',
    tests: [IDEMPOTENCY],
    only: '^three server processes',
  },
  {
    name: 'a key is not looked for again in the transaction',
    file: 'src/http/idempotency.ts',
    from: 'this.known = await findAnswer(unit, this.#intended);',
    to: '',
    tests: [IDEMPOTENCY],
    only: '^three server processes',
  },
  {
    name: 'the fingerprint of a request leaves its body out',
    file: 'src/http/idempotency.ts',
    from: 'digestOf(`${method} ${url}\\n${deciding}`, identity);',
    to: `digestOf(\`\${method} \${url}\\n\${deciding}\`, '');`,
    tests: [IDEMPOTENCY],
    only: '^the same request with the same key \\(sqlite\\) with another body',
  },
  {
    name: 'an answer that is known already is made anew',
    file: 'src/http/idempotency.ts',
    from: 'if (this.known) return stillRuns();',
    to: 'if (!this.known) this.known = undefined;',
    tests: [IDEMPOTENCY],
    only: '^three server processes',
  },
  {
    name: 'a 405 does not say what is offered',
    file: 'src/http/admission.ts',
    from: `the path has \${allow}.\`, { allow });`,
    to: `the path has \${allow}.\`);`,
    tests: ['test/api/methods-and-order-of-checks.test.ts'],
    only: '^methods \\(sqlite\\)',
  },
  {
    name: 'a read-only key writes',
    file: 'src/http/admission.ts',
    from: `if (key.kind === 'read-only' && WRITING.has(request.method))`,
    to: `if (key.kind === 'read-only' && request.method === 'OPTIONS')`,
    tests: ['test/api/authentication.test.ts'],
    only: SQLITE,
  },
  {
    name: 'a body may not be as large as the limit',
    file: 'src/http/request-body.ts',
    from: 'if (length > bodyLimit) finish(',
    to: 'if (length >= bodyLimit) finish(',
    tests: ['test/api/limits.test.ts'],
    only: '^the size of a body \\(sqlite\\)',
  },
  {
    name: 'answers are not for pages of other origins',
    file: 'src/http/headers.ts',
    from: `'access-control-allow-origin': '*',`,
    to: '',
    tests: ['test/api/cors.test.ts'],
    only: SQLITE,
  },
  {
    name: 'small bodies are compressed',
    file: 'src/http/encodings.ts',
    from: 'Buffer.byteLength(body) <= PLAIN_BYTES_MAX)',
    to: 'Buffer.byteLength(body) < PLAIN_BYTES_MAX / 1024)',
    tests: ['test/api/encodings.test.ts'],
    only: '\\(sqlite\\) are not made of small bodies',
  },
  {
    name: 'the last request that a rate allows is refused',
    file: 'src/http/rates.ts',
    from: 'const isExceeded = window.count > this.#max;',
    to: 'const isExceeded = window.count >= this.#max;',
    tests: ['test/faults/door-rates.test.ts'],
    only: '^a rate',
  },
];

const DOMAIN: readonly Mistake[] = [
  {
    name: 'a sale may not take off everything',
    file: 'src/domain/rules/sale.ts',
    from: 'sale_price_value > PERCENT_MAX)',
    to: 'sale_price_value >= PERCENT_MAX)',
    tests: [PRODUCT, MONEY],
    only: 'sale.*\\(sqlite\\)',
  },
  {
    name: 'a sale price may be above the price',
    file: 'src/domain/rules/sale.ts',
    from: 'else if (sale_price_value > price)',
    to: 'else if (sale_price_value < 0)',
    tests: [MONEY],
    only: '^the sale of a product \\(sqlite\\)',
  },
  {
    name: 'a percentage off is what is paid',
    file: 'src/domain/rules/money.ts',
    from: '(whole - unitsOf(percent))',
    to: 'unitsOf(percent)',
    tests: [MONEY],
    only: '^what a customer pays \\(sqlite\\)',
  },
  {
    name: 'money is cut off instead of rounded',
    file: 'src/domain/rules/money.ts',
    from: 'const half = divisor / 2n;',
    to: 'const half = 0n * divisor;',
    tests: [MONEY],
    only: '^what a customer pays \\(sqlite\\)',
  },
  {
    name: 'more is refunded than was charged',
    file: 'src/domain/rules/transaction.ts',
    from: 'if (refunded <= charged) return;',
    to: 'if (refunded <= charged + 1n) return;',
    tests: [MONEY],
    only: '^money that moved \\(sqlite\\)',
  },
  {
    name: 'an order takes a piece below the limit of backorders',
    file: 'src/domain/rules/order-stock.ts',
    from: 'if (after < least) shortages.push(',
    to: 'if (after < least - 1) shortages.push(',
    tests: [STOCK],
    only: '^(placing|a change for which stock is short) \\(sqlite\\)',
  },
  {
    name: 'a client takes a piece below the limit of backorders',
    file: 'src/domain/rules/stock.ts',
    from: 'else if (delta < 0 && sum < least)',
    to: 'else if (delta < 0 && sum < least - 1)',
    tests: [PRODUCT],
    only: '^stock \\(sqlite\\)',
  },
  {
    name: 'a category is its own ancestor',
    file: 'src/domain/rules/category-tree.ts',
    from: `if ((await reads.ancestors('Category', parent)).includes(stored.id))`,
    to: `if ((await reads.ancestors('Category', parent)).length < 0)`,
    tests: [TREE],
    only: '^a parent \\(sqlite\\) is not',
  },
  {
    name: 'there are two default languages',
    file: 'src/domain/language.ts',
    from: `if (other !== code) await unit.update('Language', other, { is_default: false });`,
    to: `if (other !== code) await unit.update('Language', other, { is_default: true });`,
    tests: ['test/api/language.test.ts'],
    only: '\\(sqlite\\) moves, and is always one',
  },
  {
    name: 'a clean URL with a number is too long',
    file: 'src/domain/rules/clean-url.ts',
    from: 'return base.slice(0, LENGTH_MAX - suffix.length) + suffix;',
    to: 'return base.slice(0, LENGTH_MAX) + suffix;',
    tests: [PRODUCT],
    only: '^clean_url \\(sqlite\\)',
  },
  {
    name: 'the numbers of clean URLs begin with 2',
    file: 'src/domain/rules/clean-url.ts',
    from: "const suffix = number === 0 ? '' : `-${number}`;",
    to: "const suffix = number === 0 ? '' : `-${number + 1}`;",
    tests: [PRODUCT],
    only: '^clean_url \\(sqlite\\)',
  },
  {
    name: 'a surcharge that is in the price already is added',
    file: 'src/domain/rules/order-placing.ts',
    from: 'include !== true && available !== false',
    to: 'available !== false && include !== null',
    tests: ['test/api/order-placing.test.ts'],
    only: '\\(sqlite\\) are exact',
  },
];

const OTHERS: readonly Mistake[] = [
  {
    name: 'kept answers are forgotten too early',
    file: 'src/store/kept-answers.ts',
    from: 'const KEPT_SECONDS = 48 * 3600;',
    to: 'const KEPT_SECONDS = 12 * 3600;',
    tests: ['test/faults/kept-answers.test.ts'],
    only: '^an answer is kept',
  },
  {
    name: 'the keys of every start are shown as the first',
    file: 'src/store/keys.ts',
    from: 'if (!isFirst || !areWanted ||',
    to: 'if (!areWanted ||',
    tests: ['test/cli/serve.test.ts'],
    only: 'shows keys once',
  },
  {
    name: 'a key that is called for reading may write',
    file: 'src/store/keys.ts',
    from: `insertKey(service, transaction, 'first read-only', 'read-only');`,
    to: `insertKey(service, transaction, 'first read-only', 'read-write');`,
    tests: ['test/cli/serve.test.ts'],
    only: 'prints the address',
  },
  {
    name: 'Shopify’s options stand in another order',
    file: 'src/transfer/import/shopify-options.ts',
    from: 'const OPTIONS = [1, 2, 3].map(',
    to: 'const OPTIONS = [1, 3, 2].map(',
    tests: ['test/import/shopify-csv.test.ts'],
  },
  {
    name: 'a compare-at price counts though it is lower',
    file: 'src/transfer/import/shopify-variant.ts',
    from: '(compareAt > price ? compareAt : 0)',
    to: '(compareAt < price ? compareAt : compareAt)',
    tests: ['test/import/shopify-csv.test.ts'],
  },
  {
    name: 'a past order’s sums are not looked at',
    file: 'src/domain/rules/order-placing.ts',
    from: 'return said === undefined || said === computed ? [] :',
    to: 'return said !== computed || said === computed ? [] :',
    tests: ['test/import/orders.test.ts'],
    only: '^lines of a file \\(sqlite\\)',
  },
  {
    name: 'the document leaves a field out',
    file: 'src/describe/openapi/schemas.ts',
    from: '...Object.fromEntries(outputs.map((field) => [field.name, shownProperty(writing, field)])),',
    to: '...Object.fromEntries(outputs.slice(1).map((field) => [field.name, shownProperty(writing, field)])),',
    tests: ['test/engine/openapi.test.ts'],
    only: '^input has the fields',
  },
  {
    name: 'the document leaves the operators of filters out',
    file: 'src/describe/openapi/filters.ts',
    from: 'for (const operator of operatorsFor(filter)) {',
    to: 'for (const operator of operatorsFor(filter).slice(1)) {',
    tests: ['test/engine/openapi.test.ts'],
    only: '^a collection has its filters',
  },
];

const ADAPTERS: readonly Mistake[] = [
  {
    name: 'rows are not locked (PostgreSQL)',
    file: 'src/adapters/postgres/dialect.ts',
    from: 'forUpdate: sql`for no key update`',
    to: 'forUpdate: sql``',
    tests: [HISTORY],
    only: 'right on PostgreSQL',
  },
  {
    name: 'an answer goes out before its commit (PostgreSQL)',
    file: 'src/adapters/postgres/database.ts',
    from: 'await transaction.commit();\n      client.release();',
    to: 'void transaction.commit().then(() => client.release(), () => client.release(true));',
    tests: ['test/faults/postgres-lost.test.ts'],
    only: 'is cut before commit',
  },
  {
    name: 'a lost race is not run again (PostgreSQL)',
    file: 'src/adapters/postgres/database.ts',
    from: 'if (!isConflict(error)) throw error;',
    to: 'throw error;',
    tests: [CONCURRENCY],
    only: '^created at once \\(postgres\\)',
  },
  {
    name: 'transactions of one process do not take turns (SQLite)',
    file: 'src/adapters/sqlite/database.ts',
    from: 'const turn = this.#last.then(work);',
    to: 'const turn = work();',
    tests: ['test/conformance/database.test.ts'],
    only: '^the database sqlite changes',
  },
];

/** Answers that are kept, and when they are used. */
const KEPT: readonly Mistake[] = [
  {
    name: 'a kept list does not hear of the records by which it is filtered',
    file: 'src/engine/request/deciding.ts',
    from: 'if (linked) names.add(toldAs(linked));',
    to: 'if (linked === resource) names.add(toldAs(linked));',
    tests: [KEPT_LISTS],
    only: 'sqlite.*by which they are filtered',
  },
  {
    name: 'a list is kept though a change of one record moves others',
    file: 'src/engine/request/deciding.ts',
    from: 'return names.has(resource.name) ? undefined : names;',
    to: 'names.delete(resource.name);\n  return names;',
    tests: [KEPT_LISTS],
    only: 'sqlite.*by which they are filtered',
  },
  {
    name: 'what came while a list was read is passed over',
    file: 'src/http/kept-lists.ts',
    from: 'const list = { ids: new OrderedIds(ids), look, renewal: undefined };',
    to: 'await this.#freshness.look();\n    const list = { ids: new OrderedIds(ids), look: Math.max(look, this.#freshness.taken), renewal: undefined };',
    tests: [KEPT_LISTS],
    only: 'sqlite.*while they were read',
  },
  {
    name: 'judging a list’s records is not proved',
    file: 'src/http/kept-lists.ts',
    from: 'if (!edits || !isProved) continue;',
    to: 'if (!edits || (!isProved && tries < 0)) continue;',
    tests: [KEPT_LISTS],
    only: 'sqlite.*while others were judged',
  },
  {
    name: 'lists of two languages are one',
    file: 'src/http/pages.ts',
    from: '(await lists?.page(asked, `${wordingOf(request, options)} ${place.path}`));',
    to: '(await lists?.page(asked, place.path));',
    tests: [KEPT_LISTS],
    only: SQLITE,
  },
  {
    name: 'a changed record stays at its place in a kept list too',
    file: 'src/http/ordered-ids.ts',
    from: 'return { gone, come: places.map(',
    to: 'return { gone: gone.slice(1), come: places.map(',
    tests: ['test/http/ordered-ids.test.ts'],
  },
  {
    name: 'a look that has begun serves requests that came later',
    file: 'src/store/freshness.ts',
    from: `      this.#next = undefined;
`,
    to: `      void look.finally(() => {
        this.#next = undefined;
      });
`,
    tests: [KEPT_READS],
  },
  {
    name: 'what was just read is used before a look has proved it',
    file: 'src/store/freshness.ts',
    from: `this.#taken > until && `,
    to: ``,
    tests: [KEPT_READS],
  },
  {
    name: 'an answer outlives a change of what it is made of',
    file: 'src/store/freshness.ts',
    from: `    for (const { changed } of all) if (changed > look) return false;
`,
    to: ``,
    tests: [FRESHNESS],
  },
  {
    name: 'an answer outlives a change of its record',
    file: 'src/store/freshness.ts',
    from: `if ((this.#records.get(record) ?? 0) > look) return false;`,
    to: `if (record === '') return false;`,
    tests: [FRESHNESS],
  },
  {
    name: 'a page is made of two moments: nobody looks after its records are read',
    file: 'src/http/pages.ts',
    from: `if (!listed || missing.length > 0) await freshness.look();`,
    to: ``,
    tests: [KEPT_READS],
  },
  {
    name: 'a page is made of two moments: a change meanwhile is passed over',
    file: 'src/http/pages.ts',
    from: `!freshness.isUnchangedSince(after, sources) || `,
    to: ``,
    tests: [FRESHNESS],
  },
  {
    name: 'a record counts as read at its end, not at its beginning',
    file: 'src/http/pages.ts',
    from: `keep(form, ids[index]!, textOf(record, intent), after)`,
    to: `keep(form, ids[index]!, textOf(record, intent), freshness.taken)`,
    tests: [KEPT_READS],
  },
  {
    name: 'changes without a position are not seen',
    file: 'src/engine/unit/journal-reader.ts',
    from: `[...placed, ...inbox]`,
    to: `[...placed]`,
    tests: [FRESHNESS],
  },
  {
    name: 'a record outlives a change of what it shows of others',
    file: 'src/http/pages.ts',
    from: `(kind !== 'created' && records.has(resource))`,
    to: `(kind === 'deleted' && records.has(resource))`,
    tests: [FRESHNESS],
  },
  {
    name: 'of very many changes only the first are seen',
    file: 'src/engine/unit/journal-reader.ts',
    from: ' || placed.length > CHANGES_MAX',
    to: '',
    tests: [KEPT_READS],
  },
  {
    name: 'a change past the program is not seen (SQLite)',
    file: 'src/store/freshness.ts',
    from: ' || isUntold',
    to: '',
    tests: [KEPT_READS],
  },
  {
    name: 'a search outlives the texts that it found',
    file: 'src/engine/model/reach.ts',
    from: `    for (const { resource: searched } of search?.in ?? []) visit(searched);
`,
    to: ``,
    tests: [KEPT_READS],
  },
  {
    name: 'two changes that are alike count as one',
    file: 'src/engine/unit/journal-reader.ts',
    from: `      before.set(key, alike - 1);
`,
    to: ``,
    tests: [KEPT_READS],
  },
  {
    name: 'a record outlives the deletion of one that it names',
    file: 'src/http/pages.ts',
    from: ` || (kind === 'deleted' && identifiers.has(resource))`,
    to: ``,
    tests: [KEPT_READS],
  },
  {
    name: 'a repeat overtakes the write in front of it',
    file: 'src/http/repeats.ts',
    from: `answer.socket === null || `,
    to: ``,
    tests: [REPEATS],
  },
  {
    name: 'a request counts as a repeat, whatever its headers are',
    file: 'src/http/repeats.ts',
    from: `return known.head === headOf(request) ? known : undefined;`,
    to: `return known;`,
    tests: [REPEATS],
  },
  {
    name: 'a list does not hear of new records',
    file: 'src/http/pages.ts',
    from: `change.resource === resource.name && change.kind !== 'updated'`,
    to: `change.resource === resource.name && change.kind === 'deleted'`,
    tests: [KEPT_AND_ANEW],
  },
  {
    name: 'a repeat is answered for a key that was revoked on the way',
    file: 'src/http/repeats.ts',
    from: 'state: visit.state });',
    to: 'state: this.#freshness.state! });',
    tests: [REPEATS],
  },
  {
    name: 'a look that does not come back holds everybody up',
    file: 'src/store/freshness.ts',
    from: 'await Promise.race([look, late]).catch(() => {});',
    to: 'await look.catch(() => {});',
    tests: [KEPT_READS],
  },
  {
    name: 'a look that comes late tells what it saw',
    file: 'src/store/freshness.ts',
    from: 'if (number < this.#taken) return this.#state!;',
    to: '',
    tests: [KEPT_READS],
  },
];

export const MISTAKES: readonly Mistake[] = [
  ...UNIT,
  ...OPERATIONS,
  ...REQUESTS,
  ...STATEMENTS,
  ...FIELDS,
  ...HTTP,
  ...KEPT,
  ...DOMAIN,
  ...OTHERS,
  ...ADAPTERS,
];
