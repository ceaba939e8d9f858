/**
 * The page's messages: one JSON file per locale, in polyglot's syntax (`%{name}`, `one |||| other`). Each locale is a chunk of its
 * own, together with react-admin's messages in that language.
 */
import raEnglish from 'ra-language-english';
import type { TranslationMessages } from 'react-admin';

type MessageKey = keyof typeof import('./en.json');
type Messages = Readonly<Record<MessageKey, string>>;
/** react-admin's messages are nested. */
type RaMessages = Readonly<Record<string, unknown>>;

export const LOCALES = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
  { locale: 'fr', name: 'Français' },
  { locale: 'es', name: 'Español' },
] as const;

type Locale = (typeof LOCALES)[number]['locale'];

const LOADERS: Readonly<Record<Locale, () => Promise<[Messages, RaMessages]>>> = {
  en: async () => [(await import('./en.json')).default, raMessages(raEnglish)],
  de: () =>
    Promise.all([
      import('./de.json').then((file) => file.default),
      import('@haleos/ra-language-german').then((ra) => raMessages(ra.formalGermanMessages)),
    ]),
  fr: () =>
    Promise.all([
      import('./fr.json').then((file) => file.default),
      import('ra-language-french').then((ra) => raMessages(ra.default)),
    ]),
  es: () =>
    Promise.all([
      import('./es.json').then((file) => file.default),
      import('@blackbox-vision/ra-language-spanish').then((ra) => raMessages(ra.default)),
    ]),
};

/** The language packages type their messages as an interface, which has no index signature. */
const raMessages = (messages: object): RaMessages => messages as RaMessages;

const isLocale = (code: unknown): code is Locale => LOCALES.some(({ locale }) => locale === code);

export async function loadMessages(locale: string): Promise<TranslationMessages> {
  const [own, ra] = await LOADERS[isLocale(locale) ? locale : 'en']();
  // The language packages lag behind react-admin: English fills their gaps.
  return { ...flatten(raMessages(raEnglish)), ...flatten(ra), ...own } as unknown as TranslationMessages;
}

function flatten(messages: RaMessages, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flatten(value as RaMessages, `${prefix}${name}.`))
        : [[prefix + name, value]],
    ),
  );
}

/** Returns the language of an account. @param language empty for that of the browser */
export function localeFor(language: string): Locale {
  return isLocale(language) ? language : browserLocale();
}

/** Returns the language that the user chose, which react-admin saves in local storage; otherwise the browser's. */
export function chosenLocale(): Locale {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem('RaStore.locale') ?? 'null');
    return isLocale(saved) ? saved : browserLocale();
  } catch {
    return browserLocale();
  }
}

/** Chooses a language for this browser, before react-admin has started. */
export function saveLocale(locale: string): void {
  try {
    localStorage.setItem('RaStore.locale', JSON.stringify(locale));
  } catch {
    // The browser stores nothing, so the page has the browser's language.
  }
}

/** The first of the browser's languages that has messages, otherwise English. */
function browserLocale(): Locale {
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLocale) ?? 'en';
}
