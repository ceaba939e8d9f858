/** Parses a query string into names, operators and values. Malformed input is a problem, not a guess (http.md §8). */

import { shortened } from '../english-names.ts';
import { type Problem, problem } from '../errors.ts';

/** `amount[gt]=5` is name `amount`, operator `gt`; `id[]=5` and `id[0]=5` have the operator `` (a list). */
export interface Parameter {
  readonly name: string;
  readonly operator: string | undefined;
  readonly value: string;
  /** The decoded name with brackets, for messages. */
  readonly written: string;
}

/** The values of a boolean parameter. */
export const FLAGS: Readonly<Record<string, boolean>> = { '': true, true: true, 1: true, false: false, 0: false };

const NAME = /^([^[\]]+)(?:\[([^[\]]*)\])?$/;
/** The index needs no limit of its own: the length of the URL limits it. */
const LIST_INDEX = /^\d*$/;

/** @param query the raw text after `?` */
export function parseQueryString(query: string): Parameter[] | Problem {
  const parameters: Parameter[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const written = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (written === undefined || value === undefined)
      return problem('invalid-argument', `The parameter "${shortened(pair)}" is not percent-encoded UTF-8.`);
    if (written.includes('\0') || value.includes('\0'))
      return problem('invalid-argument', `The parameter "${shortened(pair)}" contains a NUL character. Remove it.`);
    const match = NAME.exec(written);
    const operator = match?.[2];
    parameters.push({
      name: match?.[1] ?? written,
      operator: operator !== undefined && LIST_INDEX.test(operator) ? '' : operator,
      value,
      written,
    });
  }
  return parameters;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
