/**
 * Derives tables and indexes from the model, as data. Also declares the engine's own tables (keys, settings, journal).
 */

import type { Column, Index, Table, TextIndex, Value } from '../ports.ts';
import { AUDIT_TABLES } from './audit-tables.ts';
import type { Model, ModelField, ModelResource } from './model.ts';

export interface Schema {
  readonly tables: readonly Table[];
  readonly indexes: readonly Index[];
  readonly textIndexes: readonly TextIndex[];
}

/** @param others tables outside the engine to include in the schema */
export function schemaOf(model: Model, others: readonly Table[] = []): Schema {
  const tables: Table[] = [];
  const indexes: Index[] = [];
  const textIndexes: TextIndex[] = [];
  // Text tables reference the language table, and links their targets: referenced tables come first.
  for (const resource of inOrderOfReference(model)) {
    tables.push(tableOf(resource));
    indexes.push(...indexesOf(resource, model));
    if (resource.translations.length > 0) {
      tables.push(textTableOf(resource));
      indexes.push(...textIndexesOf(resource));
    }
    textIndexes.push(...textSearchesOf(resource));
  }
  for (const resource of model.resources.values())
    for (const field of resource.fields.values())
      if (field.storage.in === 'links') {
        tables.push(pairTableOf(field));
        indexes.push(indexOn(pairTable(field), [ownerColumn(field.target!)]));
      }
  for (const resource of model.resources.values())
    for (const field of resource.fields.values()) if (field.field.numbered) tables.push(numberTableOf(field));
  for (const [name, fields] of model.sharedUnique) {
    tables.push(uniqueTableOf(name, fields));
    for (const field of fields) indexes.push(indexOn(uniqueTable(name), [ownerColumn(field.resource)], true));
  }
  return { tables: [...tables, ...STORE_TABLES, ...others], indexes: [...indexes, ...STORE_INDEXES], textIndexes };
}

export const textTable = (resource: ModelResource): string => `${resource.table}_text`;
/** The column of another table that holds this resource's identifier. */
export const ownerColumn = (resource: ModelResource): string => `${resource.table}_id`;
export const pairTable = (field: Pick<ModelField, 'resource' | 'name'>): string =>
  `${field.resource.table}_${field.name}`;
/** The table that generates the numbers of a numbered text. */
export const numberTable = (field: ModelField): string => `${field.resource.table}_${field.column}`;
export const uniqueTable = (name: string): string => `unique_${name}`;
/** The column of a text's sort and search key. */
export const keyColumn = (field: ModelField): string => `${field.column}_key`;
/** The column for comparing a unique translated text, or one that is loosely distinct. */
export const matchColumn = (field: ModelField): string => `${field.column}_match`;
/** The column of the file name that `fileIn` extracts from a value. */
export const fileColumn = (field: ModelField): string => `${field.column}_file`;
/** The column that names a field's file, if it has one. */
export const fileColumnOf = (field: ModelField): string | undefined =>
  field.field.fileIn ? fileColumn(field) : field.field.file ? field.column : undefined;
export const VERSION = 'version';

/** Columns of a journal entry: one change of one record. */
const CHANGE: readonly Column[] = [
  column('resource', 'text'),
  column('record', 'text'),
  column('kind', 'text'),
  column('version', 'integer'),
  column('fields', 'json'),
  column('key_name', 'text'),
  column('at', 'timestamp'),
  // Defaults, because an older program version inserts rows without these columns.
  { ...column('path', 'text'), default: '' },
  { ...column('mark', 'integer'), default: 0 },
];

/** Tables that belong to no resource. */
const STORE_TABLES: readonly Table[] = [
  {
    name: 'setting',
    columns: [column('name', 'text'), column('value', 'text')],
    primaryKey: ['name'],
    counted: false,
  },
  {
    name: 'api_key',
    columns: [
      ...[column('name', 'text'), column('kind', 'text'), column('hash', 'text'), column('created', 'timestamp')],
      nullable('expires', 'timestamp'),
      // Of the key before its last rotation.
      nullable('old_hash', 'text'),
      nullable('old_expires', 'timestamp'),
      nullable('last_used', 'timestamp'),
      // Lists as JSON. Null in keys that have none.
      ...[nullable('scopes', 'text'), nullable('masks', 'text'), nullable('networks', 'text')],
      nullable('created_by', 'text'),
      // Null in keys of earlier program versions, whose id follows from their name.
      nullable('key_id', 'text'),
      // Only of publishable keys: a list as JSON, and the key itself.
      ...[nullable('origins', 'text'), nullable('plain_key', 'text')],
    ],
    primaryKey: ['name'],
    counted: false,
  },
  {
    name: 'kept_answer',
    columns: [
      column('api_key', 'text'),
      column('key', 'text'),
      column('fingerprint', 'text'),
      column('status', 'integer'),
      column('headers', 'json'),
      column('body', 'text'),
      column('created', 'timestamp'),
      // Null in rows of an older program version, which does not know the column.
      nullable('about', 'text'),
    ],
    primaryKey: ['api_key', 'key'],
    counted: false,
  },
  { name: 'change', columns: [column('position', 'integer'), ...CHANGE], primaryKey: ['position'], counted: false },
  { name: 'change_inbox', columns: [column('id', 'integer'), ...CHANGE], primaryKey: ['id'], counted: true },
  {
    name: 'file_claim',
    columns: [column('id', 'text'), column('name', 'text'), column('until', 'timestamp')],
    primaryKey: ['id'],
    counted: false,
  },
  {
    name: 'released_file',
    columns: [column('name', 'text'), { name: 'removing_until', type: 'timestamp', nullable: true }],
    primaryKey: ['name'],
    counted: false,
  },
  ...AUDIT_TABLES,
];

const STORE_INDEXES: readonly Index[] = [
  indexOn('kept_answer', ['created']),
  indexOn('kept_answer', ['about']),
  indexOn('file_claim', ['name']),
  // Determines whether an entry is the newest of its record.
  indexOn('change', ['resource', 'record', 'position']),
];

function column(name: string, type: Column['type']): Column {
  return { name, type, nullable: false };
}

function nullable(name: string, type: Column['type']): Column {
  return { name, type, nullable: true };
}

function inOrderOfReference(model: Model): ModelResource[] {
  const ordered: ModelResource[] = [];
  const visit = (resource: ModelResource, path: readonly ModelResource[]): void => {
    if (ordered.includes(resource) || path.includes(resource)) return;
    const language = resource.translations.length > 0 ? model.resources.get('Language') : undefined;
    if (language && language !== resource) visit(language, [...path, resource]);
    for (const field of resource.fields.values())
      if (field.storage.in === 'link' && field.target !== resource) visit(field.target!, [...path, resource]);
    ordered.push(resource);
  };
  for (const resource of model.resources.values()) visit(resource, []);
  return ordered;
}

function tableOf(resource: ModelResource): Table {
  const columns: Column[] = [];
  for (const field of resource.fields.values()) {
    const { storage } = field;
    if (storage.in === 'column') {
      columns.push({ name: field.column, type: storage.type, nullable: field.field.nullable, ...defaultOf(field) });
      if (field.field.searchable)
        columns.push({ name: keyColumn(field), type: 'text', nullable: field.field.nullable, ...keyDefaultOf(field) });
      // Null in rows of an older program version, which does not know the column.
      if (field.field.distinct) columns.push({ name: matchColumn(field), type: 'text', nullable: true });
      if (field.field.fileIn) columns.push({ name: fileColumn(field), type: 'text', nullable: true });
    }
    if (storage.in === 'link')
      columns.push({
        name: field.column,
        type: field.target!.identifierType,
        nullable: field.field.nullable,
        references: { table: field.target!.table, onDelete: storage.onDelete },
      });
  }
  columns.push({ name: VERSION, type: 'integer', nullable: false, default: 1 });
  return {
    name: resource.table,
    columns,
    primaryKey: [resource.identifierField],
    counted: resource.identifier.kind === 'integer',
  };
}

/** The default allows a later migration to add the column to existing rows. */
function defaultOf(field: ModelField): { default?: Value } {
  const value = field.field.default;
  return field.isIdentifier || field.field.required || value === null ? {} : { default: value };
}

/** A key that is added to existing rows is empty until the migration fills it, even if its text has no default. */
function keyDefaultOf(field: ModelField): { default?: Value } {
  const { numbered, nullable } = field.field;
  return numbered && !nullable ? { default: '' } : defaultOf(field);
}

function indexesOf(resource: ModelResource, model: Model): Index[] {
  const { owner, uniqueTogether, foundTogether, defaultOrder } = resource;
  const optionTexts = uniqueTogether.map(({ column }) => column);
  const siblings = owner ? [owner.column, ...defaultOrder.map(({ field }) => field.column)] : [];
  // The unique index also serves siblings if it has the same prefix.
  const isCovered = siblings.every((column, index) => optionTexts[index] === column);
  const together = foundTogether.map((fields) =>
    indexOn(
      resource.table,
      fields.map(({ column }) => column),
    ),
  );
  const isPrefix = ({ columns, unique }: Index): boolean =>
    !unique && together.some((index) => columns.length === 1 && columns[0] === index.columns[0]);
  return [
    ...together,
    ...(optionTexts.length > 0 ? [indexOn(resource.table, optionTexts, true)] : []),
    ...(owner && !isCovered ? [indexOn(resource.table, siblings)] : []),
    ...[...resource.fields.values()]
      .filter((field) => !field.isIdentifier && field !== owner && !isOnlyIn(uniqueTogether, field))
      .flatMap((field) => fieldIndexes(field, model))
      // An index on several columns also serves searches for its first column.
      .filter((index) => !isPrefix(index)),
  ];
}

/** Whether the unique index is on this field alone. */
function isOnlyIn(fields: readonly ModelField[], field: ModelField): boolean {
  return fields.length === 1 && fields[0] === field;
}

function fieldIndexes(field: ModelField, model: Model): Index[] {
  const { resource, storage, field: declared } = field;
  if (storage.in !== 'column' && storage.in !== 'link') return [];
  // Parts are only read below their owner.
  const isSearched = (!resource.owner && isQueried(field) && declared.selective) || isFilteredFrom(field, model);
  const isIndexed = storage.in === 'link' || declared.file || isSearched;
  const columns = [
    ...(declared.unique !== true && isIndexed ? [field.column] : []),
    ...(declared.searchable && isSearched && isKeyQueried(field) ? [keyColumn(field)] : []),
    ...(declared.distinct ? [matchColumn(field)] : []),
    ...(declared.fileIn ? [fileColumn(field)] : []),
  ];
  return [
    ...(declared.unique === true ? [indexOn(resource.table, [field.column], true)] : []),
    ...columns.map((column) => indexOn(resource.table, [column])),
  ];
}

/** Whether a `linked` field of another resource filters by this field's column. */
function isFilteredFrom(field: ModelField, model: Model): boolean {
  return [...model.resources.values()].some(({ fields }) =>
    [...fields.values()].some(
      ({ storage, target }) =>
        storage.in === 'linked' &&
        target === field.resource &&
        storage.to === field.name &&
        field.storage.in === 'column',
    ),
  );
}

function isQueried(field: ModelField): boolean {
  return field.resource.routes.some(
    ({ filters, orders }) =>
      [...filters.values()].some((filter) => filter.field === field) || [...orders.values()].includes(field),
  );
}

/** Whether a list is sorted by the field's key, or a partial filter compares it. A search only needs the text index. */
function isKeyQueried(field: ModelField): boolean {
  return field.resource.routes.some(
    ({ filters, orders }) =>
      [...filters.values()].some((filter) => filter.field === field && filter.partial) ||
      [...orders.values()].includes(field),
  );
}

/** A column is null if the text was never written in that language. */
function textTableOf(resource: ModelResource): Table {
  const columns: Column[] = [
    {
      name: ownerColumn(resource),
      type: resource.identifierType,
      nullable: false,
      references: { table: resource.table, onDelete: 'cascade' },
    },
    { name: 'language', type: 'text', nullable: false, references: { table: 'language', onDelete: 'restrict' } },
  ];
  for (const field of resource.translations)
    for (const { column } of textColumns(field)) columns.push({ name: column, type: 'text', nullable: true });
  return { name: textTable(resource), columns, primaryKey: [ownerColumn(resource), 'language'], counted: false };
}

/** Whether the text is unique per language, and records are found by it. */
function isMatched(field: ModelField): boolean {
  return field.field.unique === true && field.storage.in === 'translation';
}

/** The columns of one text: the text, its search key, and its comparison form. */
export function textColumns(field: ModelField): { column: string; kind: 'text' | 'key' | 'match' }[] {
  return [
    { column: field.column, kind: 'text' },
    ...(field.field.searchable ? [{ column: keyColumn(field), kind: 'key' as const }] : []),
    ...(isMatched(field) ? [{ column: matchColumn(field), kind: 'match' as const }] : []),
  ];
}

function textIndexesOf(resource: ModelResource): Index[] {
  const indexes = [indexOn(textTable(resource), ['language'])];
  for (const field of resource.translations)
    if (isMatched(field)) indexes.push(indexOn(textTable(resource), [matchColumn(field), 'language'], true));
  return indexes;
}

/** Returns the text index for partial matches of this text, if one exists. */
export function textIndexOf(field: ModelField): TextIndex | undefined {
  return textSearchesOf(field.resource).find(({ columns }) => columns.includes(keyColumn(field)));
}

/**
 * Each text with a partial filter has its own index. Texts of one table that only searches read share one index: a
 * search reads all of them, and each index slows down writes.
 */
function textSearchesOf(resource: ModelResource): TextIndex[] {
  // Text indexes refer to records by integers in both databases.
  if (resource.identifierType !== 'integer') return [];
  const filtered = new Set(
    resource.routes.flatMap(({ filters }) =>
      [...filters.values()].flatMap(({ partial, field }) => (partial && field.storage.in !== 'texts' ? field : [])),
    ),
  );
  const searched = [resource, resource.owner?.target].flatMap((one) => one?.search?.in ?? []);
  const others = searched.filter((field) => field.resource === resource && !filtered.has(field));
  return [
    ...[...filtered].map((field) => textIndexOn([field], `containing_${keyColumn(field)}`)),
    ...[...Map.groupBy(others, isTranslated).values()].map((fields) => textIndexOn(fields, 'searched')),
  ];
}

function textIndexOn(fields: readonly ModelField[], name: string): TextIndex {
  const { resource } = fields[0]!;
  const [table, record] = isTranslated(fields[0]!)
    ? [textTable(resource), ownerColumn(resource)]
    : [resource.table, resource.identifierField];
  return { name: `${table}_${name}`, table, columns: fields.map(keyColumn), record };
}

const isTranslated = ({ storage }: ModelField): boolean => storage.in === 'translation';

function pairTableOf(field: ModelField): Table {
  const end = (resource: ModelResource): Column => ({
    name: ownerColumn(resource),
    type: resource.identifierType,
    nullable: false,
    references: { table: resource.table, onDelete: 'cascade' },
  });
  const ends = [end(field.resource), end(field.target!)];
  return { name: pairTable(field), columns: ends, primaryKey: ends.map(({ name }) => name), counted: false };
}

function numberTableOf(field: ModelField): Table {
  return { name: numberTable(field), columns: [column('id', 'integer')], primaryKey: ['id'], counted: true };
}

function uniqueTableOf(name: string, fields: readonly ModelField[]): Table {
  return {
    name: uniqueTable(name),
    columns: [
      column('text', 'text'),
      ...fields.map(({ resource }) => ({
        name: ownerColumn(resource),
        type: resource.identifierType,
        nullable: true,
        references: { table: resource.table, onDelete: 'cascade' as const },
      })),
    ],
    primaryKey: ['text'],
    counted: false,
  };
}

function indexOn(table: string, columns: readonly string[], unique = false): Index {
  return { name: `${table}_by_${columns.join('_')}`, table, columns, unique };
}
