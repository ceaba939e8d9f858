/** Parses `search=` of a collection into bind values of its statement (http.md §14). */

import type { ModelSearch } from '../model/model.ts';
import type { Value } from '../ports.ts';
import { containsPattern, escapedPattern, searchKey, trigramsOf } from '../text-forms.ts';
import { trigramParam } from './bind-params.ts';

export const SEARCH_PARAMETER = 'search';
export const SEARCH_LENGTH_MAX = 255;
export const SEARCH_WORDS_MAX = 10;

/** Characters that separate words, besides spaces. */
export const BETWEEN_WORDS = [...'-_,.;:!?\'"()[]/&+|*’‘“”«»–—\t\n'];

/** A search in use, without its words. */
export interface SearchUse extends ModelSearch {
  /** Number of words long enough for trigrams; each has its own bind parameter for them. */
  readonly longWords: number;
}

/** @returns the bind values of a search, or an error message */
export function readSearch(
  value: string,
): { readonly params: Readonly<Record<string, Value>>; readonly longWords: number } | string {
  if ([...value].length > SEARCH_LENGTH_MAX)
    return `"${SEARCH_PARAMETER}" should have at most ${SEARCH_LENGTH_MAX} characters.`;
  const words = searchWords(value);
  if (words.length === 0) return `"${SEARCH_PARAMETER}" should contain at least one word.`;
  if (words.length > SEARCH_WORDS_MAX)
    return `"${SEARCH_PARAMETER}" should have at most ${SEARCH_WORDS_MAX} words; it has ${words.length}.`;
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

/** The words of a search, in the form in which texts are compared. */
export function searchWords(value: string): string[] {
  return searchKey(value)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** The bind parameter of the trigrams of a long word, by index. */
export const longWordParam = (index: number): string => trigramParam(`search_${index}`);

export type SearchParam = 'search_phrase' | 'search_begins' | 'search_patterns' | 'search_words';

/** For texts that begin and end with a space and in which spaces replace word separators. */
function wholeWordPattern(word: string): string {
  const spaced = [...word].map((character) => (BETWEEN_WORDS.includes(character) ? ' ' : character)).join('');
  return spaced.trim() === '' ? '%' : `% ${escapedPattern(spaced.trim())} %`;
}
