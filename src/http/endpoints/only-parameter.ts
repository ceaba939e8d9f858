/** Reads the query of a path that has a single parameter. */
import type { FastifyRequest } from 'fastify';
import {
  isProblem,
  type Problem,
  parseQueryString,
  problem,
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import { queryOf } from '../resources/address.ts';

/** @returns the value, empty if it is not given; of repeated ones the last, in lenient mode */
export function readOnlyParameter(request: FastifyRequest, name: string): string | Problem {
  const parameters = parseQueryString(queryOf(request));
  if (isProblem(parameters)) return parameters;
  const { lenient } = request.requestContext;
  const given = parameters.filter(({ written }) => written === name);
  const other = parameters.find(({ written }) => written !== name);
  if (other && !lenient) return problem('invalid-argument', unknownParameter(other.written, withoutSynonyms([name])));
  if (given.length > 1 && !lenient)
    return problem('invalid-argument', `The parameter "${name}" is given more than once.`);
  return given.at(-1)?.value ?? '';
}
