/**
 * Reads as SQL: one statement gives one record or one page of a collection with all its links, so that every read sees
 * one moment of the store. Each shape is compiled once; a request only fills in its slots.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  linkedResource,
  type ModelField,
  type ModelPlace,
  type ModelResource,
  type ModelSearch,
} from '../model/model.ts';
import { keyColumn, ownerColumn, pairTable, textTable, VERSION } from '../model/tables.ts';
import { type ColumnType, type Dialect, type Row, Slot, type Value } from '../ports.ts';
import type { FilterUse, LinkedBy, ListIntent } from '../request/intent.ts';
import { operators } from '../request/operators.ts';
import { DEFAULT_LANGUAGE, filterSlot, LANGUAGE, linkedSlot } from '../request/slots.ts';
import { BETWEEN_WORDS, type SearchSlot } from '../request/word-search.ts';
import type { Languages, ShownRecord, World } from '../resource.ts';
import { foundByName } from './found-by-name.ts';

type Expression = RawBuilder<unknown>;

/** Whether the request's language is the store's default: then one language less is looked at. */
export type LanguageMode = 'default' | 'other';

/** A SELECT's expressions and joins, and how to turn the values that they give into a record. */
export interface Selection {
  readonly expressions: readonly Expression[];
  readonly joins: Expression;
  readonly record: (values: Row, languages: Languages) => ShownRecord;
}

export interface QueryContext {
  readonly dialect: Dialect;
  readonly world: World;
  readonly mode: LanguageMode;
}

/** The record that a path means. Rows: its values, then its version. */
export function recordQuery(place: ModelPlace, selection: Selection, { dialect }: QueryContext): Expression {
  return sql`select ${sql.join([...selection.expressions, sql.id('a', VERSION)])}
    from ${sql.table(place.resource.table)} as ${sql.id('a')} ${selection.joins}
    where ${and(recordConditions(place, 'a', dialect))}`;
}

/**
 * The conditions that find the record of a path: its own parameter (slot `id`), its parents, the fields fixed there.
 */
export function recordConditions(place: ModelPlace, alias: string, dialect: Dialect): Expression[] {
  const { item } = place;
  const own = item && sql`${sql.id(alias, item.column)} = ${dialect.place(new Slot('id', columnType(item)))}`;
  return [...(own ? [own] : []), ...placeConditions(place, alias, dialect)];
}

/**
 * One page. Rows: the record's values (all null when the page is empty), its id, its version, then the number of records
 * that the filters let through; at least one row. The ids of the page are found first, so that what hangs on a record is
 * read only for the records that are shown.
 */
export function pageQuery(
  place: ModelPlace,
  selection: Selection,
  intent: ListIntent,
  context: QueryContext,
): Expression {
  const { dialect } = context;
  const { resource } = place;
  const found = new Aliased('f', resource, context);
  const conditions = [
    ...placeConditions(place, 'f', dialect),
    ...intent.filters.map((use, index) => filterCondition(found, use, index)),
    ...(intent.search ? [searchCondition(found, intent.search)] : []),
  ];
  const id = sql.id('a', resource.identifierField);
  const isRanked = intent.search !== undefined && intent.orders.length === 0;
  // Asked before the joins, which know then what they are for.
  const order = isRanked ? rankOf(found, intent.search!) : orderOf(found, intent);
  const source = sql`${sql.table(resource.table)} as ${sql.id('f')} ${found.joins()}
    ${conditions.length > 0 ? sql`where ${and(conditions)}` : sql``}`;
  if (isRanked) return rankedPage(place, selection, { source, rank: order }, dialect);
  const shown = new Aliased('a', resource, context);
  const shownOrder = orderOf(shown, intent);
  return sql`select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total')])}
    from (select count(*) as ${sql.id('total')} from ${source}) as ${sql.id('n')}
    left join (
      select ${sql.id('f', resource.identifierField)} as ${sql.id('id')} from ${source}
      order by ${order} limit ${dialect.place(LIMIT)} offset ${dialect.place(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${shown.joins(selection.joins)}
    order by ${shownOrder}`;
}

/** As `pageQuery`. Each text is looked into once: what was found is counted, sorted and cut from one list of it. */
function rankedPage(
  { resource }: ModelPlace,
  selection: Selection,
  { source, rank }: { readonly source: Expression; readonly rank: Expression },
  dialect: Dialect,
): Expression {
  const id = sql.id('a', resource.identifierField);
  const [matches, key, place] = [sql.id('matches'), sql.id('id'), sql.id('place')];
  return sql`with ${matches} as materialized (
      select ${sql.id('f', resource.identifierField)} as ${key}, ${rank} as ${place} from ${source}
    )
    select ${sql.join([...selection.expressions, id, sql.id('a', VERSION), sql.id('n', 'total')])}
    from (select count(*) as ${sql.id('total')} from ${matches}) as ${sql.id('n')}
    left join (
      select ${key}, ${place} from ${matches} order by ${place}, ${key}
      limit ${dialect.place(LIMIT)} offset ${dialect.place(OFFSET)}
    ) as ${sql.id('k')} on true
    left join ${sql.table(resource.table)} as ${sql.id('a')} on ${id} = ${sql.id('k', 'id')}
    ${selection.joins}
    order by ${sql.id('k', 'place')}, ${sql.id('k', 'id')}`;
}

/**
 * The own texts of the record that a path means. Rows: its version, then a list with an element for each language by code: the code, and
 * the place's texts (null: never written).
 */
export function translationsQuery(place: ModelPlace, dialect: Dialect): Expression {
  const { resource, texts } = place;
  const language = sql.id('t', 'language');
  const written = dialect.jsonArray([language, ...texts.map(({ column }) => sql.id('t', column))]);
  return sql`select ${sql.id('a', VERSION)}, (select ${dialect.jsonAggregate(written, language)}
      from ${sql.table(textTable(resource))} as ${sql.id('t')}
      where ${sql.id('t', ownerColumn(resource))} = ${sql.id('a', resource.identifierField)})
    from ${sql.table(resource.table)} as ${sql.id('a')} where ${and(recordConditions(place, 'a', dialect))}`;
}

const LIMIT = new Slot('limit', 'integer');
const OFFSET = new Slot('offset', 'integer');

/** Everything that output shows of a resource. */
export function selectOutput(
  resource: ModelResource,
  alias: string,
  context: QueryContext,
  outputs: readonly ModelField[] = resource.outputs,
): Selection {
  const source = new Aliased(alias, resource, context);
  const readers = outputs.map((field) => outputOf(field, source, context));
  const expressions = readers.map(({ expression }) => expression);
  return { expressions, joins: source.joins(), record: recordReader(outputs, readers, context.world) };
}

interface Output {
  readonly name: string;
  readonly expression: Expression;
  readonly read: (raw: unknown, languages: Languages) => Value;
}

function outputOf(field: ModelField, source: Aliased, context: QueryContext): Output {
  const { dialect, world } = context;
  const { storage, name } = field;
  switch (storage.in) {
    case 'column': {
      const decode = dialect.decode[storage.type] as (raw: unknown) => Value;
      const show = field.field.show;
      const read = show
        ? (raw: unknown) => show(raw === null ? null : decode(raw), world)
        : (raw: unknown) => (raw === null ? null : decode(raw));
      return { name, expression: sql.id(source.alias, field.column), read };
    }
    case 'translation':
      return { name, expression: source.shownText(field.column, storage.fallback), read: (raw) => raw as string };
    case 'link': {
      if (!storage.embedded) {
        return { name, expression: sql.id(source.alias, field.column), read: (raw) => raw as Value };
      }
      const inner = selectOutput(field.target!, `${source.alias}_${name}`, context);
      const target = field.target!;
      const alias = `${source.alias}_${name}`;
      return {
        name,
        expression: sql`(select ${dialect.jsonArray(inner.expressions)} from ${sql.table(target.table)} as ${sql.id(alias)} ${inner.joins}
          where ${sql.id(alias, target.identifierField)} = ${sql.id(source.alias, field.column)})`,
        read: (raw, languages) =>
          raw === null ? null : inner.record(dialect.decode.json(raw as never) as Row, languages),
      };
    }
    case 'links':
      return linksOutput(field, storage.embedded, source, context);
    case 'parts': {
      const alias = `${source.alias}_${name}`;
      const target = field.target!;
      const inner = selectOutput(target, alias, context);
      const order = orderOf(new Aliased(alias, target, context), { orders: [] });
      return {
        name,
        expression: sql`(select ${dialect.jsonAggregate(dialect.jsonArray(inner.expressions), order)} from ${sql.table(target.table)} as ${sql.id(alias)} ${inner.joins}
          where ${sql.id(alias, target.owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)})`,
        read: recordsReader(inner, dialect),
      };
    }
    case 'part': {
      const alias = `${source.alias}_${name}`;
      const target = field.target!;
      const shown = target.outputs.filter((output) => storage.shown.includes(output.name));
      const inner = selectOutput(target, alias, context, shown);
      return {
        name,
        expression: sql`(select ${dialect.jsonArray(inner.expressions)} from ${sql.table(target.table)} as ${sql.id(alias)} ${inner.joins}
          where ${sql.id(alias, target.owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)})`,
        read: (raw, languages) =>
          raw === null ? null : inner.record(dialect.decode.json(raw as never) as Row, languages),
      };
    }
    case 'path':
      return pathOutput(field, storage.shown, source, context);
    case 'linked':
    case 'nothing':
      throw new Error(`${field.resource.name}.${name} is not kept, so it cannot be shown`);
  }
}

function linksOutput(field: ModelField, embedded: boolean, source: Aliased, context: QueryContext): Output {
  const { dialect } = context;
  const target = field.target!;
  const pair = `${source.alias}_${field.name}_pair`;
  const from = sql`from ${sql.table(pairTable(field))} as ${sql.id(pair)}`;
  const mine = sql`${sql.id(pair, ownerColumn(source.resource))} = ${sql.id(source.alias, source.resource.identifierField)}`;
  const other = sql.id(pair, ownerColumn(target));
  if (!embedded)
    return {
      name: field.name,
      expression: sql`(select ${dialect.jsonAggregate(other, other)} ${from} where ${mine})`,
      read: (raw) => dialect.decode.json(raw as never),
    };
  const alias = `${source.alias}_${field.name}`;
  const inner = selectOutput(target, alias, context);
  return {
    name: field.name,
    expression: sql`(select ${dialect.jsonAggregate(dialect.jsonArray(inner.expressions), other)} ${from}
      join ${sql.table(target.table)} as ${sql.id(alias)} on ${sql.id(alias, target.identifierField)} = ${other} ${inner.joins}
      where ${mine})`,
    read: recordsReader(inner, dialect),
  };
}

/** Climbs the tree from the record to its root; the root is shown first. */
function pathOutput(field: ModelField, shown: readonly string[], source: Aliased, context: QueryContext): Output {
  const { dialect } = context;
  const target = field.target!;
  const [above, alias] = [`${source.alias}_above`, `${source.alias}_${field.name}`];
  const { table, identifierField, tree, outputs } = target;
  const inner = selectOutput(
    target,
    alias,
    context,
    outputs.filter(({ name }) => shown.includes(name)),
  );
  const own = sql.id(source.alias, identifierField);
  const step = sql.id(above, 'step');
  return {
    name: field.name,
    expression: sql`(with recursive ${sql.id(above)} (${sql.id('id')}, ${sql.id('parent')}, ${sql.id('step')}) as (
        select ${own}, ${sql.id(source.alias, tree!.column)}, 0
        union all select ${sql.id('t', identifierField)}, ${sql.id('t', tree!.column)}, ${step} + 1
        from ${sql.id(above)} join ${sql.table(table)} as ${sql.id('t')} on ${sql.id('t', identifierField)} = ${sql.id(above, 'parent')}
      ) select ${dialect.jsonAggregate(dialect.jsonArray(inner.expressions), sql`${step} desc`)}
      from ${sql.id(above)} join ${sql.table(table)} as ${sql.id(alias)} on ${sql.id(alias, identifierField)} = ${sql.id(above, 'id')} ${inner.joins})`,
    read: recordsReader(inner, dialect),
  };
}

function recordsReader(inner: Selection, dialect: Dialect): Output['read'] {
  return (raw, languages) => {
    const rows = dialect.decode.json(raw as never) as unknown as Row[];
    return rows.length === 0 ? [] : rows.map((row) => inner.record(row, languages));
  };
}

/** The loop over the outputs runs for every record of every answer: names, readers and positions are fixed here. */
function recordReader(fields: readonly ModelField[], outputs: readonly Output[], world: World): Selection['record'] {
  const names = outputs.map(({ name }) => name);
  const readers = outputs.map(({ read }) => read);
  // V8 keeps a record with so many names fast only when it has them all from the start: reading and writing a list as
  // JSON takes a third of the time then.
  const template = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as ShownRecord;
  const completions = fields.flatMap(({ name, field }) => (field.complete ? [{ name, complete: field.complete }] : []));
  return (values, languages) => {
    const record: ShownRecord = { ...template };
    for (let index = 0; index < names.length; index += 1)
      record[names[index]!] = readers[index]!(values[index], languages);
    for (const { name, complete } of completions) record[name] = complete(record[name]!, record, world, languages);
    return record;
  };
}

/** One table in a FROM, with its texts joined when something asks for them. */
export class Aliased {
  readonly alias: string;
  readonly resource: ModelResource;
  readonly #context: QueryContext;
  #needsTexts = false;

  constructor(alias: string, resource: ModelResource, context: QueryContext) {
    this.alias = alias;
    this.resource = resource;
    this.#context = context;
  }

  get context(): QueryContext {
    return this.#context;
  }

  /**
   * A text column as the request's language shows it: its own text, else the store default's, else the first of the
   * other languages by code, else "" (http.md §5).
   */
  shownText(column: string, fallback?: string): Expression {
    this.#needsTexts = true;
    const own = sql.id(this.#own, column);
    const standsIn = this.#context.mode === 'default' ? sql`` : sql`${sql.id(this.#default, column)},`;
    const inNone = fallback === undefined ? sql`` : sql`${sql.id(this.alias, fallback)},`;
    const table = textTable(this.resource);
    return sql`coalesce(${own}, ${standsIn} ${inNone} (select ${sql.id('x', column)} from ${sql.table(table)} as ${sql.id('x')}
      where ${sql.id('x', ownerColumn(this.resource))} = ${sql.id(this.alias, this.resource.identifierField)}
      and ${sql.id('x', column)} is not null order by ${sql.id('x', 'language')} limit 1), '')`;
  }

  /** The joins that the expressions made so far need, else the others; ask for them last. */
  joins(others: Expression = sql``): Expression {
    if (!this.#needsTexts) return others;
    const { mode, dialect } = this.#context;
    const own = this.#join(this.#own, dialect.place(LANGUAGE));
    return mode === 'default' ? own : sql`${own} ${this.#join(this.#default, dialect.place(DEFAULT_LANGUAGE))}`;
  }

  get #own(): string {
    return `${this.alias}_own`;
  }

  get #default(): string {
    return `${this.alias}_default`;
  }

  #join(alias: string, language: Expression): Expression {
    return sql`left join ${sql.table(textTable(this.resource))} as ${sql.id(alias)}
      on ${sql.id(alias, ownerColumn(this.resource))} = ${sql.id(this.alias, this.resource.identifierField)}
      and ${sql.id(alias, 'language')} = ${language}`;
  }
}

/** The requested order, else the default one; the id always breaks ties. */
function orderOf(source: Aliased, { orders }: Pick<ListIntent, 'orders'>): Expression {
  const { resource } = source;
  const wanted = orders.length > 0 ? orders : resource.defaultOrder.map((field) => ({ field, descending: false }));
  const terms = wanted.flatMap(({ field, descending }) => orderTerms(source, field, descending));
  const id = sql.id(source.alias, resource.identifierField);
  return sql.join(wanted.some(({ field }) => field.isIdentifier) ? terms : [...terms, sql`${id} asc`]);
}

function orderTerms(source: Aliased, field: ModelField, descending: boolean): Expression[] {
  const direction = descending ? sql`desc` : sql`asc`;
  const shownColumn = (column: string): Expression =>
    field.storage.in === 'translation' ? source.shownText(column) : sql.id(source.alias, column);
  // Equal keys sort by the text's code points: both databases compare texts by their bytes in UTF-8.
  if (field.field.searchable)
    return [sql`${shownColumn(keyColumn(field))} ${direction}`, sql`${shownColumn(field.column)} ${direction}`];
  // SQLite puts nulls first, PostgreSQL last.
  const nulls = field.field.nullable ? (descending ? sql` nulls last` : sql` nulls first`) : sql``;
  return [sql`${shownColumn(field.column)} ${direction}${nulls}`];
}

/**
 * The conditions of every record at this place: its parents, which are at their own place, and the fields that the
 * declaration fixes.
 */
export function placeConditions(place: ModelPlace, alias: string, dialect: Dialect): Expression[] {
  const parents = place.parents.flatMap(({ field, target, at }, index) => {
    const parent = dialect.place(new Slot(`parent_${index}`, target.identifierType));
    const linked = field ? [parentCondition(field, alias, parent)] : [];
    const above = `${alias}_${index}`;
    const placed = at ? placeConditions(at, above, dialect) : [];
    if (placed.length === 0) return linked;
    const own = sql`${sql.id(above, target.identifierField)} = ${parent}`;
    return [
      ...linked,
      sql`exists (select 1 from ${sql.table(target.table)} as ${sql.id(above)} where ${and([own, ...placed])})`,
    ];
  });
  const fixed = [...place.fixed].map(([field, value]) =>
    value === null
      ? sql`${sql.id(alias, field.column)} is null`
      : sql`${sql.id(alias, field.column)} = ${sql.lit(value)}`,
  );
  return [...parents, ...fixed];
}

function parentCondition(field: ModelField, alias: string, parent: Expression): Expression {
  if (field.storage.in !== 'linked') return sql`${sql.id(alias, field.column)} = ${parent}`;
  const { by, to } = field.storage;
  const through = field.target!;
  const column = (name: string): Expression => sql.id('through', through.fields.get(name)!.column);
  return sql`exists (select 1 from ${sql.table(through.table)} as ${sql.id('through')}
    where ${column(to)} = ${parent} and ${column(by)} = ${sql.id(alias, field.resource.identifierField)})`;
}

function filterCondition(source: Aliased, use: FilterUse, index: number): Expression {
  const { field } = use.filter;
  const { dialect } = source.context;
  const slot = filterSlot(index);
  switch (use.form) {
    case 'links':
      return linkedCondition(source, field, linkedRecords(source, field, use.by, slot));
    case 'exists': {
      const exists = linkedCondition(source, field);
      return use.wanted ? exists : sql`not ${exists}`;
    }
    case 'none':
      return sql`${columnValue(source, field)} is null`;
    case 'partial': {
      const key =
        field.storage.in === 'translation'
          ? source.shownText(keyColumn(field))
          : sql.id(source.alias, keyColumn(field));
      return sql`exists (select 1 from ${dialect.listed(new Slot(slot, 'text', true))} where ${key} like ${sql.id('listed', 'value')} escape '\\')`;
    }
    case 'list':
      return sql`${columnValue(source, field)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new Slot(slot, columnType(field), true))})`;
    case 'spans': {
      // Values of one list are joined with OR: each is a span of time, from and before.
      const spans = Array.from({ length: use.count }, (_, span) => {
        const value = columnValue(source, field);
        const bound = (end: string): Expression => dialect.place(new Slot(`${slot}_${span}_${end}`, columnType(field)));
        return sql`(${value} >= ${bound('from')} and ${value} < ${bound('before')})`;
      });
      return sql`(${sql.join(spans, sql` or `)})`;
    }
    case 'between': {
      const bound = (end: string): Expression => dialect.place(new Slot(`${slot}_${end}`, columnType(field)));
      return sql`${columnValue(source, field)} between ${bound('from')} and ${bound('to')}`;
    }
    case 'comparison': {
      const value = dialect.place(new Slot(slot, columnType(field)));
      return sql`${columnValue(source, field)} ${sql.raw(operators[use.comparison].sql)} ${value}`;
    }
    case 'equal': {
      return sql`${columnValue(source, field)} = ${dialect.place(new Slot(slot, columnType(field)))}`;
    }
  }
}

function columnValue(source: Aliased, field: ModelField): Expression {
  return field.storage.in === 'translation' ? source.shownText(field.column) : sql.id(source.alias, field.column);
}

/** Every word is in the key of one of the texts. */
function searchCondition(source: Aliased, search: ModelSearch): Expression {
  return hasAll(source, 'search_patterns', (pattern) => {
    const inOne = search.in.map((field) =>
      field.resource === source.resource ? like(keyOf(source, field), pattern) : isInPart(source, field, pattern),
    );
    return sql`(${sql.join(inOne, sql` or `)})`;
  });
}

function isInPart(source: Aliased, field: ModelField, pattern: Expression): Expression {
  const { table, owner } = field.resource;
  const part = new Aliased('part', field.resource, source.context);
  const found = like(keyOf(part, field), pattern);
  return sql`exists (select 1 from ${sql.table(table)} as ${sql.id('part')} ${part.joins()}
    where ${sql.id('part', owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)} and ${found})`;
}

/** The number of the first rank that the record meets. */
function rankOf(source: Aliased, { ranks }: ModelSearch): Expression {
  const cases = ranks.map((rank, index) => sql`when ${rankCondition(source, rank)} then ${sql.lit(index)}`);
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(ranks.length)} end`;
}

function rankCondition(source: Aliased, { field, has }: ModelSearch['ranks'][number]): Expression {
  const key = keyOf(source, field);
  const text = (slot: SearchSlot): Expression => source.context.dialect.place(new Slot(slot, 'text'));
  switch (has) {
    case 'equal':
      return sql`${key} = ${text('search_phrase')}`;
    case 'begins':
      return like(key, text('search_begins'));
    case 'words':
      return hasAll(source, 'search_words', (pattern) => like(spaced(key), pattern));
    case 'all':
      return hasAll(source, 'search_patterns', (pattern) => like(key, pattern));
  }
}

function hasAll(source: Aliased, slot: SearchSlot, isFound: (pattern: Expression) => Expression): Expression {
  return sql`not exists (select 1 from ${source.context.dialect.listed(new Slot(slot, 'text', true))}
    where not ${isFound(sql.id('listed', 'value'))})`;
}

function like(text: Expression, pattern: Expression): Expression {
  return sql`(${text} like ${pattern} escape '\\')`;
}

function keyOf(source: Aliased, field: ModelField): Expression {
  const key = keyColumn(field);
  return field.storage.in === 'translation' ? source.shownText(key) : sql.id(source.alias, key);
}

/** The text with one space before and behind each of its words, at least. */
function spaced(text: Expression): Expression {
  const words = BETWEEN_WORDS.reduce((all, character) => sql`replace(${all}, ${sql.lit(character)}, ' ')`, text);
  return sql`(' ' || ${words} || ' ')`;
}

/** The type of the column that keeps a field. */
export function columnType(field: ModelField): ColumnType {
  if (field.storage.in === 'column') return field.storage.type;
  return field.storage.in === 'translation' ? 'text' : field.target!.identifierType;
}

/** Records that are linked to one of the wanted, a sub-query; without it, to any. */
function linkedCondition(source: Aliased, field: ModelField, wanted?: Expression): Expression {
  const target = field.target!;
  const { storage } = field;
  const isWanted = (column: Expression): Expression =>
    wanted ? sql`${column} in (${wanted})` : sql`(${column} is not null)`;
  const own = sql.id(source.alias, field.resource.identifierField);
  if (storage.in === 'link') return isWanted(sql.id(source.alias, field.column));
  if (storage.in === 'linked') {
    const column = (name: string): Expression => sql.id('through', target.fields.get(name)!.column);
    return sql`exists (select 1 from ${sql.table(target.table)} as ${sql.id('through')}
      where ${column(storage.by)} = ${own} and ${isWanted(column(storage.to))})`;
  }
  return sql`exists (select 1 from ${sql.table(pairTable(field))} as ${sql.id('pair')}
    where ${sql.id('pair', ownerColumn(field.resource))} = ${own}
    and ${isWanted(sql.id('pair', ownerColumn(target)))})`;
}

/** The identifiers of linked records that a filter asks for in one or several ways; names as http.md §5 finds them. */
function linkedRecords(source: Aliased, field: ModelField, by: readonly LinkedBy[], slot: string): Expression {
  const { context } = source;
  const value = sql.id('listed', 'value');
  const listed = (how: LinkedBy, type: ColumnType): Expression =>
    context.dialect.listed(new Slot(linkedSlot(slot, how), type, true));
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

/** The type of the column that the values of a filter on a link are compared with, where they are no identifiers. */
function valueType({ storage, target }: ModelField): ColumnType {
  if (storage.in !== 'linked') throw new Error('only a link through other records can lead to a value');
  return columnType(target!.fields.get(storage.to)!);
}

function and(conditions: readonly Expression[]): Expression {
  return sql.join(conditions, sql` and `);
}
