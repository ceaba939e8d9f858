/** Saves a record and its texts in other languages, each language with a request of its own (docs/contract/http.md §5). */
import { StoreProblem } from 'purveyor/client';
import { useRef } from 'react';
import type { Values } from '../api/record-diff.ts';
import { rejectionOfTexts, splitTexts, textName } from './translated-texts.ts';

interface Requests {
  /** Creates the record with its own fields. @returns its id */
  create(own: Values): Promise<number>;
  /** Changes the record's own fields, with If-Match. */
  patch(id: number, own: Values, etag: string): Promise<unknown>;
  /** Changes the texts of a language. */
  patchTexts(id: number, texts: Values, language: string): Promise<unknown>;
  removeTexts(id: number, language: string): Promise<unknown>;
  readEtag(id: number): Promise<string>;
}

interface Saved {
  readonly id: number;
  /** Undefined if it could not be read. */
  readonly etag: string | undefined;
  readonly before: string;
  /** What was sent. A field that is then set back to its first value must be sent again. */
  readonly sent: Values;
}

/** @param id undefined for a new record @param fields the translated ones */
export function useTranslatedRecord(id: number | undefined, fields: readonly string[], requests: Requests) {
  /** What was saved although a translation was then rejected. The next attempt continues from there. */
  const saved = useRef<Saved>(undefined);

  /** @param values all values of the form @returns when everything is saved */
  async function write(changed: Values, etag: string, values: Values): Promise<void> {
    const known = saved.current?.before === etag ? saved.current : undefined;
    const setBack = Object.keys(known?.sent ?? {}).filter((name) => !(name in changed));
    const sent = { ...changed, ...Object.fromEntries(setBack.map((name) => [name, values[name] ?? ''])) };
    const { own, texts } = splitTexts(sent);
    let written = known?.id ?? id;
    if (written === undefined) written = await requests.create(own);
    else await requests.patch(written, own, known?.etag ?? (known ? await requests.readEtag(written) : etag));
    for (const [language, ofLanguage] of Object.entries(texts))
      try {
        const isEmptied = fields.every((field) => (values[textName(language, field)] ?? '') === '');
        if (isEmptied) await requests.removeTexts(written, language).catch(ignoreMissing);
        else await requests.patchTexts(written, ofLanguage, language);
      } catch (error) {
        const after = await requests.readEtag(written).catch(() => undefined);
        saved.current = { id: written, etag: after, before: etag, sent };
        throw rejectionOfTexts(language, error);
      }
  }
  return write;
}

/** An earlier attempt has already removed the texts. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof StoreProblem && error.status === 404)) throw error;
}
