/** WHERE conditions: the record of a path, the records of a route, filters. */
import { sql } from 'kysely';
import { linkedResource, type ModelField, type ModelRoute, usingField } from '../model/model.ts';
import { keyColumn, ownerColumn, pairTable } from '../model/tables.ts';
import { BindParam, type ColumnType, type Dialect } from '../ports.ts';
import { filterParam, keyParam, linkedParam } from '../request/bind-params.ts';
import type { FilterUse, LinkedBy } from '../request/filter-values.ts';
import { operators } from '../request/operators.ts';
import { foundByName } from './found-by-name.ts';
import { Aliased, and, columnType, type Expression } from './source.ts';

/** Conditions that identify the record of a path: its parameter (`id`), its parents, and the route's fixed values. */
export function recordConditions(route: ModelRoute, alias: string, dialect: Dialect): Expression[] {
  const { item } = route;
  const own =
    item && sql`${sql.id(alias, item.column)} = ${dialect.placeholder(new BindParam('id', columnType(item)))}`;
  return [...(own ? [own] : []), ...routeConditions(route, alias, dialect)];
}

/**
 * Conditions of every record at this route: its parents, including conditions of their own routes, and fixed values.
 * @param isOfAll see `filterCondition`
 */
export function routeConditions(route: ModelRoute, alias: string, dialect: Dialect, isOfAll = false): Expression[] {
  const parents = route.parents.flatMap(({ field, target, at }, index) => {
    const parent = dialect.placeholder(new BindParam(`parent_${index}`, target.identifierType));
    const linked = field ? [parentCondition(field, alias, parent, isOfAll)] : [];
    const above = `${alias}_${index}`;
    const placed = at ? routeConditions(at, above, dialect) : [];
    if (placed.length === 0) return linked;
    const own = sql`${sql.id(above, target.identifierField)} = ${parent}`;
    return [
      ...linked,
      sql`exists (select 1 from ${sql.table(target.table)} as ${sql.id(above)} where ${and([own, ...placed])})`,
    ];
  });
  const fixed = [...route.fixed].map(([field, value]) =>
    value === null
      ? sql`${sql.id(alias, field.column)} is null`
      : sql`${sql.id(alias, field.column)} = ${sql.lit(value)}`,
  );
  return [...parents, ...fixed];
}

function parentCondition(field: ModelField, alias: string, parent: Expression, isOfAll: boolean): Expression {
  if (field.storage.in === 'link') return sql`${sql.id(alias, field.column)} = ${parent}`;
  return throughLinks(field, alias, (column) => sql`${column} = ${parent}`, isOfAll);
}

/** @param isOfAll evaluated for all records rather than few: links are followed from the wanted records to these */
export function filterCondition(source: Aliased, use: FilterUse, index: number, isOfAll = false): Expression {
  const { field } = use.filter;
  const { dialect } = source.context;
  const param = filterParam(index);
  switch (use.form) {
    case 'links':
      return linkedCondition(source, field, param, linkedRecords(source, field, use.by, param), isOfAll);
    case 'links or none': {
      const isLinked = linkedCondition(source, field, param, linkedRecords(source, field, ['id'], param));
      return sql`(${isLinked} or not ${linkedCondition(source, field, param)})`;
    }
    case 'exists': {
      const exists = linkedCondition(source, field, param);
      return use.wanted ? exists : sql`not ${exists}`;
    }
    case 'ignored':
      return sql`1 = 1`;
    case 'none':
      return sql`${columnValue(source, field)} is null`;
    case 'partial': {
      const contains = (key: Expression): Expression => sql`${key} like ${sql.id('listed', 'value')} escape '\\'`;
      return sql`exists (select 1 from ${dialect.listed(new BindParam(param, 'text', true))} where ${keyContains(source, field, contains)})`;
    }
    case 'list':
      return sql`${columnValue(source, field)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam(param, columnType(field), true))})`;
    case 'spans': {
      // Several values are combined with OR. Each is a time span with an inclusive start and an exclusive end.
      const spans = Array.from({ length: use.count }, (_, span) => {
        const value = columnValue(source, field);
        const bound = (end: string): Expression =>
          dialect.placeholder(new BindParam(`${param}_${span}_${end}`, columnType(field)));
        return sql`(${value} >= ${bound('from')} and ${value} < ${bound('before')})`;
      });
      return sql`(${sql.join(spans, sql` or `)})`;
    }
    case 'between': {
      const bound = (end: string): Expression =>
        dialect.placeholder(new BindParam(`${param}_${end}`, columnType(field)));
      return sql`${columnValue(source, field)} between ${bound('from')} and ${bound('to')}`;
    }
    case 'comparison': {
      const value = dialect.placeholder(new BindParam(param, columnType(field)));
      return sql`${columnValue(source, field)} ${sql.raw(operators[use.comparison].sql)} ${value}`;
    }
    case 'equal': {
      return sql`${columnValue(source, field)} = ${dialect.placeholder(new BindParam(param, columnType(field)))}`;
    }
  }
}

/** Whether a search key of the field, or of one of the texts that it names, meets the condition. */
function keyContains(source: Aliased, field: ModelField, contains: (key: Expression) => Expression): Expression {
  const { storage, resource } = field;
  const ownKey = (own: ModelField): Expression =>
    own.storage.in === 'translation' ? source.shownText(keyColumn(own)) : sql.id(source.alias, keyColumn(own));
  if (storage.in !== 'texts') return contains(ownKey(field));
  const { table, owner, fields } = field.target!;
  const partKey = (name: string): Expression => sql.id('part', keyColumn(fields.get(name)!));
  const sequences = storage.joined.map((names) => contains(sql`(${sql.join(names.map(partKey), sql` || ' ' || `)})`));
  return sql`(${sql.join(
    [
      ...storage.own.map((name) => contains(ownKey(resource.fields.get(name)!))),
      sql`exists (select 1 from ${sql.table(table)} as ${sql.id('part')}
        where ${sql.id('part', owner!.column)} = ${sql.id(source.alias, resource.identifierField)} and (${sql.join(sequences, sql` or `)}))`,
    ],
    sql` or `,
  )})`;
}

function columnValue(source: Aliased, field: ModelField): Expression {
  return field.storage.in === 'translation' ? source.shownText(field.column) : sql.id(source.alias, field.column);
}

/** Whether the field's links are in another table, so that records are found from the linked ones. */
export function isFoundByLinks({ storage }: ModelField): boolean {
  return storage.in === 'links' || storage.in === 'linked';
}

/** Records linked to one of `wanted`, a subquery; without it, to any record. */
function linkedCondition(
  source: Aliased,
  field: ModelField,
  param: string,
  wanted?: Expression,
  isOfAll = false,
): Expression {
  const isWanted = (column: Expression): Expression =>
    wanted ? sql`${column} in (${wanted})` : sql`(${column} is not null)`;
  if (field.storage.in === 'link') return isWanted(sql.id(source.alias, field.column));
  const inKey = keyedConditions(field, param, source.context.dialect);
  return throughLinks(field, source.alias, (linked) => and([isWanted(linked), ...inKey]), isOfAll);
}

/** Conditions of the links, as `through`, that count for the key in the filter's name. */
export function keyedConditions(field: ModelField, param: string, dialect: Dialect): Expression[] {
  const { storage, target } = field;
  if (storage.in !== 'linked' || !storage.keyed) return [];
  const key = target!.fields.get(storage.keyed.by)!;
  const isOfKey = sql`${sql.id('through', key.column)} = ${dialect.placeholder(new BindParam(keyParam(param), columnType(key)))}`;
  const using = usingField(field);
  if (!using) return [isOfKey];
  const used = sql`${sql.id('used', ownerColumn(target!))} = ${sql.id('through', target!.identifierField)}`;
  return [isOfKey, sql`exists (select 1 from ${sql.table(pairTable(using))} as ${sql.id('used')} where ${used})`];
}

/** Records with a link to a wanted record through another table. */
function throughLinks(
  field: ModelField,
  alias: string,
  isWanted: (linked: Expression) => Expression,
  isOfAll: boolean,
): Expression {
  const { resource } = field;
  const { table, by, to } = linkTableOf(field);
  const [own, owner] = [sql.id(alias, resource.identifierField), sql.id('through', by)];
  const links = sql`from ${sql.table(table)} as ${sql.id('through')} where ${isWanted(sql.id('through', to))}`;
  return isOfAll ? sql`${own} in (select ${owner} ${links})` : sql`exists (select 1 ${links} and ${owner} = ${own})`;
}

/** The table of a field's links, and its columns: the record's identifier and the linked one. */
export function linkTableOf({ storage, resource, target: linked, name }: ModelField): {
  readonly table: string;
  readonly by: string;
  readonly to: string;
} {
  const target = linked!;
  return storage.in === 'linked'
    ? {
        table: target.table,
        by: target.fields.get(storage.by)!.column,
        to: target.fields.get(storage.to)!.column,
      }
    : { table: pairTable({ resource, name }), by: ownerColumn(resource), to: ownerColumn(target) };
}

/** Identifiers of the linked records that a filter names in one or several ways; names are resolved by http.md §5. */
export function linkedRecords(source: Aliased, field: ModelField, by: readonly LinkedBy[], param: string): Expression {
  const { context } = source;
  const value = sql.id('listed', 'value');
  const listed = (how: LinkedBy, type: ColumnType): Expression =>
    context.dialect.listed(new BindParam(linkedParam(param, how), type, true));
  const ways: Readonly<Record<LinkedBy, () => Expression>> = {
    id: () => sql`select ${value} from ${listed('id', linkedResource(field).identifierType)}`,
    name: () =>
      sql`select ${foundByName(linkedResource(field).naming!, value, context)} from ${listed('name', 'text')}`,
    sharedName: () => {
      const named = new Aliased('named', linkedResource(field), context);
      const key = named.shownText(keyColumn(named.resource.fields.get('name')!));
      return sql`select ${sql.id('named', named.resource.identifierField)}
        from ${sql.table(named.resource.table)} as ${sql.id('named')} ${named.joins()}
        where ${key} in (select ${value} from ${listed('sharedName', 'text')})`;
    },
    value: () => sql`select ${value} from ${listed('value', valueType(field))}`,
  };
  return sql.join(
    by.map((how) => ways[how]()),
    sql` union all `,
  );
}

/** The type of the column that a filter through other records compares, if it is not an identifier. */
function valueType({ storage, target }: ModelField): ColumnType {
  if (storage.in !== 'linked') throw new Error('only a link through other records can be compared by value');
  return columnType(target!.fields.get(storage.to)!);
}
