/** Bind parameters that statements of several files share by name. */
import { BindParam } from '../ports.ts';

/** The request's language and the store's default language. */
export const LANGUAGE = new BindParam('language', 'text');
export const DEFAULT_LANGUAGE = new BindParam('default_language', 'text');

/** The parameter of a filter's value, by the filter's index. */
export const filterParam = (index: number): string => `filter_${index}`;

/** The parameter of the trigrams of a text parameter. */
export const trigramParam = (param: string): string => `${param}_trigrams`;

/** The parameter of a facet, by its index in the request. */
export const facetParam = (index: number): string => `facet_${index}`;

/** The parameter of an end of a facet's range, by the index of the range. */
export const facetBoundParam = (index: number, range: number, end: 'from' | 'to'): string =>
  `${facetParam(index)}_${range}_${end}`;

/** The parameter of the identifier in the name of a keyed filter. */
export const keyParam = (param: string): string => `${param}_key`;

/** The parameter of a link filter's values of one kind. */
export const linkedParam = (param: string, by: string): string => `${param}_${by}`;
