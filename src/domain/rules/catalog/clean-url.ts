/**
 * Clean URLs (slugs) of products, categories and sale discounts. They are unique across all of them and generated from the name if the client
 * sends none (catalog.md §1).
 */
import { type Draft, type Field, text, type UnitOfWork } from '../../../engine/vocabulary.ts';
import { cleanUrlText } from './clean-url-text.ts';
import type { USES_OF_OLD_URLS } from './old-urls.ts';

const LENGTH_MAX = 255;
/** Name of the uniqueness constraint that all clean URLs share. */
const SHARED = 'clean_url';

type Unit = Pick<UnitOfWork<typeof USES_OF_OLD_URLS>, 'lock' | 'used' | 'list'>;

/** Each resource needs its own example, because the reference's examples must be unique too. */
export function cleanUrl(options: { readonly example: string; readonly searchable?: boolean }): Field {
  return text({
    ...options,
    synonyms: ['slug', 'handle', 'urlkey', 'permalink'],
    lengthMax: LENGTH_MAX,
    unique: SHARED,
    preservedOnReplace: true,
    description:
      'Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged.',
    form: {
      pattern: /^[^\p{White_Space}\p{Cc}/\\?#]*$/u,
      expected: 'free of white space, control characters, "/", "\\", "?" and "#"',
    },
  });
}

/**
 * Generates the clean URL of a new record that has none.
 *
 * @param fallback - used if the name has no usable characters
 */
export async function deriveCleanUrl(draft: Draft<'clean_url' | 'name'>, unit: Unit, fallback: string): Promise<void> {
  const { values, stored } = draft;
  if (values.clean_url !== '') return;
  if (stored) delete values.clean_url;
  else if (typeof values.name === 'string')
    values.clean_url = await unusedCleanUrl(cleanUrlText(values.name) || fallback, unit);
}

/** Length reserved for `-` and the number. */
const SUFFIX_LENGTH_MAX = 12;

/** Candidates in the first query. Each further query has four times as many, for names that thousands of records share. */
const CANDIDATES = 20;

/** Returns the text if it is free, else the first free one of `text-1`, `text-2`, …, shortened to the maximum length. */
async function unusedCleanUrl(base: string, unit: Unit): Promise<string> {
  // Transactions that generate a clean URL of the same stem wait for each other, so each sees what the others used.
  await unit.lock(`${SHARED} ${stemOf(base)}`);
  for (let first = 0, count = CANDIDATES; ; first += count, count *= 4) {
    const candidates = Array.from({ length: count }, (_, index) => candidate(base, first + index));
    const used = await unit.used(SHARED, candidates);
    // Read after the current ones: a URL that another transaction replaces is found in one of the two.
    for (const { clean_url } of await unit.list('OldUrl', { clean_url: candidates })) used.add(clean_url as string);
    const free = candidates.find((text) => !used.has(text));
    if (free !== undefined) return free;
  }
}

/** The common prefix of all candidates that can collide. */
function stemOf(base: string): string {
  return base.slice(0, LENGTH_MAX - SUFFIX_LENGTH_MAX).replace(/(-\d*)+$/, '');
}

function candidate(base: string, number: number): string {
  const suffix = number === 0 ? '' : `-${number}`;
  return base.slice(0, LENGTH_MAX - suffix.length) + suffix;
}
