/**
 * Parameters of operations: identifiers of the path, pages and orders (http.md §6), and request headers. Written out in
 * each operation: some generators follow no $ref here.
 */
import {
  FIELDS_PARAMETER,
  ITEMS_PER_PAGE_DEFAULT,
  ITEMS_PER_PAGE_MAX,
  LANGUAGE_PARAMETER,
  type ModelField,
  type ModelResource,
  type ModelRoute,
  SEARCH_LENGTH_MAX,
  SEARCH_PARAMETER,
  withArticle,
  words,
} from '../../engine/index.ts';
import type { Writing } from './components.ts';
import { identifierExample } from './examples.ts';
import { filterParameters } from './filters.ts';
import { header, type Parameter, query, unsent } from './parameter.ts';
import { identifierSchema } from './schemas.ts';

export function pathParameters(route: ModelRoute, of: 'item' | 'collection'): Parameter[] {
  const parents = route.parents.map(({ parameter, target }) => pathParameter(parameter, target));
  const { parameter, item, resource } = route;
  if (of === 'collection' || parameter === undefined) return parents;
  if (item && item.storage.in !== 'link' && !item.isIdentifier) return [...parents, textParameter(parameter, item)];
  return [...parents, pathParameter(parameter, item?.storage.in === 'link' ? item.target! : resource)];
}

export function listParameters(route: ModelRoute): Parameter[] {
  const filters = [...route.filters].flatMap(([name, filter]) => filterParameters(name, filter));
  const orders = [...route.orders].map(([name, field]): Parameter => {
    const isAlias = name !== field.name;
    return {
      name: `order[${name}]`,
      in: 'query',
      ...(isAlias ? { deprecated: true } : {}),
      description: isAlias
        ? `Another name of \`order[${field.name}]\`.`
        : `Sort by \`${name}\`. Of several orders, the first in the address counts most.`,
      schema: { type: 'string', enum: ['asc', 'desc'] },
      examples: unsent('asc'),
    };
  });
  return [...PAGE_PARAMETERS, fieldsParameter(route), ...searchParameter(route), ...orders, ...filters];
}

function searchParameter({ resource: { name, search } }: ModelRoute): Parameter[] {
  if (!search) return [];
  const places = search.in.map((field) =>
    field.resource.name === name ? `\`${field.name}\`` : `the \`${field.name}\` of ${withArticle(field.resource.name)}`,
  );
  const description = `Only those that have every one of these words, accents and case aside, somewhere in ${places.join(', ')}. The best come first, unless \`order\` says otherwise.`;
  const schema = { type: 'string', minLength: 1, maxLength: SEARCH_LENGTH_MAX };
  return [query(SEARCH_PARAMETER, description, schema, search.in[0]!.field.example ?? 'text')];
}

export function fieldsParameter({ outputs, onRequest }: ModelRoute): Parameter {
  const names = [...outputs, ...onRequest].map(({ name }) => name);
  return {
    ...query(
      FIELDS_PARAMETER,
      'Only these fields, in the order of output; the answer leaves out all others, required ones too.',
      { type: 'array', items: { type: 'string', enum: names }, minItems: 1 },
      names.slice(0, 1),
    ),
    style: 'form',
    explode: false,
  };
}

const TAG_EXAMPLE = '"1-OwOIn2H6qm1fRp_lUl3G21"';

export const headerParameters = {
  acceptLanguage: header(
    'Accept-Language',
    'Language of the texts: the best match among the store’s languages; without one, the store’s default.',
    'de',
  ),
  prefer: header(
    'Prefer',
    '`handling=lenient` passes over unknown parameters and fields instead of refusing them.',
    'handling=lenient',
  ),
  idempotencyKey: header(
    'Idempotency-Key',
    'Makes a retry safe: a request that comes again with the same key gets the first answer again, for at least 24 hours.',
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
  ),
  ifMatch: header(
    'If-Match',
    'The `ETag` that the record had when it was read. If it changed since, nothing is done and the answer is a 412.',
    TAG_EXAMPLE,
  ),
  ifNoneMatch: header(
    'If-None-Match',
    'The `ETag` of an earlier answer. If nothing changed since, the answer is a 304 without a body.',
    TAG_EXAMPLE,
  ),
  unlessMatch: header(
    'If-None-Match',
    '`*`, or an `ETag`: if there is a record, or one with this tag, nothing is done and the answer is a 412.',
    TAG_EXAMPLE,
  ),
} as const satisfies Record<string, Parameter>;

export const PAGE_PARAMETERS: readonly Parameter[] = [
  query(
    'page',
    'The page to return. One past the end is an empty array.',
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
    `Number of items per page; a larger number than ${ITEMS_PER_PAGE_MAX} is taken as ${ITEMS_PER_PAGE_MAX}.`,
    {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      default: ITEMS_PER_PAGE_DEFAULT,
    },
    ITEMS_PER_PAGE_DEFAULT,
  ),
];

/** The language that a path of texts ends with. */
export function languageParameter({ model }: Writing, example: string): Parameter {
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
