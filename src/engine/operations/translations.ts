/**
 * A record's own texts by language (`/products/{id}/translations`): what is written, without what stands in for it. They are
 * written as the record is in a request of that language, so the same checks and rules hold, and they count as its changes.
 */

import { isProblem, type Problem, problem } from '../errors.ts';
import type { Languages } from '../field.ts';
import type { ModelField } from '../model/model.ts';
import { writtenTexts } from '../model/routes.ts';
import type { Row } from '../ports.ts';
import { readTexts } from '../request/body.ts';
import { translationsQuery } from '../sql/query.ts';
import type { Reads } from '../unit/reads.ts';
import {
  parentValues,
  type RequestOptions,
  readingOf,
  type Service,
  type Target,
  type Versioned,
} from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { startWrite } from './draft.ts';
import { NOTHING_PREPARED } from './images/images.ts';
import { type Before, readBefore, readCommitted } from './read.ts';
import { finishWrite } from './write.ts';

type Texts = Record<string, string>;

/** A record's own texts. */
export interface Translations {
  /** The record's. */
  readonly version: number;
  /** By code, in its order. */
  readonly byLanguage: ReadonlyMap<string, Texts>;
}

/** As `Condition`, of a record's texts. */
export type TextsCondition = (now: Translations) => Problem | undefined;

/** The texts of every language that has some. */
export async function readTranslations(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
): Promise<Translations | Problem> {
  return readCommitted(service, requestOptions, target, (reads) => findTranslations(reads, target));
}

/** The texts of the caller's language, or why there are none. */
export function textsIn(
  { byLanguage, version }: Translations,
  { route }: Target,
  { language }: Pick<Languages, 'language'>,
): Versioned | Problem {
  const record = byLanguage.get(language);
  if (record) return { record, version };
  return problem('not-found', `This ${route.resource.name} has no texts of its own in the language ${language}.`);
}

/** Replaces the texts of the caller's language as a whole. */
export async function replaceTranslation(
  unit: Unit,
  target: Target,
  sent: Readonly<Record<string, unknown>>,
  condition: TextsCondition,
): Promise<Versioned | Problem> {
  const body = readTexts(writtenTexts(target.route), sent, readingOf(unit.service, unit.requestOptions));
  const found = await readTextsBefore(unit, target, condition);
  if (isProblem(found)) return found;
  const write = startWrite({ unit, target, body, before: found.before, prepared: NOTHING_PREPARED }, 'patch');
  // A text that came from another language until now is this language's own once it is sent.
  for (const name of Object.keys(body.sent)) write.draft.literal.add(name);
  const written = await finishWrite(write);
  if (isProblem(written)) return written;
  return textsIn((await findTranslations(unit, target))!, target, unit);
}

/** @returns a problem, or undefined when the language has no texts of the record any more */
export async function removeTranslation(
  unit: Unit,
  target: Target,
  condition: TextsCondition,
): Promise<Problem | undefined> {
  const found = await readTextsBefore(unit, target, condition);
  if (isProblem(found)) return found;
  const { before, translations } = found;
  const texts = textsIn(translations, target, unit);
  if (isProblem(texts)) return texts;
  const written = writtenTexts(target.route);
  const kept = written.filter((field) => isNeeded(field, before, translations, unit));
  if (kept.length > 0) return problem('conflict', whyNeeded(kept, unit));
  await unit.removeTexts(target.route.resource.name, before.id, written);
  return undefined;
}

/** The record and its texts, locked, once its parents and the client's condition are right. */
async function readTextsBefore(
  unit: Unit,
  target: Target,
  condition: TextsCondition,
): Promise<{ readonly before: Before; readonly translations: Translations } | Problem> {
  const before = await readBefore(unit, target);
  if (isProblem(before)) return before;
  const translations = (await findTranslations(unit, target))!;
  return condition(translations) ?? { before, translations };
}

async function findTranslations(reads: Reads, target: Target): Promise<Translations | undefined> {
  const { route, id = null } = target;
  const { service } = reads;
  const build = (dialect: Service['database']['dialect']) => translationsQuery(route, dialect);
  const [row] = await reads.ask(`translations ${route.path}`, build, { ...parentValues(target), id });
  if (!row) return undefined;
  const [version, languages] = row;
  const byLanguage = new Map<string, Texts>();
  for (const [code, ...values] of service.database.dialect.decode.json(languages as never) as unknown as Row[]) {
    const texts: Texts = {};
    for (const [index, { name }] of route.texts.entries())
      if (values[index] !== null) texts[name] = values[index] as string;
    if (Object.keys(texts).length > 0) byLanguage.set(code as string, texts);
  }
  return { version: Number(version), byLanguage };
}

/** Whether a record would be without a text that it must have: in the default language, or in all of them. */
function isNeeded(
  { name, field, storage }: ModelField,
  { stored }: Before,
  { byLanguage }: Translations,
  { language, defaultLanguage }: Languages,
): boolean {
  if (!field.required || storage.in !== 'translation' || byLanguage.get(language)?.[name] === undefined) return false;
  if (storage.fallback !== undefined && stored[storage.fallback] !== null) return false;
  return language === defaultLanguage || ![...byLanguage].some(([code, texts]) => code !== language && name in texts);
}

function whyNeeded(kept: readonly ModelField[], { language, defaultLanguage }: Languages): string {
  const names = kept.map(({ name }) => name).join(', ');
  return language === defaultLanguage
    ? `A record keeps what it must have in the default language, ${language}: ${names}. Change it with PUT.`
    : `No other language has what a record must have: ${names}. Write it in another one first.`;
}
