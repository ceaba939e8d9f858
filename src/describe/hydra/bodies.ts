/**
 * A JSON-LD body → the same as plain JSON, before its fields read it: what only JSON-LD has is left out, but for the IRIs of
 * linked records, which are taken in every body (`references.ts`).
 */
import {
  type Action,
  addressed,
  type Environment,
  isJsonObject,
  type JsonObject,
  type LinkingFields,
  linkingFields,
  type Model,
  recordAddress,
} from '../../engine/index.ts';
import type { Location } from './records.ts';

/** `originId` is where API Platform's admin keeps the identifier, whose name it uses for the IRI. */
const PASSED_OVER: ReadonlySet<string> = new Set(['@context', '@id', '@type', 'originId']);

/** The body of a write at a place. */
export function plainBody({ route, parents }: Location, body: JsonObject, { baseUrl }: Environment): JsonObject {
  const { resource, item } = route;
  const { id, ...plain } = withoutKeywords(body, route.fields);
  if (typeof id !== 'string') return id === undefined ? plain : { ...plain, id };
  // A single record's address ends with no identifier: it is this one's, or another's.
  const own = item ? undefined : recordAddress(route, parents);
  if (own !== undefined && (id === own || id === `${baseUrl}${own}`)) return plain;
  const identifier = addressed(resource, id, baseUrl);
  if (identifier === undefined) return { ...plain, id };
  // Where the identifier has a name of its own, that member counts if it is there.
  return { [resource.identifierField]: identifier, ...plain };
}

/** The body of an action. */
export function plainActionBody(model: Model, action: Pick<Action, 'input'>, body: JsonObject): JsonObject {
  return withoutKeywords(body, linkingFields(model, action.input));
}

/** The body that has the texts of one language. */
export function plainTexts(body: JsonObject): JsonObject {
  return withoutKeywords(body);
}

/** At any depth. A linked record is named by its `@id` too, so what names one stays as it is. */
function withoutKeywords(value: JsonObject, fields?: LinkingFields): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) =>
      PASSED_OVER.has(name) ? [] : [[name, plainMember(inside, fields?.get(name))]],
    ),
  );
}

function plainMember(value: unknown, member: ReturnType<LinkingFields['get']>): unknown {
  // A form of React Admin has null where its text was emptied, or was empty when it was read.
  if (value === null && member?.field.kind === 'text' && !member.field.nullable) return '';
  if (member?.storage.in === 'link' || member?.storage.in === 'links') return value;
  const fields = member?.storage.in === 'parts' ? member.target!.fields : undefined;
  const plain = (inside: unknown): unknown => {
    if (Array.isArray(inside)) return inside.map(plain);
    return isJsonObject(inside) ? withoutKeywords(inside, fields) : inside;
  };
  return plain(value);
}
