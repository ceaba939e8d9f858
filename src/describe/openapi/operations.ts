/** Operation Objects of a resource's paths, with parameters, bodies, responses and examples. */
import {
  type Action,
  hasCursors,
  lowerFirst,
  type ModelResource,
  type ModelRoute,
  needsNoBody,
  type Operation,
  pascalCase,
  plural,
  type ShownRecord,
  sentences,
  unassignedFields,
  type View,
  words,
} from '../../engine/index.ts';
import { facetedOperation } from '../faceted.ts';
import { shownOf, viewOf } from '../hydra/records.ts';
import { recordNoun, recordsNoun } from '../route-nouns.ts';
import { bulkOperations, recordLines } from './bulk.ts';
import type { DocumentContext } from './components.ts';
import { DOWNLOAD_NAME, downloadOperation } from './downloads.ts';
import {
  actionExample,
  changedExample,
  type Example,
  inputExample,
  memberExample,
  outputExample,
  patchExample,
  seedExample,
  withDifferences,
} from './examples.ts';
import { notModified } from './headers.ts';
import {
  bodyContent,
  type Content,
  collectionContent,
  collectionExample,
  exampleLocation,
  itemContent,
  JSON_TYPE,
  listContent,
  recordContent,
  trialContent,
} from './linked.ts';
import { type Parameter, query } from './parameter.ts';
import { fieldsParameter, headerParameters, listParameters, pathParameters } from './parameters.ts';
import { type OwnProblem, problemResponses } from './problems.ts';
import { quoteOperation } from './quotes.ts';
import {
  actionSchema,
  formSchema,
  inputSchema,
  parameterSchema,
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
    Object.assign(paths, translationOperations(context, route, tagOf(resource), problemsOf(route, 'replace')));
  }
  const [first] = resource.routes;
  if (first?.faceted) add(first.faceted.path, 'get', facetedOperation(context, first, tagOf(resource)));
  const { quote } = resource.declaration;
  if (quote) add(`${first!.collectionPath}/quote`, 'post', quoteOperation(context, first!, quote, tagOf(resource)));
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
  readonly summary: (route: ModelRoute) => string;
}

const KINDS: Readonly<Record<Operation, Kind>> = {
  list: {
    method: 'get',
    of: 'collection',
    id: (name) => `list${plural(name)}`,
    summary: (route) => `List ${recordsNoun(route)}`,
  },
  create: {
    method: 'post',
    of: 'collection',
    id: (name) => `create${name}`,
    summary: (route) => `Create ${recordNoun(route)}`,
  },
  read: { method: 'get', of: 'item', id: (name) => `read${name}`, summary: (route) => `Read ${recordNoun(route)}` },
  replace: {
    method: 'put',
    of: 'item',
    id: (name) => `replace${name}`,
    summary: (route) => `Replace ${recordNoun(route)}`,
  },
  patch: {
    method: 'patch',
    of: 'item',
    id: (name) => `patch${name}`,
    summary: (route) => `Update ${recordNoun(route)}`,
  },
  remove: {
    method: 'delete',
    of: 'item',
    id: (name) => `delete${name}`,
    summary: (route) => `Delete ${recordNoun(route)}`,
  },
};

function describeOperation(context: DocumentContext, route: ModelRoute, operation: Operation): object {
  const { resource } = route;
  const { of, id, summary } = KINDS[operation];
  const takesBody = operation === 'create' || operation === 'replace' || operation === 'patch';
  return {
    tags: [tagOf(resource)],
    operationId: `${id(resource.name)}${routeSuffix(route)}`,
    summary: summary(route),
    description: describe(route, operation),
    parameters: [...pathParameters(route, of), ...otherParameters(context, route, operation)],
    ...(takesBody ? { requestBody: requestBody(context, route, operation) } : {}),
    responses: {
      ...success(context, route, operation),
      ...problemResponses(context, ...problemsOf(route, operation)),
    },
  };
}

function describeAction(context: DocumentContext, route: ModelRoute, action: Action): object {
  const { resource } = route;
  const { shows } = action;
  return {
    tags: [action.tag?.name ?? tagOf(resource)],
    operationId:
      shows === undefined
        ? `${lowerFirst(pascalCase(action.name))}${resource.name}`
        : `set${resource.name}${pascalCase(shows)}`,
    summary: action.summary,
    description: `Returns the changed ${words(shows === undefined ? resource.name : pascalCase(shows))}.`,
    parameters: [
      ...pathParameters(route, 'item'),
      ...(action.trial ? [TRIAL_PARAMETER] : []),
      ...(action.method === 'POST' ? [headerParameters.idempotencyKey] : []),
      ...WRITE_HEADERS,
    ],
    requestBody: {
      required: !needsNoBody(action),
      content: bodyContent(actionSchema(context, resource, action), actionExample(action)),
    },
    responses: {
      200:
        shows === undefined
          ? recordResponse(context, route, `The ${words(resource.name)}`, actionExample(action), action.exampleShows)
          : shownResponse(context, route, shows, actionExample(action)),
      ...problemResponses(
        context,
        ...(['conflict', 'validation-failed'] as const),
        ...(action.method === 'POST' ? (['key-reused'] as const) : []),
      ),
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
      'output' in view && view.description,
      `Changes of the ${words(resource.name)} itself also change the \`ETag\`.`,
    ),
    parameters: [...pathParameters(route, 'item'), ...viewParameters(context, view), ...READ_HEADER_PARAMETERS],
    responses: {
      200: {
        description: `${view.summary}.`,
        content: viewContent(context, route, view),
      },
      304: notModified(context),
      ...problemResponses(context),
    },
  };
}

function viewParameters(context: DocumentContext, view: View): Parameter[] {
  const fields = 'output' in view ? Object.entries(view.parameters ?? {}) : [];
  return fields.map(([name, field]) => ({
    ...query(name, field.description ?? '', parameterSchema(context, field), field.example ?? field.default),
    // `items[7]=1`
    ...(field.keyed ? { style: 'deepObject', explode: true } : {}),
  }));
}

function viewContent(context: DocumentContext, route: ModelRoute, view: View): Content {
  const { resource } = route;
  if ('shows' in view) return shownContent(context, route, view.shows);
  const example = Object.fromEntries(Object.entries(view.output).map(([name, field]) => [name, memberExample(field)]));
  const schema = viewSchema(context, resource, view);
  if (view.isList)
    return listContent(context, schema, example, (members) =>
      viewOf(exampleLocation(route), view, members as unknown as ShownRecord),
    );
  return recordContent(context, schema, example, (record) => viewOf(exampleLocation(route), view, record));
}

/** Describes a response with the record that a field links. */
function shownResponse(context: DocumentContext, route: ModelRoute, name: string, sent: Example): object {
  return {
    description: `The ${words(pascalCase(name))}.`,
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
  return recordContent(context, shownRecordSchema(context, resource, name), example, (record) =>
    shownOf(exampleLocation(route), name, record),
  );
}

/** Returns the tag of a resource. Some resources are listed under another one's tag. */
function tagOf({ name, declaration }: ModelResource): string {
  return declaration.tag ?? name;
}

const MERGE_PATCH_TYPE = 'application/merge-patch+json';

function describe(route: ModelRoute, operation: Operation): string {
  const { resource } = route;
  const noun = words(resource.name);
  switch (operation) {
    case 'list': {
      const order = resource.defaultOrder.map(
        ({ field, descending }) => `\`${field.name}\`${descending ? ' descending' : ''}`,
      );
      const ties = order.includes(`\`${resource.identifierField}\``) ? [] : [`\`${resource.identifierField}\``];
      return sentences(`Sorted by ${[...order, ...ties].join(', then ')} unless \`order\` is given.`);
    }
    case 'create':
      return 'Returns the new record with its defaults.';
    case 'read':
      return `Returns the ${noun}.`;
    case 'replace':
      return 'Replaces all fields. Omitted optional fields get their defaults.';
    case 'patch':
      return 'Applies a JSON merge patch (RFC 7396).';
    case 'remove':
      return 'Returns no body.';
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

function otherParameters(context: DocumentContext, route: ModelRoute, operation: Operation): readonly Parameter[] {
  const { acceptLanguage, ifNoneMatch, prefer, preferOfCursors, ifMatch, unlessMatch } = headerParameters;
  switch (operation) {
    case 'list':
      return [
        ...listParameters(context, route),
        acceptLanguage,
        ifNoneMatch,
        hasCursors(route) ? preferOfCursors : prefer,
      ];
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
  const schema = inputSchema(context, route, mode);
  const example = mode === 'patch' ? patchExample(route) : inputExample(route, mode);
  const types = mode === 'patch' ? [MERGE_PATCH_TYPE, JSON_TYPE] : [JSON_TYPE];
  return {
    required: mode !== 'create' || !route.resource.declaration.createsWithoutBody,
    content: { ...bodyContent(schema, example, types), ...formContent(context, route, mode) },
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
      const schema = routeOutputSchema(context, route);
      const content = {
        ...collectionContent(
          context,
          schema,
          outputExample(resource, route.outputs, context, route.parents),
          (record) => collectionExample(route, record),
        ),
        ...recordLines(schema),
      };
      return {
        200: { description: `A page of ${words(plural(resource.name))}.`, content },
        304: notModified(context, true),
      };
    }
    case 'create':
      return {
        ...(route.declaration.trial ? { 200: trialResponse(context, route) } : {}),
        201: recordResponse(context, ...created(route), onceExample(route)),
      };
    case 'read':
      return {
        200: withPrinted(route, recordResponse(context, route, `The ${noun}`)),
        304: notModified(context),
      };
    case 'replace':
    case 'patch': {
      const written = operation === 'patch' ? patchExample(route) : inputExample(route, 'replace');
      return { 200: recordResponse(context, route, `The ${noun}`, written) };
    }
    case 'remove':
      return {
        204: { description: `The ${noun} was deleted.` },
      };
  }
}

/** Describes the response to a creation with `dry_run`. */
function trialResponse(context: DocumentContext, route: ModelRoute): object {
  const unassigned = Object.fromEntries(unassignedFields(route).map(({ name }) => [name, null]));
  const example = { ...outputExample(route.resource, route.outputs, context, route.parents), ...unassigned };
  return {
    description: `With \`dry_run\`: the ${words(route.resource.name)} as it would be. It is not saved.`,
    content: trialContent(context, route, trialSchema(context, route), example),
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
  if (!declaration.respondsWithOwner) return [route, `The ${words(resource.name)}`];
  const owner = parents.find(({ field }) => field === resource.owner)!;
  return [owner.at!, `The ${words(owner.target.name)}`];
}

/** Describes a response with the record of a route. @param written example input that it shows */
export function recordResponse(
  context: DocumentContext,
  route: ModelRoute,
  description: string,
  written: Example = {},
  shows: Example = {},
): { readonly content: object; readonly [member: string]: unknown } {
  const sent = changedExample(
    outputExample(route.resource, route.outputs, context, route.parents),
    simple(route, written),
  );
  const example = withDifferences(sent, shows) as Example;
  return {
    description: `${description}.`,
    content: itemContent(context, route, routeOutputSchema(context, route), example),
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

/** Lists the problem types that the operation describes itself. */
function problemsOf({ resource }: ModelRoute, operation: Operation): OwnProblem[] {
  const { checkRemoval, mayConflict } = resource.declaration.rules ?? {};
  switch (operation) {
    case 'list':
    case 'read':
      return [];
    case 'create':
      // It is a conflict if the first request with the same Idempotency-Key is still running.
      return ['conflict', 'validation-failed', 'key-reused'];
    case 'replace':
    case 'patch':
      return [...(mayConflict ? (['conflict'] as const) : []), 'validation-failed'];
    case 'remove':
      return checkRemoval ? ['conflict'] : [];
  }
}
