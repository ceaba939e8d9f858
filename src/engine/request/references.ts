/**
 * The addresses by which a body names linked records → the identifiers in them, before its fields read it (http.md §9).
 * Whether there is such a record is looked up later, as ever.
 */

import type { Field } from '../field.ts';
import { isJsonObject, type JsonObject } from '../fields/members.ts';
import { identifierAt, readIdentifier } from '../model/addresses.ts';
import type { Model, ModelField, ModelResource } from '../model/model.ts';
import type { Value } from '../ports.ts';

/** The facts needed about a body's fields: where each is kept, and the resource at the other end of a link. */
export type LinkingFields = ReadonlyMap<string, Pick<ModelField, 'field' | 'storage' | 'target'>>;

/** The fields of a body that belongs to no place, such as an action's. */
export function linkingFields(model: Model, fields: Readonly<Record<string, Field>>): LinkingFields {
  return new Map(
    Object.entries(fields).map(([name, field]) => {
      const { storage } = field;
      const to = storage.in === 'link' || storage.in === 'links' ? storage.to : undefined;
      const target = model.resources.get(to ?? (storage.in === 'parts' ? storage.of : ''));
      return [name, { field, storage, target }];
    }),
  );
}

export function withIdentifiers(fields: LinkingFields, body: JsonObject, baseUrl: string): JsonObject {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = fields.get(name);
    plain[name] = field ? plainValue(field, value, baseUrl) : value;
  }
  return plain;
}

function plainValue(
  { storage, target }: Pick<ModelField, 'storage' | 'target'>,
  value: unknown,
  baseUrl: string,
): unknown {
  switch (storage.in) {
    case 'link':
      return linkOf(target!, value, baseUrl);
    case 'links':
      return Array.isArray(value) ? value.map((one) => linkOf(target!, one, baseUrl)) : value;
    case 'parts':
      if (!Array.isArray(value)) return value;
      return value.map((one) => (isJsonObject(one) ? withIdentifiers(target!.fields, one, baseUrl) : one));
    case 'part':
    case 'path':
    case 'column':
    case 'sum':
    case 'translation':
    case 'linked':
    case 'nothing':
      return value;
  }
}

/** A link as its address, or as an object that `id`, else `@id`, identifies. */
function linkOf(target: ModelResource, value: unknown, baseUrl: string): unknown {
  if (!isJsonObject(value)) return addressed(target, value, baseUrl) ?? value;
  const id = addressed(target, value.id ?? value['@id'], baseUrl);
  return id === undefined ? value : { ...value, id };
}

/** The identifier in the address of a record of this kind; undefined for everything else. */
export function addressed(target: ModelResource, value: unknown, baseUrl: string): Value | undefined {
  const text = typeof value === 'string' ? identifierAt(target, value, baseUrl) : undefined;
  return text === undefined ? undefined : readIdentifier(target, text);
}
