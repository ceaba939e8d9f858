/** Operations of the customer’s address book (storefront.md §3). */
import { type JsonSchema, type ModelRoute, sentences } from '../../engine/index.ts';
import type { DocumentContext, Reference } from '../openapi/components.ts';
import { changedExample, type Example, outputExample } from '../openapi/examples.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { headerParameters, listParameters } from '../openapi/parameters.ts';
import { identifierSchema, shownProperty, writtenFields, writtenProperty } from '../openapi/schemas.ts';
import { BODY_PROBLEMS } from './bodies.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { LANGUAGE_PARAMETERS, ownListResponse } from './reads.ts';

const TAG: ShopTag = { name: 'Address', description: 'The address book of the customer.', group: 'Customers' };

/** Descriptions of the fields. Most have none in the back office. */
const TEXTS: Readonly<Record<string, string>> = {
  id: 'Id of the address.',
  is_billing: 'Whether it is a billing address.',
  is_shipping: 'Whether it is a shipping address. With `for=me`, the first one determines the taxes of the catalog.',
  is_work: 'Whether it is an address at work.',
  title: 'Title of the person.',
  firstname: 'First name.',
  lastname: 'Last name.',
  company: 'Name of the company.',
  phone: 'Phone number.',
  street: 'Street and house number.',
  city: 'City.',
  zipcode: 'Postal code.',
  country_code: 'Country, as an ISO 3166-1 code.',
  state: 'Number of the state or province.',
  state_name: 'State or province.',
  custom_fields: 'Other lines of the address.',
};

const WRITTEN = { firstname: 'Ada', lastname: 'Lovelace', city: 'London', country_code: 'GB', is_shipping: true };
const CHANGED = { city: 'Paris', country_code: 'FR' };

/** The component of an address in the address book. */
export function addressSchema(context: DocumentContext): Reference {
  const { outputs } = routeOf(context);
  return context.components.refer('schemas', 'Address', () => ({
    type: 'object',
    description: 'An address of the customer.',
    properties: Object.fromEntries(
      outputs.map((field) => [field.name, withText(field.name, shownProperty(context, field))]),
    ),
    required: outputs.map(({ name }) => name),
  }));
}

/** The component of an address in a body. */
export function addressInput(context: DocumentContext): Reference {
  return inputSchema(context, 'create');
}

/** The address that the example of POST creates. */
export function addressExample(context: DocumentContext): Example {
  const { resource, outputs } = routeOf(context);
  return { ...outputExample(resource, outputs, context), ...WRITTEN };
}

function routeOf({ model }: DocumentContext): ModelRoute {
  return model.resources.get('ProfileAddress')!.routes[0]!;
}

function withText(name: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description: sentences(TEXTS[name], schema.description as string | undefined) };
}

function inputSchema(context: DocumentContext, mode: 'create' | 'patch'): Reference {
  const written = writtenFields(routeOf(context), mode).map((field): [string, JsonSchema] => [
    field.name,
    withText(field.name, writtenProperty(context, field, mode)),
  ]);
  return context.components.refer('schemas', mode === 'patch' ? 'AddressPatch' : 'AddressInput', () => ({
    type: 'object',
    description: mode === 'patch' ? 'The fields to change.' : 'An address. Every field is optional.',
    properties: Object.fromEntries(written),
  }));
}

export function addressOperations(context: DocumentContext): readonly ShopOperation[] {
  const schema = addressSchema(context);
  const example = addressExample(context);
  const input = { schema: inputSchema(context, 'create'), example: WRITTEN };
  const book = { path: '/me/addresses', tag: TAG, security: 'session' } as const;
  return [
    {
      ...{ ...book, method: 'get', operationId: 'listAddresses' },
      summary: 'List the addresses of the customer',
      description: 'The address book.',
      parameters: [...listParameters(context, routeOf(context)), ...LANGUAGE_PARAMETERS],
      responses: ownListResponse('A page of addresses.', schema, example),
    },
    {
      ...{ ...book, method: 'post', operationId: 'createAddress' },
      summary: 'Add an address',
      description: 'An address book has at most 100 addresses.',
      body: input,
      responses: {
        201: {
          description: 'The address.',
          headers: ['ETag', 'Location', 'Content-Language'],
          content: { schema, example },
        },
      },
      problems: BODY_PROBLEMS,
    },
    ...itemOperations(context, input),
  ];
}

function itemOperations(context: DocumentContext, input: NonNullable<ShopOperation['body']>): readonly ShopOperation[] {
  const schema = addressSchema(context);
  const example = addressExample(context);
  const id = identifierParameter(context);
  const { ifMatch, ifNoneMatch } = headerParameters;
  const one = { path: '/me/addresses/{id}', tag: TAG, security: 'session' } as const;
  const shown = (shownExample: Example) =>
    ({
      description: 'The address.',
      headers: ['ETag', 'Content-Language'],
      content: { schema, example: shownExample },
    }) as const;
  const unchanged = { description: 'Not modified since the response with this `ETag`.', headers: ['ETag'] } as const;
  const problems = ['precondition-failed', ...BODY_PROBLEMS] as const;
  return [
    {
      ...{ ...one, method: 'get', operationId: 'readAddress' },
      summary: 'Read an address',
      description: '404 if the customer has none with this id.',
      parameters: [id, ifNoneMatch],
      responses: { 200: shown(example), 304: unchanged },
    },
    {
      ...{ ...one, method: 'put', operationId: 'replaceAddress' },
      summary: 'Replace an address',
      description: 'Omitted fields get their defaults.',
      parameters: [id, ifMatch],
      body: input,
      responses: { 200: shown(example) },
      problems,
    },
    {
      ...{ ...one, method: 'patch', operationId: 'updateAddress' },
      summary: 'Change an address',
      description: 'Changes only the fields in the body.',
      parameters: [id, ifMatch],
      body: { schema: inputSchema(context, 'patch'), example: CHANGED },
      responses: { 200: shown(changedExample(example, CHANGED)) },
      problems,
    },
    {
      ...{ ...one, method: 'delete', operationId: 'deleteAddress' },
      summary: 'Delete an address',
      description: 'Orders are not affected.',
      parameters: [id, ifMatch],
      responses: { 204: { description: 'The address was deleted.' } },
      problems: ['precondition-failed'],
    },
  ];
}

function identifierParameter(context: DocumentContext): Parameter {
  const schema = identifierSchema(routeOf(context).resource);
  return { name: 'id', in: 'path', required: true, description: 'Id of the address.', schema, example: 1 };
}
