/** One language per request, from `Accept-Language`: RFC 4647 look-up by q-value among the enabled ones (http.md §5). */
import Negotiator from 'negotiator';

/** Longer headers are not read: the default language answers. */
const HEADER_LENGTH_MAX = 1000;

/** @returns the chosen code; never an error */
export function chooseLanguage(header: string | undefined, enabled: readonly string[], fallback: string): string {
  if (header === undefined || header === '*' || header.length > HEADER_LENGTH_MAX) return fallback;
  for (const range of new Negotiator({ headers: { 'accept-language': header } }).languages()) {
    if (range === '*') return fallback;
    const found = lookUp(range.toLowerCase(), enabled);
    if (found !== undefined) return found;
  }
  return fallback;
}

/** Cuts the range at `-` from the right until a language is found. */
function lookUp(range: string, enabled: readonly string[]): string | undefined {
  for (let cut = range; cut !== ''; cut = cut.slice(0, Math.max(cut.lastIndexOf('-'), 0))) {
    const found = enabled.find((code) => code.toLowerCase() === cut);
    if (found !== undefined) return found;
  }
  return undefined;
}
