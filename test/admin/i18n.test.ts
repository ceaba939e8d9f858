/** The messages of the admin page, without a browser: complete in every language, and none that the page does not use. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const LOCALES = ['en', 'de', 'fr', 'es'] as const;

type Messages = Readonly<Record<string, string>>;

const messagesIn = (locale: string): Messages =>
  JSON.parse(readFileSync(new URL(`../../admin/src/i18n/${locale}.json`, import.meta.url), 'utf8'));
const english = messagesIn('en');

const SOURCES = new URL('../../admin/src/', import.meta.url);
const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).map((file) => readFileSync(new URL(file, SOURCES), 'utf8'));

/** Sections that the keys begin with: `menu`, `orders`, … */
const SECTIONS = [...new Set(Object.keys(english).map((key) => key.split('.')[0]!))];
/** A string or template literal that begins as a key does; `${…}` in it stands for one or more parts of a key. */
const KEY = new RegExp(`['"\`]((?:${SECTIONS.join('|')})\\.(?:[\\w.-]|\\$\\{[^}]*\\})*)['"\`]`, 'g');

const referenced = [...new Set(sources.flatMap((text) => [...text.matchAll(KEY)].map(([, key]) => key!)))];

function patternOf(reference: string): RegExp {
  const parts = reference.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('[\\w-]+')}$`);
}

for (const locale of LOCALES) {
  const messages = messagesIn(locale);

  test(`the ${locale} messages have the same keys in the same order as the English ones`, () => {
    assert.deepEqual(Object.keys(messages), Object.keys(english));
  });

  test(`the ${locale} messages have the same placeholders and as many plural forms as the English ones`, () => {
    const differing = Object.entries(english).filter(
      ([key, text]) => placeholdersIn(messages[key]!) !== placeholdersIn(text),
    );
    assert.deepEqual(differing, []);
  });

  test(`no ${locale} message is empty or has space around it`, () => {
    const wrong = Object.entries(messages).filter(([, text]) => text === '' || text !== text.trim());
    assert.deepEqual(wrong, []);
  });
}

test('the admin page uses every message', () => {
  const patterns = referenced.map(patternOf);
  const unused = Object.keys(english).filter((key) => !patterns.some((pattern) => pattern.test(key)));
  assert.deepEqual(unused, []);
});

test('every message that the admin page names exists', () => {
  assert.ok(referenced.length > 300);
  const missing = referenced.filter((reference) => {
    const pattern = patternOf(reference);
    return !Object.keys(english).some((key) => pattern.test(key));
  });
  assert.deepEqual(missing, []);
});

/** The names of the placeholders in each plural form, as comparable text. */
function placeholdersIn(message: string): string {
  return message
    .split('||||')
    .map((form) => [...new Set(form.match(/%\{\w+\}/g))].sort().join(' '))
    .join(' | ');
}
