/**
 * SQL of all changes of rows. Only the unit of work (`unit.ts`) runs these, so that it knows what its transaction
 * changed. Statements are compiled once, as in `query.ts`.
 */
import { type RawBuilder, sql } from 'kysely';
import type { ModelField, ModelResource } from '../model/model.ts';
import { fileColumnOf, ownerColumn, pairTable, textTable, uniqueTable, VERSION } from '../model/tables.ts';
import { BindParam, type Dialect, RowsParam } from '../ports.ts';
import { LANGUAGE } from '../request/bind-params.ts';
import { columnType } from '../sql/source.ts';
import type { Assignment } from './filled.ts';
import { pathOf } from './paths.ts';

type Expression = RawBuilder<unknown>;

const idParam = (resource: ModelResource): BindParam => new BindParam('id', resource.identifierType);
const idsParam = (resource: ModelResource): BindParam => new BindParam('ids', resource.identifierType, true);

/** Rows: id and path of the new record. A resource may have no columns other than the id, e.g. only texts. */
export const insertRecord =
  (resource: ModelResource, assignments: readonly Assignment[]) =>
  (dialect: Dialect): Expression => {
    const placeholders = assignments.map(({ column, type }) => dialect.placeholder(new BindParam(column, type)));
    const values =
      assignments.length === 0
        ? sql`default values`
        : sql`(${columnsOf(assignments)}) values (${sql.join(placeholders)})`;
    return sql`insert into ${sql.table(resource.table)} ${values}
      returning ${sql.id(resource.identifierField)}, ${pathOf(resource)}`;
  };

/** Rows: ids and paths of the new records, unordered. Ids are assigned in the order of `rows`. */
export const insertRecords =
  (resource: ModelResource, assignments: readonly Assignment[]) =>
  (dialect: Dialect): Expression =>
    sql`${insertGiven(resource.table, assignments, dialect)} order by ordinal
      returning ${sql.id(resource.identifierField)}, ${pathOf(resource)}`;

function insertGiven(table: string, assignments: readonly Assignment[], dialect: Dialect): Expression {
  const given = new RowsParam(
    'rows',
    assignments.map(({ type }) => type),
  );
  const columns = assignments.map((_, index) => sql.id(`c${index}`));
  return sql`insert into ${sql.table(table)} (${columnsOf(assignments)}) select ${sql.join(columns)} from ${dialect.given(given)}`;
}

/**
 * Sets columns, and increments the version if that is a change of the record. Rows: version, path, owner's id or null.
 */
export const updateRecord =
  (resource: ModelResource, assignments: readonly Assignment[], isChange: boolean) =>
  (dialect: Dialect): Expression => {
    const set = assignments.map(
      ({ column, type }) => sql`${sql.id(column)} = ${dialect.placeholder(new BindParam(column, type))}`,
    );
    return sql`update ${sql.table(resource.table)} set ${sql.join([...set, ...(isChange ? counted(resource, dialect) : [])])}
      where ${sql.id(resource.identifierField)} = ${dialect.placeholder(idParam(resource))}
      returning ${sql.id(VERSION)}, ${pathOf(resource)}, ${ownerOf(resource)}`;
  };

/**
 * Like `updateRecord`, for many: `rows` contains each id, then its values. Rows: id, version, path, owner's id or null.
 */
export const updateRecords =
  (resource: ModelResource, assignments: readonly Assignment[], isChange: boolean) =>
  (dialect: Dialect): Expression => {
    const given = new RowsParam('rows', [resource.identifierType, ...assignments.map(({ type }) => type)]);
    const set = assignments.map(({ column }, index) => sql`${sql.id(column)} = ${sql.id('given', `c${index + 1}`)}`);
    const id = sql.id(resource.table, resource.identifierField);
    return sql`update ${sql.table(resource.table)} set ${sql.join([...set, ...(isChange ? counted(resource, dialect) : [])])}
      from ${dialect.given(given)} where ${id} = ${sql.id('given', 'c0')}
      returning ${id}, ${sql.id(VERSION)}, ${pathOf(resource)}, ${ownerOf(resource)}`;
  };

/** Increments the versions of the records `ids` without other changes. Rows: id, version, path. */
export const touchRecords =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`update ${sql.table(resource.table)} set ${sql.join(counted(resource, dialect))} where ${isListed(resource, dialect)}
      returning ${sql.id(resource.identifierField)}, ${sql.id(VERSION)}, ${pathOf(resource)}`;

const NOW = new BindParam('now', 'timestamp');

/** Increments the version. Timestamps never go back. */
function counted(resource: ModelResource, dialect: Dialect): Expression[] {
  const now = dialect.placeholder(NOW);
  const stamps = [...resource.fields.values()].filter(({ field }) => field.stamped === 'changed');
  return [
    ...stamps.map(({ column }) => {
      const stamp = sql.id(resource.table, column);
      return sql`${sql.id(column)} = case when ${stamp} > ${now} then ${stamp} else ${now} end`;
    }),
    sql`${sql.id(VERSION)} = ${sql.id(resource.table, VERSION)} + 1`,
  ];
}

function ownerOf({ owner, table }: ModelResource): Expression {
  return owner ? sql.id(table, owner.column) : sql`null`;
}

/**
 * Deletes records whose fields have one of the values in the parameters of their names. References among them are
 * checked at the end. Rows: id, version, path, owner's id or null, the values of the columns of `fields`, then the names of the
 * record's files.
 */
export const deleteRecords =
  (resource: ModelResource, by: readonly ModelField[], fields: readonly ModelField[]) =>
  (dialect: Dialect): Expression => {
    const conditions = by.map(
      (field) =>
        sql`${sql.id(field.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam(field.name, columnType(field), true))})`,
    );
    const identity = [sql.id(resource.identifierField), sql.id(VERSION), pathOf(resource), ownerOf(resource)];
    const values = [...fields.map(({ column }) => column), ...filesOf(resource)].map((column) => sql.id(column));
    return sql`delete from ${sql.table(resource.table)} where ${sql.join(conditions, sql` and `)} returning ${sql.join([...identity, ...values])}`;
  };

/** Locks the records `ids` before their deletion: others can neither change them nor insert references to them. */
export const lockForRemoval =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${isListed(resource, dialect)}
      order by ${sql.id(resource.identifierField)} ${dialect.forRemoval}`;

/** The columns that name a record's files. */
function filesOf({ fields }: ModelResource): string[] {
  return [...fields.values()].flatMap((field) => fileColumnOf(field) ?? []);
}

/** Sets links to the records `ids` to null. This is no change of the linking records. */
export const unlinkRecords =
  (link: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`update ${sql.table(link.resource.table)} set ${sql.id(link.column)} = null
      where ${sql.id(link.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(idsParam(link.target!))})`;

/** Writes texts of one record in one language; its other texts remain. */
export const writeTexts =
  (resource: ModelResource, assignments: readonly Assignment[]) =>
  (dialect: Dialect): Expression => {
    const keys = sql.join([ownerColumn(resource), 'language'].map((key) => sql.id(key)));
    const updates = assignments.map(({ column }) => sql`${sql.id(column)} = ${sql.id('excluded', column)}`);
    const placeholders = assignments.map(({ column, type }) => dialect.placeholder(new BindParam(column, type)));
    return sql`insert into ${sql.table(textTable(resource))} (${keys}, ${columnsOf(assignments)})
    values (${dialect.placeholder(idParam(resource))}, ${dialect.placeholder(LANGUAGE)}, ${sql.join(placeholders)})
    on conflict (${keys}) do update set ${sql.join(updates)}`;
  };

/** Inserts texts of new records. `rows` contains id, language and texts. */
export const insertTexts =
  (resource: ModelResource, assignments: readonly Assignment[]) =>
  (dialect: Dialect): Expression =>
    insertGiven(
      textTable(resource),
      [
        { column: ownerColumn(resource), type: resource.identifierType },
        { column: 'language', type: 'text' },
        ...assignments,
      ],
      dialect,
    );

/** Clears texts of one language; the record's other texts remain. */
export const clearTexts =
  (resource: ModelResource, columns: readonly string[]) =>
  (dialect: Dialect): Expression =>
    sql`update ${sql.table(textTable(resource))} set ${sql.join(columns.map((column) => sql`${sql.id(column)} = null`))}
    where ${textsOfRecord(resource, dialect)}`;

/** Deletes the row of a language without texts, so that the record no longer exists in that language. */
export const forgetEmptyTexts =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression => {
    const empty = resource.translations.map(({ column }) => sql`${sql.id(column)} is null`);
    return sql`delete from ${sql.table(textTable(resource))} where ${sql.join([textsOfRecord(resource, dialect), ...empty], sql` and `)}`;
  };

function textsOfRecord(resource: ModelResource, dialect: Dialect): Expression {
  return sql`${sql.id(ownerColumn(resource))} = ${dialect.placeholder(idParam(resource))} and ${sql.id('language')} = ${dialect.placeholder(LANGUAGE)}`;
}

/** Deletes all texts of the records `ids`. Rows: the record's id, the language, the texts in the order of the declaration. */
export const deleteTexts =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression => {
    const texts = resource.translations.map(({ column }) => sql.id(column));
    const row = sql.join([sql.id(ownerColumn(resource)), sql.id('language'), ...texts]);
    return sql`delete from ${sql.table(textTable(resource))} where ${isOwnedByListed(resource, dialect)} returning ${row}`;
  };

/** Links records. `rows` contains pairs of ids. */
export const addPairs =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    insertGiven(
      pairTable(field),
      [field.resource, field.target!].map((end) => ({ column: ownerColumn(end), type: end.identifierType })),
      dialect,
    );

/** Unlinks the record `id` from those in `ids`. */
export const removePairs =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(pairTable(field))} where ${sql.id(ownerColumn(field.resource))} = ${dialect.placeholder(idParam(field.resource))}
    and ${isOwnedByListed(field.target!, dialect)}`;

/** Unlinks the records `ids` from all others, for the far end of the set. */
export const removePairsTo =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(pairTable(field))} where ${isOwnedByListed(field.target!, dialect)}`;

/** Removes the sets of the records `ids`. Rows: the record's id and one of its set. */
export const removePairsFrom =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const ends = [field.resource, field.target!].map((end) => sql.id(ownerColumn(end)));
    return sql`delete from ${sql.table(pairTable(field))} where ${isOwnedByListed(field.resource, dialect)} returning ${sql.join(ends)}`;
  };

/** Frees the shared unique texts of the records `ids`. */
export const releaseSharedTexts =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(uniqueTable(field.field.unique as string))} where ${isOwnedByListed(field.resource, dialect)}`;

/** Reserves shared unique texts. `rows` contains each text and the id that uses it. */
export const takeSharedTexts =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    insertGiven(
      uniqueTable(field.field.unique as string),
      [
        { column: 'text', type: 'text' },
        { column: ownerColumn(field.resource), type: field.resource.identifierType },
      ],
      dialect,
    );

function isListed(resource: ModelResource, dialect: Dialect): Expression {
  return sql`${sql.id(resource.identifierField)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(idsParam(resource))})`;
}

function isOwnedByListed(resource: ModelResource, dialect: Dialect): Expression {
  return sql`${sql.id(ownerColumn(resource))} in (select ${sql.id('listed', 'value')} from ${dialect.listed(idsParam(resource))})`;
}

function columnsOf(assignments: readonly Assignment[]): Expression {
  return sql.join(assignments.map(({ column }) => sql.id(column)));
}
