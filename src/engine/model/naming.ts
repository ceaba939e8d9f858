/** How records are called: the form in which their names are compared. */
import { nameMatch } from '../text-forms.ts';
import type { ModelField } from './model.ts';

/** The form in which the texts that name records of a resource are compared: codes exactly, names as names. */
export function matchOf(naming: ModelField, text: string): string {
  return naming.storage.in === 'translation' ? nameMatch(text) : text;
}
