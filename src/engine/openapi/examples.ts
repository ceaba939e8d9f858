/**
 * Examples of bodies, made from the fields' own examples and defaults. Each is valid against its schema, and a request's
 * can be sent as it is to a store that has nothing of it yet, as far as it names no address of elsewhere.
 */
import type { WriteMode } from '../body.ts';
import type { ModelField, ModelPlace, ModelResource } from '../model.ts';
import type { Action, Field, JsonSchema } from '../resource.ts';
import { partInputs, wholeExample, writtenFields } from './schemas.ts';

type Example = Record<string, unknown>;

/** Records inside records are shown this deep; below stands what is empty. */
const DEPTH_MAX = 2;

export function outputExample(outputs: readonly ModelField[], depth = 0): Example {
  return Object.fromEntries(outputs.map((field) => [field.name, shownExample(field, depth)]));
}

/** The required fields, and those whose declaration has an example. */
export function inputExample(place: ModelPlace, mode: Exclude<WriteMode, 'patch'>): Example {
  const entries = writtenFields(place, mode).flatMap((field): [string, unknown][] => {
    const { storage } = field;
    if (storage.in === 'parts') return field.field.required ? [[field.name, [partExample(field.target!)]]] : [];
    if (storage.in === 'links' && storage.made) return [[field.name, [writtenExample(field.target!.naming!.field)]]];
    return field.field.required || field.field.example !== undefined ? [[field.name, writtenExample(field.field)]] : [];
  });
  return Object.fromEntries(entries);
}

/** What is sent for a part: its required fields, and those whose declaration has an example. */
function partExample(resource: ModelResource): Example {
  const fields = partInputs(resource).filter(({ field }) => field.required || field.example !== undefined);
  return Object.fromEntries(fields.map(({ name, field }) => [name, writtenExample(field)]));
}

/** One field: a number if there is one, for numbers change most often. */
export function patchExample(place: ModelPlace): Example {
  const fields = writtenFields(place, 'patch');
  const exampled = fields.filter(({ field }) => field.example !== undefined);
  const field = exampled.find(({ field }) => typeof field.example === 'number') ?? exampled[0] ?? fields[0]!;
  return { [field.name]: writtenExample(field.field) };
}

export function actionExample(action: Action): Example {
  return Object.fromEntries(Object.entries(action.input).map(([name, field]) => [name, writtenExample(field)]));
}

export function identifierExample(resource: ModelResource): string | number {
  switch (resource.identifier.kind) {
    case 'integer':
      return 1;
    case 'uuid':
      return '01890a5d-ac96-774b-bcce-b302099a8057';
    case 'manual':
      return resource.fields.get(resource.identifier.field)!.field.example as string;
  }
}

function shownExample({ field, storage, target, isIdentifier, resource }: ModelField, depth: number): unknown {
  if (isIdentifier) return identifierExample(resource);
  const isTooDeep = depth + 1 >= DEPTH_MAX;
  switch (storage.in) {
    case 'links':
      if (isTooDeep) return [];
      return [storage.embedded ? outputExample(target!.outputs, depth + 1) : identifierExample(target!)];
    case 'parts':
      return isTooDeep ? [] : [outputExample(target!.outputs, depth + 1)];
    case 'link':
      if (isTooDeep && field.nullable) return null;
      return storage.embedded ? outputExample(target!.outputs, depth + 1) : identifierExample(target!);
    case 'part':
    case 'path': {
      const shown = target!.outputs.filter(({ name }) => storage.shown.includes(name));
      if (storage.in === 'path') return isTooDeep ? [] : [outputExample(shown, depth + 1)];
      return isTooDeep ? null : outputExample(shown, depth + 1);
    }
    case 'column':
    case 'translation':
    case 'linked':
    case 'nothing':
      return wholeExample(field) ?? field.default ?? (field.nullable ? null : placeholder(field.outputSchema));
  }
}

function writtenExample(field: Field): unknown {
  return field.example ?? placeholder(field.inputSchema);
}

const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
};

function placeholder({ enum: values, type }: JsonSchema): unknown {
  return values ? (values as unknown[])[0] : PLACEHOLDERS[type as string];
}
