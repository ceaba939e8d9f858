/** The declaration of an operation below `/storefront`, and its description in OpenAPI. */
import type { JsonSchema, ProblemType, Tag } from '../../engine/index.ts';
import type { DocumentContext, Part } from '../openapi/components.ts';
import { type HeaderName, headersNamed } from '../openapi/headers.ts';
import { exampled, exampledBody, JSON_TYPE } from '../openapi/linked.ts';
import type { Parameter } from '../openapi/parameter.ts';
import { shopProblems } from './problems.ts';

/** A tag, and its group in the sidebar of the reference. */
export interface ShopTag extends Tag {
  readonly group: string;
}

/**
 * JSON Schema of OpenAPI 3.1 with two more keywords: `nullable: true` also allows null, and `component` names a schema that
 * several operations share.
 */
interface Content {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

interface ShopResponse {
  /** Names a response that several operations share. */
  readonly component?: string;
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** Without it, the response has no body. */
  readonly content?: Content;
}

export interface ShopOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/storefront`, such as `/products/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: ShopTag;
  readonly summary: string;
  readonly description: string;
  readonly security: keyof typeof SECURITY;
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  /** By status. */
  readonly responses: Readonly<Record<number, ShopResponse>>;
  /** Problems that not every operation has. */
  readonly problems?: readonly ProblemType[];
}

const WITH_SESSION = [
  { publishableKey: [], sessionToken: [] },
  { publishableKey: [], sessionCookie: [] },
] as const;

/** The credentials that operations need: one of these combinations. */
const SECURITY = {
  none: [],
  key: [{ publishableKey: [] }],
  session: WITH_SESSION,
  /** A session is needed only with `for=me`. */
  catalog: [{ publishableKey: [] }, ...WITH_SESSION],
} as const;

/** OpenAPI Security Scheme Objects. */
export const SECURITY_SCHEMES = {
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Token',
    description: 'Publishable key of a shop (`pv_pk_…`). It is not secret. Other kinds of keys are rejected.',
  },
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token of a customer’s session (`pv_cs_…`), from `POST /session` with the transport `bearer`.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-pv-shop',
    description:
      'Cookie of a session that began with the transport `cookie`. Only browsers send it, and only from pages of the key’s `origins`.',
  },
} as const;

export function describeOperation(context: DocumentContext, operation: ShopOperation): Part {
  const { tag, operationId, summary, description, security, parameters = [], body, responses, problems } = operation;
  const described = Object.entries(responses).map(([status, each]) => [status, describeResponse(context, each)]);
  return {
    tags: [tag.name],
    operationId,
    summary,
    description,
    security: SECURITY[security],
    parameters,
    ...(body && {
      requestBody: {
        required: true,
        content: { [JSON_TYPE]: exampledBody(shopSchema(context, body.schema), body.example) },
      },
    }),
    responses: { ...Object.fromEntries(described), ...shopProblems(context, problems) },
  };
}

function describeResponse(context: DocumentContext, response: ShopResponse): Part {
  const { component, description, headers = [], content } = response;
  const whole = (): Part => ({
    description,
    headers: headersNamed(context, headers),
    ...(content && { content: { [JSON_TYPE]: exampled(shopSchema(context, content.schema), content.example) } }),
  });
  return component === undefined ? whole() : context.components.refer('responses', component, whole);
}

/** Converts a declared schema to the OpenAPI version of the document. */
export function shopSchema(
  context: DocumentContext,
  { component, nullable, properties, items, oneOf, ...rest }: JsonSchema,
): JsonSchema {
  const { components, dialect } = context;
  const whole = (): JsonSchema => ({
    ...rest,
    ...(properties !== undefined && { properties: shopProperties(context, properties as Properties) }),
    ...(items !== undefined && { items: shopSchema(context, items as JsonSchema) }),
    ...(oneOf !== undefined && { oneOf: (oneOf as JsonSchema[]).map((each) => shopSchema(context, each)) }),
  });
  const schema = component === undefined ? whole() : components.refer('schemas', component as string, whole);
  return nullable === true ? dialect.nullable(schema) : schema;
}

type Properties = Readonly<Record<string, JsonSchema>>;

function shopProperties(context: DocumentContext, properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, shopSchema(context, each)]));
}
