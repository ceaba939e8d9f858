/** Writes values of the audit to an existing record, in all languages, with the checks of a partial update. */
import { isProblem, type Problem, problem } from '../../errors.ts';
import type { ModelField } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import { readBody } from '../../request/body.ts';
import { textKey } from '../../unit/audit/audited-fields.ts';
import { canonicalJson } from '../../unit/audit/canonical-json.ts';
import { readingOf, type Target, type Written } from '../../unit/service.ts';
import type { Unit } from '../../unit/unit.ts';
import { NOTHING_PREPARED, type Prepared } from '../images/images.ts';
import { startWrite } from '../pending-write.ts';
import { readBefore } from '../read.ts';
import { runRulesAndStore } from '../run-rules-and-store.ts';
import { asInput, type PastValues } from './past-values.ts';

/** What distinguishes the current values from earlier ones. */
export interface Difference {
  /** Earlier values of fields without languages. */
  readonly plain: ReadonlyMap<ModelField, Value>;
  /** Earlier texts by language; null for those that did not exist. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<ModelField, Value>>;
}

/** @param languages of the texts that the client can write */
export function differenceOf(
  fields: readonly ModelField[],
  past: PastValues,
  current: PastValues,
  languages: readonly string[],
): Difference {
  const differing = (key: string): Value | undefined => {
    const [was, is] = [past.get(key) ?? null, current.get(key) ?? null];
    return canonicalJson(was) === canonicalJson(is) ? undefined : was;
  };
  const plain = new Map<ModelField, Value>();
  const texts = new Map<string, Map<ModelField, Value>>();
  for (const field of fields) {
    if (field.storage.in !== 'translation') {
      const was = differing(field.name);
      if (was !== undefined) plain.set(field, was);
      continue;
    }
    for (const language of languages) {
      const was = differing(textKey(field, language));
      if (was !== undefined) texts.set(language, (texts.get(language) ?? new Map()).set(field, was));
    }
  }
  return { plain, texts };
}

export function isEmpty({ plain, texts }: Difference): boolean {
  return plain.size === 0 && texts.size === 0;
}

/** The fields that differ, with their values; of a text, that in one of the languages. */
export function fieldsOf({ plain, texts }: Difference): Record<string, Value> {
  return Object.assign({}, ...[...texts.values(), plain].map(bodyOf));
}

/** @param prepared the file of the earlier values */
export async function writeDifference(
  unit: Unit,
  target: Target,
  id: Value,
  { plain, texts }: Difference,
  prepared: Prepared,
): Promise<Problem | undefined> {
  const { defaultLanguage } = unit;
  const inDefault = texts.get(defaultLanguage) ?? new Map<ModelField, Value>();
  const needed = [...inDefault].filter(([{ field }, text]) => text === null && field.required);
  if (needed.length > 0)
    return problem(
      'conflict',
      `This version has no text in the default language ${defaultLanguage} for required fields: ${needed.map(([{ name }]) => name).join(', ')}. Restore another version, or send the texts with PATCH.`,
    );
  // Texts of the default language come first, because others may depend on them.
  const all = [[defaultLanguage, new Map([...plain, ...written(inDefault)])] as const];
  for (const [language, own] of texts) if (language !== defaultLanguage) all.push([language, written(own)]);
  for (const [language, values] of all) {
    if (values.size === 0) continue;
    const isFirst = language === defaultLanguage;
    const done = await patch(unit.inLanguage(language), target, bodyOf(values), isFirst ? prepared : NOTHING_PREPARED);
    if (isProblem(done)) return done;
  }
  for (const [language, own] of texts) {
    const removed = [...own].flatMap(([field, text]) => (text === null ? field : []));
    if (removed.length > 0) await unit.inLanguage(language).removeTexts(target.route.resource.name, id, removed);
  }
  return undefined;
}

/** Writes these fields in the unit's language. */
export async function patch(
  unit: Unit,
  target: Target,
  sent: Readonly<Record<string, Value>>,
  prepared: Prepared = NOTHING_PREPARED,
): Promise<Written | Problem> {
  const body = readBody(target.route, 'patch', sent, readingOf(unit.service, unit.requestOptions));
  const before = await readBefore(unit, target);
  if (isProblem(before)) return before;
  const write = startWrite({ unit, target, body, before, prepared }, 'patch');
  // A text is stored even if it equals the fallback that is shown without it.
  for (const name of Object.keys(body.sent)) write.draft.literal.add(name);
  return runRulesAndStore(write);
}

function written(texts: ReadonlyMap<ModelField, Value>): Map<ModelField, Value> {
  return new Map([...texts].filter(([, text]) => text !== null));
}

function bodyOf(values: ReadonlyMap<ModelField, Value>): Record<string, Value> {
  return Object.fromEntries([...values].map(([field, value]) => [field.name, asInput(field, value)]));
}
