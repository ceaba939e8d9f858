/** Chooses the language of a request from `Accept-Language`: RFC 4647 lookup by q-value (http.md §5). */
import Negotiator from 'negotiator';
import { type Problem, problem } from '../../engine/index.ts';
import type { StoreState } from '../../store/state.ts';

type StoreLanguages = Pick<StoreState, 'languages' | 'disabledLanguages' | 'defaultLanguage'>;

interface Choice {
  readonly language: string;
  /** The header names languages, but none of the store's: this is the default language. */
  readonly isStandIn: boolean;
}

/** Longer headers are ignored, so the default language is used. */
const HEADER_LENGTH_MAX = 1000;

/** A language range of RFC 4647. Anything else in the header is ignored. */
const RANGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/;

/**
 * Chooses a language. Invalid headers are ignored.
 * @param mayPrepare allows a disabled language if the header names it first and exactly
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
 * Returns the problem for a write of texts in a language that the store does not have. Otherwise they would be saved in the
 * default language.
 * @param mayPrepare whether the client may write disabled languages
 */
export function unknownLanguage(
  { languages, disabledLanguages, defaultLanguage }: StoreLanguages,
  mayPrepare: boolean,
): Problem {
  const prepared =
    !mayPrepare || disabledLanguages.length === 0
      ? ''
      : ` To write a disabled language (${disabledLanguages.join(', ')}), put its exact code first in Accept-Language.`;
  return problem(
    'invalid-argument',
    `Accept-Language names no language of this store (${languages.join(', ')}), so the language of the texts is unknown. ` +
      `Name one of these, omit the header to write the default (${defaultLanguage}), or add the language at /languages.${prepared}`,
  );
}

/** Returns the ranges in lower case, by preference, without those with q=0. */
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

/** Removes the last subtag, and a single letter or digit before it (RFC 4647 §3.4). */
function shortened(range: string): string {
  const cut = range.slice(0, Math.max(range.lastIndexOf('-'), 0));
  return /-.$/.test(cut) ? cut.slice(0, -2) : cut;
}

function find(range: string | undefined, codes: readonly string[]): string | undefined {
  return codes.find((code) => code.toLowerCase() === range);
}
