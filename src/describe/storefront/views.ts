/** The reads of a storefront view: its list, and its single records by id and by clean URL (storefront.md §2). */
import {
  type JsonSchema,
  type ModelResource,
  type ModelRoute,
  plural,
  SEARCH_LENGTH_MAX,
  SEARCH_PARAMETER,
  withArticle,
  words,
} from '../../engine/index.ts';
import { facetedExample, facetedSchema, facetParameters } from '../faceted.ts';
import type { DocumentContext, Reference } from '../openapi/components.ts';
import type { Example } from '../openapi/examples.ts';
import { filterParameters, keyedParameter } from '../openapi/filters.ts';
import { type Parameter, query } from '../openapi/parameter.ts';
import { PAGE_PARAMETERS, pathParameters } from '../openapi/parameters.ts';
import { identifierSchema } from '../openapi/schemas.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { listResponses, READ_PARAMETERS, readResponses, searchResponses } from './reads.ts';
import { type DescribedView, orderParameters, ownParameters, recordExample, recordSchema } from './records.ts';

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
  const lists = [listOperation(parts), ...(view.facets ? [searchOperation(parts)] : [])];
  if (!view.hasRecords) return lists;
  const [byId, byUrl] = [identifierParameter(resource), cleanUrlParameter(resource)];
  return [...lists, recordOperation(parts, byId, ''), recordOperation(parts, byUrl, 'ByUrl')];
}

function tagOf({ resource, about }: DescribedView): ShopTag {
  return { name: resource, description: about, group: 'Catalog' };
}

function listOperation(parts: ViewParts): ShopOperation {
  const { view, route, schema, example } = parts;
  const noun = plural(words(view.resource));
  const [parent] = route.parents;
  return {
    ...{ method: 'get', path: view.path, tag: tagOf(view), security: 'catalog' },
    operationId: `list${plural(view.resource)}`,
    summary: `List ${noun}${parent ? ` of ${withArticle(words(parent.target.name))}` : ''}`,
    description: view.about,
    parameters: [...listParameters(parts), ...READ_PARAMETERS],
    responses: listResponses(`A page of ${noun}.`, schema, example),
  };
}

function listParameters({ context, view, route }: ViewParts): Parameter[] {
  return [
    ...pathParameters(route, 'collection'),
    ...PAGE_PARAMETERS,
    ...ownParameters(view),
    ...(view.facets ? [SEARCH] : []),
    ...orderParameters(context, view),
    ...Object.entries(view.filters).flatMap((filter) => viewFilters(route, filter)),
  ];
}

const SEARCH = query(
  SEARCH_PARAMETER,
  'Only products with all of these words, ignoring case and accents, in sku, name, descriptions or text attributes. The best matches come first unless `order` is given.',
  { type: 'string', minLength: 1, maxLength: SEARCH_LENGTH_MAX },
  'shirt',
);

function searchOperation(parts: ViewParts): ShopOperation {
  const { context, view, route, schema, example } = parts;
  const noun = plural(words(view.resource));
  const member = view.path.slice(1);
  const facets = new Map(view.facets!.map((name) => [name, route.faceted!.facets.get(name)!]));
  const content = {
    schema: facetedSchema(context, member, schema, `${view.resource}Search`),
    example: facetedExample(member, example),
  };
  return {
    ...{ method: 'get', path: `${view.path}/search`, tag: tagOf(view), security: 'catalog' },
    operationId: `search${plural(view.resource)}`,
    summary: `Search ${noun} and count them by facets`,
    description: `Returns the page of \`${view.path}\` with the same parameters, and the numbers of ${noun} by the values of fields. A facet ignores the filters on its own field.`,
    parameters: [
      ...listParameters(parts),
      ...facetParameters({ ...route, faceted: { path: route.faceted!.path, facets } }),
      ...READ_PARAMETERS,
    ],
    responses: searchResponses(`A page of ${noun}, and the facets.`, content),
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
    ...{ method: 'get', tag: tagOf(view), security: 'catalog' },
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

const ID: JsonSchema = { type: 'integer', format: 'int64' };

function viewFilters(
  { filters, keyedFilters, listField }: ModelRoute,
  [name, { as, operators, idsOf, isKeyed }]: [string, DescribedView['filters'][string]],
): Parameter[] {
  if (idsOf !== undefined) {
    const noun = words(idsOf);
    const list = query(`${name}[]`, `Only records of one of these ${plural(noun)}.`, { type: 'array', items: ID }, [1]);
    return [query(name, `Only records of the ${noun} with this id.`, ID, 1), { ...list, style: 'form', explode: true }];
  }
  if (isKeyed) return [keyedParameter(keyedFilters.get(as)!)];
  const isOffered = ({ name: written }: Parameter): boolean =>
    operators === undefined || operators.includes(/\[(\w*)\]$/.exec(written)?.[1]);
  const isValued = as === listField?.field.name;
  const note = isValued ? ' Compares prices without options, taxes and variants.' : '';
  return filterParameters(name, { ...(isValued ? listField.filter : filters.get(as)!), name })
    .filter(isOffered)
    .map((each) => ({ ...each, description: `${each.description}${note}` }));
}
