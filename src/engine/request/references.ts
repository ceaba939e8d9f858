/**
 * Replaces addresses of linked records in a body by their identifiers, before the fields are read (http.md §9). Whether
 * the records exist is checked later.
 */

import type { Field } from '../field.ts';
import { isJsonObject, type JsonObject } from '../fields/members.ts';
import { identifierAt, readIdentifier } from '../model/addresses.ts';
import type { Model, ModelField, ModelResource } from '../model/model.ts';
import type { Value } from '../ports.ts';

/** What is needed of a body's fields: their storage, and the targets of links. */
export type LinkingFields = ReadonlyMap<string, Pick<ModelField, 'field' | 'storage' | 'target'>>;

/** The fields of a body without a route, such as an action's. */
export function linkingFields(model: Model, fields: Readonly<Record<string, Field>>): LinkingFields {
  return new Map(
    Object.entries(fields).map(([name, field]) => {
      const { storage } = field;
      const to = storage.in === 'link' || storage.in === 'links' ? storage.to : undefined;
      const created = storage.in === 'nothing' ? storage.creates?.resource : undefined;
      const target = model.resources.get(to ?? created ?? (storage.in === 'parts' ? storage.of : ''));
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
    case 'summary':
    case 'linkedText':
    case 'linkedValues':
    case 'inheritedTotal':
    case 'environment':
    case 'evaluated':
    case 'column':
    case 'sum':
    case 'translation':
    case 'linked':
      return value;
    case 'nothing':
      return storage.creates && isJsonObject(value) ? withIdentifiers(target!.fields, value, baseUrl) : value;
  }
}

/** Replaces the address of a link, or that in `id` or `@id` of an object. */
function linkOf(target: ModelResource, value: unknown, baseUrl: string): unknown {
  if (!isJsonObject(value)) return addressed(target, value, baseUrl) ?? value;
  const id = addressed(target, value.id ?? value['@id'], baseUrl);
  return id === undefined ? value : { ...value, id };
}

/** The identifier in the address of a record of this resource; undefined for everything else. */
export function addressed(target: ModelResource, value: unknown, baseUrl: string): Value | undefined {
  const text = typeof value === 'string' ? identifierAt(target, value, baseUrl) : undefined;
  return text === undefined ? undefined : readIdentifier(target, text);
}
