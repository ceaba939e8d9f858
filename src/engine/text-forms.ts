/** Forms of a text that are kept beside it, to sort, search and compare by; and patterns that find them. */
import type { TextForm } from './ports.ts';

/** Sorts and searches without accents and case: NFKD, combining marks dropped, lower case (http.md §8). */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/** Two names are the same when this is: trimmed, NFC, lower case (http.md §5). */
export function nameMatch(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** Two codes are twins when this is the same: case, outer white space and compatible forms of characters do not count. */
export function looseMatch(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

export const TEXT_FORMS: Readonly<Record<TextForm, (text: string) => string>> = {
  key: searchKey,
  match: nameMatch,
  loose: looseMatch,
};

/** Each costs a look-up, and so many already name next to no wrong record. */
const TRIGRAMS_MAX = 32;

/**
 * Three characters that stand side by side in a text, as often as there are three, each once: those of its beginning. A
 * text that contains this one has them all.
 */
export function trigramsOf(text: string): string[] {
  const characters = [...text];
  const all = characters.slice(2).map((last, index) => characters[index]! + characters[index + 1]! + last);
  return [...new Set(all)].slice(0, TRIGRAMS_MAX);
}

/** A LIKE pattern, escaped with `\`, for texts whose key contains the value's key. */
export function containsPattern(value: string): string {
  return `%${escapedPattern(searchKey(value))}%`;
}

/** A text as the part of a LIKE pattern, escaped with `\`, that stands for nothing but itself. */
export function escapedPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
