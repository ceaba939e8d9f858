/** Finds what a body names or calculates from records that its key cannot read (access.md §2). */
import type { HiddenData } from '../../access/hidden-data.ts';
import {
  addressed,
  type Field,
  isJsonObject,
  type JsonObject,
  linkingFields,
  type ModelField,
  type ModelResource,
  type Quote,
  type Service,
} from '../../engine/index.ts';
import { missingIn } from './hidden-queries.ts';

type Linking = Pick<ModelField, 'field' | 'storage' | 'target'>;

/** Returns the scopes that a client lacks to send the body of a record, and the masks of fields in it. */
export function missingInBody(
  service: Service,
  resource: ModelResource,
  body: JsonObject,
  hidden: HiddenData,
): string[] {
  const ofFields = Object.entries(body).flatMap(([name, value]) => {
    const field = resource.fields.get(name);
    return field ? [...missingIn([field], hidden), ...missingInValue(service, field, value, hidden)] : [];
  });
  return [...ofFields, ...missingToCalculate(resource, body, hidden)];
}

/** Returns the scopes that a client lacks to send the input of an action. @param resource the one that has the action */
export function missingInInput(
  service: Service,
  resource: ModelResource,
  input: Readonly<Record<string, Field>>,
  body: JsonObject,
  hidden: HiddenData,
): string[] {
  const fields = linkingFields(service.model, input);
  const ofFields = Object.entries(body).flatMap(([name, value]) => {
    const field = fields.get(name);
    // Input with the name of a field may set it.
    const own = missingIn([resource.fields.get(name)], hidden);
    return [...own, ...(field ? missingInValue(service, field, value, hidden) : [])];
  });
  return [...ofFields, ...missingToCalculate(resource, body, hidden)];
}

/** The scopes that the calculation of a record needs, if the body asks for it like a quote. */
function missingToCalculate(
  { declaration: { quote } }: ModelResource,
  body: JsonObject,
  hidden: HiddenData,
): readonly string[] {
  const isCalculated = Object.keys(quote?.sets ?? {}).some((name) => Object.hasOwn(body, name) && body[name] !== false);
  return [
    ...(isCalculated ? hidden.missingToUse(quote!.calculatedFrom) : []),
    ...missingWith(quote?.calculatedWith ?? {}, body, hidden),
  ];
}

/** The scopes that a calculation or a dry run needs in addition, because of members of the body or parameters of the quote. */
export function missingWith(
  usesWith: Quote['calculatedWith'],
  asked: JsonObject,
  hidden: HiddenData,
): readonly string[] {
  return Object.entries(usesWith).flatMap(([name, uses]) =>
    Object.hasOwn(asked, name) && !isNothing(asked[name]) ? hidden.missingToUse(uses) : [],
  );
}

function isNothing(value: unknown): boolean {
  return value === false || value === null || (Array.isArray(value) && value.length === 0);
}

function missingInValue(
  service: Service,
  { field: { finds }, storage, target }: Linking,
  value: unknown,
  hidden: HiddenData,
): readonly string[] {
  if (finds) return hidden.missingToUse(finds);
  switch (storage.in) {
    case 'link':
    case 'links': {
      const all = Array.isArray(value) ? value : [value];
      const { baseUrl } = service.environment;
      const named = all.filter((each) => !isById(target!, each, baseUrl));
      if (named.length === 0) return [];
      const unreadable = hidden.missingFor([target!]);
      const canCreate = storage.in === 'links' && storage.made && named.some(mayBeNew);
      return [...unreadable, ...(canCreate ? unreadable.map(writing) : []), ...maskedInNames(target!, named, hidden)];
    }
    case 'parts':
    case 'nothing': {
      const all = Array.isArray(value) ? value : [value];
      return target
        ? all.flatMap((part) => (isJsonObject(part) ? missingInBody(service, target, part, hidden) : []))
        : [];
    }
    default:
      return [];
  }
}

/** The masks of the fields by which links name records. */
function maskedInNames(
  { naming, label, fields }: ModelResource,
  values: readonly unknown[],
  hidden: HiddenData,
): readonly string[] {
  const members = values.flatMap((value) => (isJsonObject(value) ? Object.keys(value) : []));
  return hidden.masksOf([naming, label, ...members.map((name) => fields.get(name))].flatMap((field) => field ?? []));
}

/** Whether a link may create a record with this name. Does not read the store, which would reveal which names exist. */
function mayBeNew(value: unknown): boolean {
  return !isJsonObject(value) || !Object.hasOwn(value, 'id');
}

/** The scope that also writes what this scope reads. */
function writing(scope: string): string {
  return scope.replace(/:read$/, ':write');
}

/** Whether a link has no name, which would show which record has it. */
function isById(target: ModelResource, value: unknown, baseUrl: string): boolean {
  const isAlone = isJsonObject(value) && Object.hasOwn(value, 'id') && Object.keys(value).length === 1;
  const id = isAlone ? (value as JsonObject).id : value;
  return id === null || Number.isSafeInteger(id) || addressed(target, id, baseUrl) !== undefined;
}
