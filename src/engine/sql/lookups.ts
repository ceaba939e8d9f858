/** The look-ups and locks of a write inside its transaction, as SQL. Each shape is compiled once, as in `query.ts`. */
import { type RawBuilder, sql } from 'kysely';
import type { Environment } from '../field.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import { matchColumn, ownerColumn, pairTable, textTable, uniqueTable } from '../model/tables.ts';
import { BindParam, type ColumnType, type Dialect } from '../ports.ts';
import { LANGUAGE } from '../request/bind-params.ts';
import { recordConditions, routeConditions } from './conditions.ts';
import { foundByName } from './found-by-name.ts';
import { Aliased, columnType } from './source.ts';

type Expression = RawBuilder<unknown>;

const idParam = (resource: ModelResource): BindParam => new BindParam('id', resource.identifierType);

/** Rows: the identifier of the record that a path means; the record then stays as it is until the transaction ends. */
export const lockRecord =
  (route: ModelRoute) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('a', route.resource.identifierField)} from ${sql.table(route.resource.table)} as ${sql.id('a')}
      where ${sql.join(recordConditions(route, 'a', dialect), sql` and `)} ${dialect.forUpdate}`;

/** Rows: one when the record in slot `id` is at the place. */
export const recordExists =
  (route: ModelRoute) =>
  (dialect: Dialect): Expression =>
    sql`select 1 from ${sql.table(route.resource.table)} as ${sql.id('a')}
      where ${sql.join(
        [
          sql`${sql.id('a', route.resource.identifierField)} = ${dialect.placeholder(idParam(route.resource))}`,
          ...routeConditions(route, 'a', dialect),
        ],
        sql` and `,
      )}`;

/** Rows: one when the parent in slot `id` exists where the path says. */
export const parentExists =
  (route: ModelRoute, index: number) =>
  (dialect: Dialect): Expression => {
    const { target, at } = route.parents[index]!;
    const own = sql`${sql.id('a', target.identifierField)} = ${dialect.placeholder(idParam(target))}`;
    return sql`select 1 from ${sql.table(target.table)} as ${sql.id('a')}
      where ${sql.join([own, ...(at ? routeConditions(at, 'a', dialect) : [])], sql` and `)}`;
  };

/** As `parentExists`; the parent then stays until the transaction ends. */
export const lockParent =
  (route: ModelRoute, index: number) =>
  (dialect: Dialect): Expression =>
    sql`${parentExists(route, index)(dialect)} ${dialect.forUpdate}`;

/**
 * Rows, by identifier: values of all columns, then the texts in the request's language (null: never written), then the
 * sets of ids; of the records whose fields `by` have one of the values listed in the slots of their names.
 */
export const storedRecords =
  (resource: ModelResource, by: readonly ModelField[]) =>
  (dialect: Dialect): Expression => {
    const { columns, texts, sets } = storedFields(resource);
    const own = sql`left join ${sql.table(textTable(resource))} as ${sql.id('t')} on ${sql.id('t', ownerColumn(resource))} = ${sql.id('a', resource.identifierField)} and ${sql.id('t', 'language')} = ${dialect.placeholder(LANGUAGE)}`;
    const expressions = [
      ...columns.map((field) => sql.id('a', field.column)),
      ...texts.map((field) => sql.id('t', field.column)),
      ...sets.map((field) => {
        const other = sql.id('p', ownerColumn(field.target!));
        return sql`(select ${dialect.jsonAggregate(other, other)} from ${sql.table(pairTable(field))} as ${sql.id('p')} where ${sql.id('p', ownerColumn(resource))} = ${sql.id('a', resource.identifierField)})`;
      }),
    ];
    return sql`select ${sql.join(expressions)} from ${sql.table(resource.table)} as ${sql.id('a')} ${texts.length > 0 ? own : sql``}
    where ${columnsAre(by, dialect, 'a')} order by ${sql.id('a', resource.identifierField)}`;
  };

/** The fields that `storedRecords` gives, in its order. */
export function storedFields(resource: ModelResource): {
  columns: ModelField[];
  texts: ModelField[];
  sets: ModelField[];
} {
  const fields = [...resource.fields.values()];
  return {
    columns: fields.filter(({ storage }) => storage.in === 'column' || storage.in === 'link'),
    texts: fields.filter(({ storage }) => storage.in === 'translation'),
    sets: fields.filter(({ storage }) => storage.in === 'links'),
  };
}

/** The records in slot `ids` then stay, with all that hangs on them, until the transaction ends. */
export const lockRecords =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${sql.id(resource.identifierField)} in (
      select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))})
      order by ${sql.id(resource.identifierField)} ${dialect.forUpdate}`;

/** Columns of one resource and the slots, of the same names, that hold lists of the values they may have. */
function columnsAre(fields: readonly ModelField[], dialect: Dialect, alias?: string): Expression {
  const conditions = fields.map((field) => {
    const listed = dialect.listed(new BindParam(field.name, columnType(field), true));
    const column = alias === undefined ? sql.id(field.column) : sql.id(alias, field.column);
    return sql`${column} in (select ${sql.id('listed', 'value')} from ${listed})`;
  });
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

/** Rows: identifiers of the records whose fields have one of the values in the slots of their names. */
export const idsWhere =
  (resource: ModelResource, fields: readonly ModelField[]) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${columnsAre(fields, dialect)} order by 1`;

/** Rows: identifiers of some of the records that link to the one in slot `id`. */
export const someLinking =
  (link: ModelField, countMax: number) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(link.resource.identifierField)} from ${sql.table(link.resource.table)}
      where ${sql.id(link.column)} = ${dialect.placeholder(idParam(link.target!))} limit ${sql.lit(countMax)}`;

/** Rows: the number of records. */
export const countWhere =
  (resource: ModelResource, fields: readonly ModelField[]) =>
  (dialect: Dialect): Expression =>
    sql`select count(*) from ${sql.table(resource.table)} where ${columnsAre(fields, dialect)}`;

/** Rows: another record, not the one in slot `id`, that has the same values in all of the fields. */
export const sameTogether =
  (resource: ModelResource, fields: readonly ModelField[]) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${columnsAre(fields, dialect)}
      and ${sql.id(resource.identifierField)} <> ${dialect.placeholder(idParam(resource))}`;

/** Rows: each of the names' matches, and the id that it means or null. Slot `names`. */
export const findNames =
  (naming: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('listed', 'value')}, ${foundByName(naming, sql.id('listed', 'value'), { dialect })}
    from ${dialect.listed(new BindParam('names', 'text', true))}`;

/** Rows: those of the ids that exist. Slot `ids`. */
export const findIds =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)}
    where ${sql.id(resource.identifierField)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))})`;

/** Rows: the record that has the text already, other than the slot `id` (-1 or "" for a new one). */
export const takenText =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const { resource } = field;
    const text = dialect.placeholder(new BindParam('text', 'text'));
    const id = dialect.placeholder(idParam(resource));
    if (typeof field.field.unique === 'string') {
      const owner = sql.id(ownerColumn(resource));
      return sql`select 1 from ${sql.table(uniqueTable(field.field.unique))} where ${sql.id('text')} = ${text} and (${owner} is null or ${owner} <> ${id})`;
    }
    if (field.storage.in === 'translation')
      return sql`select 1 from ${sql.table(textTable(resource))} where ${sql.id(matchColumn(field))} = ${text}
      and ${sql.id('language')} = ${dialect.placeholder(LANGUAGE)} and ${sql.id(ownerColumn(resource))} <> ${id}`;
    return sql`select 1 from ${sql.table(resource.table)} where ${sql.id(field.column)} = ${text} and ${sql.id(resource.identifierField)} <> ${id}`;
  };

/** Rows: the identifiers of the records whose text is the same loosely as the one in slot `text`, in its loose form. */
export const findLoosely =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
      where ${sql.id(matchColumn(field))} = ${dialect.placeholder(new BindParam('text', 'text'))} order by 1`;

/** Rows: the texts of other records that are the same loosely. */
export const duplicateTexts =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const { resource } = field;
    return sql`select ${sql.id(field.column)} from ${sql.table(resource.table)}
      where ${sql.id(matchColumn(field))} = ${dialect.placeholder(new BindParam('text', 'text'))}
      and ${sql.id(resource.identifierField)} <> ${dialect.placeholder(idParam(resource))}
      order by ${sql.id(resource.identifierField)} limit 1`;
  };

/** Rows: those of the slot `texts` that are used under the shared unique name. */
export const usedTexts =
  (name: string) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('text')} from ${sql.table(uniqueTable(name))}
    where ${sql.id('text')} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('texts', 'text', true))})`;

/** Rows: identifiers of the records whose column holds the slot `value`. */
export const findByColumn =
  (field: ModelField, type: ColumnType) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
    where ${sql.id(field.column)} = ${dialect.placeholder(new BindParam('value', type))} order by 1`;

/** Rows: identifiers of the records whose set has one of those in slot `ids`. */
export const findBySet =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const target = field.target!;
    const ids = dialect.listed(new BindParam('ids', target.identifierType, true));
    return sql`select distinct ${sql.id(ownerColumn(field.resource))} from ${sql.table(pairTable(field))}
      where ${sql.id(ownerColumn(target))} in (select ${sql.id('listed', 'value')} from ${ids}) order by 1`;
  };

/** Rows: those of the identifiers in slot `ids` to which the link of a record leads. */
export const linkedTo =
  (link: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', link.target!.identifierType, true))}
      where exists (select 1 from ${sql.table(link.resource.table)} where ${sql.id(link.column)} = ${sql.id('listed', 'value')})`;

/** Rows: each of the values in slot `values` that a record has in this column, and the record's identifier. */
export const identifyByColumn =
  (field: ModelField, type: ColumnType) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.column)}, ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
    where ${sql.id(field.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('values', type, true))})`;

/** Rows, of the records in slot `ids`: the id, a language that the record has this text in, and the text. */
export const textsOf =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const { resource } = field;
    const owner = sql.id(ownerColumn(resource));
    return sql`select ${owner}, ${sql.id('language')}, ${sql.id(field.column)} from ${sql.table(textTable(resource))}
      where ${owner} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))})
      and ${sql.id(field.column)} is not null order by ${owner}, ${sql.id('language')}`;
  };

/** Rows, of all parts of the records that those in slot `ids` are parts of, by id: the owner, the id, the text as it is shown. */
export const textsBeside =
  (field: ModelField, environment: Environment) =>
  (dialect: Dialect): Expression => {
    const { resource, storage } = field;
    const source = new Aliased('a', resource, { dialect, environment, mode: 'other' });
    const text = source.shownText(field.column, storage.in === 'translation' ? storage.fallback : undefined);
    const owner = resource.owner!.column;
    const id = resource.identifierField;
    return sql`select ${sql.id('a', owner)}, ${sql.id('a', id)}, ${text}
      from ${sql.table(resource.table)} as ${sql.id('a')} ${source.joins()}
      where ${sql.id('a', owner)} in (
        select ${sql.id('t', owner)} from ${sql.table(resource.table)} as ${sql.id('t')}
        where ${sql.id('t', id)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))}))
      order by ${sql.id('a', id)}`;
  };

/** Rows: one for each of these resources that has a text in the slot `language`. */
export const textsInLanguage =
  (resources: readonly ModelResource[]) =>
  (dialect: Dialect): Expression =>
    sql.join(
      resources.map(
        (resource) => sql`select 1 where exists (select 1 from ${sql.table(textTable(resource))}
          where ${sql.id('language')} = ${dialect.placeholder(LANGUAGE)})`,
      ),
      sql` union all `,
    );

/** Rows: the record in slot `id` and all below it in its tree. */
export const subtree =
  (tree: ModelField) =>
  (dialect: Dialect): Expression => {
    const { table, identifierField } = tree.resource;
    return sql`with recursive ${sql.id('below')} (${sql.id('id')}) as (
        select ${dialect.placeholder(idParam(tree.resource))}
        union select ${sql.id('a', identifierField)} from ${sql.table(table)} as ${sql.id('a')}
        join ${sql.id('below')} on ${sql.id('a', tree.column)} = ${sql.id('below', 'id')}
      ) select ${sql.id('id')} from ${sql.id('below')}`;
  };

/** Rows: the record in slot `id` and all above it in its tree, itself first. */
export const ancestors =
  (tree: ModelField) =>
  (dialect: Dialect): Expression => {
    const { table, identifierField } = tree.resource;
    return sql`with recursive ${sql.id('above')} (${sql.id('id')}) as (
        select ${dialect.placeholder(idParam(tree.resource))}
        union select ${sql.id('a', tree.column)} from ${sql.table(table)} as ${sql.id('a')}
        join ${sql.id('above')} on ${sql.id('a', identifierField)} = ${sql.id('above', 'id')} where ${sql.id('a', tree.column)} is not null
      ) select ${sql.id('id')} from ${sql.id('above')}`;
  };

/** Rows: one for each column that still names the file in the slot `file`. */
export const fileHolders =
  (files: readonly Pick<ModelField, 'resource' | 'column'>[]) =>
  (dialect: Dialect): Expression =>
    sql.join(
      files.map(
        ({ resource, column }) =>
          sql`select 1 where exists (select 1 from ${sql.table(resource.table)} where ${sql.id(column)} = ${dialect.placeholder(new BindParam('file', 'text'))})`,
      ),
      sql` union all `,
    );
