/** Answers of reads: pages, records, views, texts by language. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type ModelRoute,
  type Problem,
  read,
  readTranslations,
  textsIn,
  type View,
  view,
} from '../../engine/index.ts';
import type { KeyUses } from '../../store/key-uses.ts';
import { type CacheDependencies, type CacheValidator, recordKey } from '../cache/cache-validator.ts';
import { FastPath } from '../cache/fast-path.ts';
import { createListIdStore } from '../cache/list-id-cache.ts';
import { createPageCaches, createPages, embeddedIn, type Made, type PageCaches, reachedFrom } from '../cache/pages.ts';
import { cacheVariant, createLru, type Rendered, ResponseCache } from '../cache/response-cache.ts';
import { represent, shownTexts } from '../responses/representations.ts';
import { renderRecord, renderTranslations, renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import type { Observer } from '../server/observer.ts';
import { requestOptionsOf, targetOf, textRequestOptionsOf } from './address.ts';

export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers that are kept, and the parts of pages. */
export interface ReadCaches {
  readonly answers: ResponseCache<Rendered>;
  readonly pages: PageCaches;
  readonly fastPath: FastPath;
  readonly observer: Observer;
}

/** The share of whole lists in the memory for what is kept. */
const SHARE_OF_LISTS = 1 / 3;

/** A memory of 0 bytes keeps nothing. */
export function createReadCaches(
  { cacheValidator, service, responseCacheBytesMax: bytesMax }: HttpOptions,
  observer: Observer,
  keyUses: KeyUses,
): ReadCaches {
  const memory = createLru(bytesMax * (1 - SHARE_OF_LISTS));
  const lists = bytesMax > 0 ? createListIdStore(bytesMax * SHARE_OF_LISTS) : undefined;
  const answers = new ResponseCache<Rendered>(cacheValidator, memory, 'answer ', ({ body, headers }) => [
    body,
    ...Object.values(headers),
  ]);
  return {
    answers,
    pages: createPageCaches(cacheValidator, memory, lists),
    fastPath: new FastPath({ cacheValidator, answers, observer, keyUses, clock: service.clock }),
    observer,
  };
}

export function handleList(route: ModelRoute, options: HttpOptions, caches: ReadCaches): Handle {
  const pages = createPages(route, options, caches.pages);
  return cached(route, options, caches, pages.read, pages.compose);
}

export function handleRead(route: ModelRoute, options: HttpOptions, caches: ReadCaches): Handle {
  const dependenciesOf = recordDependencies(route, options.cacheValidator);
  return cached(route, options, caches, async (request) => {
    const after = options.cacheValidator.taken;
    const target = targetOf(request, route);
    const found = await read(request.service, requestOptionsOf(request, options), target);
    if (isProblem(found)) return found;
    const rendered = renderRecord(represent(request, found, target), route, request.requestContext.language);
    return { rendered, dependencies: dependenciesOf(request), after };
  });
}

export function handleView(route: ModelRoute, declared: View, options: HttpOptions, caches: ReadCaches): Handle {
  // A view may ask for anything.
  const dependencies = { all: [options.cacheValidator.cacheTag(() => true)] };
  return cached(route, options, caches, async (request) => {
    const after = options.cacheValidator.taken;
    const target = targetOf(request, route);
    const found = await view(request.service, requestOptionsOf(request, options), target, declared);
    if (isProblem(found)) return found;
    const shown = 'shows' in declared ? { ...target, field: declared.shows } : { ...target, view: declared };
    return {
      rendered: renderView(represent(request, found, shown), request.requestContext.language),
      dependencies,
      after,
    };
  });
}

/** The changes of a record that its identifier names concern it; where parents are in the path, theirs do too. */
function recordDependencies(
  route: ModelRoute,
  cacheValidator: CacheValidator,
): (request: FastifyRequest) => CacheDependencies {
  const { item, parents, fixed, resource } = route;
  if (!item?.isIdentifier || parents.length > 0 || fixed.size > 0 || resource.isPublishedByOwner) {
    const dependencies = { all: [reachedFrom(route, cacheValidator)] };
    return () => dependencies;
  }
  const all = [embeddedIn(route, cacheValidator)];
  return ({ address }) => ({ all, records: [recordKey(resource.name, String(address.id))] });
}

/** Never kept for another request: a read-only key sees less of it than a read/write key. */
export function handleTranslations(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const found = await readTranslations(request.service, textRequestOptionsOf(request, options), target);
    if (isProblem(found)) return sendProblem(reply, found);
    return sendRendered(request, reply, renderTranslations(shownTexts(request, target, found)));
  };
}

export function handleTranslation(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, route);
    const requestOptions = textRequestOptionsOf(request, options);
    const { language } = requestOptions;
    const found = await readTranslations(request.service, requestOptions, target);
    const texts = isProblem(found) ? found : textsIn(found, target, requestOptions);
    if (isProblem(texts)) return sendProblem(reply, texts);
    const shown = { ...target, texts: { language } };
    return sendRendered(request, reply, renderView(represent(request, texts, shown), language));
  };
}

/** Answers a read from what is kept, or makes the answer and keeps it. */
function cached(
  { resource }: ModelRoute,
  options: HttpOptions,
  { answers, fastPath, observer }: ReadCaches,
  make: (request: FastifyRequest) => Promise<Made | Problem>,
  /** Makes an answer of what is kept; undefined where that has to be done from the start. */
  compose?: (request: FastifyRequest, isKnown: boolean) => Promise<Made | undefined>,
): Handle {
  if (resource.changesUnpublished)
    return async (request, reply) => {
      const made = await make(request);
      return isProblem(made) ? sendProblem(reply, made) : sendRendered(request, reply, made.rendered);
    };
  return async (request, reply) => {
    const { lenient, saysLenient } = request.requestContext;
    const form = `${cacheVariant(request, options)} ${lenient} ${saysLenient} ${request.answerType} `;
    const key = `${form}${request.raw.url}`;
    const known = answers.get(key);
    if (known) {
      observer.readCompleted('kept');
      sendRendered(request, reply, known);
      void fastPath.remember(request, reply, form, known);
      return reply;
    }
    const composed = await compose?.(request, answers.knows(key));
    const made = composed ?? (await make(request));
    if (isProblem(made)) return sendProblem(reply, made);
    observer.readCompleted(composed ? 'composed' : 'made');
    answers.set(key, made.rendered, made.dependencies, made.after);
    return sendRendered(request, reply, made.rendered);
  };
}
