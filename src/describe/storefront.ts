/**
 * The OpenAPI document of `/storefront` (storefront.md §1). Reads of the catalog are generated from the storefront views, whose
 * fields have the types of the resources. All other operations are declared in `storefront/operations.ts`.
 */
import type { Model } from '../engine/index.ts';
import { Components, type DocumentContext } from './openapi/components.ts';
import { dialects } from './openapi/dialect.ts';
import { type DescribedStore, shareRepeated } from './openapi/share-repeated.ts';
import { INTERFACE_VERSION, type OpenApiOptions } from './openapi.ts';
import { shopIntroduction } from './storefront/introduction.ts';
import { describeOperation, SECURITY_SCHEMES, type ShopOperation } from './storefront/operation.ts';
import { otherOperations } from './storefront/operations.ts';
import { problemsOf } from './storefront/problems.ts';
import type { DescribedView } from './storefront/records.ts';
import { viewOperations } from './storefront/views.ts';

/** The views whose records the document describes. */
interface StorefrontViews {
  readonly catalog: readonly DescribedView[];
  /** A customer's own orders. */
  readonly orders: DescribedView;
}

/** Returns the document. Parts that several operations have in common are components. */
export function storefrontDocument(
  model: Model,
  { catalog, orders }: StorefrontViews,
  { baseUrl, programVersion, specVersion }: OpenApiOptions,
): object {
  const context: DocumentContext = { model, dialect: dialects[specVersion], baseUrl, components: new Components() };
  const operations = [...catalog.flatMap((view) => viewOperations(context, view)), ...otherOperations(context, orders)];
  const tags = [...new Map(operations.map(({ tag }) => [tag.name, tag])).values()];
  const groups = Map.groupBy(tags, ({ group }) => group);
  const document = {
    openapi: specVersion,
    info: {
      title: 'Storefront API',
      version: INTERFACE_VERSION,
      description: shopIntroduction(baseUrl, problemsOf(operations)),
      contact: { name: 'Store operator', url: `${baseUrl}/storefront` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      'x-purveyor-version': programVersion,
    },
    servers: [{ url: `${baseUrl}/storefront`, description: 'This store' }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    'x-tagGroups': [...groups].map(([name, all]) => ({ name, tags: all.map((tag) => tag.name) })),
    paths: pathsOf(context, operations),
  };
  const components = { securitySchemes: SECURITY_SCHEMES, ...context.components.all() };
  return shareRepeated({ ...document, components } as unknown as DescribedStore);
}

function pathsOf(
  context: DocumentContext,
  operations: readonly ShopOperation[],
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(context, operation) };
  return paths;
}
