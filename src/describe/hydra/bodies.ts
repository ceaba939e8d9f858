/**
 * Converts JSON-LD bodies to plain JSON before validation. Removes the JSON-LD keywords, except the IRIs of linked records,
 * which every body accepts (`references.ts`).
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

/** API Platform's admin stores the IRI in `id` and the identifier in `originId`. */
const IGNORED: ReadonlySet<string> = new Set(['@context', '@id', '@type', 'originId']);

/** Converts the body of a write. */
export function plainBody({ route, parents }: Location, body: JsonObject, { baseUrl }: Environment): JsonObject {
  const { resource, item } = route;
  const { id, ...plain } = withoutKeywords(body, route.fields);
  if (typeof id !== 'string') return id === undefined ? plain : { ...plain, id };
  // The path of a single record has no identifier, so it is compared as a whole.
  const own = item ? undefined : recordAddress(route, parents);
  if (own !== undefined && (id === own || id === `${baseUrl}${own}`)) return plain;
  const identifier = addressed(resource, id, baseUrl);
  if (identifier === undefined) return { ...plain, id };
  // If the body has the identifier under its own name, that one takes precedence.
  return { [resource.identifierField]: identifier, ...plain };
}

/** Converts the body of an action. */
export function plainActionBody(model: Model, action: Pick<Action, 'input'>, body: JsonObject): JsonObject {
  return withoutKeywords(body, linkingFields(model, action.input));
}

/** Converts the body of a translation. */
export function plainTexts(body: JsonObject): JsonObject {
  return withoutKeywords(body);
}

/** Removes JSON-LD keywords at any depth. Links are left unchanged, because their `@id` can identify the record. */
function withoutKeywords(value: JsonObject, fields?: LinkingFields): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) =>
      IGNORED.has(name) ? [] : [[name, plainMember(inside, fields?.get(name))]],
    ),
  );
}

function plainMember(value: unknown, member: ReturnType<LinkingFields['get']>): unknown {
  // React Admin sends null for empty texts.
  if (value === null && member?.field.kind === 'text' && !member.field.nullable) return '';
  if (member?.storage.in === 'link' || member?.storage.in === 'links') return value;
  const isOfParts = member?.storage.in === 'parts' || member?.storage.in === 'nothing';
  const fields = isOfParts ? member.target?.fields : undefined;
  const plain = (inside: unknown): unknown => {
    if (Array.isArray(inside)) return inside.map(plain);
    return isJsonObject(inside) ? withoutKeywords(inside, fields) : inside;
  };
  return plain(value);
}
