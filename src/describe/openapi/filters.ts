/** A filter of a collection in all its forms: one value, a list, ranges (http.md §8). */
import {
  type ElseNone,
  type FilterKind,
  type JsonSchema,
  linkedResource,
  type ModelField,
  type ModelFilter,
  type ModelResource,
  type OperatorName,
  operators,
  operatorsFor,
  sentences,
} from '../../engine/index.ts';
import { identifierExample } from './examples.ts';
import { type Parameter, query } from './parameter.ts';

/** @param name the filter's, or another under which old clients know it */
export function filterParameters(name: string, filter: ModelFilter): Parameter[] {
  const { partial } = filter;
  const { schemaOf, single, isListed } = KINDS[filter.kind];
  const schema = filter.values ? { ...schemaOf(filter), enum: filter.values } : schemaOf(filter);
  const { elseNone } = filter;
  const singleSchema = elseNone ? { anyOf: [schema, { type: 'string', enum: [elseNone.every] }] } : schema;
  const example = valueExample(filter, schema);
  const isAlias = name !== filter.name;
  const deprecated = isAlias ? ({ deprecated: true } as const) : {};
  const only = (rule: string): string =>
    sentences(`Only those whose \`${filter.name}\` ${rule}.`, isAlias && `Another name of \`${filter.name}\`.`);
  const orAddress = filter.isLink ? ', or this address' : '';
  const rule = partial ? 'has this text anywhere in it, accents and case aside' : `${single}${orAddress}`;
  const without = elseNone && withoutIt(elseNone);
  const found: Parameter[] = [{ ...query(name, sentences(only(rule), without), singleSchema, example), ...deprecated }];
  if (isListed) {
    const list = { type: 'array', items: schema };
    const listRule = partial ? 'has one of these texts in it' : 'is one of these';
    found.push({ ...query(`${name}[]`, only(listRule), list, [example]), style: 'form', explode: true, ...deprecated });
  }
  for (const operator of operatorsFor(filter)) {
    const [taken, shown] = VALUES[operator] ?? [schema, example];
    found.push({ ...query(`${name}[${operator}]`, only(operators[operator].says), taken, shown), ...deprecated });
  }
  return found;
}

function withoutIt({ every, unless }: ElseNone): string {
  const names = unless.map(({ name }) => `\`${name}\``);
  const others = names.length === 0 ? '' : `, or one on ${names.join(', ')},`;
  return `Without this filter${others} only those that have none; \`${every}\` asks for all.`;
}

const BETWEEN = '^-?\\d+(\\.\\d+)?\\.\\.-?\\d+(\\.\\d+)?$';

/** The schema and an example of what an operator takes, where that is not a value as the filter has it. */
const VALUES: Readonly<Partial<Record<OperatorName, readonly [JsonSchema, unknown]>>> = {
  between: [{ type: 'string', pattern: BETWEEN }, '5..9'],
  exists: [{ type: 'boolean' }, false],
};

interface Kind {
  readonly schemaOf: (filter: ModelFilter) => JsonSchema;
  readonly single: string;
  readonly isListed: boolean;
  /** Used where the field's declaration has none. */
  readonly example: unknown;
}

const INTEGER = { type: 'integer', format: 'int64' };

const KINDS: Readonly<Record<FilterKind, Kind>> = {
  boolean: {
    schemaOf: () => ({ type: 'boolean' }),
    single: 'is this value',
    isListed: false,
    example: true,
  },
  integer: {
    schemaOf: () => INTEGER,
    single: 'is this number',
    isListed: true,
    example: 5,
  },
  float: {
    schemaOf: () => ({ type: 'number' }),
    single: 'is this number',
    isListed: true,
    example: 9.99,
  },
  identifier: { schemaOf: identifierOf, single: 'is this id', isListed: true, example: 1 },
  string: { schemaOf: textOf, single: 'is exactly this text', isListed: true, example: 'text' },
  name: {
    schemaOf: () => ({ type: 'string' }),
    single: 'has this name',
    isListed: true,
    example: 'name',
  },
  sharedName: {
    schemaOf: () => ({ type: 'string' }),
    single: 'is this whole text, accents and case aside',
    isListed: true,
    example: 'name',
  },
  timestamp: {
    schemaOf: () => ({ type: 'string' }),
    single: 'is this moment; a bare date is that whole day',
    isListed: true,
    example: '2026-01-31',
  },
};

function valueExample({ field, kind, linkedField }: ModelFilter, schema: JsonSchema): unknown {
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (kind === 'identifier') return identifierExample(identified(field));
  const compared = linkedField ?? (kind === 'name' ? field.target!.naming! : field);
  return compared.field.example ?? KINDS[kind].example;
}

/** The resource whose identifiers are asked for. */
function identified(field: ModelField): ModelResource {
  return field.isIdentifier ? field.resource : linkedResource(field);
}

function identifierOf({ field }: ModelFilter): JsonSchema {
  const { identifier } = identified(field);
  return identifier.kind === 'integer' ? INTEGER : { type: 'string' };
}

function textOf({ field }: ModelFilter): JsonSchema {
  const { enum: values } = field.field.outputSchema;
  return values === undefined ? { type: 'string' } : { type: 'string', enum: values };
}
