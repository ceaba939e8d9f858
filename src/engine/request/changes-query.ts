/** Parses the query of the change feed strictly, so that a misspelled parameter is an error (sync.md §1). */
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import { unknownParameter, withoutSynonyms } from '../hints.ts';
import type { Model } from '../model/model.ts';
import { type Parameter, parseQueryString } from './query-string.ts';

export interface ChangesQuery {
  /** A cursor or `now`, as sent. Undefined starts with a snapshot. */
  readonly after: string | undefined;
  /** Names of resources. Undefined means all. */
  readonly resources: readonly string[] | undefined;
  readonly limit: number;
  readonly waitSeconds: number;
  /** Each entry includes the current record. */
  readonly withRecords: boolean;
}

/** Below `/api`. */
export const CHANGES_PATH = '/changes';
export const CHANGES_LIMIT_DEFAULT = 100;
export const CHANGES_LIMIT_MAX = 1000;
export const CHANGES_WAIT_SECONDS_MAX = 30;

const PARAMETERS = ['after', 'resource[]', 'limit', 'wait', 'include'];

/** Resources whose records have their own entries in the feed. */
export function publishedResources({ resources }: Model): string[] {
  return [...resources.values()]
    .filter(({ isPublishedByOwner, isUnpublished }) => !isPublishedByOwner && !isUnpublished)
    .map(({ name }) => name);
}

/**
 * @param query the raw text after `?`
 * @param isStream streams take no `limit` and `wait`
 */
export function readChangesQuery(
  model: Model,
  query: string,
  options: { readonly lenient: boolean; readonly isStream: boolean },
): ChangesQuery | Problem {
  const parameters = readParameters(query, options);
  if (isProblem(parameters)) return parameters;
  const { values, resources } = parameters;
  const limit = wholeNumber('limit', values.get('limit'), {
    from: 1,
    to: CHANGES_LIMIT_MAX,
    otherwise: CHANGES_LIMIT_DEFAULT,
  });
  if (isProblem(limit)) return limit;
  const waitSeconds = wholeNumber('wait', values.get('wait'), { from: 0, to: CHANGES_WAIT_SECONDS_MAX, otherwise: 0 });
  if (isProblem(waitSeconds)) return waitSeconds;
  const include = values.get('include');
  if (include !== undefined && include !== 'record')
    return invalid(`"include" should be "record"; it is "${shortened(include)}".`);
  const known = publishedResources(model);
  const unknown = resources.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return invalid(
      `"resource[]" should be one of ${known.join(', ')}; it is "${shortened(unknown)}". Changes of parts are reported as changes of their owner.`,
    );
  return {
    after: values.get('after'),
    resources: resources.length === 0 ? undefined : [...new Set(resources)],
    limit,
    waitSeconds,
    withRecords: include === 'record',
  };
}

function readParameters(
  query: string,
  { lenient, isStream }: { readonly lenient: boolean; readonly isStream: boolean },
): { readonly values: ReadonlyMap<string, string>; readonly resources: readonly string[] } | Problem {
  const parameters = parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const values = new Map<string, string>();
  const resources: string[] = [];
  for (const parameter of parameters) {
    const { value, written } = parameter;
    const name = nameOf(parameter);
    if (!PARAMETERS.includes(name)) {
      // Without this filter, the feed would contain the changes of every resource.
      if (lenient && parameter.name !== 'resource') continue;
      return invalid(unknownParameter(written, withoutSynonyms(PARAMETERS)));
    }
    if (isStream && (name === 'limit' || name === 'wait'))
      return invalid(`The parameter "${name}" does not apply to a stream. Leave it out.`);
    if (name === 'resource[]') resources.push(value);
    else if (values.has(name) && !lenient)
      return invalid(`The parameter "${name}" is given more than once. Send it once.`);
    else values.set(name, value);
  }
  return { values, resources };
}

function nameOf({ name, operator }: Parameter): string {
  if (operator === undefined) return name;
  return `${name}[${operator}]`;
}

function invalid(detail: string): Problem {
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
  return invalid(`"${name}" should be a whole number from ${from} to ${to}; it is "${shortened(text)}".`);
}
