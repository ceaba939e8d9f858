/**
 * The Hydra API documentation: classes with their properties and operations, and the class of the entrypoint. It has the
 * structure of API Platform's documentation, which its clients require.
 */
import { API_PATH, type JsonSchema, type Model, type Operation, withArticle } from '../../engine/index.ts';
import { type ClassDescription, classes, type Property, resourceIn, topCollections } from './classes.ts';
import { KEY_CLASS, KEYS_LINK } from './keys.ts';
import { STATISTICS_CLASS } from './statistics.ts';
import { DOCUMENTATION_PATH, NAMESPACES, vocabulary } from './vocabulary.ts';

export function apiDocumentation(model: Model, baseUrl: string): object {
  return {
    '@context': {
      '@vocab': vocabulary(baseUrl),
      ...NAMESPACES,
      domain: { '@id': 'rdfs:domain', '@type': '@id' },
      range: { '@id': 'rdfs:range', '@type': '@id' },
      subClassOf: { '@id': 'rdfs:subClassOf', '@type': '@id' },
      expects: { '@id': 'hydra:expects', '@type': '@id' },
      returns: { '@id': 'hydra:returns', '@type': '@id' },
    },
    '@id': DOCUMENTATION_PATH,
    '@type': 'hydra:ApiDocumentation',
    'hydra:title': 'Store REST API',
    'hydra:description': 'Read and change all data of the store.',
    'hydra:entrypoint': API_PATH,
    'hydra:supportedClass': [
      ...[...classes(model), KEY_CLASS, STATISTICS_CLASS].map(supportedClass),
      entrypointClass(model),
      ...violationClasses(),
    ],
  };
}

function supportedClass({ name, of, description, properties, operations }: ClassDescription): object {
  return {
    '@id': `#${name}`,
    '@type': 'hydra:Class',
    ...(of === undefined ? {} : { subClassOf: `#${of}` }),
    'rdfs:label': name,
    'hydra:title': name,
    'hydra:description': description,
    'hydra:supportedProperty': properties.map((property) => supportedProperty(of ?? name, property)),
    'hydra:supportedOperation': ITEM_OPERATIONS.filter((operation) => operations.has(operation)).map((operation) =>
      itemOperation(operation, name),
    ),
  };
}

function supportedProperty(className: string, property: Property): object {
  const { name, description, schema } = property;
  const range = rangeOf(schema);
  const isOneRecord = resourceIn(schema) !== undefined && schema.items === undefined;
  return {
    '@type': 'hydra:SupportedProperty',
    'hydra:property': {
      '@id': `#${className}/${name}`,
      '@type': 'rdf:Property',
      'rdfs:label': name,
      domain: `#${className}`,
      ...(range === undefined ? {} : { range }),
      ...(isOneRecord ? { 'owl:maxCardinality': 1 } : {}),
    },
    'hydra:title': name,
    'hydra:required': property.isRequired,
    'hydra:readable': property.isReadable,
    'hydra:writeable': property.isWriteable,
    ...(description === undefined ? {} : { 'hydra:description': description }),
  };
}

const RANGES: Readonly<Record<string, string>> = {
  integer: 'xmls:integer',
  number: 'xmls:decimal',
  boolean: 'xmls:boolean',
  string: 'xmls:string',
  // XML Schema has no arrays, but API Platform and its clients use this name.
  array: 'xmls:array',
};

/** Returns the range of a property, or undefined for an object that is not a record and so has no class. */
function rangeOf(schema: JsonSchema): string | undefined {
  const resource = resourceIn(schema) ?? (schema.link as string | undefined);
  if (resource !== undefined) return `#${resource}`;
  if (schema.format === 'date-time') return 'xmls:dateTime';
  return RANGES[schema.type as string];
}

/** PUT comes before PATCH, because clients use the first editing operation and send records as they were read. */
const ITEM_OPERATIONS = ['read', 'create', 'replace', 'patch', 'remove'] as const satisfies Operation[];

function itemOperation(operation: (typeof ITEM_OPERATIONS)[number], name: string): object {
  const it = `#${name}`;
  const one = withArticle(name);
  switch (operation) {
    case 'read':
      return describeOperation('GET', `Reads ${one}.`, { action: 'FindAction', returns: it });
    case 'create':
      return describeOperation('POST', `Creates ${one}.`, { action: 'CreateAction', expects: it, returns: it });
    case 'replace':
      return describeOperation('PUT', `Replaces ${one}.`, { action: 'ReplaceAction', expects: it, returns: it });
    case 'patch':
      return describeOperation('PATCH', `Updates ${one}.`, { expects: it, returns: it });
    case 'remove':
      return describeOperation('DELETE', `Deletes ${one}.`, { action: 'DeleteAction', returns: 'owl:Nothing' });
  }
}

function describeOperation(
  method: string,
  title: string,
  { action, expects, returns }: { action?: string; expects?: string; returns: string },
): object {
  return {
    '@type': action === undefined ? 'hydra:Operation' : ['hydra:Operation', `schema:${action}`],
    'hydra:method': method,
    'hydra:title': title,
    'rdfs:label': title,
    ...(expects === undefined ? {} : { expects }),
    returns,
  };
}

function entrypointClass(model: Model): object {
  return {
    '@id': '#Entrypoint',
    '@type': 'hydra:Class',
    'hydra:title': 'The API entrypoint',
    'hydra:supportedProperty': [
      ...topCollections(model).map(({ key, route, className }) =>
        entrypointProperty({ key, name: route.resource.name, className, isCreated: route.operations.has('create') }),
      ),
      entrypointProperty({ ...KEYS_LINK, name: KEYS_LINK.className }),
    ],
    'hydra:supportedOperation': [describeOperation('GET', 'The API entrypoint.', { returns: '#Entrypoint' })],
  };
}

interface Link {
  readonly key: string;
  readonly name: string;
  readonly className: string;
  readonly isCreated: boolean;
}

function entrypointProperty({ key, name, className, isCreated }: Link): object {
  const title = `The collection of ${name} resources`;
  const it = `#${className}`;
  const list = describeOperation('GET', `Retrieves the collection of ${name} resources.`, {
    action: 'FindAction',
    returns: 'hydra:Collection',
  });
  return {
    '@type': 'hydra:SupportedProperty',
    'hydra:property': {
      '@id': `#Entrypoint/${key}`,
      '@type': 'hydra:Link',
      'rdfs:label': title,
      domain: '#Entrypoint',
      'rdfs:range': [
        { '@id': 'hydra:Collection' },
        {
          'owl:equivalentClass': {
            'owl:onProperty': { '@id': 'hydra:member' },
            'owl:allValuesFrom': { '@id': it },
          },
        },
      ],
      'hydra:supportedOperation': [list, ...(isCreated ? [itemOperation('create', className)] : [])],
    },
    'hydra:title': title,
    'hydra:required': false,
    'hydra:readable': true,
    'hydra:writeable': false,
  };
}

/** Returns the classes of validation errors. */
function violationClasses(): object[] {
  const property = (name: string, description: string, schema: JsonSchema): Property => ({
    name,
    description,
    schema,
    isRequired: false,
    isReadable: true,
    isWriteable: false,
  });
  const text = { type: 'string' };
  const violation = supportedClass({
    name: 'ConstraintViolation',
    of: undefined,
    description: 'An invalid field.',
    properties: [
      property('propertyPath', 'Path of the field.', text),
      property('message', 'Human-readable message.', text),
      property('code', 'Machine-readable code.', text),
    ],
    operations: new Set(),
  });
  const list = supportedClass({
    name: 'ConstraintViolationList',
    of: undefined,
    description: 'All invalid fields of a body.',
    properties: [
      property('violations', 'The invalid fields.', { type: 'array', items: { output: 'ConstraintViolation' } }),
    ],
    operations: new Set(),
  });
  return [violation, { ...list, subClassOf: 'hydra:Error' }];
}
