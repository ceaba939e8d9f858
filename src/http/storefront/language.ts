/** The language of a request below `/storefront`: that of the query, else that of `Accept-Language` (storefront.md §1). */
import type { FastifyRequest } from 'fastify';
import { isProblem, type Parameter, type Problem, parseQueryString, problem, shortened } from '../../engine/index.ts';
import { queryOf } from '../resources/address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the language is in the query, and not in `Accept-Language`. */
    namesLanguage: boolean;
  }
}

/** Chooses the language that the query names. @returns the other parameters */
export function readLanguage(request: FastifyRequest): readonly Parameter[] | Problem {
  const query = queryOf(request);
  const sent = query === '' ? [] : parseQueryString(query);
  if (isProblem(sent)) return sent;
  const isLanguage = ({ written }: Parameter): boolean => written === 'language';
  const [named, duplicate] = sent.filter(isLanguage);
  request.namesLanguage = named !== undefined;
  if (!named) return sent;
  if (duplicate) return problem('invalid-argument', 'The parameter "language" is given more than once. Send it once.');
  const { languages } = request.requestContext.state;
  const language = languages.find((code) => code.toLowerCase() === named.value.toLowerCase());
  if (language === undefined)
    return problem(
      'invalid-argument',
      `"language" must be one of ${languages.join(', ')}; it is "${shortened(named.value)}".`,
    );
  request.requestContext = { ...request.requestContext, language };
  return sent.filter((each) => !isLanguage(each));
}
