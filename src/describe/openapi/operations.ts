/** Operation Objects of a resource's paths, with parameters, bodies, responses and examples. */
import {
  type Action,
  lowerFirst,
  type ModelResource,
  type ModelRoute,
  needsNoBody,
  type Operation,
  type ProblemType,
  pascalCase,
  plural,
  sentences,
  unassignedFields,
  type View,
  withArticle,
  words,
} from '../../engine/index.ts';
import { shownOf, viewOf } from '../hydra/records.ts';
import { bulkOperations, linesOf } from './bulk.ts';
import type { DocumentContext } from './components.ts';
import { DOWNLOAD_NAME, downloadOperation } from './downloads.ts';
import {
  actionExample,
  changedExample,
  type Example,
  inputExample,
  outputExample,
  patchExample,
  seedExample,
  withDifferences,
} from './examples.ts';
import { headersNamed, NOT_MODIFIED } from './headers.ts';
import {
  type Content,
  collectionContent,
  collectionExample,
  exampledBody,
  exampleLocation,
  itemContent,
  JSON_TYPE,
  LD_TYPE,
  type Media,
  recordContent,
  trialContent,
} from './linked.ts';
import { type Parameter, query } from './parameter.ts';
import { fieldsParameter, headerParameters, listParameters, pathParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';
import {
  actionSchema,
  formSchema,
  inputSchema,
  routeOutputSchema,
  routeSuffix,
  shownRecordSchema,
  trialSchema,
  viewSchema,
} from './schemas.ts';
import { secretCheckOperation } from './secret-checks.ts';
import { translationOperations } from './translations.ts';

/** Operation Objects by path and method. */
export type Paths = Record<string, Record<string, unknown>>;

export function pathsOf(context: DocumentContext, resource: ModelResource): Paths {
  const paths: Paths = {};
  const add = (path: string, method: string, operation: unknown): void => {
    paths[path] = { ...paths[path], [method]: operation };
  };
  for (const route of resource.routes) {
    for (const operation of OPERATION_ORDER) {
      if (!route.operations.has(operation)) continue;
      const { method, of } = KINDS[operation];
      add(of === 'item' ? route.path : route.collectionPath, method, describeOperation(context, route, operation));
    }
  }
  for (const route of resource.routes) {
    const common = { tag: tagOf(resource), problemsOf: problemsOf.bind(undefined, route) };
    Object.assign(paths, translationOperations(context, route, common));
  }
  const [first] = resource.routes;
  for (const action of resource.actions)
    add(`${first!.path}/${action.name}`, action.method.toLowerCase(), describeAction(context, first!, action));
  for (const route of resource.routes)
    for (const [path, operation] of Object.entries(bulkOperations(context, route, tagOf(resource))))
      add(path, 'post', operation);
  const { secretCheck } = resource;
  if (secretCheck) add(secretCheck.path, 'post', secretCheckOperation(context, secretCheck, tagOf(resource)));
  const { download } = resource.declaration;
  if (download)
    add(`${first!.path}/${DOWNLOAD_NAME}`, 'get', downloadOperation(context, first!, download, tagOf(resource)));
  for (const view of resource.views) add(`${first!.path}/${view.name}`, 'get', describeView(context, first!, view));
  return paths;
}

const OPERATION_ORDER = ['list', 'create', 'read', 'replace', 'patch', 'remove'] as const satisfies Operation[];

interface Kind {
  readonly method: string;
  readonly of: 'item' | 'collection';
  readonly id: (name: string) => string;
  readonly summary: (name: string) => string;
}

const KINDS: Readonly<Record<Operation, Kind>> = {
  list: {
    method: 'get',
    of: 'collection',
    id: (name) => `list${plural(name)}`,
    summary: (name) => `List ${words(plural(name))}`,
  },
  create: {
    method: 'post',
    of: 'collection',
    id: (name) => `create${name}`,
    summary: (name) => `Create ${withArticle(name)}`,
  },
  read: { method: 'get', of: 'item', id: (name) => `read${name}`, summary: (name) => `Read ${withArticle(name)}` },
  replace: {
    method: 'put',
    of: 'item',
    id: (name) => `replace${name}`,
    summary: (name) => `Replace ${withArticle(name)}`,
  },
  patch: {
    method: 'patch',
    of: 'item',
    id: (name) => `patch${name}`,
    summary: (name) => `Update ${withArticle(name)}`,
  },
  remove: {
    method: 'delete',
    of: 'item',
    id: (name) => `delete${name}`,
    summary: (name) => `Delete ${withArticle(name)}`,
  },
};

function describeOperation(context: DocumentContext, route: ModelRoute, operation: Operation): object {
  const { resource } = route;
  const { of, id, summary } = KINDS[operation];
  const takesBody = operation === 'create' || operation === 'replace' || operation === 'patch';
  return {
    tags: [tagOf(resource)],
    operationId: `${id(resource.name)}${routeSuffix(route)}`,
    summary: summary(resource.name),
    description: describe(route, operation),
    security: SECURITY,
    parameters: [...pathParameters(route, of), ...otherParameters(route, operation)],
    ...(takesBody ? { requestBody: requestBody(context, route, operation) } : {}),
    responses: {
      ...success(context, route, operation),
      ...problemResponses(context, problemsOf(route, operation)),
    },
  };
}

function describeAction(context: DocumentContext, route: ModelRoute, action: Action): object {
  const { resource } = route;
  const { shows } = action;
  const replayed = action.method === 'POST' ? (['Idempotency-Replayed'] as const) : [];
  return {
    tags: [action.tag?.name ?? tagOf(resource)],
    operationId:
      shows === undefined
        ? `${lowerFirst(pascalCase(action.name))}${resource.name}`
        : `set${resource.name}${pascalCase(shows)}`,
    summary: action.summary,
    description: `Returns the changed ${words(shows === undefined ? resource.name : pascalCase(shows))}.`,
    security: SECURITY,
    parameters: [
      ...pathParameters(route, 'item'),
      ...(action.trial ? [TRIAL_PARAMETER] : []),
      ...(action.method === 'POST' ? [headerParameters.idempotencyKey] : []),
      ...WRITE_HEADERS,
    ],
    requestBody: {
      required: !needsNoBody(action),
      content: {
        [JSON_TYPE]: exampledBody(actionSchema(context, resource, action), actionExample(action)),
        [LD_TYPE]: exampledBody(actionSchema(context, resource, action, 'linked'), actionExample(action)),
      },
    },
    responses: {
      200:
        shows === undefined
          ? recordResponse(
              context,
              route,
              `The ${words(resource.name)}`,
              actionExample(action),
              replayed,
              action.exampleShows,
            )
          : shownResponse(context, route, shows, actionExample(action)),
      ...problemResponses(context, actionProblems(route, action)),
    },
  };
}

const TRIAL_PARAMETER = query(
  'dry_run',
  'Return the result without saving it. The response has no `ETag`.',
  { type: 'boolean', default: false },
  true,
);

function describeView(context: DocumentContext, route: ModelRoute, view: View): object {
  const { resource } = route;
  return {
    tags: [view.tag?.name ?? tagOf(resource)],
    operationId: `read${resource.name}${pascalCase(view.name)}`,
    summary: view.summary,
    description: sentences(
      'output' in view && 'Returns current counts.',
      `Changes of the ${words(resource.name)} itself also change the \`ETag\`.`,
    ),
    security: SECURITY,
    parameters: [...pathParameters(route, 'item'), ...READ_HEADER_PARAMETERS],
    responses: {
      200: {
        description: `${view.summary}.`,
        headers: headersNamed(context, [...READ_HEADERS, 'Preference-Applied']),
        content: viewContent(context, route, view),
      },
      304: { description: NOT_MODIFIED, headers: headersNamed(context, UNCHANGED_HEADERS) },
      ...problemResponses(context, problemsOf(route, 'read')),
    },
  };
}

function viewContent(context: DocumentContext, route: ModelRoute, view: View): Content {
  const { resource } = route;
  if ('shows' in view) return shownContent(context, route, view.shows);
  const example = Object.fromEntries(Object.keys(view.output).map((name) => [name, 0]));
  return recordContent(
    context,
    (form) => viewSchema(form, resource, view),
    example,
    (record) => viewOf(exampleLocation(route), view, record),
  );
}

/** Describes a response with the record that a field links. */
function shownResponse(context: DocumentContext, route: ModelRoute, name: string, sent: Example): object {
  return {
    description: `The ${words(pascalCase(name))}.`,
    headers: headersNamed(context, [...READ_HEADERS, 'Preference-Applied']),
    content: shownContent(context, route, name, sent),
  };
}

/** @param sent - example input that names the record; without it, the default of a new record */
function shownContent(context: DocumentContext, route: ModelRoute, name: string, sent?: Example): Content {
  const { resource } = route;
  const field = resource.fields.get(name)!;
  const target = field.target!;
  const example = sent
    ? seedExample(target, sent[target.naming!.name])
    : (outputExample(resource, [field], context)[name] as Example);
  return recordContent(
    context,
    (form) => shownRecordSchema(form, resource, name),
    example,
    (record) => shownOf(exampleLocation(route), name, record),
  );
}

function actionProblems(route: ModelRoute, { method }: Action): ProblemType[] {
  const ofKeys = method === 'POST' ? (['key-reused', 'answer-erased'] as const) : [];
  return problemsOf(route, 'replace', 'conflict', ...ofKeys);
}

/** Returns the tag of a resource. Some resources are listed under another one's tag. */
function tagOf({ name, declaration }: ModelResource): string {
  return declaration.tag ?? name;
}

const MERGE_PATCH_TYPE = 'application/merge-patch+json';
const SECURITY = [{ apiKey: [] }];

function describe(route: ModelRoute, operation: Operation): string {
  const { resource } = route;
  const noun = words(resource.name);
  switch (operation) {
    case 'list': {
      const order = resource.defaultOrder.map(
        ({ field, descending }) => `\`${field.name}\`${descending ? ' descending' : ''}`,
      );
      const ties = order.includes(`\`${resource.identifierField}\``) ? [] : [`\`${resource.identifierField}\``];
      return sentences(
        resource.declaration.description,
        `Sorted by ${[...order, ...ties].join(', then ')} unless \`order\` is given.`,
        'As JSON Lines, the response is a consistent snapshot of all matching records, sorted by identifier, without pages and without an `ETag`.',
      );
    }
    case 'create':
      return sentences(
        resource.declaration.description,
        'Returns the new record with its defaults. `Location` is its URL.',
      );
    case 'read':
      return resource.declaration.description;
    case 'replace':
      return `Replaces all fields of the ${noun}. Omitted optional fields get their defaults. A record can be sent back exactly as it was read.`;
    case 'patch':
      return 'Applies a JSON merge patch (RFC 7396). Omitted fields do not change.';
    case 'remove':
      return `Returns no body. Deleting the ${noun} again is a 404.`;
  }
}

const WRITE_HEADERS: readonly Parameter[] = [
  headerParameters.ifMatch,
  headerParameters.unlessMatch,
  headerParameters.acceptLanguage,
  headerParameters.prefer,
];

const READ_HEADER_PARAMETERS: readonly Parameter[] = [
  headerParameters.acceptLanguage,
  headerParameters.ifNoneMatch,
  headerParameters.prefer,
];

function otherParameters(route: ModelRoute, operation: Operation): readonly Parameter[] {
  const { acceptLanguage, prefer, ifMatch, unlessMatch } = headerParameters;
  switch (operation) {
    case 'list':
      return [...listParameters(route), ...READ_HEADER_PARAMETERS];
    case 'read':
      return [fieldsParameter(route), ...READ_HEADER_PARAMETERS];
    case 'create':
      return [
        ...(route.declaration.trial ? [TRIAL_PARAMETER] : []),
        headerParameters.idempotencyKey,
        ...(isSingle(route) ? [unlessMatch] : []),
        acceptLanguage,
        prefer,
      ];
    case 'replace':
    case 'patch':
      return WRITE_HEADERS;
    case 'remove':
      return [ifMatch, unlessMatch, prefer];
  }
}

/** Whether the route has a single record, which POST creates at the record's own path. */
function isSingle({ parameter }: ModelRoute): boolean {
  return parameter === undefined;
}

function requestBody(context: DocumentContext, route: ModelRoute, mode: 'create' | 'replace' | 'patch'): object {
  const media = (form: 'plain' | 'linked'): Media => {
    const schema = inputSchema(context, route, mode, form);
    return exampledBody(schema, mode === 'patch' ? patchExample(route) : inputExample(route, mode));
  };
  const types = mode === 'patch' ? [MERGE_PATCH_TYPE, JSON_TYPE] : [JSON_TYPE];
  const plain = types.map((type) => [type, media('plain')]);
  return {
    required: mode !== 'create' || !route.resource.declaration.createsWithoutBody,
    content: { ...Object.fromEntries(plain), [LD_TYPE]: media('linked'), ...formContent(context, route, mode) },
  };
}

/** Describes the body as a form with a file upload. It has no example, because a file cannot be written as JSON. */
function formContent(context: DocumentContext, route: ModelRoute, mode: 'create' | 'replace' | 'patch'): object {
  const schema = formSchema(context, route, mode);
  return schema ? { 'multipart/form-data': { schema } } : {};
}

function success(context: DocumentContext, route: ModelRoute, operation: Operation): Record<string, object> {
  const { resource } = route;
  const noun = words(resource.name);
  switch (operation) {
    case 'list': {
      const named = [...READ_HEADERS, 'Link', 'X-Total-Count', 'Changes-Cursor', 'Preference-Applied'] as const;
      const headers = headersNamed(context, named);
      const schemaOf = (form: DocumentContext) => routeOutputSchema(form, route);
      const content = {
        ...collectionContent(context, schemaOf, outputExample(resource, route.outputs, context), (record) =>
          collectionExample(route, record),
        ),
        ...linesOf(routeOutputSchema(context, route)),
      };
      return {
        200: { description: `A page of ${words(plural(resource.name))}.`, headers, content },
        304: {
          description: NOT_MODIFIED,
          headers: headersNamed(context, [...UNCHANGED_HEADERS, 'Link', 'X-Total-Count']),
        },
      };
    }
    case 'create':
      return {
        ...(route.declaration.trial ? { 200: trialResponse(context, route) } : {}),
        201: recordResponse(context, ...created(route), onceExample(route), ['Location', 'Idempotency-Replayed']),
      };
    case 'read':
      return {
        200: withPrinted(route, recordResponse(context, route, `The ${noun}`)),
        304: { description: NOT_MODIFIED, headers: headersNamed(context, UNCHANGED_HEADERS) },
      };
    case 'replace':
    case 'patch': {
      const written = operation === 'patch' ? patchExample(route) : inputExample(route, 'replace');
      return { 200: recordResponse(context, route, `The changed ${noun}`, written) };
    }
    case 'remove':
      return {
        204: { description: `The ${noun} was deleted.`, headers: headersNamed(context, ['Preference-Applied']) },
      };
  }
}

/** Describes the response to a creation with `dry_run`. */
function trialResponse(context: DocumentContext, route: ModelRoute): object {
  const unassigned = Object.fromEntries(unassignedFields(route).map(({ name }) => [name, null]));
  const example = { ...outputExample(route.resource, route.outputs, context), ...unassigned };
  return {
    description: `With \`dry_run\`: the ${words(route.resource.name)} as it would be. It is not saved.`,
    headers: headersNamed(context, ['Content-Language', 'Preference-Applied']),
    content: trialContent(context, route, (form) => trialSchema(form, route), example),
  };
}

/** Adds the printable page, if the resource has one. */
function withPrinted({ resource }: ModelRoute, response: { readonly content: object }): object {
  if (!resource.declaration.printed) return response;
  const page = {
    schema: { type: 'string', description: 'Printable page, without scripts and external resources.' },
  };
  return { ...response, content: { ...response.content, 'text/html': page } };
}

/** Returns the example values that only the response to a creation contains. */
function onceExample({ outputs }: ModelRoute): Example {
  return Object.fromEntries(outputs.flatMap(({ name, field }) => (field.once ? [[name, field.example]] : [])));
}

/** Returns the route and description of the record that a creation returns: the new record, or its owner. */
function created(route: ModelRoute): [ModelRoute, string] {
  const { resource, declaration, parents } = route;
  if (!declaration.respondsWithOwner) return [route, `The new ${words(resource.name)}`];
  const owner = parents.find(({ field }) => field === resource.owner)!;
  return [owner.at!, `The ${words(owner.target.name)} that it belongs to`];
}

const READ_HEADERS = ['ETag', 'Content-Language'] as const;
const UNCHANGED_HEADERS = [...READ_HEADERS, 'Preference-Applied'] as const;

function recordResponse(
  context: DocumentContext,
  route: ModelRoute,
  description: string,
  written: Example = {},
  more: readonly ('Location' | 'Idempotency-Replayed')[] = [],
  shows: Example = {},
): { readonly content: object; readonly [member: string]: unknown } {
  const sent = changedExample(outputExample(route.resource, route.outputs, context), simple(route, written));
  const example = withDifferences(sent, shows) as Example;
  const acceptPatch = route.operations.has('patch') ? (['Accept-Patch'] as const) : [];
  return {
    description: `${description}.`,
    headers: headersNamed(context, [...READ_HEADERS, ...more, ...acceptPatch, 'Preference-Applied']),
    content: itemContent(context, route, (form) => routeOutputSchema(form, route), example),
  };
}

/** Selects the fields of a body that output shows as they were sent. */
function simple({ outputs }: ModelRoute, written: Example): Example {
  const isSimple = (name: string): boolean => {
    const field = outputs.find((output) => output.name === name);
    return (field?.storage.in === 'column' || field?.storage.in === 'translation') && !field.field.merge;
  };
  return Object.fromEntries(Object.entries(written).filter(([name]) => isSimple(name)));
}

/** @param more - further problem types of this operation */
function problemsOf(route: ModelRoute, operation: Operation, ...more: readonly ProblemType[]): ProblemType[] {
  const isItem = KINDS[operation].of === 'item';
  const takesBody = operation === 'create' || operation === 'replace' || operation === 'patch';
  const isWrite = takesBody || operation === 'remove';
  const isCreate = operation === 'create';
  // An id of a parent with leading zeros is not found, even where other unknown parents are a 400.
  const isFound = isItem || route.parents.length > 0;
  const canConflict =
    (operation === 'remove' && route.resource.declaration.rules?.checkRemoval !== undefined) ||
    (takesBody && isItem && route.resource.declaration.rules?.mayConflict === true) ||
    // The first request with the same Idempotency-Key may still be running.
    isCreate;
  const own: Partial<Record<ProblemType, boolean>> = {
    'not-found': isFound,
    conflict: canConflict,
    'precondition-failed': isWrite && (isItem || isSingle(route)),
    'validation-failed': takesBody,
    'answer-erased': isCreate,
    'key-reused': isCreate,
  };
  const known = (Object.keys(own) as ProblemType[]).filter((type) => own[type]);
  return possibleProblems(takesBody ? 'body' : isWrite ? 'write' : 'read', ...known, ...more);
}
