/** The operations that compare a secret with the one of a record. */
import { type Action, lowerFirst, type ModelSecretCheck, pascalCase, words } from '../../engine/index.ts';
import type { Writing } from './components.ts';
import { actionExample, outputExample } from './examples.ts';
import { headersNamed } from './headers.ts';
import { exampledBody, itemContent, JSON_TYPE, LD_TYPE } from './linked.ts';
import { headerParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';
import { actionSchema, routeOutputSchema } from './schemas.ts';

/** @param tag under which the reference lists it */
export function secretCheckOperation(writing: Writing, check: ModelSecretCheck, tag: string): object {
  const { declaration, input, by } = check;
  const { resource } = by;
  const [route] = resource.routes;
  const action: Pick<Action, 'name' | 'input'> = { name: declaration.name, input };
  const body = exampledBody(actionSchema(writing, resource, action), actionExample(action));
  const timestamp = resource.fields.get(declaration.first)!.field.example;
  const example = {
    ...outputExample(resource, route!.outputs, writing),
    ...{ [declaration.first]: timestamp, [declaration.last]: timestamp },
  };
  return {
    tags: [tag],
    operationId: `${lowerFirst(pascalCase(declaration.name))}${resource.name}`,
    summary: declaration.summary,
    description: `Answers with the ${words(resource.name)}. An unknown \`${by.name}\`, a wrong \`${check.secret.name}\` and one that may not be used now are the same 422, and take the same time. After too many of them within a minute, from one address or for one \`${by.name}\`, the rest are a 429. \`Idempotency-Key\` has no effect here.`,
    security: [{ apiKey: [] }],
    parameters: [headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: body, [LD_TYPE]: body } },
    responses: {
      200: {
        description: `The ${words(resource.name)}.`,
        headers: headersNamed(writing, [
          ...(['ETag', 'Content-Language'] as const),
          ...(route!.operations.has('patch') ? (['Accept-Patch'] as const) : []),
          'Preference-Applied',
        ]),
        content: itemContent(writing, route!, (form) => routeOutputSchema(form, route!), example),
      },
      ...problemResponses(writing, possibleProblems('body', 'validation-failed')),
    },
  };
}
