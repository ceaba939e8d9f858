/** One language per request, from `Accept-Language`: RFC 4647 look-up by q-value among the store's (http.md §5). */
import Negotiator from 'negotiator';
import { type Problem, problem } from '../../engine/index.ts';
import type { StoreState } from '../../store/state.ts';

type StoreLanguages = Pick<StoreState, 'languages' | 'disabledLanguages' | 'defaultLanguage'>;

interface Choice {
  readonly language: string;
  /** The header names languages, and the chosen one only stands in for them. */
  readonly isStandIn: boolean;
}

/** Longer headers are not read: the default language answers. */
const HEADER_LENGTH_MAX = 1000;

/** A language range of RFC 4647; anything else in the header names nothing. */
const RANGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/;

/**
 * Never an error: a header that cannot be read names no language.
 * @param mayPrepare a disabled language is chosen too, where it is named exactly and before any other
 */
export function chooseLanguage(
  header: string | undefined,
  { languages, disabledLanguages, defaultLanguage }: StoreLanguages,
  mayPrepare: boolean,
): Choice {
  const ranges = readRanges(header);
  const prepared = mayPrepare ? find(ranges[0], disabledLanguages) : undefined;
  if (prepared !== undefined) return { language: prepared, isStandIn: false };
  for (const range of ranges) {
    const found = range === '*' ? defaultLanguage : lookUp(range, languages);
    if (found !== undefined) return { language: found, isStandIn: false };
  }
  return { language: defaultLanguage, isStandIn: ranges.length > 0 };
}

/**
 * Refuses a write of texts that names no language of the store: the texts would be written in one that nobody meant.
 */
export function unknownLanguage({ languages, disabledLanguages, defaultLanguage }: StoreLanguages): Problem {
  const prepared =
    disabledLanguages.length === 0
      ? ''
      : ` Disabled languages (${disabledLanguages.join(', ')}) are written when one is named first and exactly.`;
  return problem(
    'invalid-argument',
    `Accept-Language names no language of this store, which has ${languages.join(', ')}; so it is not known in which one the texts of the body are written. ` +
      `Name one of these, leave the header out to write the default (${defaultLanguage}), or add the language at /languages.${prepared}`,
  );
}

/** The ranges in lower case, the one that is wanted most first; those with q=0 name nothing. */
function readRanges(header: string | undefined): string[] {
  if (header === undefined || header === '*' || header.length > HEADER_LENGTH_MAX) return [];
  return new Negotiator({ headers: { 'accept-language': header } })
    .languages()
    .map((range) => range.toLowerCase())
    .filter((range) => range === '*' || RANGE.test(range));
}

/** Cuts the range at `-` from the right until a language is found. */
function lookUp(range: string, languages: readonly string[]): string | undefined {
  for (let cut = range; cut !== ''; cut = shortened(cut)) {
    const found = find(cut, languages);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One subtag less; a single letter or digit only announces what stood behind it, and goes too (RFC 4647 §3.4). */
function shortened(range: string): string {
  const cut = range.slice(0, Math.max(range.lastIndexOf('-'), 0));
  return /-.$/.test(cut) ? cut.slice(0, -2) : cut;
}

function find(range: string | undefined, codes: readonly string[]): string | undefined {
  return codes.find((code) => code.toLowerCase() === range);
}
