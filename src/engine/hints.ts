/** Hints in the messages about unknown names: the name that was probably meant, else the valid names (http.md §3). */
import { distance } from 'fastest-levenshtein';
import { shortened } from './english-names.ts';

/** A valid name. */
export interface KnownName {
  readonly name: string;
  /** Names that others use for it, in lower case and without separators. */
  readonly synonyms?: readonly string[];
}

/** Typing mistakes change at most two characters. With more, the most similar name would mislead. */
const DISTANCE_MAX = 2;

const LISTED_MAX = 40;

/**
 * Returns a hint to append to a message about an unknown name.
 *
 * @param known - the valid names in all their forms, such as `price[gte]`
 * @param kind - what the names are, for example `fields`
 * @param listed - the names to list if none is similar; all known ones if omitted
 */
export function hintOf(
  name: string,
  known: readonly KnownName[],
  kind: string,
  listed: readonly string[] = known.map((each) => each.name),
): string {
  const meant = similarName(name, known);
  if (meant !== undefined) return ` Did you mean "${meant}"?`;
  const others = listed.length - LISTED_MAX;
  const more = others > 0 ? ` and ${others} more` : '';
  return listed.length === 0 ? '' : ` Valid ${kind}: ${listed.slice(0, LISTED_MAX).join(', ')}${more}.`;
}

/** Returns the message about an unknown parameter. */
export function unknownParameter(written: string, known: readonly KnownName[], listed?: readonly string[]): string {
  return `Unknown parameter "${shortened(written)}".${hintOf(written, known, 'parameters', listed)}`;
}

export function withoutSynonyms(names: readonly string[]): KnownName[] {
  return names.map((name) => ({ name }));
}

/** Returns the valid name that was probably meant; undefined if none is similar. */
export function similarName(name: string, known: readonly KnownName[]): string | undefined {
  const wanted = shortened(name);
  const plainly = plain(wanted);
  const same = known.find((each) => plain(each.name) === plainly || each.synonyms?.includes(plainly));
  return same?.name ?? misspelled(wanted, known);
}

/** Removes differences of case and separators: `arrivalDate`, `arrival-date`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

function misspelled(name: string, known: readonly KnownName[]): string | undefined {
  let nearest: string | undefined;
  // A name with as many changes as characters has nothing in common with the other.
  let limit = Math.min(DISTANCE_MAX, name.length - 1);
  for (const each of known) {
    if (Math.abs(each.name.length - name.length) > limit) continue;
    const changes = distance(name, each.name);
    if (changes > limit) continue;
    nearest = each.name;
    limit = changes - 1;
  }
  return nearest;
}
