/**
 * Every way in which a row of a resource can change, as SQL. Only the unit of work runs these (`unit.ts`), so that it knows
 * what its transaction changed. Each shape is compiled once, as in `query.ts`.
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

/** Rows: the new record's id and path. A record may have no column but its id: then its texts are all it is. */
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

/** Rows: the new records' ids and paths, in no order; they were counted in the order of the slot `rows`. */
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

/** Sets columns, and counts the version up where that is a change of the record. Rows: the version, the path, and the owner's id or null. */
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

/** As `updateRecord` of many: the slot `rows` has each id before its values. Rows: id, version, path, the owner's id or null. */
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

/** Counts the versions of the records in slot `ids` up, and sets nothing. Rows: id, version, path. */
export const touchRecords =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`update ${sql.table(resource.table)} set ${sql.join(counted(resource, dialect))} where ${isListed(resource, dialect)}
      returning ${sql.id(resource.identifierField)}, ${sql.id(VERSION)}, ${pathOf(resource)}`;

const NOW = new BindParam('now', 'timestamp');

/** The version goes up by one; `now` in a stamp never goes back. */
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
 * Deletes the records whose fields have one of the values in the slots of their names; references among them are looked at
 * when all are gone. Rows: id, version, path, the owner's id or null, then the names of the record's files.
 */
export const deleteRecords =
  (resource: ModelResource, by: readonly ModelField[]) =>
  (dialect: Dialect): Expression => {
    const conditions = by.map(
      (field) =>
        sql`${sql.id(field.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam(field.name, columnType(field), true))})`,
    );
    const told = [sql.id(resource.identifierField), sql.id(VERSION), pathOf(resource), ownerOf(resource)];
    const files = filesOf(resource).map((column) => sql.id(column));
    return sql`delete from ${sql.table(resource.table)} where ${sql.join(conditions, sql` and `)} returning ${sql.join([...told, ...files])}`;
  };

/** The records in slot `ids` are about to be deleted: nobody changes them, and nothing new refers to them. */
export const lockForRemoval =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${isListed(resource, dialect)}
      order by ${sql.id(resource.identifierField)} ${dialect.forRemoval}`;

/** The columns that name a record's files. */
function filesOf({ fields }: ModelResource): string[] {
  return [...fields.values()].flatMap((field) => fileColumnOf(field) ?? []);
}

/** The link leads nowhere where it led to one of the records in slot `ids`. That is no change of the record. */
export const unlinkRecords =
  (link: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`update ${sql.table(link.resource.table)} set ${sql.id(link.column)} = null
      where ${sql.id(link.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(idsParam(link.target!))})`;

/** Writes texts of one record in one language; the record's other texts stay. */
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

/** Texts of new records: the slot `rows` has for each the id, the language, and the texts. */
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

/** Texts of one language as if they had never been written; the record's other texts stay. */
export const clearTexts =
  (resource: ModelResource, columns: readonly string[]) =>
  (dialect: Dialect): Expression =>
    sql`update ${sql.table(textTable(resource))} set ${sql.join(columns.map((column) => sql`${sql.id(column)} = null`))}
    where ${textsOfRecord(resource, dialect)}`;

/** A language in which nothing of the record is written is none that it has texts in. */
export const forgetEmptyTexts =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression => {
    const empty = resource.translations.map(({ column }) => sql`${sql.id(column)} is null`);
    return sql`delete from ${sql.table(textTable(resource))} where ${sql.join([textsOfRecord(resource, dialect), ...empty], sql` and `)}`;
  };

function textsOfRecord(resource: ModelResource, dialect: Dialect): Expression {
  return sql`${sql.id(ownerColumn(resource))} = ${dialect.placeholder(idParam(resource))} and ${sql.id('language')} = ${dialect.placeholder(LANGUAGE)}`;
}

/** Deletes the texts, in every language, of the records in slot `ids`. */
export const deleteTexts =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(textTable(resource))} where ${isOwnedByListed(resource, dialect)}`;

/** Links records: the slot `rows` has pairs of ids. */
export const addPairs =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    insertGiven(
      pairTable(field),
      [field.resource, field.target!].map((end) => ({ column: ownerColumn(end), type: end.identifierType })),
      dialect,
    );

/** Links the record in slot `id` no more to those in slot `ids`. */
export const removePairs =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(pairTable(field))} where ${sql.id(ownerColumn(field.resource))} = ${dialect.placeholder(idParam(field.resource))}
    and ${isOwnedByListed(field.target!, dialect)}`;

/** Links nothing any more to the records in slot `ids`, which are at one end of the set. */
export const removePairsOf =
  (field: ModelField, end: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(pairTable(field))} where ${isOwnedByListed(end, dialect)}`;

/** The shared unique texts of the records in slot `ids` are free again. */
export const releaseSharedTexts =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`delete from ${sql.table(uniqueTable(field.field.unique as string))} where ${isOwnedByListed(field.resource, dialect)}`;

/** Takes shared unique texts: the slot `rows` has each text and the id that takes it. */
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
