/** Answers of reads: pages, records, views, texts by language. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type ModelPlace,
  type Problem,
  reachedResources,
  read,
  readTranslations,
  textsIn,
  type View,
  view,
} from '../engine/index.ts';
import { type Freshness, recordKey, type Sources } from '../store/freshness.ts';
import { callerOf, targetOf, textsCallerOf } from './address.ts';
import { renderRecord, renderTranslations, renderView, sendProblem, sendRendered } from './answer.ts';
import type { HttpOptions } from './context.ts';
import { Kept, type Rendered } from './kept.ts';
import { type Composed, createPages, embeddedIn } from './pages.ts';
import { Repeats } from './repeats.ts';
import { represent, shownTexts } from './representations.ts';

export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers of reads that are kept, and the texts of records that lists are made of. */
export interface KeptReads {
  readonly answers: Kept<Rendered>;
  readonly records: Kept<string>;
  readonly repeats: Repeats;
}

/** @param bytesMax of both together; 0 keeps nothing */
export function keptReads(freshness: Freshness, bytesMax: number): KeptReads {
  const half = Math.ceil(bytesMax / 2);
  const answers = new Kept<Rendered>(freshness, half, ({ body, headers }) => body.length + lengthOf(headers));
  const records = new Kept<string>(freshness, half, (text) => text.length);
  return { answers, records, repeats: new Repeats(freshness, answers) };
}

function lengthOf(headers: Rendered['headers']): number {
  return Object.values(headers).reduce((length, value) => length + value.length, 0);
}

export function handleList(place: ModelPlace, options: HttpOptions, kept: KeptReads): Handle {
  const pages = createPages(place, options, kept.records);
  return cached(options, kept, {
    sourcesOf: () => pages.sources,
    render: (request) => pages.read(request),
    renderAgain: (request) => pages.compose(request),
  });
}

export function handleRead(place: ModelPlace, options: HttpOptions, kept: KeptReads): Handle {
  return cached(options, kept, {
    sourcesOf: recordSources(place, options.freshness),
    render: async (request) => {
      const target = targetOf(request, place);
      const found = await read(request.service, callerOf(request, options), target);
      if (isProblem(found)) return found;
      return renderRecord(represent(request, found, target), place, request.visit.language);
    },
  });
}

export function handleView(place: ModelPlace, declared: View, options: HttpOptions, kept: KeptReads): Handle {
  // A view may ask for anything.
  const sources = { all: options.freshness.dependence(() => true) };
  return cached(options, kept, {
    sourcesOf: () => sources,
    render: async (request) => {
      const target = targetOf(request, place);
      const found = await view(request.service, callerOf(request, options), target, declared);
      if (isProblem(found)) return found;
      const shown = 'shows' in declared ? { ...target, field: declared.shows } : { ...target, view: declared };
      return renderView(represent(request, found, shown), request.visit.language);
    },
  });
}

/** One record that its identifier names concern its own changes; where parents are in the path, theirs do too. */
function recordSources(place: ModelPlace, freshness: Freshness): (request: FastifyRequest) => Sources {
  const { item, parents, fixed, resource } = place;
  if (!item?.isIdentifier || parents.length > 0 || fixed.size > 0 || resource.isToldByOwner) {
    const reached = reachedResources(place);
    const sources = { all: freshness.dependence((change) => reached.has(change.resource)) };
    return () => sources;
  }
  const all = embeddedIn(place, freshness);
  return ({ address }) => ({ all, record: recordKey(resource.name, String(address.id)) });
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

interface CachedRead {
  readonly sourcesOf: (request: FastifyRequest) => Sources;
  readonly render: (request: FastifyRequest) => Promise<Rendered | Problem>;
  /** Renders an answer that was kept and holds no more; undefined where that has to be done from the start. */
  readonly renderAgain?: (request: FastifyRequest) => Promise<Composed | undefined>;
}

/** Answers a read from what is kept, or renders it and keeps it. */
function cached(
  { followsHost, freshness }: HttpOptions,
  { answers, repeats }: KeptReads,
  { sourcesOf, render, renderAgain }: CachedRead,
): Handle {
  return async (request, reply) => {
    // The default language stands in where a text is missing, and may be another by now.
    const { language, defaultLanguage, lenient, saysLenient } = request.visit;
    const at = followsHost ? request.service.world.baseUrl : '';
    const form = `${at} ${language} ${defaultLanguage} ${lenient} ${saysLenient} ${request.answerType} `;
    const key = `${form}${request.raw.url}`;
    const known = answers.get(key);
    if (known) {
      sendRendered(request, reply, known);
      void repeats.remember(request, reply, form, known);
      return reply;
    }
    const again = renderAgain && answers.knows(key) ? await renderAgain(request) : undefined;
    const after = again?.after ?? freshness.taken;
    const rendered = again?.rendered ?? (await render(request));
    if (isProblem(rendered)) return sendProblem(reply, rendered);
    answers.set(key, rendered, sourcesOf(request), after);
    return sendRendered(request, reply, rendered);
  };
}
