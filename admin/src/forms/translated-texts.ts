/** Texts of other languages as values of a form: `text:de:name` is the German name. */
import { StoreProblem } from 'purveyor/client';
import { defaultLanguage, languages } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';

/** The stored texts of a record by language, as `…/translations` returns them. */
export type Texts = Readonly<Record<string, Values>>;

export function otherLanguages(): string[] {
  return languages.map(({ code }) => code).filter((code) => code !== defaultLanguage());
}

export const textName = (code: string, field: string): string => `text:${code}:${field}`;

/** Returns the language and the field of a value; undefined for the record's own fields. */
export function textIn(name: string): { readonly code: string; readonly field: string } | undefined {
  const [, code, field] = /^text:([^:]+):(.+)$/.exec(name) ?? [];
  return code === undefined || field === undefined ? undefined : { code, field };
}

/** Returns the form values of the texts in all languages but the default one. */
export function textValues(texts: Texts, fields: readonly string[]): Record<string, unknown> {
  const all = otherLanguages().flatMap((code) =>
    fields.map((field): [string, unknown] => [textName(code, field), texts[code]?.[field] ?? '']),
  );
  return Object.fromEntries(all);
}

/** Separates the record's own fields, with the texts of the default language, from the texts of each other language. */
export function splitTexts(changed: Values): { own: Values; texts: Record<string, Record<string, unknown>> } {
  const own: Record<string, unknown> = {};
  const texts: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(changed)) {
    const text = textIn(name);
    if (!text) own[name] = value;
    else texts[text.code] = { ...texts[text.code], [text.field]: value ?? '' };
  }
  return { own, texts };
}

/** Names the fields of a rejected translation as the form does, so that the messages are shown below them. */
export function rejectionOfTexts(code: string, error: unknown): unknown {
  if (!(error instanceof StoreProblem) || error.violations.length === 0) return error;
  const { type, page, status, title, detail, violations } = error;
  const renamed = violations.map((each) => ({ ...each, propertyPath: textName(code, each.propertyPath) }));
  const body = { type: page ?? type, title, detail, violations: renamed };
  const rest = { etag: undefined, retryAfterSeconds: undefined, wasPerhapsDone: false };
  return new StoreProblem({ method: 'PATCH', path: '', status, body, ...rest });
}
