/**
 * Fields → named schemas: what a resource's records look like in an answer, and what a body of each operation may have.
 * Rules across fields are not in them; descriptions and the 422 tell those.
 */
import {
  type Action,
  type Field,
  isFixed,
  type JsonSchema,
  type ModelField,
  type ModelResource,
  type ModelRoute,
  pascalCase,
  sentences,
  type Value,
  type View,
  type WriteMode,
  words,
  writtenTexts,
} from '../../engine/index.ts';
import type { DocumentContext, Reference } from './components.ts';
import { KEYWORDS } from './keywords.ts';

/** The schema of a resource's records where other records show them. */
function outputSchema(context: DocumentContext, resource: ModelResource): Reference {
  return outputOf(context, `${resource.name}Output`, resource, resource.outputs);
}

/** The schema of a resource's records at a place of their own. */
export function routeOutputSchema(context: DocumentContext, route: ModelRoute): Reference {
  const alike = route.resource.routes.find(({ outputs }) => isSame(outputs, route.outputs))!;
  const suffix = isSame(route.outputs, route.resource.outputs) ? '' : routeSuffix(alike);
  return outputOf(context, `${route.resource.name}Output${suffix}`, route.resource, route.outputs);
}

/** The schema of a view of a record. */
export function viewSchema(context: DocumentContext, resource: ModelResource, view: View): JsonSchema {
  if ('shows' in view) return shownRecordSchema(context, resource, view.shows);
  return context.components.refer('schemas', `${resource.name}${pascalCase(view.name)}Output`, () => ({
    type: 'object',
    description: `${view.summary}.`,
    properties: Object.fromEntries(
      Object.entries(view.output).map(([name, schema]) => [name, plainSchema(context, schema)]),
    ),
    required: Object.keys(view.output),
  }));
}

/** The record that one field of another shows. */
export function shownRecordSchema(context: DocumentContext, { fields }: ModelResource, name: string): JsonSchema {
  return plainSchema(context, fields.get(name)!.field.outputSchema);
}

/** The schema of a record's texts in one language: those that are written in it. */
export function translationSchema(context: DocumentContext, route: ModelRoute): Reference {
  const { isLinked } = context;
  const name = `${route.resource.name}TranslationOutput${textsSuffix(route)}`;
  return context.components.refer('schemas', isLinked ? `${name}.jsonld` : name, () => ({
    type: 'object',
    description: 'The texts that are written in one language; where one is left out, another language’s is shown.',
    properties: {
      ...(isLinked ? { '@id': KEYWORDS['@id'], '@type': KEYWORDS['@type'] } : {}),
      ...Object.fromEntries(
        route.texts.map(({ name: text, field }) => [
          text,
          describedSchema(context, field, field.outputSchema, [field.description]),
        ]),
      ),
    },
    ...(isLinked ? { required: ['@id', '@type'] } : {}),
  }));
}

export function translationInputSchema(context: DocumentContext, route: ModelRoute): Reference {
  return context.components.refer('schemas', `${route.resource.name}TranslationInput${textsSuffix(route)}`, () => {
    const texts = writtenTexts(route);
    const required = texts.filter(({ field }) => field.required).map(({ name }) => name);
    return {
      type: 'object',
      description: 'All texts of one language. Any other field is a 422 that names it.',
      properties: Object.fromEntries(
        texts.map(({ name, field }) => [
          name,
          describedSchema(context, field, field.inputSchema, [
            field.description,
            field.unique === true && 'Unique in its language.',
            !field.required && `Default: \`${JSON.stringify(field.default)}\`.`,
          ]),
        ]),
      ),
      ...(required.length === 0 ? {} : { required }),
    };
  });
}

/** Places with the same texts share their schemas. */
function textsSuffix(route: ModelRoute): string {
  const texted = route.resource.routes.filter(({ texts }) => texts.length > 0);
  const told = (other: ModelRoute): string =>
    JSON.stringify([other.texts, writtenTexts(other)].map((fields) => fields.map(({ name }) => name)));
  const alike = texted.find((other) => told(other) === told(route))!;
  return alike === texted[0] ? '' : routeSuffix(alike);
}

function outputOf(
  context: DocumentContext,
  name: string,
  resource: ModelResource,
  outputs: readonly ModelField[],
): Reference {
  const { isLinked } = context;
  return context.components.refer('schemas', isLinked ? `${name}.jsonld` : name, () => ({
    type: 'object',
    description: resource.declaration.description,
    properties: {
      ...(isLinked ? { '@id': KEYWORDS['@id'], '@type': KEYWORDS['@type'] } : {}),
      ...Object.fromEntries(
        [...outputs, ...resource.asked].map((field) => [field.name, shownProperty(context, field)]),
      ),
    },
    // A record inside another has an address only where one is known.
    required: [...(isLinked ? ['@type'] : []), ...outputs.map((field) => field.name)],
  }));
}

function isSame(one: readonly ModelField[], other: readonly ModelField[]): boolean {
  return one.length === other.length && one.every((field) => other.includes(field));
}

/** A resource's first place has the plain names; those of others say their path. */
export function routeSuffix(route: ModelRoute): string {
  if (route === route.resource.routes[0]) return '';
  return `At${pascalCase(route.collectionPath.replace(/\{\w+\}/g, ''))}`;
}

/** The form of a body: in a linked one an IRI is taken where an id is. */
type BodyForm = 'plain' | 'linked';

export function inputSchema(
  context: DocumentContext,
  route: ModelRoute,
  mode: WriteMode,
  form: BodyForm = 'plain',
): Reference {
  const isLinked = form === 'linked' && writtenFields(route, mode).some(({ field }) => isLink(field));
  return context.components.refer('schemas', `${inputName(route, mode)}${isLinked ? '.jsonld' : ''}`, () => {
    const fields = writtenFields(route, mode);
    const properties = fields.map((field) => {
      const property = writtenProperty(context, field, mode);
      return [field.name, isLinked && isLink(field.field) ? withIri(property) : property];
    });
    const required = fields.filter(({ field }) => field.required).map(({ name }) => name);
    return {
      type: 'object',
      description: inputDescription(route, mode),
      properties: Object.fromEntries(properties),
      ...(mode === 'patch' || required.length === 0 ? {} : { required }),
    };
  });
}

/** The schema of a form: the fields that are no file, and the file. */
export function formSchema(context: DocumentContext, route: ModelRoute, mode: WriteMode): JsonSchema | undefined {
  const { upload } = route.resource.declaration;
  if (!upload) return undefined;
  const fields = writtenFields(route, mode).filter(({ name }) => !upload.insteadOf.includes(name));
  return {
    type: 'object',
    properties: {
      [upload.part]: { type: 'string', format: 'binary', description: upload.description },
      ...Object.fromEntries(fields.map((field) => [field.name, writtenProperty(context, field, mode)])),
    },
    ...(mode === 'create' ? { required: [upload.part] } : {}),
  };
}

export function actionSchema(
  context: DocumentContext,
  resource: ModelResource,
  action: Pick<Action, 'name' | 'input'>,
  form: BodyForm = 'plain',
): Reference {
  const isLinked = form === 'linked' && Object.values(action.input).some(isLink);
  const name = `${resource.name}${pascalCase(action.name)}Input${isLinked ? '.jsonld' : ''}`;
  return context.components.refer('schemas', name, () => {
    const properties = Object.entries(action.input).map(([name, field]) => {
      const property = describedSchema(context, field, field.inputSchema, [field.description]);
      return [name, isLinked && isLink(field) ? withIri(property) : property];
    });
    const required = Object.entries(action.input).flatMap(([name, field]) => (field.required ? name : []));
    return {
      type: 'object',
      description: 'Any other field is a 422.',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  });
}

function isLink({ storage }: Field): boolean {
  return storage.in === 'link' || storage.in === 'links';
}

const IRI = { type: 'string', format: 'uri-reference', description: 'Its IRI.' };

function withIri(schema: JsonSchema): JsonSchema {
  if (schema.items !== undefined) return { ...schema, items: withIri(schema.items as JsonSchema) };
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...(schema.anyOf as JsonSchema[]), IRI] };
  const { description, default: value, example, examples, ...plain } = schema;
  const about = Object.entries({ description, default: value, example, examples });
  return { anyOf: [plain, IRI], ...Object.fromEntries(about.filter(([, each]) => each !== undefined)) };
}

/** The input schema of a part, which is made together with its record. */
function partSchema(context: DocumentContext, resource: ModelResource): Reference {
  const own = resource.routes.find(({ operations }) => operations.has('create'));
  if (own) return inputSchema(context, own, 'create');
  return context.components.refer('schemas', `${resource.name}Input`, () => {
    const fields = partInputs(resource);
    return {
      type: 'object',
      description: sentences(
        resource.declaration.description,
        'A value for a field of output alone is a 422 unless it is empty or the one that output will show. Any other field is a 422 too.',
      ),
      properties: Object.fromEntries(fields.map((field) => [field.name, writtenProperty(context, field, 'create')])),
      required: fields.filter(({ field }) => field.required).map(({ name }) => name),
    };
  });
}

/** The fields that a part may have in the body that makes its owner. */
export function partInputs({ fields, owner }: ModelResource): ModelField[] {
  return [...fields.values()].filter((field) => field !== owner && field.field.groups.includes('insert'));
}

/** The fields that a body of this operation may set, in their order. */
export function writtenFields({ inserts, updates }: ModelRoute, mode: WriteMode): ModelField[] {
  return [...(mode === 'create' ? inserts : updates)];
}

/** A field's schema in the words of JSON Schema: `link`, `input` and `output` of `fields/` are resolved here. */
function plainSchema(
  context: DocumentContext,
  { link, input, output, shown, pattern, ...rest }: JsonSchema,
): JsonSchema {
  if (input !== undefined) return partSchema(context, context.model.resources.get(input as string)!);
  if (link !== undefined) return linkSchema(context, context.model.resources.get(link as string)!);
  if (output !== undefined)
    return embeddedSchema(context, context.model.resources.get(output as string)!, shown as string[] | undefined);
  if (rest.properties !== undefined)
    return { ...rest, properties: memberSchemas(context, rest.properties as Properties) };
  if (rest.items !== undefined) return { ...rest, items: plainSchema(context, rest.items as JsonSchema) };
  if (rest.type === 'integer') return { type: 'integer', format: 'int64', ...without(rest, 'type') };
  // Unicode classes mean nothing or something else to the regular expressions of many other languages.
  return pattern === undefined || (pattern as string).includes('\\p') ? rest : { ...rest, pattern };
}

/** Members of an object inside a record: each with the field that declares it, if one does. */
type Properties = Readonly<Record<string, { readonly member?: Field; readonly schema: JsonSchema }>>;

function memberSchemas(context: DocumentContext, properties: Properties): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { member, schema }]) => [
      name,
      member ? describedSchema(context, member, schema, [member.description]) : plainSchema(context, schema),
    ]),
  );
}

/** A record inside another: whole, or with some of its fields. */
function embeddedSchema(
  context: DocumentContext,
  resource: ModelResource,
  shown: readonly string[] | undefined,
): Reference {
  if (!shown) return outputSchema(context, resource);
  const outputs = resource.outputs.filter(({ name }) => shown.includes(name));
  return outputOf(context, `${resource.name}OutputEmbedded`, resource, outputs);
}

export function identifierSchema({ identifier }: ModelResource): JsonSchema {
  switch (identifier.kind) {
    case 'integer':
      return { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'manual':
      return { type: 'string', pattern: identifier.pattern.source };
  }
}

/** POST and PUT share a schema where they take the same fields. */
function inputName(route: ModelRoute, mode: WriteMode): string {
  const { name, routes } = route.resource;
  const written = writtenFields(route, mode);
  const alike = routes.find((other) => other.operations.has(mode) && isSame(writtenFields(other, mode), written))!;
  const first = routes.find((other) => other.operations.has(mode))!;
  const suffix = alike === first ? '' : routeSuffix(alike);
  if (mode === 'patch') return `${name}Patch${suffix}`;
  const isShared = isSame(writtenFields(route, 'create'), writtenFields(route, 'replace'));
  return mode === 'create' || isShared ? `${name}Input${suffix}` : `${name}Replacement${suffix}`;
}

function inputDescription(route: ModelRoute, mode: WriteMode): string {
  const unset = [...route.fields.values()].filter((field) => !writtenFields(route, mode).includes(field));
  const isWrittenElsewhere = (field: ModelField): boolean => isFixed(route, field, mode);
  const fixed = mode === 'create' ? [] : unset.filter(isWrittenElsewhere);
  const readOnly = unset.filter(
    (field) => [...route.outputs, ...route.asked].includes(field) && !isWrittenElsewhere(field),
  );
  const isUncompared = ({ field }: ModelField): boolean =>
    field.stamped !== undefined || field.sum === true || field.unpublished === true;
  const passedOver = mode === 'create' ? [] : readOnly.filter(isUncompared);
  const compared = readOnly.filter((field) => !passedOver.includes(field));
  return sentences(
    mode === 'patch' && 'Only the fields to change; `null` clears a nullable one, arrays are replaced whole.',
    fixed.length > 0 && `${listed(fixed)} may be sent back as it is; another value is a 422.`,
    compared.length > 0 && `Only output has ${listed(compared)}: ${mode === 'create' ? MADE : KEPT}.`,
    passedOver.length > 0 && `Passed over: ${listed(passedOver)}.`,
    'Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over.',
  );
}

const MADE = 'a value that is not empty, and not what output will show, is a 422';
const KEPT = 'it may be sent back as it was read; another value is a 422';

function listed(fields: readonly ModelField[]): string {
  return fields.map(({ name }) => `\`${name}\``).join(', ');
}

/** A field's example as output shows it: with what is filled in where a client leaves it out. */
export function wholeExample({ merge, example }: Field): unknown {
  return merge && example !== undefined ? merge(null, example as Value) : example;
}

function shownProperty(context: DocumentContext, field: ModelField): JsonSchema {
  const inLanguage = field.storage.in === 'translation' && 'In the request’s language.';
  const isAsked = field.field.asked === true && 'Only where `fields` asks for it.';
  const texts = [field.field.description, inLanguage, isAsked];
  return describedSchema(context, field.field, field.field.outputSchema, texts, wholeExample(field.field));
}

function writtenProperty(context: DocumentContext, modelField: ModelField, mode: WriteMode): JsonSchema {
  const { field, storage } = modelField;
  const hasDefault = !field.required && (field.default !== null || field.nullable) && storage.in !== 'nothing';
  return describedSchema(context, field, field.inputSchema, [
    field.description,
    storage.in === 'translation' && 'Written in the request’s language.',
    storage.in === 'links' && 'Replaces the set.',
    field.unique === true && 'Unique.',
    // The keyword "default" would make generated clients ask for every such field, or send it where PUT keeps it.
    mode !== 'patch' && hasDefault && `Default: \`${JSON.stringify(shownDefault(field))}\`.`,
    mode !== 'patch' && field.preservedOnReplace && 'Left out of a PUT it stays as it is.',
  ]);
}

/** A record that stands in for one that is not named is shown by its name. */
function shownDefault({ default: value }: Field): unknown {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
}

function describedSchema(
  context: DocumentContext,
  field: Field,
  declared: JsonSchema,
  parts: readonly (string | undefined | false)[],
  example: unknown = field.example,
): JsonSchema {
  const plain = plainSchema(context, declared);
  const nullable = field.nullable ? context.dialect.nullable(plain) : plain;
  const description = sentences(...parts, plain.description as string | undefined);
  // Beside $ref, OpenAPI 3.0 reads nothing.
  const carrier = description !== '' && nullable.$ref !== undefined ? { allOf: [nullable] } : nullable;
  const described = description === '' ? carrier : { ...carrier, description };
  return example === undefined ? described : context.dialect.withExample(described, example);
}

/** A link is taken as its name, its id, its address, or the object that output shows (http.md §9). */
function linkSchema(context: DocumentContext, target: ModelResource): JsonSchema {
  const noun = words(target.name);
  const inLanguage = target.naming?.storage.in === 'translation' ? ', in the request’s language' : '';
  const byName = target.naming
    ? [{ type: 'string', description: `The ${noun}’s ${target.naming.name}${inLanguage}, or its address.` }]
    : [];
  const byId = { ...identifierSchema(target), description: `The ${noun}’s id.` };
  return { anyOf: [...byName, byId, outputSchema(context, target)] };
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  const { [keyword]: _, ...rest } = schema;
  return rest;
}
