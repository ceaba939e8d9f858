/**
 * The OpenAPI document: the interface described from the same declarations that validate and serialize (http.md §11).
 * It says what each operation takes and answers; how often a client may ask, or which keys there are, it does not know.
 */
import type { Model, ModelResource, Resource, Tag } from '../engine/index.ts';
import { CHANGES_TAG, changesPaths } from './openapi/changes.ts';
import { Components, type Writing } from './openapi/components.ts';
import { dialects, type SpecVersion } from './openapi/dialect.ts';
import { introduction } from './openapi/introduction.ts';
import { KEYS_TAG, keysPaths } from './openapi/keys.ts';
import { type Paths, pathsOf } from './openapi/operations.ts';
import { privacyPaths } from './openapi/privacy.ts';
import { STATISTICS_TAG, statisticsPaths } from './openapi/statistics.ts';
import { STORE_INFO_TAG, storeInfoPaths } from './openapi/store-info.ts';

export type { SpecVersion } from './openapi/dialect.ts';

interface OpenApiOptions {
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  /** The program's own version. */
  readonly programVersion: string;
  readonly specVersion: SpecVersion;
}

/** The spellings of a version that a client may ask for. */
export const SPEC_VERSIONS: ReadonlyMap<string, SpecVersion> = new Map([
  ['3.1', '3.1.0'],
  ['3.1.0', '3.1.0'],
  ['3', '3.0.3'],
  ['3.0', '3.0.3'],
  ['3.0.3', '3.0.3'],
]);

export function openApiDocument(model: Model, { baseUrl, programVersion, specVersion }: OpenApiOptions): object {
  const writing: Writing = { model, dialect: dialects[specVersion], baseUrl, components: new Components() };
  const listed = [...model.resources.values()].filter(({ declaration }) => declaration.group !== undefined);
  const described = [...model.resources.values()].filter(
    (resource) => listed.includes(resource) || resource.declaration.tag !== undefined,
  );
  const paths: Paths = {};
  // Single records and collections of one path are described by different resources' places.
  for (const resource of described)
    for (const [path, methods] of Object.entries(pathsOf(writing, resource)))
      paths[path] = { ...paths[path], ...methods };
  Object.assign(paths, privacyPaths(writing), keysPaths(writing), changesPaths(writing), statisticsPaths(writing));
  Object.assign(paths, storeInfoPaths(writing));
  return {
    openapi: specVersion,
    info: {
      title: 'Store REST API',
      version: INTERFACE_VERSION,
      description: introduction(model, baseUrl),
      contact: { name: 'Whoever runs this store', url: `${baseUrl}/api` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      'x-purveyor-version': programVersion,
    },
    servers: [{ url: `${baseUrl}/api`, description: 'This store' }],
    security: [{ apiKey: [] }],
    tags: [...listed.flatMap(tagsOf), KEYS_TAG, CHANGES_TAG, STATISTICS_TAG, STORE_INFO_TAG],
    'x-tagGroups': GROUPS.map((group) => ({
      name: group,
      tags: [
        ...listed.filter(({ declaration }) => declaration.group === group).flatMap(tagsOf),
        ...(group === 'Store' ? [KEYS_TAG, CHANGES_TAG, STATISTICS_TAG, STORE_INFO_TAG] : []),
      ].map(({ name }) => name),
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Auth-Token',
          description: 'One of the store’s keys: a read/write key for everything, or a read-only key for reading.',
        },
      },
      ...writing.components.all(),
    },
  };
}

/** A resource's own tag, and those of the operations that its records are known for under other names. */
function tagsOf({ name, declaration, views, actions }: ModelResource): Tag[] {
  const others = [...views, ...actions].flatMap(({ tag }) => tag ?? []);
  return [{ name, description: declaration.description }, ...new Map(others.map((tag) => [tag.name, tag])).values()];
}

/** The release whose interface this is. Within it changes only add. */
const INTERFACE_VERSION = '5.5.0';

const GROUPS: readonly NonNullable<Resource['group']>[] = ['Catalog', 'Orders', 'Profiles', 'Store'];
