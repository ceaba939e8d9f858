/** Saves a record and its texts in other languages, each language with a request of its own (docs/contract/http.md §5). */
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

/** @param id undefined for a new record @param fields the translated ones */
export function useTranslatedRecord(id: number | undefined, fields: readonly string[], requests: Requests) {
  /** What was saved although a translation was then rejected. The next attempt continues from there. */
  const saved = useRef<{ readonly id: number; readonly etag: string; readonly before: string }>(undefined);

  /** @param values all values of the form @returns when everything is saved */
  async function write(changed: Values, etag: string, values: Values): Promise<void> {
    const { own, texts } = splitTexts(changed);
    const known = saved.current?.before === etag ? saved.current : undefined;
    let written = known?.id ?? id;
    if (written === undefined) written = await requests.create(own);
    else await requests.patch(written, own, known?.etag ?? etag);
    for (const [language, ofLanguage] of Object.entries(texts))
      try {
        const isEmptied = fields.every((field) => (values[textName(language, field)] ?? '') === '');
        if (isEmptied) await requests.removeTexts(written, language);
        else await requests.patchTexts(written, ofLanguage, language);
      } catch (error) {
        saved.current = { id: written, etag: await requests.readEtag(written), before: etag };
        throw rejectionOfTexts(language, error);
      }
  }
  return write;
}
