/** Schemas and examples of the records of a storefront view, and the parameters of its fields and orders (storefront.md §2). */
import { type JsonSchema, type ModelResource, withArticle, words } from '../../engine/index.ts';
import type { DocumentContext, Reference } from '../openapi/components.ts';
import { type Example, outputExample } from '../openapi/examples.ts';
import { type Parameter, query } from '../openapi/parameter.ts';
import { directionSchema } from '../openapi/parameters.ts';
import { shownProperty } from '../openapi/schemas.ts';
import { shopSchema } from './operation.ts';

/** Records of another resource, with some of their fields. */
interface DescribedRecords {
  readonly record: string;
  readonly members: readonly string[];
  readonly description: string;
  readonly isList: boolean;
  /** Whether the list of the example is empty. */
  readonly isEmpty?: boolean;
  /** Descriptions for shoppers, where those of the fields are for the back office. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** The shown members of fields that are lists of objects. */
  readonly nested?: Readonly<Record<string, readonly string[]>>;
}

type Described =
  /** Like this field of the resource. */
  | { readonly field: string; readonly description: string | undefined }
  | DescribedRecords
  | { readonly schema: JsonSchema; readonly example: unknown };

interface DescribedFilter {
  readonly as: string;
  readonly operators?: readonly (string | undefined)[];
  readonly idsOf?: string;
  readonly isKeyed?: boolean;
}

/** A storefront view, as far as the document describes it. */
export interface DescribedView {
  readonly resource: string;
  readonly path: string;
  readonly about: string;
  readonly hasRecords?: boolean;
  readonly hasPrices?: boolean;
  readonly fields: readonly string[];
  readonly described: Readonly<Record<string, Described>>;
  readonly filters: Readonly<Record<string, DescribedFilter>>;
  readonly orders: Readonly<Record<string, string>>;
  readonly facets?: readonly string[];
}

/** Parameters of lists and of single records. */
export function ownParameters({ fields, hasPrices }: DescribedView): Parameter[] {
  const names: JsonSchema = { type: 'array', items: { type: 'string', enum: fields }, minItems: 1 };
  const description = 'Return only these fields. All others are omitted from the response, including required ones.';
  const address = [
    query(
      'country',
      'Country whose taxes apply, as an ISO 3166-1 code.',
      { type: 'string', pattern: '^[A-Z]{2}$' },
      'DE',
    ),
    query(
      'state_name',
      'State or province whose taxes apply. Needs `country`.',
      { type: 'string', maxLength: 255 },
      'Texas',
    ),
  ];
  return [
    { ...query('fields', description, names, [fields[0]]), style: 'form', explode: false },
    ...(hasPrices ? address : []),
  ];
}

export function orderParameters(context: DocumentContext, { orders }: DescribedView): Parameter[] {
  const schema = directionSchema(context) as JsonSchema;
  return Object.keys(orders).map((name) => query(`order[${name}]`, `Sort by \`${name}\`.`, schema, 'asc'));
}

/** The component with the fields of a view. */
export function recordSchema(context: DocumentContext, view: DescribedView, resource: ModelResource): Reference {
  return context.components.refer('schemas', view.resource, () => ({
    type: 'object',
    description: `What shoppers see of ${withArticle(words(view.resource))}.`,
    properties: Object.fromEntries(view.fields.map((name) => [name, fieldSchema(context, view, resource, name)])),
    required: view.fields,
  }));
}

/** Describes one field of a view. */
export function fieldSchema(
  context: DocumentContext,
  { described }: DescribedView,
  { fields }: ModelResource,
  name: string,
): JsonSchema {
  const how = described[name]!;
  if ('field' in how) {
    const schema = shownProperty(context, fields.get(how.field)!);
    return how.description === undefined ? schema : { ...schema, description: how.description };
  }
  if ('schema' in how) return context.dialect.withExample(shopSchema(context, how.schema), how.example);
  const { description, isList } = how;
  const record = membersSchema(context, how);
  if (!isList) return { ...context.dialect.nullable(record), description };
  return { type: 'array', items: record, description };
}

/** Describes some fields of a resource. */
export function membersSchema(
  context: DocumentContext,
  { record, members, descriptions = {}, nested = {} }: Omit<DescribedRecords, 'description' | 'isList'>,
): JsonSchema {
  const shown = context.model.resources.get(record)!.fields;
  const memberSchema = (name: string): JsonSchema => {
    const schema = shownProperty(context, shown.get(name)!);
    const own = Object.hasOwn(descriptions, name) ? { ...schema, description: descriptions[name] } : schema;
    if (!Object.hasOwn(nested, name)) return own;
    const isHidden = (each: string): boolean => !nested[name]!.includes(each);
    return { ...own, items: withoutMembers(own.items as JsonSchema, isHidden) };
  };
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((each) => [each, memberSchema(each)])),
    required: members,
  };
}

/** Returns the schema of an object without some of its members, and without examples, which have them. */
export function withoutMembers(schema: JsonSchema, isHidden: (name: string) => boolean): JsonSchema {
  const { properties, required, example: _, examples: __, ...rest } = schema;
  const shown = Object.entries(properties as object).filter(([name]) => !isHidden(name));
  const needed = (required as readonly string[]).filter((name) => !isHidden(name));
  return { ...rest, properties: Object.fromEntries(shown), required: needed };
}

/** Returns a record as shoppers see it. The tests create it. */
export function recordExample(
  { model, baseUrl }: DocumentContext,
  { fields, described }: DescribedView,
  resource: ModelResource,
): Example {
  const shown = outputExample(resource, resource.outputs, { baseUrl });
  const exampleOf = (how: Described): unknown => {
    if ('field' in how) return shown[how.field];
    if ('schema' in how) return how.example;
    if (!how.isList) return null;
    if (how.isEmpty) return [];
    const { outputs } = model.resources.get(how.record)!;
    const record = outputExample(model.resources.get(how.record)!, outputs, { baseUrl });
    return [Object.fromEntries(how.members.map((name) => [name, record[name]]))];
  };
  return Object.fromEntries(fields.map((name) => [name, exampleOf(described[name]!)]));
}
