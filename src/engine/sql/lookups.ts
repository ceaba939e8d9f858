/** Lookups and locks of a write inside its transaction, as SQL. Statements are compiled once, as in `query.ts`. */
import { type RawBuilder, sql } from 'kysely';
import type { Environment } from '../field.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import { matchColumn, ownerColumn, pairTable, textTable, uniqueTable } from '../model/tables.ts';
import { BindParam, type ColumnType, type Dialect, type Value } from '../ports.ts';
import { LANGUAGE } from '../request/bind-params.ts';
import { recordConditions, routeConditions } from './conditions.ts';
import { foundByName } from './found-by-name.ts';
import { Aliased, and, columnType } from './source.ts';

type Expression = RawBuilder<unknown>;

const idParam = (resource: ModelResource): BindParam => new BindParam('id', resource.identifierType);

/** Rows: the identifier of the record of a path, which is locked until the transaction ends. */
export const lockRecord =
  (route: ModelRoute) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('a', route.resource.identifierField)} from ${sql.table(route.resource.table)} as ${sql.id('a')}
      where ${and(recordConditions(route, 'a', dialect))} ${dialect.forUpdate}`;

/** Rows: one if the record `id` is at the route. */
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

/** Rows: one if the parent `id` exists at its route in the path. */
export const parentExists =
  (route: ModelRoute, index: number) =>
  (dialect: Dialect): Expression => {
    const { target, at } = route.parents[index]!;
    const own = sql`${sql.id('a', target.identifierField)} = ${dialect.placeholder(idParam(target))}`;
    return sql`select 1 from ${sql.table(target.table)} as ${sql.id('a')}
      where ${sql.join([own, ...(at ? routeConditions(at, 'a', dialect) : [])], sql` and `)}`;
  };

/** Like `parentExists`, and locks the parent until the transaction ends. */
export const lockParent =
  (route: ModelRoute, index: number) =>
  (dialect: Dialect): Expression =>
    sql`${parentExists(route, index)(dialect)} ${dialect.forUpdate}`;

/**
 * Records whose fields `by` have one of the listed values in the parameters of the same names, ordered by identifier.
 * Rows: all columns, texts in the request's language (null: never written), sets of ids.
 *
 * @param among sets of ids that have only ids in the list parameters of their names
 */
export const storedRecords =
  (resource: ModelResource, by: readonly ModelField[], among: readonly ModelField[] = [], only?: readonly string[]) =>
  (dialect: Dialect): Expression => {
    const { columns, texts, sets } = storedFields(resource, only);
    const own = sql`left join ${sql.table(textTable(resource))} as ${sql.id('t')} on ${sql.id('t', ownerColumn(resource))} = ${sql.id('a', resource.identifierField)} and ${sql.id('t', 'language')} = ${dialect.placeholder(LANGUAGE)}`;
    const expressions = [
      ...columns.map((field) => sql.id('a', field.column)),
      ...texts.map((field) => sql.id('t', field.column)),
      ...sets.map((field) => {
        if (among.includes(field)) return sql`coalesce(${sql.id(field.name, 'ids')}, '[]')`;
        const other = sql.id('p', ownerColumn(field.target!));
        return sql`(select ${dialect.jsonAggregate(other, other)} from ${sql.table(pairTable(field))} as ${sql.id('p')} where ${sql.id('p', ownerColumn(resource))} = ${sql.id('a', resource.identifierField)})`;
      }),
    ];
    const joins = [...(texts.length > 0 ? [own] : []), ...among.map((field) => joinOfSet(field, dialect))];
    return sql`select ${sql.join(expressions)} from ${sql.table(resource.table)} as ${sql.id('a')} ${sql.join(joins, sql` `)}
    where ${columnsAre(by, dialect, 'a')} order by ${sql.id('a', resource.identifierField)}`;
  };

/** Joins the part of a set that is in a list parameter. The list is searched once, not for each record. */
function joinOfSet(field: ModelField, dialect: Dialect): Expression {
  const target = field.target!;
  const [owner, other] = [ownerColumn(field.resource), ownerColumn(target)].map((column) => sql.id('p', column));
  const ids = dialect.listed(new BindParam(field.name, target.identifierType, true));
  return sql`left join (select ${owner!} as ${sql.id('owner')}, ${dialect.jsonAggregate(other!, other!)} as ${sql.id('ids')}
    from ${sql.table(pairTable(field))} as ${sql.id('p')} where ${other!} in (select ${sql.id('listed', 'value')} from ${ids})
    group by ${owner!}) as ${sql.id(field.name)} on ${sql.id(field.name, 'owner')} = ${sql.id('a', field.resource.identifierField)}`;
}

/** The fields in rows of `storedRecords`, in order. @param only their names, besides the identifier */
export function storedFields(
  resource: ModelResource,
  only?: readonly string[],
): {
  columns: ModelField[];
  texts: ModelField[];
  sets: ModelField[];
} {
  const fields = [...resource.fields.values()].filter(
    ({ name, isIdentifier }) => !only || isIdentifier || only.includes(name),
  );
  return {
    columns: fields.filter(({ storage }) => storage.in === 'column' || storage.in === 'link'),
    texts: fields.filter(({ storage }) => storage.in === 'translation'),
    sets: fields.filter(({ storage }) => storage.in === 'links'),
  };
}

/** Locks the records `ids`, with everything that belongs to them, until the transaction ends. */
export const lockRecords =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${sql.id(resource.identifierField)} in (
      select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))})
      order by ${sql.id(resource.identifierField)} ${dialect.forUpdate}`;

/** Conditions on columns: each has one of the values in the list parameter of its name. */
function columnsAre(fields: readonly ModelField[], dialect: Dialect, alias?: string): Expression {
  const conditions = fields.map((field) => {
    const listed = dialect.listed(new BindParam(field.name, columnType(field), true));
    const column = alias === undefined ? sql.id(field.column) : sql.id(alias, field.column);
    return sql`${column} in (select ${sql.id('listed', 'value')} from ${listed})`;
  });
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

/** Rows: identifiers of records whose fields have one of the values in the parameters of their names. */
export const idsWhere =
  (resource: ModelResource, fields: readonly ModelField[]) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${columnsAre(fields, dialect)} order by 1`;

/** Rows: identifiers of some records that link to the record `id`. */
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

/** Rows: another record than `id` with the same values in all of the fields. */
export const sameTogether =
  (resource: ModelResource, fields: readonly ModelField[]) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)} where ${columnsAre(fields, dialect)}
      and ${sql.id(resource.identifierField)} <> ${dialect.placeholder(idParam(resource))}`;

/** Rows: each comparison form in `names`, and the id of the record with that name, or null. */
export const findNames =
  (naming: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('listed', 'value')}, ${foundByName(naming, sql.id('listed', 'value'), { dialect })}
    from ${dialect.listed(new BindParam('names', 'text', true))}`;

/** Rows: the existing ids among `ids`. */
export const findIds =
  (resource: ModelResource) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(resource.identifierField)} from ${sql.table(resource.table)}
    where ${sql.id(resource.identifierField)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))})`;

/** Returns an identifier that no record has. */
export function noIdentifier({ identifierType }: ModelResource): Value {
  return identifierType === 'integer' ? -1 : '';
}

/** Rows: a record other than `id` (`noIdentifier` for a new one) that already has the text. */
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

/** Rows: identifiers of records whose text loosely equals `text`, which is in its loose form. */
export const findLoosely =
  (field: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
      where ${sql.id(matchColumn(field))} = ${dialect.placeholder(new BindParam('text', 'text'))} order by 1`;

/** Rows: each of the texts `names`, which are in their loose form, with the lowest identifier of a record that loosely equals it. */
export const findNamesLoosely =
  (naming: ModelField) =>
  (dialect: Dialect): Expression => {
    const match = sql.id(matchColumn(naming));
    const { resource } = naming;
    return sql`select ${match}, min(${sql.id(resource.identifierField)}) from ${sql.table(resource.table)}
      where ${match} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('names', 'text', true))})
      group by ${match}`;
  };

/** Rows: texts of other records that are loosely equal. */
export const duplicateTexts =
  (fields: readonly ModelField[], own: ModelResource) =>
  (dialect: Dialect): Expression => {
    const text = dialect.placeholder(new BindParam('text', 'text'));
    const value = dialect.placeholder(new BindParam('value', 'text'));
    const id = dialect.placeholder(idParam(own));
    const duplicates = fields.map((field) => {
      const { resource } = field;
      const column = sql.id(field.column);
      const isOther = resource === own ? sql`and ${sql.id(resource.identifierField)} <> ${id}` : sql``;
      return sql`select * from (select ${column} as duplicate from ${sql.table(resource.table)}
        where ${sql.id(matchColumn(field))} = ${text} ${isOther}
        order by ${column} <> ${value}, ${sql.id(resource.identifierField)} limit 1) as ${sql.id(resource.table)}`;
    });
    return sql`${sql.join(duplicates, sql` union all `)}`;
  };

/** Rows: those of `texts` that are used under the shared unique name. */
export const usedTexts =
  (name: string) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('text')} from ${sql.table(uniqueTable(name))}
    where ${sql.id('text')} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('texts', 'text', true))})`;

/** Rows: value and identifier of each record that has one of `values` in the column. */
export const findAllByColumn =
  (field: ModelField, type: ColumnType) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.column)}, ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
    where ${sql.id(field.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('values', type, true))})`;

/** Rows: identifiers of records with `value` in the column. */
export const findByColumn =
  (field: ModelField, type: ColumnType) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
    where ${sql.id(field.column)} = ${dialect.placeholder(new BindParam('value', type))} order by 1`;

/** Rows: identifiers of records whose set contains one of `ids`. */
export const findBySet =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const target = field.target!;
    const ids = dialect.listed(new BindParam('ids', target.identifierType, true));
    return sql`select distinct ${sql.id(ownerColumn(field.resource))} from ${sql.table(pairTable(field))}
      where ${sql.id(ownerColumn(target))} in (select ${sql.id('listed', 'value')} from ${ids}) order by 1`;
  };

/** Rows: those of `ids` that the link of some record targets. */
export const linkedTo =
  (link: ModelField) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', link.target!.identifierType, true))}
      where exists (select 1 from ${sql.table(link.resource.table)} where ${sql.id(link.column)} = ${sql.id('listed', 'value')})`;

/** Rows: those of `values` that a record has in this column, and the record's identifier. */
export const identifyByColumn =
  (field: ModelField, type: ColumnType) =>
  (dialect: Dialect): Expression =>
    sql`select ${sql.id(field.column)}, ${sql.id(field.resource.identifierField)} from ${sql.table(field.resource.table)}
    where ${sql.id(field.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('values', type, true))})`;

/** Rows: id, language and text, for all translations of this text in the records `ids`. */
export const textsOf =
  (field: ModelField) =>
  (dialect: Dialect): Expression => {
    const { resource } = field;
    const owner = sql.id(ownerColumn(resource));
    return sql`select ${owner}, ${sql.id('language')}, ${sql.id(field.column)} from ${sql.table(textTable(resource))}
      where ${owner} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', resource.identifierType, true))})
      and ${sql.id(field.column)} is not null order by ${owner}, ${sql.id('language')}`;
  };

/** Rows: owner, id and shown text of all parts that have the same owner as one of `ids`, by id. */
export const siblingTexts =
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

/** Rows: one for each of these resources with a text in `language`. */
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

/** Rows: the record `id` and all its descendants in the tree. */
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

/** Rows: the record `id` and all its ancestors in the tree, itself first. */
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

/** Rows: one for each column that contains the file name `file`. */
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
