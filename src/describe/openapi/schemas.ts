/**
 * Named schemas of the output and of the input of each operation, generated from the fields. Rules across fields are not part
 * of the schemas; field descriptions and 422 responses explain them.
 */
import {
  type Action,
  type Field,
  isFixed,
  type JsonSchema,
  type ModelField,
  type ModelListField,
  type ModelResource,
  type ModelRoute,
  pascalCase,
  sentences,
  unassignedFields,
  type Value,
  type View,
  type WriteMode,
  withArticle,
  words,
  writtenTexts,
} from '../../engine/index.ts';
import type { DocumentContext, Reference } from './components.ts';

/** The schema of a resource's records inside other records. */
function outputSchema(context: DocumentContext, resource: ModelResource): Reference {
  return outputOf(context, `${resource.name}Output`, resource, resource.outputs);
}

/** The schema of the records of a route. Routes with the same fields share it. */
export function routeOutputSchema(context: DocumentContext, route: ModelRoute): Reference {
  const alike = route.resource.routes.find(({ outputs }) => isSame(outputs, route.outputs))!;
  const suffix = isSame(route.outputs, route.resource.outputs) ? '' : routeSuffix(alike);
  return outputOf(context, `${route.resource.name}Output${suffix}`, route.resource, route.outputs);
}

/** The schema of a record that a dry run returns. */
export function trialSchema(context: DocumentContext, route: ModelRoute): Reference {
  return outputOf(
    context,
    `${route.resource.name}DryRunOutput`,
    route.resource,
    route.outputs,
    unassignedFields(route),
  );
}

/** The schema of a view of a record. */
export function viewSchema(context: DocumentContext, resource: ModelResource, view: View): JsonSchema {
  if ('shows' in view) return shownRecordSchema(context, resource, view.shows);
  return context.components.refer('schemas', `${resource.name}${pascalCase(view.name)}Output`, () => ({
    type: 'object',
    description: `${view.summary}.`,
    properties: describedMembers(context, view.output),
    required: Object.keys(view.output),
  }));
}

/** Returns the members of a view or quote as plain JSON Schemas. */
export function describedMembers(
  context: DocumentContext,
  output: Readonly<Record<string, Field>>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(output).map(([name, field]) => [
      name,
      describedSchema(context, field, field.outputSchema, [field.description]),
    ]),
  );
}

/** The schema of a view's query parameter, with its default. */
export function parameterSchema(context: DocumentContext, field: Field): JsonSchema {
  const { description: _, ...schema } = plainSchema(context, field.inputSchema);
  return field.default === null ? schema : { ...schema, default: field.default };
}

/** The schema of the record that a field shows. */
export function shownRecordSchema(context: DocumentContext, { fields }: ModelResource, name: string): JsonSchema {
  return plainSchema(context, fields.get(name)!.field.outputSchema);
}

/** The schema of a record's stored texts in one language. */
export function translationSchema(context: DocumentContext, route: ModelRoute): Reference {
  return context.components.refer('schemas', `${route.resource.name}TranslationOutput${textsSuffix(route)}`, () => ({
    type: 'object',
    description: 'The texts stored in one language. For an omitted text, output falls back to another language.',
    properties: Object.fromEntries(
      route.texts.map(({ name, field }) => [
        name,
        describedSchema(context, field, field.outputSchema, [field.description]),
      ]),
    ),
  }));
}

export function translationInputSchema(context: DocumentContext, route: ModelRoute): Reference {
  return context.components.refer('schemas', `${route.resource.name}TranslationInput${textsSuffix(route)}`, () => {
    const texts = writtenTexts(route);
    const required = texts.filter(({ field }) => field.required).map(({ name }) => name);
    return {
      type: 'object',
      description: 'All texts of one language. Unknown fields are a 422.',
      properties: Object.fromEntries(
        texts.map(({ name, field }) => [
          name,
          describedSchema(context, field, field.inputSchema, [
            field.description,
            field.unique === true && 'Must be unique in its language.',
            !field.required && `Default: \`${JSON.stringify(field.default)}\`.`,
          ]),
        ]),
      ),
      ...(required.length === 0 ? {} : { required }),
    };
  });
}

/** Routes with the same texts share their schemas. */
function textsSuffix(route: ModelRoute): string {
  const withTexts = route.resource.routes.filter(({ texts }) => texts.length > 0);
  const signature = (other: ModelRoute): string =>
    JSON.stringify([other.texts, writtenTexts(other)].map((fields) => fields.map(({ name }) => name)));
  const alike = withTexts.find((other) => signature(other) === signature(route))!;
  return alike === withTexts[0] ? '' : routeSuffix(alike);
}

function outputOf(
  context: DocumentContext,
  name: string,
  resource: ModelResource,
  outputs: readonly ModelField[],
  unassigned: readonly ModelField[] = [],
): Reference {
  const property = (field: ModelField): JsonSchema =>
    unassigned.includes(field)
      ? { ...context.dialect.nullable(plainSchema(context, field.field.outputSchema)), description: 'Always null.' }
      : shownProperty(context, field);
  return context.components.refer('schemas', name, () => ({
    type: 'object',
    description: resource.declaration.description,
    properties: Object.fromEntries([
      ...[...outputs, ...resource.onRequest].map((field) => [field.name, property(field)]),
      ...(resource.listField ? [[resource.listField.field.name, listProperty(context, resource.listField)]] : []),
    ]),
    required: outputs.map((field) => field.name),
  }));
}

export function isSame(one: readonly ModelField[], other: readonly ModelField[]): boolean {
  return one.length === other.length && one.every((field) => other.includes(field));
}

/** Suffix of schema names and operation ids. The first route of a resource has none; others are named after their path. */
export function routeSuffix(route: ModelRoute): string {
  if (route === route.resource.routes[0]) return '';
  return `At${pascalCase(route.collectionPath.replace(/\{\w+\}/g, ''))}`;
}

/** @param except - names of fields that the schema leaves out */
export function inputSchema(
  context: DocumentContext,
  route: ModelRoute,
  mode: WriteMode,
  except: readonly string[] = [],
): Reference {
  const suffix = except.map((name) => `Without${pascalCase(name)}`).join('');
  return context.components.refer('schemas', `${inputName(route, mode)}${suffix}`, () => {
    const fields = writtenFields(route, mode).filter(({ name }) => !except.includes(name));
    const required = fields.filter(({ field }) => field.required).map(({ name }) => name);
    return {
      type: 'object',
      description: inputDescription(route, mode),
      properties: Object.fromEntries(fields.map((field) => [field.name, writtenProperty(context, field, mode)])),
      ...(mode === 'patch' || required.length === 0 ? {} : { required }),
    };
  });
}

/** The schema of a multipart form: the file and the other fields. undefined if the resource has no upload. */
export function formSchema(context: DocumentContext, route: ModelRoute, mode: WriteMode): JsonSchema | undefined {
  const { upload } = route.resource.declaration;
  if (!upload || (upload.isAttachment && mode !== 'create')) return undefined;
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
): Reference {
  return context.components.refer('schemas', `${resource.name}${pascalCase(action.name)}Input`, () => {
    const required = Object.entries(action.input).flatMap(([name, field]) => (field.required ? name : []));
    return {
      type: 'object',
      description: 'Unknown fields are a 422.',
      properties: Object.fromEntries(
        Object.entries(action.input).map(([name, field]) => [
          name,
          describedSchema(context, field, field.inputSchema, [field.description]),
        ]),
      ),
      ...(required.length === 0 ? {} : { required }),
    };
  });
}

/** The input schema of a part, which is created together with its record or by an action. */
function partSchema(context: DocumentContext, resource: ModelResource, except?: readonly string[]): Reference {
  const own = resource.routes.find(({ operations }) => operations.has('create'));
  if (own) return inputSchema(context, own, 'create', except);
  return context.components.refer('schemas', `${resource.name}Input`, () => {
    const fields = partInputs(resource);
    return {
      type: 'object',
      description: sentences(
        resource.declaration.description,
        'Read-only fields are a 422 unless they are empty or have the value that output will show. Unknown fields are a 422.',
      ),
      properties: Object.fromEntries(fields.map((field) => [field.name, writtenProperty(context, field, 'create')])),
      required: fields.filter(({ field }) => field.required).map(({ name }) => name),
    };
  });
}

/** The fields of a part in the body that creates its owner. */
export function partInputs({ fields, owner }: ModelResource): ModelField[] {
  return [...fields.values()].filter((field) => field !== owner && field.field.groups.includes('insert'));
}

/** The fields that a body of this operation can set, in their order. */
export function writtenFields({ inserts, updates }: ModelRoute, mode: WriteMode): ModelField[] {
  return [...(mode === 'create' ? inserts : updates)];
}

/** Converts a field's schema to plain JSON Schema: resolves the keywords `link`, `input` and `output` of `fields/`. */
function plainSchema(
  context: DocumentContext,
  { link, input, without: except, output, shown, pattern, ...rest }: JsonSchema,
  isNullable = false,
): JsonSchema {
  if (input !== undefined)
    return partSchema(context, context.model.resources.get(input as string)!, except as string[] | undefined);
  if (link !== undefined) return linkSchema(context, context.model.resources.get(link as string)!, isNullable);
  if (output !== undefined)
    return embeddedSchema(context, context.model.resources.get(output as string)!, shown as string[] | undefined);
  if (rest.properties !== undefined)
    return { ...rest, properties: memberSchemas(context, rest.properties as Properties) };
  if (rest.items !== undefined) return { ...rest, items: plainSchema(context, rest.items as JsonSchema) };
  if (rest.type === 'integer') return { type: 'integer', format: 'int64', ...without(rest, 'type') };
  // Many regular expression dialects do not support Unicode classes or interpret them differently.
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

/** The schema of an embedded record: all fields, or the given ones. */
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

/** Schema name of a body. POST and PUT share a schema if they take the same fields. */
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
    (field) => [...route.outputs, ...route.onRequest].includes(field) && !isWrittenElsewhere(field),
  );
  const isUncompared = ({ field }: ModelField): boolean =>
    field.stamped !== undefined || field.sum === true || field.unpublished === true;
  const ignored = mode === 'create' ? [] : readOnly.filter(isUncompared);
  const compared = readOnly.filter((field) => !ignored.includes(field));
  return sentences(
    mode === 'patch' && 'Only the fields to change.',
    fixed.length > 0 && `Cannot be changed: ${listed(fixed)}.`,
    compared.length > 0 && `Read-only: ${listed(compared)}.`,
    ignored.length > 0 && `Ignored: ${listed(ignored)}.`,
    'Unknown fields are a 422.',
  );
}

function listed(fields: readonly ModelField[]): string {
  return fields.map(({ name }) => `\`${name}\``).join(', ');
}

/** Returns a field's example as output shows it, with defaults for omitted members. */
export function wholeExample({ merge, example }: Field): unknown {
  return merge && example !== undefined ? merge(null, example as Value) : example;
}

function listProperty(context: DocumentContext, { declaration, field: { field, name } }: ModelListField): JsonSchema {
  const [enabling] = Object.entries(declaration.parameters).flatMap(([member, { required }]) =>
    required ? member : [],
  );
  const only = `Only returned in lists with \`${name}[${enabling}]\`.`;
  return describedSchema(context, field, field.outputSchema, [field.description, only], wholeExample(field));
}

/** The schema of a field in output. */
export function shownProperty(context: DocumentContext, { field, storage }: ModelField): JsonSchema {
  const inLanguage = storage.in === 'translation' && 'In the language of the request.';
  const onRequest = field.onRequest === true && 'Only returned if `fields` includes it.';
  const shown = { ...field, nullable: field.nullable && !field.isFilled && !field.isCompleted };
  return describedSchema(
    context,
    shown,
    field.outputSchema,
    [field.description, inLanguage, onRequest],
    wholeExample(field),
  );
}

export function writtenProperty(context: DocumentContext, modelField: ModelField, mode: WriteMode): JsonSchema {
  const { field, storage } = modelField;
  const hasDefault = !field.required && (field.default !== null || field.nullable) && storage.in !== 'nothing';
  const isNullable = field.nullable && !(field.isFilled && mode === 'patch');
  return describedSchema(context, { ...field, nullable: isNullable }, field.inputSchema, [
    field.description,
    storage.in === 'translation' && 'Written in the language of the request.',
    storage.in === 'links' && 'Replaces all existing links.',
    field.unique === true && 'Must be unique.',
    // Not the keyword "default": some generated clients would require such fields, or send the default in every PUT.
    mode !== 'patch' && hasDefault && `Default: \`${JSON.stringify(shownDefault(field))}\`.`,
    mode !== 'patch' && field.preservedOnReplace && 'A PUT without it leaves it unchanged.',
  ]);
}

/** Returns the default value. The default of a link is shown by its name. */
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
  const plain = plainSchema(context, declared, field.nullable);
  const isNullable = field.nullable && declared.link === undefined;
  const nullable = isNullable ? context.dialect.nullable(plain) : plain;
  const description = sentences(...parts, plain.description as string | undefined);
  // OpenAPI 3.0 ignores keywords next to $ref.
  const carrier = description !== '' && nullable.$ref !== undefined ? { allOf: [nullable] } : nullable;
  const described = description === '' ? carrier : { ...carrier, description };
  return example === undefined ? described : context.dialect.withExample(described, example);
}

/** The input schema of a link: name, id, path, or the object that output shows (http.md §9). */
function linkSchema(context: DocumentContext, target: ModelResource, isNullable: boolean): Reference {
  const noun = words(target.name);
  const inLanguage = target.naming?.storage.in === 'translation' ? ' in the language of the request' : '';
  const byName = target.naming
    ? [{ type: 'string', description: `The ${target.naming.name} of the ${noun}${inLanguage}, or its path.` }]
    : [];
  const byId = { ...identifierSchema(target), description: `The id of the ${noun}.` };
  return context.components.refer('schemas', `${target.name}Link${isNullable ? 'OrNull' : ''}`, () => {
    const schema = {
      description: `A link to ${withArticle(target.name)}${isNullable ? ', or null' : ''}.`,
      anyOf: [...byName, byId, outputSchema(context, target)],
    };
    return isNullable ? context.dialect.nullable(schema) : schema;
  });
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  const { [keyword]: _, ...rest } = schema;
  return rest;
}
