/** The reads of a storefront view: its list, and its single records by id and by clean URL (storefront.md §2). */
import {
  type JsonSchema,
  type ModelResource,
  type ModelRoute,
  plural,
  withArticle,
  words,
} from '../../engine/index.ts';
import type { DocumentContext, Reference } from '../openapi/components.ts';
import { type Example, outputExample } from '../openapi/examples.ts';
import { filterParameters } from '../openapi/filters.ts';
import { type Parameter, query } from '../openapi/parameter.ts';
import { directionSchema, PAGE_PARAMETERS, pathParameters } from '../openapi/parameters.ts';
import { identifierSchema, shownProperty } from '../openapi/schemas.ts';
import { type ShopOperation, type ShopTag, shopSchema } from './operation.ts';
import { listResponses, READ_PARAMETERS, readResponses } from './reads.ts';

type Described =
  /** Like this field of the resource. */
  | { readonly field: string; readonly description: string | undefined }
  /** Records of another resource, with some of their fields. */
  | {
      readonly record: string;
      readonly members: readonly string[];
      readonly description: string;
      readonly isList: boolean;
    }
  | { readonly schema: JsonSchema; readonly example: unknown };

/** A storefront view, as far as the document describes it. */
export interface DescribedView {
  readonly resource: string;
  readonly path: string;
  readonly about: string;
  readonly hasRecords?: boolean;
  readonly hasPrices?: boolean;
  readonly fields: readonly string[];
  readonly described: Readonly<Record<string, Described>>;
  readonly filters: Readonly<
    Record<
      string,
      { readonly as: string; readonly operators?: readonly (string | undefined)[]; readonly idsOf?: string }
    >
  >;
  readonly orders: Readonly<Record<string, string>>;
}

/** What the operations of a view have in common. */
interface ViewParts {
  readonly context: DocumentContext;
  readonly view: DescribedView;
  readonly route: ModelRoute;
  readonly schema: Reference;
  readonly example: Example;
}

export function viewOperations(context: DocumentContext, view: DescribedView): readonly ShopOperation[] {
  const resource = context.model.resources.get(view.resource)!;
  const route = resource.routes.find(({ collectionPath }) => collectionPath === view.path)!;
  const example = recordExample(context, view, resource);
  const parts: ViewParts = { context, view, route, schema: recordSchema(context, view, resource), example };
  const list = listOperation(parts);
  if (!view.hasRecords) return [list];
  const [byId, byUrl] = [identifierParameter(resource), cleanUrlParameter(resource)];
  return [list, recordOperation(parts, byId, ''), recordOperation(parts, byUrl, 'ByUrl')];
}

function tagOf({ resource, about }: DescribedView): ShopTag {
  return { name: resource, description: about, group: 'Catalog' };
}

function listOperation({ context, view, route, schema, example }: ViewParts): ShopOperation {
  const noun = plural(words(view.resource));
  const [parent] = route.parents;
  return {
    ...{ method: 'get', path: view.path, tag: tagOf(view), security: 'key' },
    operationId: `list${plural(view.resource)}`,
    summary: `List ${noun}${parent ? ` of ${withArticle(words(parent.target.name))}` : ''}`,
    description: view.about,
    parameters: [
      ...pathParameters(route, 'collection'),
      ...PAGE_PARAMETERS,
      ...ownParameters(view),
      ...orderParameters(context, view),
      ...Object.entries(view.filters).flatMap((filter) => viewFilters(route, filter)),
      ...READ_PARAMETERS,
    ],
    responses: listResponses(`A page of ${noun}.`, schema, example),
  };
}

function recordOperation(
  { view, schema, example }: ViewParts,
  parameter: Parameter,
  suffix: 'ByUrl' | '',
): ShopOperation {
  const noun = withArticle(words(view.resource));
  const isByUrl = suffix === 'ByUrl';
  return {
    ...{ method: 'get', tag: tagOf(view), security: 'key' },
    path: `${view.path}/${isByUrl ? 'by_url/' : ''}{${parameter.name}}`,
    operationId: `read${view.resource}${suffix}`,
    summary: `Read ${noun}${isByUrl ? ' by its clean URL' : ''}`,
    description: '404 if there is none, or if shoppers cannot see it.',
    parameters: [parameter, ...ownParameters(view), ...READ_PARAMETERS],
    responses: readResponses(`The ${words(view.resource)}.`, { schema, example }),
  };
}

function identifierParameter(resource: ModelResource): Parameter {
  const description = `Id of the ${words(resource.name)}.`;
  return { name: 'id', in: 'path', required: true, description, schema: identifierSchema(resource), example: 1 };
}

function cleanUrlParameter({ name, fields }: ModelResource): Parameter {
  const { example } = fields.get('clean_url')!.field;
  const description = `Clean URL of the ${words(name)}.`;
  return { name: 'clean_url', in: 'path', required: true, description, schema: { type: 'string' }, example };
}

/** Parameters of lists and of single records. */
function ownParameters({ fields, hasPrices }: DescribedView): Parameter[] {
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

function orderParameters(context: DocumentContext, { orders }: DescribedView): Parameter[] {
  const schema = directionSchema(context) as JsonSchema;
  return Object.keys(orders).map((name) => query(`order[${name}]`, `Sort by \`${name}\`.`, schema, 'asc'));
}

const ID: JsonSchema = { type: 'integer', format: 'int64' };

function viewFilters(
  { filters }: ModelRoute,
  [name, { as, operators, idsOf }]: [string, DescribedView['filters'][string]],
): Parameter[] {
  if (idsOf !== undefined) {
    const noun = words(idsOf);
    const list = query(`${name}[]`, `Only records of one of these ${plural(noun)}.`, { type: 'array', items: ID }, [1]);
    return [query(name, `Only records of the ${noun} with this id.`, ID, 1), { ...list, style: 'form', explode: true }];
  }
  const isOffered = ({ name: written }: Parameter): boolean =>
    operators === undefined || operators.includes(/\[(\w*)\]$/.exec(written)?.[1]);
  return filterParameters(as, filters.get(as)!)
    .filter(isOffered)
    .map((each) => ({ ...each, name: each.name.replace(as, name) }));
}

function recordSchema(context: DocumentContext, view: DescribedView, resource: ModelResource): Reference {
  return context.components.refer('schemas', view.resource, () => ({
    type: 'object',
    description: `What shoppers see of ${withArticle(words(view.resource))}.`,
    properties: Object.fromEntries(view.fields.map((name) => [name, fieldSchema(context, view, resource, name)])),
    required: view.fields,
  }));
}

function fieldSchema(
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
  const { members, description, isList } = how;
  const shown = context.model.resources.get(how.record)!.fields;
  const record: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(members.map((each) => [each, shownProperty(context, shown.get(each)!)])),
    required: members,
  };
  if (!isList) return { ...context.dialect.nullable(record), description };
  return { type: 'array', items: record, description };
}

/** Returns a record as shoppers see it. The tests create it. */
function recordExample(
  { model, baseUrl }: DocumentContext,
  { fields, described }: DescribedView,
  resource: ModelResource,
): Example {
  const shown = outputExample(resource, resource.outputs, { baseUrl });
  const exampleOf = (how: Described): unknown => {
    if ('field' in how) return shown[how.field];
    if ('schema' in how) return how.example;
    if (!how.isList) return null;
    const { outputs } = model.resources.get(how.record)!;
    const record = outputExample(model.resources.get(how.record)!, outputs, { baseUrl });
    return [Object.fromEntries(how.members.map((name) => [name, record[name]]))];
  };
  return Object.fromEntries(fields.map((name) => [name, exampleOf(described[name]!)]));
}
