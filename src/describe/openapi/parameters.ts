/**
 * Parameters of operations: path parameters, paging and sorting (http.md §6), and request headers. They are inlined in each
 * operation, because some generators do not resolve a `$ref` to a parameter.
 */
import {
  CURSOR_PARAMETER,
  ESTIMATED_COUNT_MAX,
  FIELDS_PARAMETER,
  hasCursors,
  ITEMS_PER_PAGE_DEFAULT,
  ITEMS_PER_PAGE_MAX,
  LANGUAGE_PARAMETER,
  type ModelField,
  type ModelResource,
  type ModelRoute,
  SEARCH_LENGTH_MAX,
  SEARCH_PARAMETER,
  sentences,
  withArticle,
  words,
} from '../../engine/index.ts';
import type { DocumentContext, Reference } from './components.ts';
import { identifierExample } from './examples.ts';
import { filterParameters, keyedParameter, listFieldParameters, needsOf } from './filters.ts';
import { header, type Parameter, query } from './parameter.ts';
import { identifierSchema } from './schemas.ts';

export function pathParameters(route: ModelRoute, of: 'item' | 'collection'): Parameter[] {
  const parents = route.parents.map(({ parameter, target }) => pathParameter(parameter, target));
  const { parameter, item, resource } = route;
  if (of === 'collection' || parameter === undefined) return parents;
  if (item && item.storage.in !== 'link' && !item.isIdentifier) return [...parents, textParameter(parameter, item)];
  return [...parents, pathParameter(parameter, item?.storage.in === 'link' ? item.target! : resource)];
}

export function listParameters(context: DocumentContext, route: ModelRoute): Parameter[] {
  const filters = [...route.filters].flatMap(([name, filter]) => filterParameters(name, filter));
  const { listField } = route;
  const sortable: [string, string][] = [
    ...[...route.orders].map(([name, field]): [string, string] => [name, field.name]),
    ...(listField ? [[listField.field.name, listField.field.name] as [string, string]] : []),
  ];
  const orders = sortable.map(([name, own]): Parameter => {
    const isAlias = name !== own;
    return {
      name: `order[${name}]`,
      in: 'query',
      ...(isAlias ? { deprecated: true } : {}),
      description: isAlias
        ? `Alias of \`order[${own}]\`.`
        : sentences(`Sort by \`${name}\`.`, name === listField?.field.name && needsOf(listField)),
      schema: directionSchema(context),
      example: 'asc',
    };
  });
  const ofListField = listField ? listFieldParameters(listField) : [];
  const keyed = [...route.keyedFilters.values()].map(keyedParameter);
  const cursor = hasCursors(route) ? [CURSOR] : [];
  const own = [...PAGE_PARAMETERS, ...cursor, fieldsParameter(route), ...searchParameter(route)];
  return [...own, ...orders, ...filters, ...keyed, ...ofListField];
}

/** A component, because generated clients define a type for each enumeration, and names of orders may differ only in case. */
export function directionSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'SortDirection', () => ({
    type: 'string',
    description: 'Ascending or descending.',
    enum: ['asc', 'desc'],
  }));
}

function searchParameter({ resource: { name, search } }: ModelRoute): Parameter[] {
  if (!search) return [];
  const searched = search.in.flatMap((field) => {
    const { searchedMembers } = field.field;
    if (searchedMembers) return searchedMembers.map((member) => `\`${field.name}.${member}\``);
    return field.resource.name === name
      ? `\`${field.name}\``
      : `the \`${field.name}\` of ${withArticle(field.resource.name)}`;
  });
  const first = search.orders.length > 0 ? 'newest records' : 'best matches';
  const description = `Only records that contain all of these words, ignoring case and accents, in ${searched.join(', ')}. The ${first} come first unless \`order\` is given.`;
  const schema = { type: 'string', minLength: 1, maxLength: SEARCH_LENGTH_MAX };
  return [query(SEARCH_PARAMETER, description, schema, search.in[0]!.field.example ?? 'text')];
}

/** The names are not listed: they are those of the output, and repeating them at each path would double its size. */
export function fieldsParameter({ outputs }: ModelRoute): Parameter {
  return {
    ...query(
      FIELDS_PARAMETER,
      'Return only these fields of the output. All others are omitted from the response, including required ones.',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [outputs[0]!.name],
    ),
    style: 'form',
    explode: false,
  };
}

const TAG_EXAMPLE = '"1-OwOIn2H6qm1fRp_lUl3G21"';

export const headerParameters = {
  acceptLanguage: header(
    'Accept-Language',
    'Language of the texts: the best match among the store’s languages, or the store’s default language.',
    'de',
  ),
  prefer: header(
    'Prefer',
    '`handling=lenient` ignores unknown parameters and fields instead of rejecting the request.',
    'handling=lenient',
  ),
  preferOfCursors: header(
    'Prefer',
    `\`handling=lenient\` ignores unknown parameters instead of rejecting the request. With \`count=estimated\`, a total above ${ESTIMATED_COUNT_MAX} is not counted exactly.`,
    'count=estimated',
  ),
  idempotencyKey: header(
    'Idempotency-Key',
    'Makes retries safe: repeating the request with the same key returns the first response, for at least 24 hours.',
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
  ),
  ifMatch: header(
    'If-Match',
    '`ETag` of the record as last read. If the record has changed since, the write is rejected with 412.',
    TAG_EXAMPLE,
  ),
  ifNoneMatch: header(
    'If-None-Match',
    '`ETag` of an earlier response. If the response is still the same, it is a 304 without a body.',
    TAG_EXAMPLE,
  ),
  unlessMatch: header(
    'If-None-Match',
    '`*` or an `ETag`. If a record exists, or has this `ETag`, the write is rejected with 412.',
    TAG_EXAMPLE,
  ),
} as const satisfies Record<string, Parameter>;

export const PAGE_PARAMETERS: readonly Parameter[] = [
  query(
    'page',
    'Page to return. A page after the last one is an empty array.',
    {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      default: 1,
    },
    1,
  ),
  query(
    'itemsPerPage',
    `Number of items per page. Numbers above ${ITEMS_PER_PAGE_MAX} count as ${ITEMS_PER_PAGE_MAX}.`,
    {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      default: ITEMS_PER_PAGE_DEFAULT,
    },
    ITEMS_PER_PAGE_DEFAULT,
  ),
];

const CURSOR = query(
  CURSOR_PARAMETER,
  'Cursor from the link `next`. Returns the page after it. No record is missed or repeated if others change meanwhile. Cannot be combined with `page`. Filters, search, order and language must be the same.',
  { type: 'string' },
  'kP3yqSLxUaHb0c5vWm1sFw',
);

/** The language code at the end of a translation's path. */
export function languageParameter({ model }: DocumentContext, example: string): Parameter {
  return { ...pathParameter(LANGUAGE_PARAMETER, model.resources.get('Language')!), example };
}

function textParameter(name: string, { name: field, resource, field: { inputSchema } }: ModelField): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `The ${field} of the ${words(resource.name)}.`,
    schema: inputSchema,
    example: '1',
  };
}

function pathParameter(name: string, resource: ModelResource): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description: `The ${resource.identifierField} of the ${words(resource.name)}.`,
    schema: identifierSchema(resource),
    example: identifierExample(resource),
  };
}
