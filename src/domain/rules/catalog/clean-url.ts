/**
 * Clean URLs: the words by which a shop's pages address products and categories. Unique among all of them; made from the
 * name when a client gives none (catalog.md §1).
 */
import { type Draft, type Field, text, type UnitOfWork } from '../../../engine/vocabulary.ts';
import { cleanUrlText } from './clean-url-text.ts';

const LENGTH_MAX = 255;
/** All clean URLs are unique under this name. */
const SHARED = 'clean_url';

/** The example is what the reference shows; no two resources' are the same, for clean URLs are unique among all. */
export function cleanUrl(options: { readonly example: string; readonly searchable?: boolean }): Field {
  return text({
    ...options,
    lengthMax: LENGTH_MAX,
    unique: SHARED,
    preservedOnReplace: true,
    description: 'Unique among products and categories. Empty: made from the name on create, kept on update.',
    form: {
      pattern: /^[^\p{White_Space}\p{Cc}/\\?#]*$/u,
      expected: 'free of white space, control characters, "/", "\\", "?" and "#"',
    },
  });
}

/** @param fallback the word to use when nothing of the name is left */
export async function deriveCleanUrl(
  draft: Draft<'clean_url' | 'name'>,
  unit: Pick<UnitOfWork, 'lock' | 'used'>,
  fallback: string,
): Promise<void> {
  const { values, stored } = draft;
  if (values.clean_url !== '') return;
  if (stored) delete values.clean_url;
  else if (typeof values.name === 'string')
    values.clean_url = await unusedCleanUrl(cleanUrlText(values.name) || fallback, unit);
}

/** Room for `-` and a number of as many digits as any store needs. */
const SUFFIX_LENGTH_MAX = 12;

/** How many candidates are looked up at once at first; then ever more, for names that thousands share. */
const CANDIDATES = 20;

/** The text, else the text with the first of `-1`, `-2`, … that is free; cut so that both fit. */
async function unusedCleanUrl(base: string, unit: Pick<UnitOfWork, 'lock' | 'used'>): Promise<string> {
  // Two that make one of the same stem wait for each other, so that each finds what the other took.
  await unit.lock(`${SHARED} ${stemOf(base)}`);
  for (let first = 0, count = CANDIDATES; ; first += count, count *= 4) {
    const candidates = Array.from({ length: count }, (_, index) => candidate(base, first + index));
    const used = await unit.used(SHARED, candidates);
    const free = candidates.find((text) => !used.has(text));
    if (free !== undefined) return free;
  }
}

/** The beginning of all candidates that could collide. */
function stemOf(base: string): string {
  return base.slice(0, LENGTH_MAX - SUFFIX_LENGTH_MAX).replace(/(-\d*)+$/, '');
}

function candidate(base: string, number: number): string {
  const suffix = number === 0 ? '' : `-${number}`;
  return base.slice(0, LENGTH_MAX - suffix.length) + suffix;
}
