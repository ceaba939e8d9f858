/** Query parameters of a collection's filters in all their forms: value, list, operators (http.md §8). */
import {
  type ElseNone,
  type FilterKind,
  type JsonSchema,
  linkedResource,
  type ModelField,
  type ModelFilter,
  type ModelListField,
  type ModelResource,
  type OperatorName,
  operators,
  operatorsFor,
  sentences,
  words,
} from '../../engine/index.ts';
import { identifierExample } from './examples.ts';
import { type Parameter, query } from './parameter.ts';

/** @param name - name of the filter, or a deprecated alias */
export function filterParameters(name: string, filter: ModelFilter): Parameter[] {
  const { partial } = filter;
  const { schemaOf, single, isListed } = KINDS[filter.kind];
  const schema = filter.values ? { ...schemaOf(filter), enum: filter.values } : schemaOf(filter);
  const { elseNone } = filter;
  const singleSchema = elseNone ? { anyOf: [schema, { type: 'string', enum: [elseNone.every] }] } : schema;
  const example = valueExample(filter, schema);
  const isAlias = name !== filter.name;
  const only = (rule: string): string =>
    sentences(`\`${filter.name}\` ${rule}.`, isAlias && `Alias of \`${filter.name}\` in all its forms.`);
  const orPath = filter.isLink ? ' or path' : '';
  const rule = partial ? 'contains this text, ignoring case and accents' : `${single}${orPath}`;
  const ifOmitted = elseNone && omittedRule(elseNone);
  const found: Parameter[] = [
    {
      ...query(name, sentences(only(rule), ifOmitted), singleSchema, example),
      ...(isAlias ? { deprecated: true } : {}),
    },
  ];
  // The other forms of an alias are those of the filter.
  if (isAlias) return found;
  if (isListed) {
    const list = { type: 'array', items: schema };
    const listRule = partial ? 'contains one of these texts' : 'is one of these';
    found.push({ ...query(`${name}[]`, only(listRule), list, [example]), style: 'form', explode: true });
  }
  for (const operator of operatorsFor(filter)) {
    const [valueSchema, operatorExample] = VALUES[operator] ?? [schema, example];
    const description = only(operators[operator].says);
    found.push(query(`${name}[${operator}]`, description, valueSchema, operatorExample));
  }
  return found;
}

/** All forms of a keyed filter, whose names are known to the client only. The parameter is an object of such names. */
export function keyedParameter({ name, field }: ModelFilter): Parameter {
  const { target } = field;
  const key = target!.fields.get(field.storage.in === 'linked' ? field.storage.keyed!.by : '')!;
  const [record, value] = [words(key.target!.name), words(linkedResource(field).name)];
  const description = `\`${name}.ID\`, where ID is the id of a select ${record}: is the ${value} with this id. The list \`${name}.ID[]\` names several, and \`${name}.ID[exists]\` selects by whether there is one.`;
  const schema = { type: 'object', additionalProperties: INTEGER };
  return { ...query(name, description, schema, { [`${name}.1`]: 1 }), style: 'form', explode: true };
}

/** Parameters of a list field: its own, and its filters, which only work together with them. */
export function listFieldParameters(listField: ModelListField): Parameter[] {
  const { declaration, filter, field } = listField;
  const { name, parameters } = declaration;
  const needs = needsOf(listField);
  return [
    ...Object.entries(parameters).map(([member, own]) => {
      const { required, description, inputSchema, default: value, example } = own;
      const schema = value === null ? inputSchema : { ...inputSchema, default: value };
      return query(`${name}[${member}]`, sentences(description, !required && needs), schema, example ?? value);
    }),
    ...operatorsFor(filter).map((operator) => {
      const [schema, example] = VALUES[operator] ?? [KINDS[filter.kind].schemaOf(filter), field.field.example];
      return query(`${name}[${operator}]`, `\`${name}\` ${operators[operator].says}. ${needs}`, schema, example);
    }),
  ];
}

/** Names the parameters without which a list has no list field. */
export function needsOf({ declaration: { name, parameters } }: ModelListField): string {
  const enabling = Object.entries(parameters).filter(([, { required }]) => required);
  return `Needs ${enabling.map(([member]) => `\`${name}[${member}]\``).join(' and ')}.`;
}

/** Describes which records the response contains if this filter is omitted: only those without a value. */
function omittedRule({ every, unless }: ElseNone): string {
  const names = unless.map(({ name }) => `\`${name}\``);
  const others = names.length === 0 ? '' : ` and there is no filter on ${names.join(', ')}`;
  return `If it is omitted${others}, the response contains only records without a value. \`${every}\` returns all.`;
}

const BETWEEN = '^-?\\d+(\\.\\d+)?\\.\\.-?\\d+(\\.\\d+)?$';

/** Schema and example of the operators whose values differ from those of their filter. */
const VALUES: Readonly<Partial<Record<OperatorName, readonly [JsonSchema, unknown]>>> = {
  between: [{ type: 'string', pattern: BETWEEN }, '5..9'],
  exists: [{ type: 'boolean' }, false],
};

interface Kind {
  readonly schemaOf: (filter: ModelFilter) => JsonSchema;
  readonly single: string;
  readonly isListed: boolean;
  /** Used if the field's declaration has no example. */
  readonly example: unknown;
}

const INTEGER = { type: 'integer', format: 'int64' };

const KINDS: Readonly<Record<FilterKind, Kind>> = {
  boolean: {
    schemaOf: () => ({ type: 'boolean' }),
    single: 'has this value',
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
    single: 'is this text, ignoring case and accents',
    isListed: true,
    example: 'name',
  },
  timestamp: {
    schemaOf: () => ({ type: 'string' }),
    single: 'is this time. A date without a time matches the whole day',
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

/** The resource whose identifiers the filter takes. */
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
