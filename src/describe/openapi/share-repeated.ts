/**
 * Replaces repeated parameters, request bodies and responses of operations by references to components. It works on the
 * finished document, so that the generators of operations need not know what others repeat.
 */
import type { Part } from './components.ts';
import type { Parameter } from './parameter.ts';

/** An OpenAPI document, as far as this module reads it. */
export interface DescribedStore {
  readonly paths: Readonly<Record<string, Methods>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Methods = Readonly<Record<string, DescribedOperation>>;

interface DescribedOperation extends Part {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Part;
  readonly responses: Readonly<Record<string, Part>>;
}

/**
 * Returns the document with a component for each part that occurs more than once. Parts that occur once remain inline. The
 * parameters that all operations of a path have belong to the path.
 */
export function shareRepeated<Of extends DescribedStore>(document: Of): Of {
  const repeated = {
    parameters: new RepeatedParts('parameters'),
    requestBodies: new RepeatedParts('requestBodies'),
    responses: new RepeatedParts('responses'),
  };
  mapParts(document.paths, (section, part) => repeated[section].count(part));
  const paths = mapParts(document.paths, (section, part, names) => repeated[section].replace(part, names));
  const components = { ...document.components };
  for (const [section, parts] of Object.entries(repeated))
    components[section] = sorted({ ...components[section], ...parts.components });
  return { ...document, paths: mapEntries(paths, withCommonParameters), components };
}

type Section = 'parameters' | 'requestBodies' | 'responses';

/** @param names - possible names of a component, the best first */
type MapPart<Result> = (section: Section, part: Part, names: readonly string[]) => Result;

/** Calls `mapPart` for each part of each operation, and returns the operations with its results. */
function mapParts(paths: DescribedStore['paths'], mapPart: MapPart<unknown>): DescribedStore['paths'] {
  const mapOperation = (operation: DescribedOperation, method: string): object => {
    const { parameters, requestBody, responses, tags, operationId } = operation;
    const owners = [tags[0]!, operationId];
    return {
      ...operation,
      parameters: parameters.map((part) =>
        isInPath(part, parameters) ? part : mapPart('parameters', part, parameterNames(part, method, owners)),
      ),
      ...(requestBody && {
        requestBody: mapPart(
          'requestBodies',
          requestBody,
          owners.map((owner) => `${owner}Body`),
        ),
      }),
      responses: mapEntries(responses, (response) =>
        mapPart(
          'responses',
          response,
          owners.map((owner) => `${owner}Response`),
        ),
      ),
    };
  };
  return mapEntries(paths, (methods) => mapEntries(methods, mapOperation)) as DescribedStore['paths'];
}

/** Whether a parameter in the path has the same name. The parser of Specmatic takes a reference to the other one for it. */
function isInPath({ name, in: location }: Parameter, parameters: readonly Parameter[]): boolean {
  return location !== 'path' && parameters.some((other) => other.in === 'path' && other.name === name);
}

function parameterNames({ name, in: location }: Parameter, method: string, owners: readonly string[]): string[] {
  const own = name.replaceAll('[]', '.list').replace(/\[(\w+)\]/g, '.$1');
  // Filters on the identifier have the name of the identifier in the path.
  const isIdentifier = location === 'path' && own === 'id';
  const common = isIdentifier ? [] : [own, ...(location === 'path' ? [] : [`${method}.${own}`])];
  return [...common, ...owners.map((owner) => `${owner}.${own}`)];
}

/** Moves parameters that all operations of a path have to the path. */
function withCommonParameters(methods: Methods): object {
  const operations = Object.values(methods);
  const [first, ...others] = operations.map(({ parameters }) => parameters.map((each) => JSON.stringify(each)));
  const common = first!.filter((text) => others.length > 0 && others.every((own) => own.includes(text)));
  if (common.length === 0) return methods;
  const isOwn = (parameter: Part): boolean => !common.includes(JSON.stringify(parameter));
  return {
    parameters: common.map((text) => JSON.parse(text)),
    ...mapEntries(methods, (operation) => ({ ...operation, parameters: operation.parameters.filter(isOwn) })),
  };
}

/** The parts of one section of the components. Equal parts have the same JSON text. */
class RepeatedParts {
  readonly components: Record<string, Part> = {};
  readonly #section: Section;
  readonly #uses = new Map<string, number>();
  readonly #references = new Map<string, Part>();
  readonly #taken = new Set<string>();

  constructor(section: Section) {
    this.#section = section;
  }

  count(part: Part): void {
    const text = JSON.stringify(part);
    this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1);
  }

  /** Returns a reference if it is shorter than the part, and the part occurs more than once. */
  replace(part: Part, names: readonly string[]): Part {
    const text = JSON.stringify(part);
    if (part.$ref !== undefined || this.#uses.get(text) === 1) return part;
    const known = this.#references.get(text);
    if (known) return known;
    const name = names.find((each) => !this.#taken.has(identifierOf(each)))!;
    const reference = { $ref: `#/components/${this.#section}/${name}` };
    if (text.length <= JSON.stringify(reference).length) return part;
    this.components[name] = part;
    this.#taken.add(identifierOf(name));
    this.#references.set(text, reference);
    return reference;
  }
}

/** Generated clients make identifiers of the names, so names must differ in more than case and separators. */
function identifierOf(name: string): string {
  return name.toLowerCase().replace(/[._-]/g, '');
}

function mapEntries<Of, Result>(
  entries: Readonly<Record<string, Of>>,
  map: (value: Of, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, map(value, name)]));
}

function sorted<Of>(entries: Readonly<Record<string, Of>>): Record<string, Of> {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}
