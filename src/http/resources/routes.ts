/** Routes of the declared resources: for each path its operations. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import {
  type Action,
  bulkPath,
  bulksAt,
  type ModelPlace,
  needsNoBody,
  takesPictures,
  translationPath,
  translationsPath,
  writtenTexts,
} from '../../engine/index.ts';
import type { Load, Work } from '../admission/admission-control.ts';
import { bulkAddressReader } from '../bulk/address.ts';
import { bulkHandlers } from '../bulk/handle.ts';
import { DATA_TYPES, LINE_TYPES } from '../responses/accept.ts';
import type { HttpOptions } from '../server/context.ts';
import { addressReader, type Of, textsAddressReader, trialAddressReader } from './address.ts';
import { exportHandlers } from './export.ts';
import { HTML_TYPE } from './printed.ts';
import {
  type Handle,
  handleList,
  handleRead,
  handleTranslation,
  handleTranslations,
  handleView,
  type KeptReads,
} from './reads.ts';
import {
  handleAction,
  handleCreate,
  handleRemove,
  handleRemoveTranslation,
  handleReplaceTranslation,
  handleUpdate,
} from './writes.ts';

export function addResourceRoutes(app: FastifyInstance, options: HttpOptions, load: Load, kept: KeptReads): void {
  addBulkRoutes(app, options, load);
  const exporterOf = exportHandlers(app, options, load);
  for (const place of options.service.model.places) {
    const { operations } = place;
    const item: Partial<Record<string, Handle>> = {};
    const collection: Partial<Record<string, Handle>> = {};
    if (operations.has('list')) collection.GET = eitherForm(handleList(place, options, kept), exporterOf(place));
    if (operations.has('create')) collection.POST = handleCreate(place, options, load);
    if (operations.has('read')) item.GET = handleRead(place, options, kept);
    if (operations.has('replace')) item.PUT = handleUpdate(place, 'replace', options, load);
    if (operations.has('patch')) item.PATCH = handleUpdate(place, 'patch', options, load);
    if (operations.has('remove')) item.DELETE = handleRemove(place, options);
    for (const { path, collectionPath } of [place, ...place.aliases]) {
      if (path === collectionPath) {
        addPath(app, path, 'item', { ...collection, ...item }, place, options);
      } else {
        addPath(app, collectionPath, 'collection', collection, place, options);
        addPath(app, path, 'item', item, place, options);
      }
    }
    if (place.texts.length > 0) addTranslationRoutes(app, place, options);
  }
  for (const { places, actions, views } of options.service.model.resources.values()) {
    const [place] = places;
    const triable = new Set(actions.flatMap(({ name, trial }) => (trial ? name : [])));
    // One path may have both a view and an action.
    const handlers: Record<string, Partial<Record<string, Handle>>> = {};
    for (const action of actions)
      handlers[action.name] = { [action.method]: handleAction(place!, action, options, load) };
    for (const declared of views)
      handlers[declared.name] = { ...handlers[declared.name], GET: handleView(place!, declared, options, kept) };
    const free = new Set(actions.filter(needsNoBody).map(({ name, method }) => `${method} ${name}`));
    for (const [name, own] of Object.entries(handlers))
      for (const { path } of [place!, ...place!.aliases])
        addPath(app, `${path}/${name}`, triable.has(name) ? 'trial' : 'more', own, place!, options, (method) =>
          free.has(`${method} ${name}`),
        );
  }
}

/** A collection is answered in pages, or all of it in lines. */
function eitherForm(pages: Handle, lines: Handle): Handle {
  return (request, reply) => (LINE_TYPES.includes(request.answerType) ? lines : pages)(request, reply);
}

function addBulkRoutes(app: FastifyInstance, options: HttpOptions, load: Load): void {
  const handlerOf = bulkHandlers(app, options, load);
  const add = (path: string, place: ModelPlace, action?: Action): void => {
    app.route({
      ...{ method: 'POST', url: urlOf(path), handler: handlerOf(place, action), bodyLimit: Number.MAX_SAFE_INTEGER },
      config: {
        ...{ offers: LINE_TYPES, readAddress: bulkAddressReader(place, action), takesBody: true, takesLines: true },
        work: 'none',
      },
    });
  };
  for (const place of options.service.model.places)
    for (const action of bulksAt(place))
      for (const at of [place, ...place.aliases]) add(bulkPath(at, action), place, action);
}

/** A path as the router writes it. */
function urlOf(path: string): string {
  return `/api${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

function addTranslationRoutes(app: FastifyInstance, place: ModelPlace, options: HttpOptions): void {
  const one: Partial<Record<string, Handle>> = { GET: handleTranslation(place, options) };
  if (writtenTexts(place).length > 0) {
    one.PUT = handleReplaceTranslation(place, options);
    one.DELETE = handleRemoveTranslation(place, options);
  }
  const all = { GET: handleTranslations(place, options) };
  for (const reached of [place, ...place.aliases]) {
    addPath(app, translationsPath(reached), 'texts', all, place, options);
    addPath(app, translationPath(reached), 'texts of a language', one, place, options);
  }
}

/** The media types of the answers. */
function offersOf(method: string, of: Of | 'trial', { resource }: ModelPlace): readonly string[] {
  if (method !== 'GET') return DATA_TYPES;
  if (of === 'collection') return [...DATA_TYPES, ...LINE_TYPES];
  return of === 'item' && resource.declaration.printed ? [...DATA_TYPES, HTML_TYPE] : DATA_TYPES;
}

function addressReaderOf(place: ModelPlace, of: Of | 'trial') {
  if (of === 'trial') return trialAddressReader(place);
  const readAddress = of === 'texts of a language' ? textsAddressReader(place) : addressReader(place, of);
  return (request: FastifyRequest) => readAddress(request);
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

function addPath(
  app: FastifyInstance,
  path: string,
  of: Of | 'trial',
  handlers: Partial<Record<string, Handle>>,
  place: ModelPlace,
  options: HttpOptions,
  isFree: (method: string) => boolean = () => false,
): void {
  const url = urlOf(path);
  const readAddress = addressReaderOf(place, of);
  const { upload } = place.resource.declaration;
  for (const [method, handler] of Object.entries(handlers)) {
    const { limit, ...load } = loadOf(method, of, place, options);
    app.route({
      method: method as HTTPMethods,
      url,
      handler: handler!,
      bodyLimit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
      config: {
        offers: offersOf(method, of, place),
        readAddress,
        takesBody: BODY_METHODS.has(method),
        needsNoBody: isFree(method),
        ...load,
        ...(load.work === 'upload' && upload ? { filePart: upload.part } : {}),
      },
    });
  }
}

/** A smaller body is no upload, however low the limit of JSON bodies is. */
const UPLOAD_FROM_MIN = 65_536;

/**
 * Tells a request's kind of work, and how large its body may be. Collections and views read much; an item's own path,
 * and those of its texts, read one record. A record that may be made with pictures is a usual write until its
 * body is larger than those may be.
 */
function loadOf(
  method: string,
  of: Of | 'trial',
  place: ModelPlace,
  { jsonBodyBytesMax, attachmentBodyBytesMax }: HttpOptions,
): { readonly limit: number; readonly work: Work; readonly uploadFrom?: number } {
  if (method === 'GET')
    return { limit: jsonBodyBytesMax, work: of === 'collection' || of === 'more' || of === 'trial' ? 'list' : 'read' };
  const pictures = takesPictures(place);
  const isWrite = method !== 'DELETE' && of !== 'more' && of !== 'trial';
  const isPicture = pictures.itself && place.resource.declaration.upload !== undefined;
  if (isWrite && isPicture) return { limit: attachmentBodyBytesMax, work: 'upload' };
  const isCreate = method === 'POST' && of === 'collection';
  const mayBring = (isWrite && pictures.itself) || (isCreate && pictures.inParts);
  if (!mayBring) return { limit: jsonBodyBytesMax, work: 'write' };
  const isUnlimited = jsonBodyBytesMax === 0 || attachmentBodyBytesMax === 0;
  const limit = isUnlimited ? 0 : Math.max(jsonBodyBytesMax, attachmentBodyBytesMax);
  return { limit, work: 'write', uploadFrom: Math.max(jsonBodyBytesMax, UPLOAD_FROM_MIN) + 1 };
}
