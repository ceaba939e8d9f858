/** Routes of the declared resources. */
import type { FastifyContextConfig, FastifyInstance, HTTPMethods } from 'fastify';
import { familiesOf } from '../../access/families.ts';
import { namedScope, usedBy } from '../../access/scopes.ts';
import {
  type Action,
  bulkPath,
  bulksAt,
  type Field,
  type ModelRoute,
  needsNoBody,
  type Resource,
  takesImages,
  translationPath,
  translationsPath,
  writtenTexts,
} from '../../engine/index.ts';
import type { AdmissionControl, Work } from '../admission/admission-control.ts';
import { bulkAddressReader } from '../bulk/address.ts';
import { bulkHandlers } from '../bulk/handle.ts';
import { DATA_TYPES, LINE_TYPES } from '../responses/accept.ts';
import type { HttpOptions } from '../server/context.ts';
import {
  addressReader,
  facetsAddressReader,
  type Of,
  quoteAddressReader,
  textsAddressReader,
  trialAddressReader,
  urlOf,
  viewAddressReader,
} from './address.ts';
import { exportHandlers } from './export.ts';
import { handleFacetedList } from './faceted-list.ts';
import { HTML_TYPE } from './printed.ts';
import { handleQuote } from './quote.ts';
import {
  type Handle,
  handleList,
  handleRead,
  handleTranslation,
  handleTranslations,
  handleView,
  type ReadCaches,
} from './reads.ts';
import {
  handleAction,
  handleCreate,
  handleRemove,
  handleRemoveTranslation,
  handleReplaceTranslation,
  handleUpdate,
} from './writes.ts';

export function registerResourceRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  admissionControl: AdmissionControl,
  caches: ReadCaches,
): void {
  registerBulkRoutes(app, options, admissionControl);
  const exporterOf = exportHandlers(app, options, admissionControl);
  for (const modelRoute of options.service.model.routes) {
    const { collection, item } = handlersOf(modelRoute, options, admissionControl, caches, exporterOf);
    const isFree = (method: string): boolean =>
      method === 'POST' && modelRoute.resource.declaration.createsWithoutBody === true;
    for (const { path, collectionPath } of [modelRoute, ...modelRoute.aliases]) {
      if (path === collectionPath) {
        addPath(app, path, 'item', { ...collection, ...item }, modelRoute, options, { isFree });
      } else {
        addPath(app, collectionPath, 'collection', collection, modelRoute, options, { isFree });
        addPath(app, path, 'item', item, modelRoute, options);
      }
    }
    if (modelRoute.faceted) {
      const get = { GET: handleFacetedList(modelRoute, options, caches) };
      addPath(app, modelRoute.faceted.path, 'faceted', get, modelRoute, options);
    }
    if (modelRoute.texts.length > 0) registerTranslationRoutes(app, modelRoute, options);
  }
  registerActionsAndViews(app, options, admissionControl, caches);
}

type Handlers = Partial<Record<string, Handle>>;

function handlersOf(
  modelRoute: ModelRoute,
  options: HttpOptions,
  admissionControl: AdmissionControl,
  caches: ReadCaches,
  exporterOf: (route: ModelRoute) => Handle,
): { collection: Handlers; item: Handlers } {
  const { operations } = modelRoute;
  const item: Handlers = {};
  const collection: Handlers = {};
  if (operations.has('list'))
    collection.GET = pageOrExport(handleList(modelRoute, options, caches), exporterOf(modelRoute));
  if (operations.has('create')) collection.POST = handleCreate(modelRoute, options, admissionControl);
  if (operations.has('read')) item.GET = handleRead(modelRoute, options, caches);
  if (operations.has('replace')) item.PUT = handleUpdate(modelRoute, 'replace', options, admissionControl);
  if (operations.has('patch')) item.PATCH = handleUpdate(modelRoute, 'patch', options, admissionControl);
  if (operations.has('remove')) item.DELETE = handleRemove(modelRoute, options);
  return { collection, item };
}

function registerActionsAndViews(
  app: FastifyInstance,
  options: HttpOptions,
  admissionControl: AdmissionControl,
  caches: ReadCaches,
): void {
  for (const { routes, actions, views, declaration } of options.service.model.resources.values()) {
    const [modelRoute] = routes;
    const { quote } = declaration;
    if (quote)
      for (const { collectionPath } of [modelRoute!, ...modelRoute!.aliases])
        addPath(
          app,
          `${collectionPath}/quote`,
          'quote',
          { POST: handleQuote(modelRoute!, quote, options) },
          modelRoute!,
          options,
        );
    const triable = new Set(actions.flatMap(({ name, trial }) => (trial ? name : [])));
    const parametersOf = new Map(views.flatMap((each) => ('output' in each ? [[each.name, each.parameters]] : [])));
    // A path may have both a view and an action.
    const handlers: Record<string, Partial<Record<string, Handle>>> = {};
    for (const action of actions)
      handlers[action.name] = { [action.method]: handleAction(modelRoute!, action, options, admissionControl) };
    for (const declared of views)
      handlers[declared.name] = { ...handlers[declared.name], GET: handleView(modelRoute!, declared, options, caches) };
    const free = new Set(actions.filter(needsNoBody).map(({ name, method }) => `${method} ${name}`));
    for (const [name, own] of Object.entries(handlers))
      for (const { path } of [modelRoute!, ...modelRoute!.aliases])
        addPath(app, `${path}/${name}`, triable.has(name) ? 'trial' : 'more', own, modelRoute!, options, {
          isFree: (method) => free.has(`${method} ${name}`),
          parameters: parametersOf.get(name),
        });
  }
}

/** Responds with a page, or with an export if the client accepts JSON Lines. */
function pageOrExport(pages: Handle, lines: Handle): Handle {
  return (request, reply) => (LINE_TYPES.includes(request.responseType) ? lines : pages)(request, reply);
}

function registerBulkRoutes(app: FastifyInstance, options: HttpOptions, admissionControl: AdmissionControl): void {
  const handlerOf = bulkHandlers(app, options, admissionControl);
  const add = (path: string, modelRoute: ModelRoute, action?: Action): void => {
    app.route({
      ...{
        method: 'POST',
        url: urlOf(path),
        handler: handlerOf(modelRoute, action),
        bodyLimit: Number.MAX_SAFE_INTEGER,
      },
      config: {
        ...{
          offers: LINE_TYPES,
          readAddress: bulkAddressReader(modelRoute, action),
          takesBody: true,
          takesLines: true,
          resource: modelRoute.resource,
          namedScope: action ? undefined : namedScope(options.service.model, modelRoute.resource),
        },
        work: 'none',
      },
    });
  };
  for (const modelRoute of options.service.model.routes)
    for (const action of bulksAt(modelRoute))
      for (const at of [modelRoute, ...modelRoute.aliases]) add(bulkPath(at, action), modelRoute, action);
}

function registerTranslationRoutes(app: FastifyInstance, modelRoute: ModelRoute, options: HttpOptions): void {
  const one: Partial<Record<string, Handle>> = { GET: handleTranslation(modelRoute, options) };
  if (writtenTexts(modelRoute).length > 0) {
    one.PUT = handleReplaceTranslation(modelRoute, options);
    one.DELETE = handleRemoveTranslation(modelRoute, options);
  }
  const all = { GET: handleTranslations(modelRoute, options) };
  for (const reached of [modelRoute, ...modelRoute.aliases]) {
    addPath(app, translationsPath(reached), 'texts', all, modelRoute, options);
    addPath(app, translationPath(reached), 'texts of a language', one, modelRoute, options);
  }
}

/** The media types of responses. */
function offersOf(method: string, of: Of | 'trial' | 'quote' | 'faceted', { resource }: ModelRoute): readonly string[] {
  if (method !== 'GET') return DATA_TYPES;
  if (of === 'collection') return [...DATA_TYPES, ...LINE_TYPES];
  return of === 'item' && resource.declaration.printed ? [...DATA_TYPES, HTML_TYPE] : DATA_TYPES;
}

function addressReaderOf(modelRoute: ModelRoute, of: Of | 'trial' | 'quote' | 'faceted', { cursorKey }: HttpOptions) {
  if (of === 'trial') return trialAddressReader(modelRoute, 'more');
  if (of === 'quote') return quoteAddressReader(modelRoute);
  if (of === 'faceted') return facetsAddressReader(modelRoute, cursorKey);
  if (of === 'collection' && modelRoute.declaration.trial) return trialAddressReader(modelRoute, of);
  return of === 'texts of a language' ? textsAddressReader(modelRoute) : addressReader(modelRoute, of, cursorKey);
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

interface PathOptions {
  /** Whether the method needs no body. */
  readonly isFree?: (method: string) => boolean;
  /** Query parameters of the view at this path. A path with such a view has no action. */
  readonly parameters?: Readonly<Record<string, Field>> | undefined;
}

function addPath(
  app: FastifyInstance,
  path: string,
  of: Of | 'trial' | 'quote' | 'faceted',
  handlers: Partial<Record<string, Handle>>,
  modelRoute: ModelRoute,
  options: HttpOptions,
  { isFree = () => false, parameters }: PathOptions = {},
): void {
  const url = urlOf(path);
  const readAddress = parameters ? viewAddressReader(modelRoute, parameters) : addressReaderOf(modelRoute, of, options);
  for (const [method, handler] of Object.entries(handlers)) {
    const { limit, ...load } = loadOf(method, of, modelRoute, options);
    app.route({
      method: method as HTTPMethods,
      url,
      handler: handler!,
      bodyLimit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
      config: {
        offers: offersOf(method, of, modelRoute),
        readAddress,
        namedScope:
          BODY_METHODS.has(method) && !of.startsWith('texts') && of !== 'quote'
            ? namedScope(options.service.model, modelRoute.resource)
            : undefined,
        ...scopesOfTypes(method, of, path, modelRoute, options),
        takesBody: BODY_METHODS.has(method),
        needsNoBody: isFree(method),
        onlyReads: of === 'quote',
        resource: modelRoute.resource,
        ...load,
      },
    });
  }
}

/** Scopes of exports and printed pages, besides that of the path. */
function scopesOfTypes(
  method: string,
  of: Of | 'trial' | 'quote' | 'faceted',
  path: string,
  { resource }: ModelRoute,
  { service: { model } }: HttpOptions,
): Pick<FastifyContextConfig, 'scopesOfType'> {
  if (method !== 'GET') return {};
  const families = familiesOf(model);
  if (of === 'collection') {
    const scope = `${families.ofPath(path)[0]}:export`;
    return { scopesOfType: Object.fromEntries(LINE_TYPES.map((type) => [type, [scope]])) };
  }
  const { printed } = resource.declaration;
  if (of !== 'item' || !printed) return {};
  const shown = usedBy(model, printed).flatMap((used) => families.ofResource(used));
  return { scopesOfType: { [HTML_TYPE]: shown.map((family) => `${family}:read`) } };
}

interface WorkLimits {
  readonly limit: number;
  readonly work: Work;
  readonly uploadFrom?: number;
  readonly form?: FastifyContextConfig['form'];
}

/** Bytes of a form besides its file: headers and texts. */
const FORM_BYTES_MORE = 2_097_152;

function formLimits(
  { part: filePart, isAttachment }: NonNullable<Resource['upload']>,
  { attachmentBodyBytesMax, imageBytesMax, fileBytesMax }: HttpOptions,
): NonNullable<FastifyContextConfig['form']> {
  if (!isAttachment) return { filePart, fileBytesMax: imageBytesMax, bytesMax: attachmentBodyBytesMax };
  return { filePart, fileBytesMax, bytesMax: fileBytesMax === 0 ? 0 : fileBytesMax + FORM_BYTES_MORE };
}

/** A smaller body is not an upload, however low the limit of JSON bodies is. */
const UPLOAD_FROM_MIN = 65_536;

/**
 * Returns the kind of work of a request and the limit of its body. Collections and views count as lists, records and their
 * texts as reads. A write that may contain images becomes an upload if its body is larger than other writes may be.
 */
function loadOf(
  method: string,
  of: Of | 'trial' | 'quote' | 'faceted',
  modelRoute: ModelRoute,
  options: HttpOptions,
): WorkLimits {
  const { jsonBodyBytesMax, attachmentBodyBytesMax } = options;
  if (method === 'GET')
    return {
      limit: jsonBodyBytesMax,
      work: of === 'collection' || of === 'more' || of === 'trial' || of === 'faceted' ? 'list' : 'read',
    };
  const images = takesImages(modelRoute);
  const isWrite = method !== 'DELETE' && of !== 'more' && of !== 'trial' && of !== 'quote';
  const { upload } = modelRoute.resource.declaration;
  if (isWrite && upload && (method === 'POST' || !upload.isAttachment))
    return { limit: attachmentBodyBytesMax, work: 'upload', form: formLimits(upload, options) };
  if (upload) return { limit: jsonBodyBytesMax, work: 'write' };
  const isCreate = method === 'POST' && of === 'collection';
  const mayBring = (isWrite && images.itself) || (isCreate && images.inParts);
  if (!mayBring) return { limit: jsonBodyBytesMax, work: 'write' };
  const isUnlimited = jsonBodyBytesMax === 0 || attachmentBodyBytesMax === 0;
  const limit = isUnlimited ? 0 : Math.max(jsonBodyBytesMax, attachmentBodyBytesMax);
  return { limit, work: 'write', uploadFrom: Math.max(jsonBodyBytesMax, UPLOAD_FROM_MIN) + 1 };
}
