/**
 * Examples of request and response bodies, generated from the fields' examples and defaults. An example request works
 * unchanged on an empty store, and the example response is what it returns there. So every example record is the first of
 * its resource, created by the example of POST.
 */
import type {
  Action,
  Environment,
  Field,
  JsonSchema,
  Model,
  ModelField,
  ModelResource,
  ModelRoute,
  ShownRecord,
  Value,
  WriteMode,
} from '../../engine/index.ts';
import { partInputs, wholeExample, writtenFields } from './schemas.ts';

export type Example = Record<string, unknown>;

/**
 * Returns the record that the example of POST creates in an empty store.
 * @param parents of the path with that POST, if their links are shown
 */
export function outputExample(
  resource: ModelResource,
  outputs: readonly ModelField[],
  { baseUrl }: Pick<Environment, 'baseUrl'>,
  parents: ModelRoute['parents'] = [],
): Example {
  const environment: Environment = { baseUrl, timeZone: 'UTC', settings: {} };
  const sent = sentExample(resource);
  const record = Object.fromEntries(outputs.map((field) => [field.name, shownExample(field, sent, environment)]));
  for (const { field, target } of parents)
    if (field && field.name in record) record[field.name] = identifierExample(target);
  for (const { name, storage } of outputs)
    if (storage.in === 'linkedText') record[name] = linkedTextExample(resource, storage, record);
  for (const { name, field } of outputs)
    if (field.complete && field.example === undefined)
      record[name] = field.complete(record[name] as Value, record as ShownRecord, environment, LANGUAGES);
  return record;
}

/** The text of the record that the first non-null link names. */
function linkedTextExample(
  { fields }: ModelResource,
  { links, text }: { readonly links: readonly string[]; readonly text: string },
  record: Example,
): unknown {
  const link = links.find((name) => record[name] !== null);
  return link === undefined ? null : fields.get(link)!.target!.fields.get(text)!.field.example;
}

/** Language of the examples: the default language of a new store. */
export const LANGUAGES = { language: 'en', defaultLanguage: 'en' };

/** Returns the record after a write of these fields. Write-only fields are ignored. */
export function changedExample(record: Example, written: Example): Example {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, written[name] ?? value]));
}

/** Replaces values of an example, at any depth. */
export function withDifferences(example: unknown, differences: unknown): unknown {
  if (typeof differences !== 'object' || differences === null || typeof example !== 'object') return differences;
  if (Array.isArray(example))
    return example.map((each, index) =>
      index in differences ? withDifferences(each, (differences as unknown[])[index]) : each,
    );
  const own = { ...example } as Example;
  for (const [name, value] of Object.entries(differences)) own[name] = withDifferences(own[name], value);
  return own;
}

/** Returns the example body of POST, or that of the part if the resource has no POST. */
export function sentExample(resource: ModelResource): Example {
  const route = resource.routes.find(({ operations }) => operations.has('create'));
  return route ? inputExample(route, 'create') : partExample(resource);
}

/** Returns an example body with the required fields and those with an example. */
export function inputExample(route: ModelRoute, mode: Exclude<WriteMode, 'patch'>): Example {
  const entries = writtenFields(route, mode).flatMap((field): [string, unknown][] => {
    const { storage } = field;
    if (storage.in === 'parts') return field.field.required ? [[field.name, [partExample(field.target!)]]] : [];
    if (storage.in === 'links' && storage.made) return [[field.name, [writtenExample(field.target!.naming!.field)]]];
    return field.field.required || field.field.example !== undefined ? [[field.name, writtenExample(field.field)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns an example of a part with its required fields and those with an example. */
function partExample(resource: ModelResource): Example {
  const fields = partInputs(resource).filter(({ field }) => field.required || field.example !== undefined);
  return Object.fromEntries(fields.map(({ name, field }) => [name, writtenExample(field)]));
}

/** Returns an example of PATCH with one field, preferably a number, because numbers change most often. */
export function patchExample(route: ModelRoute): Example {
  const fields = writtenFields(route, 'patch');
  const exampled = fields.filter(({ field }) => field.example !== undefined);
  const field = exampled.find(({ field }) => typeof field.example === 'number') ?? exampled[0] ?? fields[0]!;
  return { [field.name]: writtenExample(field.field) };
}

export function actionExample(action: Pick<Action, 'input'>): Example {
  return Object.fromEntries(Object.entries(action.input).map(([name, field]) => [name, writtenExample(field)]));
}

export function identifierExample(resource: ModelResource): string | number {
  switch (resource.identifier.kind) {
    case 'integer':
      return 1 + (resource.declaration.seeds?.length ?? 0);
    case 'uuid':
      return '01890a5d-ac96-774b-bcce-b302099a8057';
    case 'manual':
      return resource.fields.get(resource.identifier.field)!.field.example as string;
  }
}

function shownExample(
  { name, field, storage, target, isIdentifier, resource }: ModelField,
  sent: Example,
  environment: Environment,
): unknown {
  if (isIdentifier) return identifierExample(resource);
  const isSent = Object.hasOwn(sent, name);
  const recordOf = (linked: ModelResource): unknown => outputExample(linked, linked.outputs, environment);
  switch (storage.in) {
    case 'links':
      if (!isSent) return [];
      return [storage.embedded ? recordOf(target!) : identifierExample(target!)];
    case 'parts':
      return isSent ? [recordOf(target!)] : [];
    case 'summary':
      return [];
    case 'link':
      if (field.default !== null) return seedExample(target!, (field.default as { readonly name: string }).name);
      if (!isSent && field.nullable) return null;
      return storage.embedded ? recordOf(target!) : (field.example ?? identifierExample(target!));
    case 'part':
      return null;
    case 'path': {
      const shown = target!.outputs.filter((output) => storage.shown.includes(output.name));
      return [Object.fromEntries(shown.map((output) => [output.name, shownExample(output, sent, environment)]))];
    }
    case 'column':
    case 'translation':
    case 'linkedText':
    case 'linkedValues':
    case 'count':
    case 'average':
    case 'inheritedTotal':
    case 'environment':
    case 'evaluated':
    case 'sum':
    case 'linked':
    case 'texts':
    case 'nothing':
      return columnExample(field, isSent, environment);
  }
}

function columnExample(field: Field, isSent: boolean, environment: Environment): unknown {
  if (field.shownExample !== undefined) return field.shownExample;
  if (field.file) return environment.baseUrl + new URL(String(field.example)).pathname;
  if (field.numbered && !isSent) return '1';
  return wholeExample(field) ?? field.default ?? (field.nullable ? null : exampleValue(field.outputSchema));
}

/** Returns a built-in record of every store. */
export function seedExample(resource: ModelResource, name: unknown): Example {
  const seeds = resource.declaration.seeds ?? [];
  const index = seeds.findIndex((seed) => seed[resource.naming!.name] === name);
  const shown = ({ name: field, field: { default: fallback }, storage, isIdentifier }: ModelField): unknown => {
    if (isIdentifier) return index + 1;
    const stored = seeds[index]!;
    return stored[field] ?? (storage.in === 'translation' && storage.fallback ? stored[storage.fallback] : fallback);
  };
  return Object.fromEntries(resource.outputs.map((field) => [field.name, shown(field)]));
}

function writtenExample(field: Field): unknown {
  return field.example === undefined ? exampleValue(field.inputSchema) : field.example;
}

const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
};

function exampleValue({ enum: values, type }: JsonSchema): unknown {
  return values ? (values as unknown[])[0] : PLACEHOLDERS[type as string];
}

/** Returns the example of a member of a view or quote. */
export function memberExample({ shownExample, example, default: fallback }: Field): unknown {
  return shownExample === undefined ? (example ?? fallback) : shownExample;
}

/** Selects the resource for the examples of the introduction: the top-level resource with the most fields. */
export function leadingResource({ resources }: Model): ModelResource {
  const candidates = [...resources.values()].filter(({ declaration, routes: [route] }) => {
    const isOnTop = route?.parents.length === 0 && route.operations.has('create') && route.operations.has('list');
    return isOnTop && declaration.group !== undefined;
  });
  return candidates.reduce((one, other) => (other.fields.size > one.fields.size ? other : one));
}
