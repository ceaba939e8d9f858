/** Slots that statements of several files share by name. */
import { Slot } from '../ports.ts';

/** The request's language, and the store's default one. */
export const LANGUAGE = new Slot('language', 'text');
export const DEFAULT_LANGUAGE = new Slot('default_language', 'text');

/** The name of the slot that holds a filter's values, in the order of the filters. */
export const filterSlot = (index: number): string => `filter_${index}`;

/** Of a text that is looked for: the slot of the trigrams of its values. */
export const trigramSlot = (slot: string): string => `${slot}_trigrams`;

/** Of a filter on a link: the slot of the values that ask for records in one of several ways. */
export const linkedSlot = (slot: string, by: string): string => `${slot}_${by}`;
