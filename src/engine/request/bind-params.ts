/** Slots that statements of several files share by name. */
import { BindParam } from '../ports.ts';

/** The request's language, and the store's default one. */
export const LANGUAGE = new BindParam('language', 'text');
export const DEFAULT_LANGUAGE = new BindParam('default_language', 'text');

/** The name of the slot that holds a filter's values, in the order of the filters. */
export const filterParam = (index: number): string => `filter_${index}`;

/** Of a text that is looked for: the slot of the trigrams of its values. */
export const trigramParam = (param: string): string => `${param}_trigrams`;

/** Of a filter on a link: the slot of the values that ask for records in one of several ways. */
export const linkedParam = (param: string, by: string): string => `${param}_${by}`;
