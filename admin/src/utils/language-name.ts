/** The names of languages in the page's language. */
import { useLocaleState } from 'react-admin';
import { languages } from '../api/client.ts';

/** Returns a function that names a language by its code, such as `pt-BR`. */
export function useLanguageName(): (code: string) => string {
  const [locale] = useLocaleState();
  return (code) =>
    new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(code) ??
    languages.find((one) => one.code === code)?.name ??
    code;
}
