/**
 * A JSON-LD body → the same as plain JSON, before its fields read it: what only JSON-LD has is left out, and an IRI stands
 * for the identifier that it ends with (http.md §7). Whether there is such a record is looked up later, as ever.
 */
import { identifierAt, recordAddress } from '../addresses.ts';
import { isJsonObject, type JsonObject } from '../fields/members.ts';
import { readIdentifier } from '../intent.ts';
import type { Model, ModelField, ModelResource } from '../model.ts';
import type { Value } from '../ports.ts';
import type { Action, Field, World } from '../resource.ts';
import type { Location } from './records.ts';

/** `originId` is where API Platform's admin keeps the identifier, whose name it uses for the IRI. */
const PASSED_OVER: ReadonlySet<string> = new Set(['@context', '@id', '@type', 'originId']);

interface Reading {
  readonly model: Model;
  readonly baseUrl: string;
}

/** The body of a write at a place. */
export function plainBody(model: Model, { place, parents }: Location, body: JsonObject, world: World): JsonObject {
  const { resource, item } = place;
  const reading = { model, baseUrl: world.baseUrl };
  const { id, ...plain } = withoutKeywords(membersOf(reading, fieldsOf(place), body));
  if (typeof id !== 'string') return id === undefined ? plain : { ...plain, id };
  // A single record's address ends with no identifier: it is this one's, or another's.
  const own = item ? undefined : recordAddress(place, parents);
  if (own !== undefined && (id === own || id === `${world.baseUrl}${own}`)) return plain;
  const identifier = idOf(reading, resource, id);
  if (identifier === undefined) return { ...plain, id };
  // Where the identifier has a name of its own, that member counts if it is there.
  return { [resource.identifierField]: identifier, ...plain };
}

/** The body of an action. */
export function plainActionBody(model: Model, action: Action, body: JsonObject, world: World): JsonObject {
  return withoutKeywords(membersOf({ model, baseUrl: world.baseUrl }, action.input, body));
}

/** The body that has the texts of one language. */
export function plainTexts(body: JsonObject): JsonObject {
  return withoutKeywords(body);
}

function fieldsOf({ fields }: { readonly fields: ReadonlyMap<string, ModelField> }): Readonly<Record<string, Field>> {
  return Object.fromEntries([...fields].map(([name, { field }]) => [name, field]));
}

function membersOf(reading: Reading, fields: Readonly<Record<string, Field>>, body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Object.hasOwn(fields, name) ? plainValue(reading, fields[name]!, value) : value,
    ]),
  );
}

function plainValue(reading: Reading, field: Field, value: unknown): unknown {
  const { storage } = field;
  const { resources } = reading.model;
  // A form of React Admin has null where its text was emptied, or was empty when it was read.
  if (value === null && field.kind === 'text' && !field.nullable) return '';
  switch (storage.in) {
    case 'link':
      return linkOf(reading, resources.get(storage.to)!, value);
    case 'links':
      return Array.isArray(value) ? value.map((one) => linkOf(reading, resources.get(storage.to)!, one)) : value;
    case 'parts': {
      const fields = fieldsOf(resources.get(storage.of)!);
      if (!Array.isArray(value)) return value;
      return value.map((one) => (isJsonObject(one) ? membersOf(reading, fields, one) : one));
    }
    case 'part':
    case 'column':
    case 'translation':
    case 'linked':
    case 'nothing':
      return value;
  }
}

/** A link as its IRI, or as an object that `id`, else `@id`, identifies. */
function linkOf(reading: Reading, target: ModelResource, value: unknown): unknown {
  if (!isJsonObject(value)) return idOf(reading, target, value) ?? value;
  const named = value.id ?? value['@id'];
  const id = idOf(reading, target, named);
  return id === undefined ? value : { ...value, id };
}

function idOf({ baseUrl }: Reading, resource: ModelResource, value: unknown): Value | undefined {
  const text = typeof value === 'string' ? identifierAt(resource, value, baseUrl) : undefined;
  return text === undefined ? undefined : readIdentifier(resource, text);
}

/** At any depth. */
function withoutKeywords(value: JsonObject): JsonObject {
  const plain = (inside: unknown): unknown => {
    if (Array.isArray(inside)) return inside.map(plain);
    return isJsonObject(inside) ? withoutKeywords(inside) : inside;
  };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => (PASSED_OVER.has(name) ? [] : [[name, plain(inside)]])),
  );
}
