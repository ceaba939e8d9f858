/** The operation that returns a quote: the calculation of a record, without saving the record (pricing.md §5). */
import type { JsonSchema, ModelResource, ModelRoute, Quote } from '../../engine/index.ts';
import { quoteClass, quoteOf } from '../hydra/records.ts';
import type { DocumentContext, Reference } from './components.ts';
import { inputExample, memberExample } from './examples.ts';
import { bodyContent, recordContent } from './linked.ts';
import { query } from './parameter.ts';
import { headerParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';
import { describedMembers, writtenFields, writtenProperty } from './schemas.ts';

export function quoteOperation(context: DocumentContext, route: ModelRoute, quote: Quote, tag: string): object {
  const { resource } = route;
  const { sets } = quote;
  const sent = Object.fromEntries(Object.entries(inputExample(route, 'create')).filter(([name]) => !(name in sets)));
  return {
    tags: [tag],
    operationId: `quote${resource.name}`,
    summary: quote.summary,
    description: quote.description,
    parameters: [...parametersOf(quote), headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: bodyContent(quoteInputSchema(context, route, quote), sent) },
    responses: {
      200: {
        description: `${quote.summary}.`,
        content: recordContent(
          context,
          quoteSchema(context, resource, quote),
          Object.fromEntries(Object.entries(quote.output).map(([name, field]) => [name, memberExample(field)])),
          (record) => quoteOf(route, record),
        ),
      },
      ...problemResponses(context, 'validation-failed'),
    },
  };
}

function parametersOf({ parameters }: Quote): object[] {
  return Object.entries(parameters).map(([name, description]) =>
    query(name, description, { type: 'boolean', default: false }, true),
  );
}

/** The fields of a new record, without those that a quote sets. */
function quoteInputSchema(context: DocumentContext, route: ModelRoute, { sets, optional }: Quote): Reference {
  return context.components.refer('schemas', `${quoteClass(route.resource)}Input`, () => {
    const fields = writtenFields(route, 'create').filter(({ name }) => !(name in sets));
    const required = fields.filter(({ name, field }) => field.required && !(name in optional)).map(({ name }) => name);
    return {
      type: 'object',
      description: 'A new record, without the fields that a quote sets.',
      properties: Object.fromEntries(fields.map((field) => [field.name, writtenProperty(context, field, 'create')])),
      required,
    };
  });
}

function quoteSchema(context: DocumentContext, resource: ModelResource, { summary, output }: Quote): JsonSchema {
  return context.components.refer('schemas', `${quoteClass(resource)}Output`, () => ({
    type: 'object',
    description: `${summary}.`,
    properties: describedMembers(context, output),
    required: Object.keys(output),
  }));
}
