/**
 * A record's own texts by language (`/products/{id}/translations`): what is written, without what stands in for it. They are
 * written as the record is in a request of that language, so the same checks and rules hold, and they count as its changes.
 */
import { readTexts } from '../body.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import type { ModelField } from '../model.ts';
import { writtenTexts } from '../places.ts';
import type { Row, Transaction } from '../ports.ts';
import { translationsQuery } from '../query.ts';
import { type Found, parentValues, type Request, readingOf, type Service } from '../service.ts';
import { type Before, checkConditions, readBefore } from './before.ts';
import { NOTHING_PREPARED } from './pictures.ts';
import { readCommitted } from './read.ts';
import { removeTexts } from './save.ts';
import { type Run, runIn } from './stored.ts';
import { finishWrite, type Outcome, refused, startWrite } from './write.ts';

type Texts = Record<string, string>;

interface Translations {
  readonly version: number;
  /** By code, in its order. */
  readonly byLanguage: ReadonlyMap<string, Texts>;
}

/** What is asked of a record's texts. */
export interface TextsRequest extends Request {
  /** The languages that the visitor may know of. */
  readonly languages: readonly string[];
}

/** The texts of every language that has some, by its code. */
export async function readTranslations(service: Service, request: TextsRequest): Promise<Found | Problem> {
  const translations = await readCommitted(service, request, (run) => findTranslations(service, request, run));
  return isProblem(translations) ? translations : showAll(request, translations);
}

/** The texts of the request's language. */
export async function readTranslation(service: Service, request: TextsRequest): Promise<Found | Problem> {
  const translations = await readCommitted(service, request, (run) => findTranslations(service, request, run));
  return isProblem(translations) ? translations : (showOne(request, translations) ?? noTexts(request));
}

/** Replaces the texts of the request's language as a whole. */
export async function replaceTranslation(
  service: Service,
  request: TextsRequest,
  sent: Readonly<Record<string, unknown>>,
): Promise<Found | Problem> {
  const body = readTexts(writtenTexts(request.place), sent, readingOf(service, request));
  const { answer }: Outcome = await service.database.transaction(async (transaction) => {
    const found = await readTextsBefore(service, request, transaction);
    if (isProblem(found)) return refused(found);
    const write = startWrite(service, request, transaction, body, found.before, 'patch', NOTHING_PREPARED);
    // What another language shows here until now is a text of its own once it is sent.
    for (const name of Object.keys(body.sent)) write.draft.literal.add(name);
    const outcome = await finishWrite(write);
    if (isProblem(outcome.answer)) return outcome;
    const translations = (await findTranslations(service, request, write.run))!;
    return { ...outcome, answer: showOne(request, translations)! };
  });
  return answer;
}

/** @returns a problem, or undefined when the language has no texts of the record any more */
export async function removeTranslation(service: Service, request: TextsRequest): Promise<Problem | undefined> {
  const { place, language, defaultLanguage } = request;
  return service.database.transaction<Problem | undefined>(async (transaction) => {
    const found = await readTextsBefore(service, request, transaction);
    if (isProblem(found)) return found;
    const { before, translations } = found;
    if (!translations.byLanguage.has(language)) return noTexts(request);
    const kept = writtenTexts(place).filter((field) => isNeeded(field, before, translations, request));
    if (kept.length > 0) return problem('conflict', whyNeeded(kept, language, defaultLanguage));
    const pen = {
      service,
      run: runIn(transaction),
      lock: (name: string) => transaction.lock(name),
      language,
      now: service.clock.now(),
    };
    await removeTexts(pen, place.resource, before.stored, writtenTexts(place));
    return undefined;
  });
}

/** The record and its texts, locked, once its parents and If-Match are right: the tag of these texts, or of all. */
async function readTextsBefore(
  service: Service,
  request: TextsRequest,
  transaction: Transaction,
): Promise<{ readonly before: Before; readonly translations: Translations } | Problem> {
  const { ifMatch, ifNoneMatch } = request;
  const before = await readBefore(service, { ...request, ifMatch: undefined, ifNoneMatch: undefined }, transaction);
  if (isProblem(before)) return before;
  const translations = (await findTranslations(service, request, runIn(transaction)))!;
  const all = showAll(request, translations);
  const one = showOne(request, translations);
  // "*" asks that these texts are there, as If-None-Match: * asks that they are not.
  if (!one && ifMatch?.trim() === '*') return noTexts(request);
  const stale = checkConditions({ ifMatch }, one ?? all);
  if (stale && checkConditions({ ifMatch }, all)) return stale;
  const taken = one && checkConditions({ ifNoneMatch }, one);
  if (taken) return taken;
  return { before, translations };
}

async function findTranslations(service: Service, request: Request, run: Run): Promise<Translations | undefined> {
  const { place, id } = request;
  const statement = service.statements.get(`translations ${place.path}`, (dialect) =>
    translationsQuery(place, dialect),
  );
  const [row] = await run(statement, { ...parentValues(request), id: id ?? null });
  if (!row) return undefined;
  const [version, languages] = row;
  const byLanguage = new Map<string, Texts>();
  for (const [code, ...values] of service.database.dialect.decode.json(languages as never) as unknown as Row[]) {
    const texts: Texts = {};
    for (const [index, { name }] of place.texts.entries())
      if (values[index] !== null) texts[name] = values[index] as string;
    if (Object.keys(texts).length > 0) byLanguage.set(code as string, texts);
  }
  return { version: Number(version), byLanguage };
}

function showAll(request: TextsRequest, { version, byLanguage }: Translations): Found {
  const known = [...byLanguage].filter(([code]) => request.languages.includes(code));
  const record = Object.fromEntries(known);
  return { record, version, ...request.represent(record, version, { ...request, texts: {} }) };
}

/** Undefined while nothing is written in the request's language. */
function showOne(request: TextsRequest, { version, byLanguage }: Translations): Found | undefined {
  const { language } = request;
  const record = byLanguage.get(language);
  return record && { record, version, ...request.represent(record, version, { ...request, texts: { language } }) };
}

function noTexts({ place, language }: Request): Problem {
  return problem('not-found', `This ${place.resource.name} has no texts of its own in the language ${language}.`);
}

/** Whether a record would be without a text that it must have: in the default language, or in all of them. */
function isNeeded(
  { name, field, storage }: ModelField,
  { stored }: Before,
  { byLanguage }: Translations,
  { language, defaultLanguage }: Request,
): boolean {
  if (!field.required || storage.in !== 'translation' || byLanguage.get(language)?.[name] === undefined) return false;
  if (storage.fallback !== undefined && stored[storage.fallback] !== null) return false;
  return language === defaultLanguage || ![...byLanguage].some(([code, texts]) => code !== language && name in texts);
}

function whyNeeded(kept: readonly ModelField[], language: string, defaultLanguage: string): string {
  const names = kept.map(({ name }) => name).join(', ');
  return language === defaultLanguage
    ? `A record keeps what it must have in the default language, ${language}: ${names}. Change it with PUT.`
    : `No other language has what a record must have: ${names}. Write it in another one first.`;
}
