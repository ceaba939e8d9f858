/** Forms of a text stored for sorting, searching and comparing, and patterns that match them. */
import type { TextForm, Value } from './ports.ts';

/** Accent- and case-insensitive key for sorting and searching: NFKD, no combining marks, lower case (http.md §8). */
export function searchKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/**
 * The search key of a value: a text, or an object whose texts are joined by line breaks, which no word contains.
 * @param members names of the object's texts
 */
export function searchKeyOf(value: Value, members: readonly string[] | undefined): string | null {
  if (value === null || members === undefined) return value === null ? null : searchKey(value as string);
  const texts = members.map((name) => (value as { readonly [name: string]: Value })[name]);
  return searchKey(texts.filter((text) => typeof text === 'string' && text !== '').join('\n'));
}

/** Names with the same result are equal: trimmed, NFC, lower case (http.md §5). */
export function nameMatch(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** Codes with the same result are duplicates: case, outer white space and compatibility forms are ignored. */
export function looseMatch(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

export const TEXT_FORMS: Readonly<Record<TextForm, (text: string) => string>> = {
  key: searchKey,
  match: nameMatch,
  loose: looseMatch,
};

/** Each trigram costs a lookup, and this many already exclude nearly all other records. */
const TRIGRAMS_MAX = 32;

/** Returns the distinct trigrams at the beginning of a text. Every text that contains this one contains all of them. */
export function trigramsOf(text: string): string[] {
  const characters = [...text];
  const all = characters.slice(2).map((last, index) => characters[index]! + characters[index + 1]! + last);
  return [...new Set(all)].slice(0, TRIGRAMS_MAX);
}

/** A LIKE pattern, escaped with `\`, for keys that contain the value's key. */
export function containsPattern(value: string): string {
  return `%${escapedPattern(searchKey(value))}%`;
}

/** Escapes a literal text for a LIKE pattern, with `\`. */
export function escapedPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
