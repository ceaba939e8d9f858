/** The messages as react-admin uses them. */
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { I18nProvider, TranslationMessages } from 'react-admin';
import { LOCALES, loadMessages } from './messages.ts';

/** @param initial messages of this locale */
export function createI18nProvider(locale: string, initial: TranslationMessages): I18nProvider {
  const provider = polyglotI18nProvider(
    (code) => (code === locale ? initial : loadMessages(code)),
    locale,
    [...LOCALES],
    { allowMissing: true },
  );
  return { ...provider, translate: (key, options) => provider.translate(key, withAbbreviation(options)) };
}

/** react-admin lowers the first letter of a field's name in a sentence, which is wrong for names such as “SKU”. */
function withAbbreviation(options: Readonly<Record<string, unknown>> | undefined) {
  const { field } = options ?? {};
  const isAbbreviation = typeof field === 'string' && /^\p{Lu}{2}/u.test(field);
  return isAbbreviation ? { ...options, field_lower_first: field } : options;
}
