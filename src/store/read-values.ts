/** Parses values of requests that are not records: keys, users, roles, views. Each adds the violations that it finds. */
import { maskableFields } from '../access/masks.ts';
import { allScopes, isScope } from '../access/scopes.ts';
import { type Model, messages, shortened, similarName, type Violations, withoutSynonyms } from '../engine/index.ts';

/** Characters. */
const NAME_LENGTH_MAX = 255;

const SCOPES_MAX = 100;
const MASKS_MAX = 100;

const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

interface TextRule {
  /** Characters. */
  readonly lengthMax: number;
  readonly mayBeBlank?: true;
}

/** Checks the required name of a key, a user, a role or a view. */
export function readName(name: unknown, violations: Violations): void {
  readText('name', name, { lengthMax: NAME_LENGTH_MAX }, violations);
}

/** Checks a required text without control characters. */
export function readText(
  name: string,
  value: unknown,
  { lengthMax, mayBeBlank }: TextRule,
  violations: Violations,
): void {
  if (value === undefined) violations.add(name, 'required', messages.blank);
  else if (value === null) violations.add(name, 'null', messages.null);
  else if (typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
  else if (/\p{Cc}/u.test(value) || !value.isWellFormed())
    violations.add(name, 'format', 'The value must not contain control characters.');
  else if (!mayBeBlank && BLANK.test(value)) violations.add(name, 'blank', messages.blank);
  else if ([...value].length > lengthMax) violations.add(name, 'too_long', messages.tooLong(lengthMax));
}

/** @returns the scopes as a set, in code point order */
export function readScopes(sent: unknown, model: Model, violations: Violations): readonly string[] {
  const scopes = readTexts('scopes', sent, { countMin: 1, countMax: SCOPES_MAX }, violations);
  for (const [index, scope] of scopes.entries())
    if (!isScope(model, scope)) {
      const meant = similarName(scope, withoutSynonyms([...allScopes(model).keys()]));
      const hint = meant === undefined ? 'GET /scopes lists all scopes.' : `Did you mean “${meant}”?`;
      violations.add(`scopes[${index}]`, 'choice', `There is no scope “${shortened(scope)}”. ${hint}`);
    }
  return [...new Set(scopes)].sort();
}

/** @returns the masks as a set, in code point order */
export function readMasks(sent: unknown, model: Model, violations: Violations): readonly string[] {
  const masks = readTexts('masks', sent, { countMin: 0, countMax: MASKS_MAX }, violations);
  for (const [index, mask] of masks.entries())
    if (!maskableFields(model).has(mask))
      violations.add(
        `masks[${index}]`,
        'choice',
        `The field “${shortened(mask)}” does not exist or cannot be hidden. ${maskHint(mask, [...maskableFields(model).keys()])}`,
      );
  return [...new Set(masks)].sort();
}

/** Longer lists do not help. */
const HINTED_MAX = 3;

/** @param known all masks, such as `Product.cost_price` */
function maskHint(mask: string, known: readonly string[]): string {
  const ofField = known.filter((each) => each.slice(each.indexOf('.') + 1) === mask);
  const similar = similarName(mask, withoutSynonyms(known)) ?? [];
  const meant = ofField.length > 0 ? ofField.slice(0, HINTED_MAX) : [similar].flat();
  return meant.length > 0
    ? `Did you mean ${meant.map((each) => `“${each}”`).join(' or ')}?`
    : 'Use a field that “masks” of GET /scopes lists, such as “Product.cost_price”.';
}

interface Counts {
  readonly countMin: number;
  readonly countMax: number;
}

/** @returns a list of texts; empty if it contains anything else */
export function readTexts(name: string, sent: unknown, counts: Counts, violations: Violations): readonly string[] {
  const list = readList(name, sent, counts, violations);
  const invalid = list.findIndex((each) => typeof each !== 'string');
  if (invalid >= 0) violations.add(`${name}[${invalid}]`, 'type', messages.type('string'));
  return invalid >= 0 ? [] : (list as readonly string[]);
}

/** @returns at most the allowed number of elements */
export function readList(
  name: string,
  sent: unknown,
  { countMin, countMax }: Counts,
  violations: Violations,
): readonly unknown[] {
  if (!Array.isArray(sent)) {
    violations.add(name, 'type', messages.type('array'));
    return [];
  }
  if (sent.length < countMin)
    violations.add(name, 'too_short', `This list is too short. It should have ${countMin} element or more.`);
  if (sent.length > countMax)
    violations.add(name, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
  return sent.slice(0, countMax);
}
