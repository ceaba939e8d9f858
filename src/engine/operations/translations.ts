/**
 * Translations of a record (`/products/{id}/translations`): the stored texts, without fallbacks. They are written like
 * the record in a request of that language, so the same checks and rules apply, and count as its changes.
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
import { NOTHING_PREPARED } from './images/images.ts';
import { startWrite } from './pending-write.ts';
import { type Before, readBefore, readCommitted } from './read.ts';
import { runRulesAndStore } from './run-rules-and-store.ts';

type Texts = Record<string, string>;

/** All stored texts of a record. */
export interface Translations {
  /** Version of the record. */
  readonly version: number;
  /** Texts by language code, in the order of codes. */
  readonly byLanguage: ReadonlyMap<string, Texts>;
}

/** Like `Condition`, for the texts of a record. */
export type TextsCondition = (now: Translations) => Problem | undefined;

/** Reads the texts of all languages that have some. */
export async function readTranslations(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
): Promise<Translations | Problem> {
  return readCommitted(service, requestOptions, target, (reads) => findTranslations(reads, target, requestOptions));
}

/** The texts of the request's language, or a problem if there are none. */
export function textsIn(
  { byLanguage, version }: Translations,
  { route }: Target,
  { language }: Pick<Languages, 'language'>,
): Versioned | Problem {
  const record = byLanguage.get(language);
  if (record) return { record, version };
  return problem('not-found', `This ${route.resource.name} has no texts in the language ${language}.`);
}

/** Replaces all texts of the request's language. */
export async function replaceTranslation(
  unit: Unit,
  target: Target,
  sent: Readonly<Record<string, unknown>>,
  condition: TextsCondition,
): Promise<Versioned | Problem> {
  const body = readTexts(visibleTexts(target, unit), sent, readingOf(unit.service, unit.requestOptions));
  const found = await readTextsBefore(unit, target, condition);
  if (isProblem(found)) return found;
  const write = startWrite({ unit, target, body, before: found.before, prepared: NOTHING_PREPARED }, 'patch');
  // A sent text is stored even if it equals the fallback that was shown until now.
  for (const name of Object.keys(body.sent)) write.draft.literal.add(name);
  const written = await runRulesAndStore(write);
  if (isProblem(written)) return written;
  return textsIn((await findTranslations(unit, target, unit.requestOptions))!, target, unit);
}

/** Deletes the texts of the request's language. @returns a problem, or undefined after the deletion */
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
  const written = visibleTexts(target, unit);
  const needed = written.filter((field) => isNeeded(field, before, translations, unit));
  if (needed.length > 0) return problem('conflict', whyNeeded(needed, unit));
  await unit.removeTexts(target.route.resource.name, before.id, written);
  return undefined;
}

/** Locks and reads the record and its texts, after its parents and the client's condition are checked. */
async function readTextsBefore(
  unit: Unit,
  target: Target,
  condition: TextsCondition,
): Promise<{ readonly before: Before; readonly translations: Translations } | Problem> {
  const before = await readBefore(unit, target);
  if (isProblem(before)) return before;
  const translations = (await findTranslations(unit, target, unit.requestOptions))!;
  return condition(translations) ?? { before, translations };
}

/** The texts that a client can write. Others do not change. */
function visibleTexts({ route }: Target, { requestOptions }: Unit): readonly ModelField[] {
  return writtenTexts(route).filter((field) => !requestOptions.preserves?.(field));
}

async function findTranslations(
  reads: Reads,
  target: Target,
  { preserves }: RequestOptions,
): Promise<Translations | undefined> {
  const { route, id = null } = target;
  const { service } = reads;
  const build = (dialect: Service['database']['dialect']) => translationsQuery(route, dialect);
  const [row] = await reads.query(`translations ${route.path}`, build, { ...parentValues(target), id });
  if (!row) return undefined;
  const [version, languages] = row;
  const byLanguage = new Map<string, Texts>();
  for (const [code, ...values] of service.database.dialect.decode.json(languages as never) as unknown as Row[]) {
    const texts: Texts = {};
    for (const [index, field] of route.texts.entries())
      if (values[index] !== null && !preserves?.(field)) texts[field.name] = values[index] as string;
    if (Object.keys(texts).length > 0) byLanguage.set(code as string, texts);
  }
  return { version: Number(version), byLanguage };
}

/** Whether a required text would be missing: in the default language, or in all languages. */
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

function whyNeeded(needed: readonly ModelField[], { language, defaultLanguage }: Languages): string {
  const names = needed.map(({ name }) => name).join(', ');
  return language === defaultLanguage
    ? `These texts are required in the default language, ${language}: ${names}. Change them with PUT.`
    : `These required texts exist in no other language: ${names}. Write them in another language first.`;
}
