/** The output of a record as a SELECT's expressions, and the way back from the values that these give to the record. */
import { sql } from 'kysely';
import type { Environment, Languages, ShownRecord } from '../field.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { ownerColumn, pairTable } from '../model/tables.ts';
import type { Dialect, Row, Value } from '../ports.ts';
import { Aliased, type Expression, orderOf, type QueryContext } from './source.ts';

/** A SELECT's expressions and joins, and how to turn the values that they give into a record. */
export interface Selection {
  readonly expressions: readonly Expression[];
  readonly joins: Expression;
  readonly record: (values: Row, languages: Languages) => ShownRecord;
}

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
  return { expressions, joins: source.joins(), record: recordReader(outputs, readers, context.environment) };
}

interface Output {
  readonly name: string;
  readonly expression: Expression;
  readonly read: (raw: unknown, languages: Languages) => Value;
}

function outputOf(field: ModelField, source: Aliased, context: QueryContext): Output {
  const { dialect, environment } = context;
  const { storage, name } = field;
  switch (storage.in) {
    case 'column': {
      if (field.field.once) return { name, expression: sql`null`, read: () => null };
      const decode = dialect.decode[storage.type] as (raw: unknown) => Value;
      const show = field.field.show;
      const read = show
        ? (raw: unknown) => show(raw === null ? null : decode(raw), environment)
        : (raw: unknown) => (raw === null ? null : decode(raw));
      const own = sql.id(source.alias, field.column);
      return { name, expression: field.field.ownersWhile ? ownersOr(own, field, source) : own, read };
    }
    case 'count': {
      const { table, owner } = field.target!;
      const alias = `${source.alias}_${name}`;
      return {
        name,
        expression: sql`(select count(*) from ${sql.table(table)} as ${sql.id(alias)}
          where ${sql.id(alias, owner!.column)} = ${sql.id(source.alias, source.resource.identifierField)})`,
        read: (raw) => Number(raw),
      };
    }
    case 'sum': {
      const summed = storage.of.map((each) => sql.id(source.alias, source.resource.fields.get(each)!.column));
      return { name, expression: sql.join(summed, sql` + `), read: (raw) => Number(raw) };
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

/** The owner's value while the flag is true, else the record's own. */
function ownersOr(own: Expression, { name, resource, field }: ModelField, source: Aliased): Expression {
  const { fields, owner } = resource;
  const { table, identifierField, fields: owners } = owner!.target!;
  const alias = `${source.alias}_${name}`;
  return sql`case when ${sql.id(source.alias, fields.get(field.ownersWhile!)!.column)} then (
    select ${sql.id(alias, owners.get(name)!.column)} from ${sql.table(table)} as ${sql.id(alias)}
    where ${sql.id(alias, identifierField)} = ${sql.id(source.alias, owner!.column)}) else ${own} end`;
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
function recordReader(
  fields: readonly ModelField[],
  outputs: readonly Output[],
  environment: Environment,
): Selection['record'] {
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
    for (const { name, complete } of completions)
      record[name] = complete(record[name]!, record, environment, languages);
    return record;
  };
}
