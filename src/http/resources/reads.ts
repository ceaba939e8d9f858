/** Answers of reads: pages, records, views, texts by language. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type ModelPlace,
  type Problem,
  read,
  readTranslations,
  textsIn,
  type View,
  view,
} from '../../engine/index.ts';
import type { KeyUses } from '../../store/key-uses.ts';
import { type Freshness, recordKey, type Sources } from '../cache/cache-validator.ts';
import { Repeats } from '../cache/fast-path.ts';
import { listMemory } from '../cache/list-id-cache.ts';
import { createPages, embeddedIn, type KeptPages, keptPages, type Made, reachedFrom } from '../cache/pages.ts';
import { Kept, memoryOf, type Rendered, wordingOf } from '../cache/response-cache.ts';
import { represent, shownTexts } from '../responses/representations.ts';
import { renderRecord, renderTranslations, renderView, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import type { Observer } from '../server/observer.ts';
import { callerOf, targetOf, textsCallerOf } from './address.ts';

export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers that are kept, and the parts of pages. */
export interface KeptReads {
  readonly answers: Kept<Rendered>;
  readonly pages: KeptPages;
  readonly repeats: Repeats;
  readonly observer: Observer;
}

/** The share of whole lists in the memory for what is kept. */
const SHARE_OF_LISTS = 1 / 3;

/** A memory of 0 bytes keeps nothing. */
export function keptReads(
  { freshness, service, responseCacheBytesMax: bytesMax }: HttpOptions,
  observer: Observer,
  keyUses: KeyUses,
): KeptReads {
  const memory = memoryOf(bytesMax * (1 - SHARE_OF_LISTS));
  const lists = bytesMax > 0 ? listMemory(bytesMax * SHARE_OF_LISTS) : undefined;
  const answers = new Kept<Rendered>(freshness, memory, 'answer ', ({ body, headers }) => [
    body,
    ...Object.values(headers),
  ]);
  return {
    answers,
    pages: keptPages(freshness, memory, lists),
    repeats: new Repeats({ freshness, answers, observer, keyUses, clock: service.clock }),
    observer,
  };
}

export function handleList(place: ModelPlace, options: HttpOptions, kept: KeptReads): Handle {
  const pages = createPages(place, options, kept.pages);
  return cached(place, options, kept, pages.read, pages.compose);
}

export function handleRead(place: ModelPlace, options: HttpOptions, kept: KeptReads): Handle {
  const sourcesOf = recordSources(place, options.freshness);
  return cached(place, options, kept, async (request) => {
    const after = options.freshness.taken;
    const target = targetOf(request, place);
    const found = await read(request.service, callerOf(request, options), target);
    if (isProblem(found)) return found;
    const rendered = renderRecord(represent(request, found, target), place, request.visit.language);
    return { rendered, sources: sourcesOf(request), after };
  });
}

export function handleView(place: ModelPlace, declared: View, options: HttpOptions, kept: KeptReads): Handle {
  // A view may ask for anything.
  const sources = { all: [options.freshness.dependence(() => true)] };
  return cached(place, options, kept, async (request) => {
    const after = options.freshness.taken;
    const target = targetOf(request, place);
    const found = await view(request.service, callerOf(request, options), target, declared);
    if (isProblem(found)) return found;
    const shown = 'shows' in declared ? { ...target, field: declared.shows } : { ...target, view: declared };
    return { rendered: renderView(represent(request, found, shown), request.visit.language), sources, after };
  });
}

/** The changes of a record that its identifier names concern it; where parents are in the path, theirs do too. */
function recordSources(place: ModelPlace, freshness: Freshness): (request: FastifyRequest) => Sources {
  const { item, parents, fixed, resource } = place;
  if (!item?.isIdentifier || parents.length > 0 || fixed.size > 0 || resource.isToldByOwner) {
    const sources = { all: [reachedFrom(place, freshness)] };
    return () => sources;
  }
  const all = [embeddedIn(place, freshness)];
  return ({ address }) => ({ all, records: [recordKey(resource.name, String(address.id))] });
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

/** Answers a read from what is kept, or makes the answer and keeps it. */
function cached(
  { resource }: ModelPlace,
  options: HttpOptions,
  { answers, repeats, observer }: KeptReads,
  make: (request: FastifyRequest) => Promise<Made | Problem>,
  /** Makes an answer of what is kept; undefined where that has to be done from the start. */
  compose?: (request: FastifyRequest, isKnown: boolean) => Promise<Made | undefined>,
): Handle {
  if (resource.changesUntold)
    return async (request, reply) => {
      const made = await make(request);
      return isProblem(made) ? sendProblem(reply, made) : sendRendered(request, reply, made.rendered);
    };
  return async (request, reply) => {
    const { lenient, saysLenient } = request.visit;
    const form = `${wordingOf(request, options)} ${lenient} ${saysLenient} ${request.answerType} `;
    const key = `${form}${request.raw.url}`;
    const known = answers.get(key);
    if (known) {
      observer.readAnswered('kept');
      sendRendered(request, reply, known);
      void repeats.remember(request, reply, form, known);
      return reply;
    }
    const composed = await compose?.(request, answers.knows(key));
    const made = composed ?? (await make(request));
    if (isProblem(made)) return sendProblem(reply, made);
    observer.readAnswered(composed ? 'composed' : 'made');
    answers.set(key, made.rendered, made.sources, made.after);
    return sendRendered(request, reply, made.rendered);
  };
}
