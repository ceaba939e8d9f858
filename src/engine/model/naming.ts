/** Comparison of the names of records. */
import { nameMatch } from '../text-forms.ts';
import type { ModelField } from './model.ts';

/** The form for comparing texts that name records: codes exactly, translated names by `nameMatch`. */
export function matchOf(naming: ModelField, text: string): string {
  return naming.storage.in === 'translation' ? nameMatch(text) : text;
}
