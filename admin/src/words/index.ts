/**
 * The page's texts. A row of a table has one text in all four languages, so that none is forgotten; react-admin's own texts come
 * from its translators' packages, in a chunk for each language.
 */
import polyglotI18nProvider from 'ra-i18n-polyglot';
import english from 'ra-language-english';
import type { TranslationMessages } from 'react-admin';
import { attributeWords } from './attributes.ts';
import { categoryWords } from './categories.ts';
import { commonWords } from './common.ts';
import { customerWords } from './customers.ts';
import { fieldWords } from './fields.ts';
import { historyWords } from './history.ts';
import { homeWords } from './home.ts';
import { orderWords } from './orders.ts';
import { productWords } from './products.ts';
import { settingWords } from './settings.ts';
import { transferWords } from './transfer.ts';

export type Row = readonly [english: string, german: string, french: string, spanish: string];
export type Rows = Readonly<Record<string, Row>>;

export const LOCALES = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
  { locale: 'fr', name: 'Français' },
  { locale: 'es', name: 'Español' },
] as const;

const TABLES: readonly Rows[] = [
  commonWords,
  fieldWords,
  productWords,
  attributeWords,
  orderWords,
  customerWords,
  categoryWords,
  settingWords,
  homeWords,
  historyWords,
  transferWords,
];

type Messages = Readonly<Record<string, unknown>>;

const LIBRARY: Readonly<Record<string, () => Promise<Messages>>> = {
  en: async () => english as unknown as Messages,
  de: async () => (await import('@haleos/ra-language-german')).formalGermanMessages as unknown as Messages,
  fr: async () => (await import('ra-language-french')).default as unknown as Messages,
  es: async () => (await import('@blackbox-vision/ra-language-spanish')).default as unknown as Messages,
};

async function messagesOf(locale: string): Promise<TranslationMessages> {
  const own = await (LIBRARY[locale] ?? LIBRARY.en!)();
  const column = Math.max(
    0,
    LOCALES.findIndex((one) => one.locale === locale),
  );
  const rows = TABLES.flatMap((table) => Object.entries(table).map(([key, row]) => [key, row[column]]));
  // A text that a translator's package lacks is said in English; our own rows come last.
  return { ...flat(english as unknown as Messages), ...flat(own), ...Object.fromEntries(rows) } as never;
}

function flat(messages: Messages, before = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value as Messages, `${before}${name}.`))
        : [[before + name, value]],
    ),
  );
}

/** The first language of the browser that this page speaks. */
export function browserLocale(): string {
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2));
  return spoken.find((code) => LOCALES.some(({ locale }) => locale === code)) ?? 'en';
}

export async function wordsProvider(locale: string) {
  const first = await messagesOf(locale);
  return polyglotI18nProvider((asked) => (asked === locale ? first : messagesOf(asked)), locale, [...LOCALES], {
    allowMissing: true,
  });
}
