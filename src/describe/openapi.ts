/**
 * The OpenAPI document (http.md §11), generated from the declarations that also drive validation and serialization. It
 * depends on the model only, not on the store's settings such as rate limits or keys.
 */
import type { Model, ModelResource, Tag } from '../engine/index.ts';
import { AUDIT_TAG, auditPaths, recordAuditPaths, restorePaths } from './audit.ts';
import { LOOKUP_TAG, lookupPaths } from './lookup.ts';
import { mailTemplatePaths } from './mail-templates.ts';
import { CHANGES_TAG, changesPaths } from './openapi/changes.ts';
import { Components, type DocumentContext } from './openapi/components.ts';
import { dialects, type SpecVersion } from './openapi/dialect.ts';
import { introduction } from './openapi/introduction.ts';
import { KEYS_TAG, keysPaths } from './openapi/keys.ts';
import { type Paths, pathsOf } from './openapi/operations.ts';
import { privacyPaths } from './openapi/privacy.ts';
import { type DescribedStore, shareRepeated } from './openapi/share-repeated.ts';
import { SHOP_PAGES_TAG, shopPagePaths } from './openapi/shop-pages.ts';
import { STATISTICS_TAG, statisticsPaths } from './openapi/statistics.ts';
import { ROLES_TAG, rolesPaths } from './openapi/users/roles.ts';
import { USERS_TAG, usersPaths } from './openapi/users/users.ts';
import { addRequiredScopes, type ScopeRecord, scopeRecords, scopesPaths } from './scopes.ts';

export type { SpecVersion } from './openapi/dialect.ts';
export { onlyGroup } from './openapi/one-group.ts';

export interface OpenApiOptions {
  /** For example `http://host:port`, without a trailing slash. */
  readonly baseUrl: string;
  /** Version of the program, not of the interface. */
  readonly programVersion: string;
  readonly specVersion: SpecVersion;
}

/** Accepted spellings of the OpenAPI version in requests. */
export const SPEC_VERSIONS: ReadonlyMap<string, SpecVersion> = new Map([
  ['3.1', '3.1.0'],
  ['3.1.0', '3.1.0'],
  ['3', '3.0.3'],
  ['3.0', '3.0.3'],
  ['3.0.3', '3.0.3'],
]);

/** Returns the OpenAPI document. Parts that several operations have in common are components. */
export function openApiDocument(model: Model, options: OpenApiOptions): object {
  return shareRepeated(inlineOpenApiDocument(model, options) as DescribedStore);
}

/** Returns the document with parameters, bodies and successful responses inside their operations, for generators. */
export function inlineOpenApiDocument(model: Model, { baseUrl, programVersion, specVersion }: OpenApiOptions): object {
  const context: DocumentContext = { model, dialect: dialects[specVersion], baseUrl, components: new Components() };
  const listed = [...model.resources.values()].filter(({ declaration }) => declaration.group !== undefined);
  const paths = describedPaths(context);
  return {
    openapi: specVersion,
    info: {
      title: 'Store REST API',
      version: INTERFACE_VERSION,
      description: introduction(model, baseUrl),
      contact: { name: 'Store operator', url: `${baseUrl}/api` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      'x-purveyor-version': programVersion,
    },
    servers: [{ url: `${baseUrl}/api`, description: 'This store' }],
    security: [{ apiKey: [] }],
    tags: [...listed.flatMap(tagsOf), ...STORE_TAGS],
    'x-tagGroups': tagGroups(model, listed),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Auth-Token',
          description:
            'API key of the store. Read/write keys have full access; read-only keys can only read. Scoped keys need the scopes in `x-required-scopes` of an operation.',
        },
      },
      ...context.components.all(),
    },
  };
}

/** The paths of all operations, with the scopes that they need. */
function describedPaths(context: DocumentContext): Paths {
  const { model } = context;
  const paths: Paths = {};
  // Routes of different resources can share a path: the collection of one and the single record of another.
  for (const resource of model.resources.values())
    if (resource.declaration.group !== undefined || resource.declaration.tag !== undefined)
      for (const [path, methods] of Object.entries(pathsOf(context, resource)))
        paths[path] = { ...paths[path], ...methods };
  Object.assign(paths, privacyPaths(context), keysPaths(context), changesPaths(context), statisticsPaths(context));
  Object.assign(paths, shopPagePaths(context), lookupPaths(context), scopesPaths(context));
  Object.assign(paths, rolesPaths(context), usersPaths(context), auditPaths(context));
  Object.assign(paths, mailTemplatePaths(context), recordAuditPaths(context), restorePaths(context));
  addRequiredScopes(model, paths);
  return paths;
}

/** Returns the scopes of the interface with the operations that need them. */
export function scopesOf(model: Model): ScopeRecord[] {
  const context = { model, dialect: dialects['3.1.0'], baseUrl: '', components: new Components() };
  return scopeRecords(model, describedPaths(context));
}

/** Tags of endpoints that are not resources. They are in the group Store. */
const STORE_TAGS = [KEYS_TAG, USERS_TAG, ROLES_TAG, AUDIT_TAG, CHANGES_TAG, STATISTICS_TAG, SHOP_PAGES_TAG, LOOKUP_TAG];

/** Returns the names of the groups in `x-tagGroups`. */
export function groupNames(model: Model): string[] {
  const groups = [...model.resources.values()].flatMap(({ declaration }) => declaration.group ?? []);
  return [...new Set(groups)];
}

/** The groups of the reference's sidebar, in the order of the declarations. */
function tagGroups(
  model: Model,
  listed: readonly ModelResource[],
): { readonly name: string; readonly tags: readonly string[] }[] {
  return groupNames(model).map((group) => {
    const tags = listed.filter(({ declaration }) => declaration.group === group).flatMap(tagsOf);
    return { name: group, tags: [...tags, ...(group === 'Store' ? STORE_TAGS : [])].map(({ name }) => name) };
  });
}

/** Returns the tag of a resource and those of its views and actions that have a tag of their own. */
function tagsOf({ name, declaration, views, actions }: ModelResource): Tag[] {
  const others = [...views, ...actions].flatMap(({ tag }) => tag ?? []);
  return [{ name, description: declaration.description }, ...new Map(others.map((tag) => [tag.name, tag])).values()];
}

/** The release whose interface this is. Within it changes only add. */
export const INTERFACE_VERSION = '5.5.1';
