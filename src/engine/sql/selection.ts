/** The SELECT expressions of a record's output, and the conversion of their values to the record. */
import { sql } from 'kysely';
import type { Environment, Languages, LinkedValues, ShownRecord, StoredSetting } from '../field.ts';
import { fieldsAlong, type ModelField, type ModelResource, snakeCase } from '../model/model.ts';
import { ownerColumn, pairTable } from '../model/tables.ts';
import type { ColumnType, Dialect, Row, Value } from '../ports.ts';
import { Aliased, and, type Expression, orderOf, type QueryContext } from './source.ts';

/** Expressions and joins of a SELECT, and the conversion of a row to a record. */
export interface Selection {
  readonly expressions: readonly Expression[];
  readonly joins: Expression;
  readonly record: (values: Row, languages: Languages) => ShownRecord;
}

/** Selects all fields in the output of a resource. */
export function selectOutput(
  resource: ModelResource,
  alias: string,
  context: QueryContext,
  outputs: readonly ModelField[] = resource.outputs,
): Selection {
  const source = new Aliased(alias, resource, context);
  const readers = outputs.map((field) => outputOf(field, source, context));
  const unshown = unshownFields(resource, outputs).map((field) => outputOf(field, source, context));
  const stored = storedSettings(outputs);
  const expressions = [
    ...[...readers, ...unshown].map(({ expression }) => expression),
    ...stored.map((setting) => settingOf(setting)),
  ];
  const environmentOf = environmentReader(stored, readers.length + unshown.length, context.environment);
  return { expressions, joins: source.joins(), record: recordReader(outputs, readers, unshown, environmentOf) };
}

/** Fields from which shown ones are completed, although they are not shown themselves. */
function unshownFields({ fields }: ModelResource, outputs: readonly ModelField[]): ModelField[] {
  const names = new Set(outputs.flatMap(({ field }) => field.completedFrom ?? []));
  return [...names].map((name) => fields.get(name)!).filter((field) => !outputs.includes(field));
}

/** The stored settings that output is completed with. */
function storedSettings(outputs: readonly ModelField[]): StoredSetting[] {
  const settings = outputs.flatMap(({ field }) => field.completedWith ?? []);
  return [...new Map(settings.map((setting) => [setting.name, setting])).values()];
}

/** The value in the only record of a resource. */
function settingOf({ resource, field }: StoredSetting): Expression {
  return sql`(select ${sql.id(snakeCase(field))} from ${sql.table(snakeCase(resource))})`;
}

/** Returns the environment with the stored settings that follow the values of a row. */
function environmentReader(
  stored: readonly StoredSetting[],
  after: number,
  environment: Environment,
): (row: Row) => Environment {
  if (stored.length === 0) return () => environment;
  let last: { readonly values: string; readonly environment: Environment } | undefined;
  return (row) => {
    const values = JSON.stringify(stored.map((_, index) => row[after + index]));
    if (last?.values === values) return last.environment;
    const own = stored.flatMap(({ name }, index) => {
      const value = row[after + index] as string | null;
      return value === null ? [] : [[name, value] as const];
    });
    last = {
      values,
      environment: { ...environment, settings: { ...environment.settings, ...Object.fromEntries(own) } },
    };
    return last.environment;
  };
}

interface Output {
  readonly name: string;
  readonly expression: Expression;
  readonly read: (raw: unknown, languages: Languages) => Value;
}

function outputOf(field: ModelField, source: Aliased, context: QueryContext): Output {
  const { dialect } = context;
  const { storage, name } = field;
  switch (storage.in) {
    case 'column':
      return columnOutput(field, storage.type, source, context);
    case 'count':
      return { name, expression: amongParts(field, source, () => sql`count(*)`), read: (raw) => Number(raw) };
    case 'average': {
      const column = field.target!.fields.get(storage.averaged)!.column;
      const sumAndCount = (alias: string) =>
        dialect.jsonArray([sql`coalesce(sum(${sql.id(alias, column)}), 0)`, sql`count(*)`]);
      const read = (raw: unknown): Value => averageOf(dialect.decode.json(raw as never) as [number, number]);
      return { name, expression: amongParts(field, source, sumAndCount), read };
    }
    case 'inheritedTotal':
      return { name, expression: inheritedTotal(field, storage.field, source), read: (raw) => Number(raw) };
    case 'sum': {
      const summed = storage.of.map((each) => sql.id(source.alias, source.resource.fields.get(each)!.column));
      return { name, expression: sql.join(summed, sql` + `), read: (raw) => Number(raw) };
    }
    case 'translation':
      return { name, expression: source.shownText(field.column, storage.fallback), read: (raw) => raw as string };
    case 'link':
      if (!storage.embedded)
        return { name, expression: sql.id(source.alias, field.column), read: (raw) => raw as Value };
      return recordOutput(field, field.target!.outputs, source, context, (alias) => {
        return sql`${sql.id(alias, field.target!.identifierField)} = ${sql.id(source.alias, field.column)}`;
      });
    case 'links':
      return linksOutput(field, storage.embedded, source, context);
    case 'parts':
    case 'summary': {
      const alias = `${source.alias}_${name}`;
      const target = field.target!;
      const isShown = (output: ModelField) => storage.in === 'parts' || storage.reads.includes(output.name);
      const inner = selectOutput(target, alias, context, target.outputs.filter(isShown));
      const order = orderOf(new Aliased(alias, target, context), { orders: [] });
      return {
        name,
        expression: sql`(select ${dialect.jsonAggregate(dialect.jsonArray(inner.expressions), order)} from ${sql.table(target.table)} as ${sql.id(alias)} ${inner.joins}
          where ${sql.id(alias, target.owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)})`,
        read: recordsReader(inner, dialect),
      };
    }
    case 'part': {
      const target = field.target!;
      const shown = target.outputs.filter((output) => storage.shown.includes(output.name));
      return recordOutput(field, shown, source, context, (alias) => {
        return sql`${sql.id(alias, target.owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)}`;
      });
    }
    case 'linkedText':
      return { name, expression: textOfLinked(field, storage, source), read: (raw) => raw as Value };
    case 'linkedValues':
      return linkedValuesOutput(field, storage.sets, source, context);
    case 'path':
      return pathOutput(field, storage.shown, source, context);
    case 'environment':
      return { name, expression: sql`null`, read: () => null };
    // `evaluateFields` replaces the identifier by the value.
    case 'evaluated':
      return {
        name,
        expression: sql.id(source.alias, source.resource.identifierField),
        read: (raw) => raw as Value,
      };
    case 'linked':
    case 'texts':
    case 'nothing':
      throw new Error(`${field.resource.name}.${name} is not stored, so it cannot be shown`);
  }
}

function columnOutput(
  { name, column, field }: ModelField,
  type: ColumnType,
  source: Aliased,
  { dialect, environment }: QueryContext,
): Output {
  if (field.once) return { name, expression: sql`null`, read: () => null };
  const decode = dialect.decode[type] as (raw: unknown) => Value;
  const { show } = field;
  const read = show
    ? (raw: unknown) => show(raw === null ? null : decode(raw), environment)
    : (raw: unknown) => (raw === null ? null : decode(raw));
  const own = sql.id(source.alias, column);
  return {
    name,
    expression: field.inheritedWhile ? inheritedOr(own, source.resource.fields.get(name)!, source) : own,
    read,
  };
}

/** An aggregate of the record's parts that meet the conditions of the field. */
function amongParts(
  { name, storage, target }: ModelField,
  source: Aliased,
  aggregate: (alias: string) => Expression,
): Expression {
  const { table, owner, fields } = target!;
  const alias = `${source.alias}_${name}`;
  const where = 'where' in storage ? Object.entries(storage.where ?? {}) : [];
  const conditions = [
    sql`${sql.id(alias, owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)}`,
    ...where.map(([each, value]) => sql`${sql.id(alias, fields.get(each)!.column)} = ${sql.lit(value)}`),
  ];
  return sql`(select ${aggregate(alias)} from ${sql.table(table)} as ${sql.id(alias)} where ${and(conditions)})`;
}

const HUNDREDTHS = 100;

/** Rounds half up. Exact, because a quotient that ends in one half has a finite binary representation. */
function averageOf([sum, count]: readonly [number, number]): number | null {
  return count === 0 ? null : Math.floor((sum * HUNDREDTHS) / count + 0.5) / HUNDREDTHS;
}

/** One record of another resource as an object, or null. */
function recordOutput(
  { name, target }: ModelField,
  outputs: readonly ModelField[],
  source: Aliased,
  context: QueryContext,
  isLinked: (alias: string) => Expression,
): Output {
  const { dialect } = context;
  const alias = `${source.alias}_${name}`;
  const inner = selectOutput(target!, alias, context, outputs);
  return {
    name,
    expression: sql`(select ${dialect.jsonArray(inner.expressions)} from ${sql.table(target!.table)} as ${sql.id(alias)} ${inner.joins}
          where ${isLinked(alias)})`,
    read: (raw, languages) => (raw === null ? null : inner.record(dialect.decode.json(raw as never) as Row, languages)),
  };
}

/** The text of the record that the first non-null link names. */
function textOfLinked(
  { name, resource }: ModelField,
  { links, text }: { readonly links: readonly string[]; readonly text: string },
  source: Aliased,
): Expression {
  const cases = links.map((each, index) => {
    const { column, target } = resource.fields.get(each)!;
    const { table, identifierField, fields } = target!;
    const alias = `${source.alias}_${name}_${index}`;
    const id = sql.id(source.alias, column);
    return sql`when ${id} is not null then (select ${sql.id(alias, fields.get(text)!.column)}
      from ${sql.table(table)} as ${sql.id(alias)} where ${sql.id(alias, identifierField)} = ${id})`;
  });
  return sql`case ${sql.join(cases, sql` `)} end`;
}

/** The owner's value while the flag is true, otherwise the record's own. */
function inheritedOr(own: Expression, { name, resource, field }: ModelField, source: Aliased): Expression {
  const { fields, owner } = resource;
  const { table, identifierField, fields: owners } = owner!.target!;
  const alias = `${source.alias}_${name}`;
  return sql`case when ${sql.id(source.alias, fields.get(field.inheritedWhile!)!.column)} then (
    select ${sql.id(alias, owners.get(field.inheritedFrom ?? name)!.column)} from ${sql.table(table)} as ${sql.id(alias)}
    where ${sql.id(alias, identifierField)} = ${sql.id(source.alias, owner!.column)}) else ${own} end`;
}

/** The sum of the parts' own values, plus once the record's value if a part inherits it or there are no parts. */
function inheritedTotal({ name, target }: ModelField, summed: string, source: Aliased): Expression {
  const { table, owner, fields } = target!;
  const inherited = fields.get(summed)!;
  const alias = `${source.alias}_${name}`;
  const value = sql.id(alias, inherited.column);
  const isInherited = sql.id(alias, fields.get(inherited.field.inheritedWhile!)!.column);
  const record = sql.id(source.alias, source.resource.fields.get(summed)!.column);
  return sql`(select coalesce(sum(case when ${isInherited} then 0 else ${value} end), 0)
      + case when count(*) = 0 or count(case when ${isInherited} then 1 end) > 0 then ${record} else 0 end
    from ${sql.table(table)} as ${sql.id(alias)}
    where ${sql.id(alias, owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)})`;
}

function linksOutput(field: ModelField, embedded: boolean, source: Aliased, context: QueryContext): Output {
  const { dialect } = context;
  const alias = `${source.alias}_${field.name}`;
  if (embedded) return linkedRecords(field, alias, selectOutput(field.target!, alias, context), source);
  const { from, mine, other } = pairsOf(field, alias, source);
  return {
    name: field.name,
    expression: sql`(select ${dialect.jsonAggregate(other, other)} ${from} where ${mine})`,
    read: (raw) => dialect.decode.json(raw as never),
  };
}

/** The rows that link the record to those of a set. */
function pairsOf(
  set: ModelField,
  alias: string,
  source: Aliased,
): Readonly<Record<'from' | 'mine' | 'other', Expression>> {
  const pair = `${alias}_pair`;
  return {
    from: sql`from ${sql.table(pairTable(set))} as ${sql.id(pair)}`,
    mine: sql`${sql.id(pair, ownerColumn(source.resource))} = ${sql.id(source.alias, source.resource.identifierField)}`,
    other: sql.id(pair, ownerColumn(set.target!)),
  };
}

/** @param inner what is shown of each record in the set, under the alias */
function linkedRecords(set: ModelField, alias: string, inner: Selection, source: Aliased): Output {
  const { dialect } = source.context;
  const { table, identifierField } = set.target!;
  const { from, mine, other } = pairsOf(set, alias, source);
  return {
    name: set.name,
    expression: sql`(select ${dialect.jsonAggregate(dialect.jsonArray(inner.expressions), other)} ${from}
      join ${sql.table(table)} as ${sql.id(alias)} on ${sql.id(alias, identifierField)} = ${other} ${inner.joins}
      where ${mine})`,
    read: recordsReader(inner, dialect),
  };
}

/** One object for each record of the sets of links. */
function linkedValuesOutput(
  { name, field: { show } }: ModelField,
  sets: readonly LinkedValues[],
  source: Aliased,
  context: QueryContext,
): Output {
  const { dialect, environment } = context;
  const outputs = sets.map(({ links, members }, index) => {
    const set = source.resource.fields.get(links)!;
    const linked = new Aliased(`${source.alias}_${name}_${index}`, set.target!, context);
    const values = Object.entries(members).map(([member, path]) =>
      valueAt(member, fieldsAlong(set.target!, path), linked),
    );
    const expressions = values.map(({ expression }) => expression);
    const record = recordReader([], values, [], () => environment);
    return linkedRecords(set, linked.alias, { expressions, joins: linked.joins(), record }, source);
  });
  return {
    name,
    expression: dialect.jsonArray(outputs.map(({ expression }) => expression)),
    read: (raw, languages) => {
      const found = dialect.decode.json(raw as never) as unknown[];
      const all = outputs.flatMap(({ read }, index) => read(found[index], languages) as Value[]);
      return show ? show(all, environment) : all;
    },
  };
}

/** The value at the end of a path of fields over single links. */
function valueAt(member: string, [field, ...further]: readonly (ModelField | undefined)[], source: Aliased): Output {
  if (further.length === 0) return { ...outputOf(field!, source, source.context), name: member };
  const { name, column, target } = field!;
  const linked = new Aliased(`${source.alias}_${name}`, target!, source.context);
  const { expression, read } = valueAt(member, further, linked);
  return {
    name: member,
    expression: sql`(select ${expression} from ${sql.table(target!.table)} as ${sql.id(linked.alias)} ${linked.joins()}
      where ${sql.id(linked.alias, target!.identifierField)} = ${sql.id(source.alias, column)})`,
    read,
  };
}

/** The ancestors of the record in its tree, from the root to the record. */
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

/** Names, readers and positions are computed once, because the loop runs for every record of every response. */
function recordReader(
  fields: readonly ModelField[],
  outputs: readonly Output[],
  unshown: readonly Output[],
  environmentOf: (row: Row) => Environment,
): Selection['record'] {
  const names = outputs.map(({ name }) => name);
  const readers = outputs.map(({ read }) => read);
  // With a template of all properties, V8 represents large objects in fast mode; building and serializing a list
  // takes a third of the time.
  const template = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as ShownRecord;
  const completions = fields.flatMap(({ name, field }) => (field.complete ? [{ name, complete: field.complete }] : []));
  return (values, languages) => {
    const record: ShownRecord = { ...template };
    for (let index = 0; index < names.length; index += 1)
      record[names[index]!] = readers[index]!(values[index], languages);
    if (completions.length === 0) return record;
    const known = unshown.length === 0 ? record : { ...record };
    for (const [index, { name, read }] of unshown.entries())
      known[name] = read(values[names.length + index], languages);
    const environment = environmentOf(values);
    for (const { name, complete } of completions) record[name] = complete(record[name]!, known, environment, languages);
    return record;
  };
}
