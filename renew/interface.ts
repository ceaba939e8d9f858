/**
 * Summarizes the OpenAPI document in lines for review: every operation, parameter, response and field with its type and
 * limits. Omits prose and examples, which are reviewed at their source. Unknown keywords are printed unchanged, so no
 * normative content is lost.
 *
 * Common content is abbreviated, so that a change affects few lines. A schema that resembles another is printed as the
 * difference, and a status alone means the first problem for it in the section "Problems".
 */

export type Part = Readonly<Record<string, unknown>>;

/** @param document OpenAPI 3.0 or 3.1; only the first line differs between them */
export function interfaceSummary(document: object): string {
  const { paths, components, ...rest } = document as Part & { paths: Parts<Part>; components: Parts<Parts<Part>> };
  const { schemas = {}, responses = {}, headers = {}, securitySchemes = {}, ...others } = components;
  const problems = problemsByStatus(paths);
  const lines = [
    ...documentLines(rest),
    ...indented(members(others)),
    ...section(
      'Keys',
      Object.entries(securitySchemes).map(([name, scheme]) => joined(name, ...members(withoutProse(scheme)))),
    ),
    ...section(
      'Headers',
      Object.entries(headers).map(([name, header]) => `${name} ${headerText(header)}`),
    ),
    ...section('Problems', problemLines(responses, problems)),
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        operationLines(`${method.toUpperCase()} ${path}`, operation as Part, {
          problems,
          security: rest.security,
        }),
      ),
    ),
    ...Object.keys(schemas).flatMap((name) => schemaLines(name, schemas)),
  ];
  return `${lines.flatMap(wrapped).join('\n')}\n`;
}

/** Indentation of lines below a heading. */
const INDENT = '  ';
const WIDTH = 140;

type Parts<Of> = Readonly<Record<string, Of>>;

// The document as a whole

function documentLines({
  openapi,
  info = {},
  servers = [],
  tags = [],
  'x-tagGroups': groups = [],
  ...rest
}: Part): string[] {
  const { description, ...about } = info as Part;
  const types = String(description).matchAll(/^\| (\d+) \| \[.*\]\(.*\/([\w-]+)\) \|$/gm);
  const tagTexts = (tags as Part[]).map(({ name, ...tag }) => joined(String(name), ...members(withoutProse(tag))));
  const groupTexts = (groups as Part[]).map(({ name, tags: own, ...group }) =>
    joined(`group ${name}: ${(own as string[] | undefined)?.join(', ')}`, ...members(group)),
  );
  return [
    `OpenAPI ${openapi}`,
    ...indented([
      ...members(about),
      ...(servers as Part[]).map((server) => joined('server', ...members(withoutProse(server)))),
      ...members(rest),
      `tags: ${tagTexts.join(', ')}`,
      ...groupTexts,
    ]),
    ...section(
      'Kinds of problems',
      [...types].map(([, status, type]) => `${status} ${type}`),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', title, ...indented(lines)];
}

/** Returns the problems of each status, the most frequent first. */
type Problems = ReadonlyMap<string, readonly string[]>;

function problemsByStatus(paths: Parts<Part>): Problems {
  const uses = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as Part[])
    .flatMap((operation) => Object.entries(operation.responses as Parts<Part>))
    .flatMap(([status, { $ref }]) => (typeof $ref === 'string' ? [[status, referred($ref)] as const] : []));
  const byStatus = [...Map.groupBy(uses, ([status]) => status)].sort();
  return new Map(
    byStatus.map(([status, ofStatus]) => {
      const counted = [...Map.groupBy(ofStatus, ([, name]) => name)];
      counted.sort(([one, its], [other, others]) => others.length - its.length || (one < other ? -1 : 1));
      return [status, counted.map(([name]) => name)];
    }),
  );
}

function problemLines(responses: Parts<Part>, problems: Problems): string[] {
  const used = [...problems].flatMap(([status, names]) => names.map((name) => [status, name] as const));
  const unused = Object.keys(responses).filter((name) => !used.some(([, other]) => other === name));
  return [...used, ...unused.map((name) => ['unused', name] as const)].flatMap(([status, name]) =>
    responseTexts(responses[name] ?? {}).map((text) => `${status} ${name}: ${text}`),
  );
}

// Operations

interface Shared {
  readonly problems: Problems;
  /** The default security requirement of operations. */
  readonly security: unknown;
}

function operationLines(heading: string, operation: Part, { problems, security }: Shared): string[] {
  const {
    tags = [],
    operationId,
    parameters = [],
    requestBody,
    responses = {},
    security: own,
    description,
    'x-required-scopes': scopes = [],
    ...rest
  } = operation;
  const sorted = /Sorted by (.*?) unless/.exec(String(description))?.[1]?.replaceAll('`', '');
  const all = Object.entries(responses as Parts<Part>);
  const refusals = all.filter(([, { $ref }]) => $ref !== undefined);
  const refused = refusals.map(([status, { $ref, ...beside }]) => {
    const name = referred(String($ref));
    return joined(status, problems.get(status)?.[0] === name ? '' : name, ...members(beside));
  });
  return [
    '',
    [heading, operationId, `[${(tags as string[]).join(', ')}]`, ...members(withoutProse(rest))].join('  '),
    ...indented([
      ...(own === undefined || JSON.stringify(own) === JSON.stringify(security)
        ? []
        : [`security ${JSON.stringify(own)}`]),
      ...((scopes as string[]).length === 0 ? [] : [`needs ${(scopes as string[]).join(' ')}`]),
      ...(sorted === undefined ? [] : [`sorted by ${sorted}`]),
      ...parameterTexts(parameters as Part[]),
      ...bodyTexts(requestBody as Part | undefined),
      ...all
        .filter(([, { $ref }]) => $ref === undefined)
        .flatMap(([status, response]) => responseTexts(response).map((text) => `${status} ${text}`)),
      ...(refused.length === 0 ? [] : [`refused ${refused.join(' ')}`]),
    ]),
  ];
}

/** Prints a line for the path parameters, one for the headers, and one per query parameter with all its forms. */
function parameterTexts(parameters: readonly Part[]): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const others = Map.groupBy(
    parameters.filter((parameter) => parameter.in !== 'query'),
    (parameter) => String(parameter.in),
  );
  const families = Map.groupBy(inQuery, ({ name }) => String(name).replace(/\[.*/, ''));
  return [
    ...[...others].map(
      ([routePath, own]) =>
        `${routePath} ${own.map((each) => joined(String(each.name), parameterText(each))).join(', ')}`,
    ),
    ...[...families].map(([family, forms]) => {
      const alike = Map.groupBy(forms, (form) => parameterText(form));
      const texts = [...alike].map(([text, own]) =>
        joined(
          own
            .map(({ name }) => String(name).slice(family.length))
            .filter(Boolean)
            .join(' '),
          text,
        ),
      );
      return `?${family} ${texts.join(', ')}`;
    }),
  ];
}

/** Prints a parameter without its name. A header of any text needs no further description. */
function parameterText(parameter: Part): string {
  const { name: _, in: place, required = false, schema, style, explode, ...rest } = withoutProse(parameter);
  const usualStyle = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const isUsual = style === usualStyle || style === 'deepObject';
  const text = typeText(schema as Part | undefined);
  return joined(
    place === 'header' && text === 'string' ? '' : text,
    required === (place === 'path') ? '' : required ? 'required' : 'optional',
    style === 'deepObject' ? 'by key in brackets' : '',
    ...members({
      ...(style === undefined || isUsual ? {} : { style }),
      ...(explode === undefined || style === 'deepObject' || explode === ((style ?? usualStyle) === 'form')
        ? {}
        : { explode }),
      ...rest,
    }),
  );
}

function bodyTexts(body: Part | undefined): string[] {
  if (body === undefined) return [];
  const { required = false, content, ...rest } = withoutProse(body);
  const about = joined('body', required ? '' : 'optional', ...members(rest));
  return contentTexts((content ?? {}) as Parts<Part>).map((text) => `${about} ${text}`);
}

/** Prints a line for each media type of the body, and one for the headers. */
function responseTexts(response: Part): string[] {
  const { content, headers, ...rest } = withoutProse(response);
  const named = Object.entries((headers ?? {}) as Parts<Part>).map(([name, header]) =>
    headerText(header) === `#/components/headers/${name}` ? name : `${name} ${headerText(header)}`,
  );
  const parts = [
    ...contentTexts((content ?? {}) as Parts<Part>),
    ...(named.length === 0 ? [] : [`headers ${named.join(', ')}`]),
    ...members(rest),
  ];
  return parts.length === 0 ? ['nothing'] : parts;
}

/** Media types with the same schema share a line. */
function contentTexts(content: Parts<Part>): string[] {
  const parts = Object.entries(content).map(([type, media]) => {
    const { schema, ...rest } = withoutProse(media);
    return [type, joined(typeText(schema as Part | undefined), ...members(rest))] as const;
  });
  return [...Map.groupBy(parts, ([, text]) => text)].map(
    ([text, types]) => `${types.map(([type]) => type).join(', ')}: ${text}`,
  );
}

function headerText(header: Part): string {
  const { $ref, schema, ...rest } = withoutProse(header);
  return joined($ref === undefined ? typeText(schema as Part | undefined) : String($ref), ...members(rest));
}

// Schemas of components

interface SchemaFacts {
  /** Keywords of the object itself. */
  readonly about: readonly string[];
  readonly fields: ReadonlyMap<string, FieldFacts>;
}

interface FieldFacts {
  readonly isRequired: boolean;
  readonly type: string;
  /** Whether the value is unique and whether the text is translated. */
  readonly marks: readonly string[];
  /** The default value. */
  readonly leftOut: readonly string[];
}

function schemaLines(name: string, schemas: Parts<Part>): string[] {
  const facts = schemaFacts(schemas[name]!);
  const whole = ['', joined(name, ...facts.about), ...fieldLines(facts)];
  const base = BASES.map(([form, plain]) => name.replace(form, plain)).find(
    (other) => other !== name && other in schemas,
  );
  if (base === undefined) return whole;
  const difference = differenceLines(name, facts, base, schemaFacts(schemas[base]!));
  return difference.length < whole.length ? difference : whole;
}

/** Maps the names of schemas that resemble another one to the name of that one. */
const BASES: readonly (readonly [RegExp, string])[] = [
  [/\.jsonld$/, ''],
  [/(Patch|Replacement)(?=At|$)/, 'Input'],
  [/At[A-Z]\w*$/, ''],
  [/Embedded$/, ''],
];

function schemaFacts(schema: Part): SchemaFacts {
  const { outer, object } = fieldsInside(schema) ?? withoutFields(schema);
  const { type, required, ...others } = withoutProse(outer);
  const isPlain = type === 'object' && Object.keys(others).length === 0;
  return {
    about: [
      ...(isPlain && object.properties !== undefined ? labelledNames('requires', required) : [typeText(outer)]),
      ...OUTPUT_ALONE.flatMap(([sentence, parts]) => {
        const names = sentence.exec(String(schema.description))?.[1];
        return names === undefined ? [] : [`(${parts}: ${names.replaceAll('`', '')})`];
      }),
    ],
    fields: new Map(allFields(object)),
  };
}

/** Lists nested fields after their parent: `address`, `address.city`, `items`, `items[].amount`. */
function allFields({ properties = {}, required = [] }: Part, path = ''): [string, FieldFacts][] {
  return Object.entries(properties as Parts<Part>).flatMap(([name, schema]): [string, FieldFacts][] => {
    const { outer, object, suffix } = fieldsInside(schema) ?? withoutFields(schema);
    const isRequired = (required as string[]).includes(name);
    return [[`${path}${name}`, { isRequired, ...fieldFacts(outer) }], ...allFields(object, `${path}${name}${suffix}.`)];
  });
}

interface Inside {
  /** The schema without the fields. */
  readonly outer: Part;
  readonly object: Part;
  /** `[]` for each list that contains the object. */
  readonly suffix: string;
}

function withoutFields(schema: Part): Inside {
  return { outer: schema, object: {}, suffix: '' };
}

/** Returns the fields of an object, or of the objects in a list. */
function fieldsInside({ properties, required, ...schema }: Part): Inside | undefined {
  if (properties !== undefined) {
    const missing = ((required ?? []) as string[]).filter((name) => !(name in (properties as object)));
    const outer = missing.length === 0 ? schema : { ...schema, required: missing };
    return { outer, object: { properties, required }, suffix: '' };
  }
  const inside = schema.items === undefined ? undefined : fieldsInside(schema.items as Part);
  if (inside === undefined) return undefined;
  return { ...inside, outer: { ...schema, items: inside.outer }, suffix: `[]${inside.suffix}` };
}

/** Facts that the document contains as prose, because OpenAPI has no keyword for them. */
const OUTPUT_ALONE: readonly (readonly [RegExp, string])[] = [
  [/Cannot be changed: (.*?)\./, 'taken as it is'],
  [/Read-only: (.*?)\./, 'taken as shown'],
  [/Ignored: (.*?)\./, 'passed over'],
];

function fieldFacts(schema: Part): Omit<FieldFacts, 'isRequired'> {
  const description = String(schema.description ?? '');
  const value = /\bDefault: `(.*?)`\.(?: |$)/.exec(description)?.[1];
  return {
    type: typeText(schema),
    marks: [
      ...(/(^| )Must be unique( in its language)?\./.test(description) ? ['unique'] : []),
      ...(/(^| )(Written in|In) the language of the request\./.test(description) ? ['by language'] : []),
    ],
    leftOut: [
      ...(value === undefined ? [] : [`default ${value}`]),
      ...(description.includes('A PUT without it leaves it unchanged.') ? ['kept by PUT'] : []),
    ],
  };
}

function fieldLines({ fields }: SchemaFacts): string[] {
  return [...fields].map(([name, field]) => `${INDENT}${fieldLine(name, field)}`);
}

function fieldLine(name: string, { isRequired, type, marks, leftOut }: FieldFacts): string {
  return joined(`${name}${isRequired ? '' : '?'}:`, type, ...marks, ...leftOut);
}

/** Prints the difference of a schema to another one. */
function differenceLines(name: string, facts: SchemaFacts, base: string, baseFacts: SchemaFacts): string[] {
  const own = [...facts.fields.values()];
  const others = [...baseFacts.fields.values()];
  const isAllOptional = own.every(({ isRequired }) => !isRequired) && others.some(({ isRequired }) => isRequired);
  const isWithoutDefaults =
    own.every(({ leftOut }) => leftOut.length === 0) && others.some(({ leftOut }) => leftOut.length > 0);
  const compared = (field: FieldFacts): FieldFacts => ({
    ...field,
    ...(isAllOptional ? { isRequired: false } : {}),
    ...(isWithoutDefaults ? { leftOut: [] } : {}),
  });
  const parts = new Map([...baseFacts.fields].map(([field, its]) => [field, fieldLine(field, compared(its))]));
  const changed = [...facts.fields].filter(([field, its]) => parts.get(field) !== fieldLine(field, its));
  const gone = [...baseFacts.fields.keys()].filter((field) => !facts.fields.has(field));
  const words = [isAllOptional && 'all optional', isWithoutDefaults && 'no defaults'].filter(Boolean);
  return [
    '',
    joined(`${name} = ${[base, ...words].join(', ')}`, ...aboutBoth(facts.about, baseFacts.about)),
    ...changed.map(([field, its]) => `${INDENT}${parts.has(field) ? '~' : '+'} ${fieldLine(field, its)}`),
    ...gone.map((field) => `${INDENT}- ${field}`),
  ];
}

function aboutBoth(own: readonly string[], base: readonly string[]): readonly string[] {
  if (own.join() === base.join()) return [];
  return own.length === 0 ? ['(and no more)'] : own;
}

// One schema as text

/** Prints a type in a notation like that of TypeScript, then its limits. */
function typeText(schema: Part = {}): string {
  const { isNullable, schema: plain } = withoutNull(withoutProse(schema));
  const { $ref, type, format, enum: values, items, anyOf, allOf, properties, additionalProperties, ...limits } = plain;
  const {
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    maxProperties,
    pattern,
    default: value,
    required,
    ...rest
  } = limits;
  const inside = (of: unknown): string => {
    const text = typeText(of as Part);
    return /[ |]/.test(text) ? `(${text})` : text;
  };
  const hasFields = properties !== undefined || typeof additionalProperties === 'object';
  const isMade = $ref !== undefined || anyOf !== undefined || allOf !== undefined;
  const parts = [
    $ref === undefined ? '' : referred(String($ref)),
    items === undefined ? '' : `${inside(items)}[]`,
    hasFields ? objectText(properties as Parts<Part>, required, additionalProperties) : '',
    anyOf === undefined ? '' : (anyOf as Part[]).map(inside).join(' | '),
    allOf === undefined ? '' : (allOf as Part[]).map(inside).join(' & '),
    values === undefined ? '' : valuesText(values as unknown[]),
    type === undefined && format === undefined && isMade
      ? ''
      : typeWord(type, format, { isList: items !== undefined, hasFields, values: values as unknown[] | undefined }),
    isNullable ? '| null' : '',
    between(minimum, maximum),
    labelled('length', between(minLength, maxLength)),
    labelled('items', between(minItems, maxItems)),
    labelled('members', between(undefined, maxProperties)),
    pattern === undefined ? '' : `/${pattern}/`,
    'default' in limits ? `default ${JSON.stringify(value)}` : '',
    ...(hasFields ? [] : labelledNames('requires', required)),
    ...members(typeof additionalProperties === 'boolean' ? { additionalProperties, ...rest } : rest),
  ];
  return joined(...parts);
}

/** Formats that imply their type. */
const FORMATS: Readonly<Record<string, string>> = {
  int64: 'integer',
  'date-time': 'string',
  uri: 'string',
  'uri-reference': 'string',
  uuid: 'string',
  binary: 'string',
};

/** Keywords that imply the type. */
interface Known {
  readonly isList: boolean;
  readonly hasFields: boolean;
  readonly values: readonly unknown[] | undefined;
}

function typeWord(type: unknown, format: unknown, { isList, hasFields, values }: Known): string {
  const word = Array.isArray(type) ? type.join(' or ') : String(type ?? 'anything');
  const isKnown =
    (isList && word === 'array') ||
    (hasFields && word === 'object') ||
    (word === 'string' && values?.every((value) => typeof value === 'string' || value === null));
  if (format === undefined) return isKnown ? '' : word;
  return FORMATS[String(format)] === word ? String(format) : `${word}:${format}`;
}

function objectText(properties: Parts<Part> = {}, required: unknown, additional: unknown): string {
  const names = (required ?? []) as string[];
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${names.includes(name) ? '' : '?'}: ${joined(typeText(field), ...leftOut(field))}`,
  );
  const others = typeof additional === 'object' ? [`[any]: ${typeText(additional as Part)}`] : [];
  const missing = names.filter((name) => !(name in properties));
  return joined(`{${[...fields, ...others].join(', ')}}`, ...labelledNames('requires', missing));
}

function leftOut(field: Part): readonly string[] {
  const facts = fieldFacts(field);
  return [...facts.marks, ...facts.leftOut];
}

function valuesText(values: readonly unknown[]): string {
  return values
    .map((value) =>
      typeof value === 'string' && /^[a-z_][\w:-]*$/i.test(value) && value !== 'null' ? value : JSON.stringify(value),
    )
    .join('|');
}

/** Detects null, which OpenAPI 3.0 and 3.1 express as a type, a keyword or an alternative schema. */
function withoutNull({ nullable, ...schema }: Part): { isNullable: boolean; schema: Part } {
  const { type, enum: values, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const others = anyOf.map((each) => withoutNull(each));
    const some = others.filter((_, index) => !isNullAlone(anyOf[index]));
    const isNullable = some.length < others.length || others.some((each) => each.isNullable);
    return {
      isNullable: isNullable || nullable === true,
      schema: { ...schema, anyOf: some.map(({ schema: each }) => each) },
    };
  }
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [];
  const isNullable = nullable === true || (Array.isArray(type) && types.length < type.length);
  const plain = types.length > 0 ? { ...schema, type: types.length === 1 ? types[0] : types } : schema;
  // An enumeration that contains null implies it; one without null excludes it.
  if (!isNullable || !Array.isArray(values)) return { isNullable, schema: plain };
  return { isNullable: !values.includes(null), schema: plain };
}

function isNullAlone(schema: Part): boolean {
  const text = JSON.stringify(withoutProse(schema));
  return text === '{"type":"null"}' || text === '{"type":"object","nullable":true,"enum":[null]}';
}

// Text

const PROSE = new Set(['description', 'summary', 'example', 'examples', 'externalDocs']);

function withoutProse(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([key]) => !PROSE.has(key)));
}

/** Keywords without a special notation. */
function members(part: Part): string[] {
  return Object.entries(part).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
}

function referred($ref: string): string {
  return $ref.replace(/^#\/components\/(schemas|responses|headers)\//, '');
}

function between(least: unknown, most: unknown): string {
  if (least === undefined) return most === undefined ? '' : `≤${most}`;
  return most === undefined ? `≥${least}` : `${least}..${most}`;
}

function labelled(label: string, text: string): string {
  return text === '' ? '' : `${label} ${text}`;
}

function labelledNames(label: string, names: unknown): string[] {
  return Array.isArray(names) && names.length > 0 ? [`${label} ${names.join(', ')}`] : [];
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `${INDENT}${line}`);
}

/** Wraps a long line at spaces and between values, with deeper indentation. */
function wrapped(line: string): string[] {
  const indent = ' '.repeat(line.search(/\S/) + 4);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const end = Math.max(rest.lastIndexOf(' ', WIDTH), rest.lastIndexOf('|', WIDTH - 1) + 1);
    // A word longer than the line is not broken.
    if (end <= indent.length) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = `${indent}${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
