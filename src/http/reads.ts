/** Answers of reads: pages, records, views, texts by language. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  list,
  type ModelPlace,
  type Problem,
  read,
  readTranslations,
  textsIn,
  type View,
  view,
} from '../engine/index.ts';
import { callerOf, targetOf, textsCallerOf } from './address.ts';
import { renderPage, renderRecord, renderTranslations, renderView, sendProblem, sendRendered } from './answer.ts';
import type { HttpOptions } from './context.ts';
import { represent, shownPage, shownTexts } from './representations.ts';
import type { Rendered, ResponseCache } from './response-cache.ts';

export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function handleList(place: ModelPlace, options: HttpOptions, cache: ResponseCache): Handle {
  return cached(
    cache,
    async (request) => {
      const { service, url, visit } = request;
      const intent = request.address.intent!;
      const page = await list(service, callerOf(request, options), targetOf(request, place), intent);
      if (isProblem(page)) return page;
      const shown = shownPage(request, place, page, intent);
      return renderPage(page, intent, url, visit.language, service.world.baseUrl, shown);
    },
    options,
  );
}

export function handleRead(place: ModelPlace, options: HttpOptions, cache: ResponseCache): Handle {
  return cached(
    cache,
    async (request) => {
      const target = targetOf(request, place);
      const found = await read(request.service, callerOf(request, options), target);
      if (isProblem(found)) return found;
      return renderRecord(represent(request, found, target), place, request.visit.language);
    },
    options,
  );
}

export function handleView(place: ModelPlace, declared: View, options: HttpOptions, cache: ResponseCache): Handle {
  return cached(
    cache,
    async (request) => {
      const target = targetOf(request, place);
      const found = await view(request.service, callerOf(request, options), target, declared);
      if (isProblem(found)) return found;
      const shown = 'shows' in declared ? { ...target, field: declared.shows } : { ...target, view: declared };
      return renderView(represent(request, found, shown), request.visit.language);
    },
    options,
  );
}

/** Never kept for another request: a read-only key sees less of it than a read/write key. */
export function handleTranslations(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, place);
    const found = await readTranslations(request.service, textsCallerOf(request, options), target);
    if (isProblem(found)) return sendProblem(reply, found);
    return sendRendered(request, reply, renderTranslations(shownTexts(request, target, found)));
  };
}

export function handleTranslation(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const target = targetOf(request, place);
    const caller = textsCallerOf(request, options);
    const { language } = caller;
    const found = await readTranslations(request.service, caller, target);
    const texts = isProblem(found) ? found : textsIn(found, target, caller);
    if (isProblem(texts)) return sendProblem(reply, texts);
    const shown = { ...target, texts: { language } };
    return sendRendered(request, reply, renderView(represent(request, texts, shown), language));
  };
}

/** Answers a read from the cache, or renders it and keeps it there. */
function cached(
  cache: ResponseCache,
  render: (request: FastifyRequest) => Promise<Rendered | Problem>,
  { followsHost }: HttpOptions,
): Handle {
  return async (request, reply) => {
    const { generation, language, lenient } = request.visit;
    const at = followsHost ? request.service.world.baseUrl : '';
    const key = `${at} ${language} ${lenient} ${request.answerType} ${request.raw.url}`;
    const known = cache.get(key, generation);
    if (known) return sendRendered(request, reply, known);
    const rendered = await render(request);
    if (isProblem(rendered)) return sendProblem(reply, rendered);
    cache.set(key, generation, rendered);
    return sendRendered(request, reply, rendered);
  };
}
