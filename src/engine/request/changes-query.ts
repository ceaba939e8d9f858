/** Reads what a reader of the change feed asks for: strictly, so that a misspelt parameter is no other feed (sync.md §1). */
import { closest } from 'fastest-levenshtein';
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import type { Model } from '../model/model.ts';
import { type Parameter, parseQueryString } from './query-string.ts';

export interface ChangesQuery {
  /** As the client wrote it: a cursor, or `now`; undefined begins with a snapshot. */
  readonly after: string | undefined;
  /** Names of resources; undefined is every one. */
  readonly resources: readonly string[] | undefined;
  readonly limit: number;
  readonly waitSeconds: number;
  /** Each entry has the record as it is now. */
  readonly withRecords: boolean;
}

/** Below `/api`. */
export const CHANGES_PATH = '/changes';
export const CHANGES_LIMIT_DEFAULT = 100;
export const CHANGES_LIMIT_MAX = 1000;
export const CHANGES_WAIT_SECONDS_MAX = 30;

const PARAMETERS = ['after', 'resource[]', 'limit', 'wait', 'include'];

/** Resources whose records have entries of their own. */
export function publishedResources({ resources }: Model): string[] {
  return [...resources.values()]
    .filter(({ isPublishedByOwner, isUnpublished }) => !isPublishedByOwner && !isUnpublished)
    .map(({ name }) => name);
}

/**
 * @param query what follows the `?`, as it came
 * @param isStream a stream waits by itself, and is not cut into pages
 */
export function readChangesQuery(
  model: Model,
  query: string,
  { lenient, isStream }: { readonly lenient: boolean; readonly isStream: boolean },
): ChangesQuery | Problem {
  const parameters = parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const given = new Map<string, string>();
  const resources: string[] = [];
  for (const parameter of parameters) {
    const { value, written } = parameter;
    const name = nameOf(parameter);
    if (!PARAMETERS.includes(name)) {
      if (lenient) continue;
      const near = closest(name, PARAMETERS);
      return refuse(
        `Unknown parameter "${shortened(written)}"; the nearest here is "${near}", of ${PARAMETERS.join(', ')}.`,
      );
    }
    if (isStream && (name === 'limit' || name === 'wait'))
      return refuse(`"${name}" has no meaning in a stream, which goes on by itself; leave it out.`);
    if (name === 'resource[]') resources.push(value);
    else if (given.has(name)) return refuse(`The parameter "${name}" stands more than once; send it once.`);
    else given.set(name, value);
  }
  const limit = wholeNumber('limit', given.get('limit'), {
    from: 1,
    to: CHANGES_LIMIT_MAX,
    otherwise: CHANGES_LIMIT_DEFAULT,
  });
  if (isProblem(limit)) return limit;
  const waitSeconds = wholeNumber('wait', given.get('wait'), { from: 0, to: CHANGES_WAIT_SECONDS_MAX, otherwise: 0 });
  if (isProblem(waitSeconds)) return waitSeconds;
  const include = given.get('include');
  if (include !== undefined && include !== 'record')
    return refuse(`"include" should be "record"; it is "${shortened(include)}".`);
  const known = publishedResources(model);
  const unknown = resources.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return refuse(
      `"resource[]" should be one of ${known.join(', ')}; it is "${shortened(unknown)}". Parts are told as changes of what they belong to.`,
    );
  return {
    after: given.get('after'),
    resources: resources.length === 0 ? undefined : [...new Set(resources)],
    limit,
    waitSeconds,
    withRecords: include === 'record',
  };
}

function nameOf({ name, operator }: Parameter): string {
  if (operator === undefined) return name;
  return `${name}[${operator}]`;
}

function refuse(detail: string): Problem {
  return problem('invalid-argument', detail);
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { from, to, otherwise }: { readonly from: number; readonly to: number; readonly otherwise: number },
): number | Problem {
  if (text === undefined) return otherwise;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  return refuse(`"${name}" should be a whole number from ${from} to ${to}; it is "${shortened(text)}".`);
}
