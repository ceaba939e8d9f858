/** `search=` on a collection: the words that are looked for, as slots of its statement (http.md §14). */

import type { ModelSearch } from '../model/model.ts';
import type { Value } from '../ports.ts';
import { containsPattern, escapedPattern, searchKey, trigramsOf } from '../text-forms.ts';
import { trigramParam } from './bind-params.ts';

export const SEARCH_PARAMETER = 'search';
export const SEARCH_LENGTH_MAX = 255;
const WORDS_MAX = 10;

/** The characters between the words of a text. */
export const BETWEEN_WORDS = [...'-_,.;:!?\'"()[]/&+|*’‘“”«»–—\t\n'];

/** A search in use, without its words. */
export interface SearchUse extends ModelSearch {
  /** So many of the words are long enough to have trigrams; each has a slot of its own for them. */
  readonly longWords: number;
}

/** @returns the values of a search's slots, or the sentence that refuses it */
export function readSearch(
  value: string,
): { readonly params: Readonly<Record<string, Value>>; readonly longWords: number } | string {
  if ([...value].length > SEARCH_LENGTH_MAX)
    return `"${SEARCH_PARAMETER}" should have at most ${SEARCH_LENGTH_MAX} characters.`;
  const words = searchKey(value)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return `"${SEARCH_PARAMETER}" should have a word to look for.`;
  if (words.length > WORDS_MAX)
    return `"${SEARCH_PARAMETER}" should have at most ${WORDS_MAX} words; it has ${words.length}.`;
  const phrase = words.join(' ');
  const distinct = [...new Set(words)];
  const trigrams = distinct.map(trigramsOf).filter(({ length }) => length > 0);
  const params: Readonly<Record<SearchParam, Value>> = {
    search_phrase: phrase,
    search_begins: `${escapedPattern(phrase)}%`,
    search_patterns: distinct.map(containsPattern),
    search_words: distinct.map(wholeWordPattern),
  };
  const ofLongWords = Object.fromEntries(trigrams.map((ofWord, index) => [longWordParam(index), [ofWord]]));
  return { params: { ...params, ...ofLongWords }, longWords: trigrams.length };
}

/** The slot of the trigrams of a long word, in their order. */
export const longWordParam = (index: number): string => trigramParam(`search_${index}`);

export type SearchParam = 'search_phrase' | 'search_begins' | 'search_patterns' | 'search_words';

/** For texts that begin and end with a space and have spaces in place of what stands between words. */
function wholeWordPattern(word: string): string {
  const spaced = [...word].map((character) => (BETWEEN_WORDS.includes(character) ? ' ' : character)).join('');
  return spaced.trim() === '' ? '%' : `% ${escapedPattern(spaced.trim())} %`;
}
