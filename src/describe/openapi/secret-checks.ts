/** Operations that verify a secret, such as a customer's password. */
import { type Action, lowerFirst, type ModelSecretCheck, pascalCase, words } from '../../engine/index.ts';
import type { DocumentContext } from './components.ts';
import { actionExample, outputExample } from './examples.ts';
import { bodyContent, itemContent } from './linked.ts';
import { headerParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';
import { actionSchema, routeOutputSchema } from './schemas.ts';

/** @param tag - tag of the operation in the reference */
export function secretCheckOperation(context: DocumentContext, check: ModelSecretCheck, tag: string): object {
  const { declaration, input, by } = check;
  const { resource } = by;
  const [route] = resource.routes;
  const action: Pick<Action, 'name' | 'input'> = { name: declaration.name, input };
  const body = bodyContent(actionSchema(context, resource, action), actionExample(action));
  const timestamp = resource.fields.get(declaration.first)!.field.example;
  const example = {
    ...outputExample(resource, route!.outputs, context),
    ...{ [declaration.first]: timestamp, [declaration.last]: timestamp },
  };
  return {
    tags: [tag],
    operationId: `${lowerFirst(pascalCase(declaration.name))}${resource.name}`,
    summary: declaration.summary,
    description: `Returns the ${words(resource.name)} if the \`${check.secret.name}\` is right. An unknown \`${by.name}\`, a wrong \`${check.secret.name}\` and a disabled ${words(resource.name)} get the same 422 in the same time. After too many failures within a minute from one IP address or for one \`${by.name}\`, further requests get a 429. \`Idempotency-Key\` has no effect.`,
    parameters: [headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: body },
    responses: {
      200: {
        description: `The ${words(resource.name)}.`,
        content: itemContent(context, route!, routeOutputSchema(context, route!), example),
      },
      ...problemResponses(context, 'validation-failed'),
    },
  };
}
