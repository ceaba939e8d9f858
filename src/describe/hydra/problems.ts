/** Hydra problems. They also have the members of RFC 9457, so all clients find the request id under the same name. */
import { contextPath } from './vocabulary.ts';

/** @param body - problem as created by `problemBody` */
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
