/** A problem as Hydra has it. The members of RFC 9457 stay beside Hydra's: every client finds the request id at one name. */
import { contextPath } from './vocabulary.ts';

/** @param body as `problemBody` writes it */
export function hydraProblem(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [context, type] =
    body.violations === undefined ? ['Error', 'hydra:Error'] : ['ConstraintViolationList', 'ConstraintViolationList'];
  return {
    '@context': contextPath(context!),
    '@type': type,
    'hydra:title': body.title,
    'hydra:description': body.detail,
    ...body,
  };
}
