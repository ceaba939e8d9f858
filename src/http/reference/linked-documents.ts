/** The documents of JSON-LD and Hydra as bytes, written when first asked for: only a running server has an address. */
import { apiDocumentation, contextOf, entrypoint } from '../../engine/hydra.ts';
import type { Model } from '../../engine/model.ts';
import type { World } from '../../engine/resource.ts';
import { type PublicFile, publicFile } from './public-files.ts';

export interface LinkedDocuments {
  entrypoint(): PublicFile;
  documentation(): PublicFile;
  /** @returns undefined for a name that has no context */
  context(name: string): PublicFile | undefined;
}

export function linkedDocuments(model: Model, world: World): LinkedDocuments {
  const written = new Map<string, PublicFile>();
  const once = (name: string, make: () => object | undefined): PublicFile | undefined => {
    const key = `${name} ${world.baseUrl}`;
    const known = written.get(key);
    if (known) return known;
    const document = make();
    // What does not exist is not remembered: there are as many names as clients think of.
    if (!document) return undefined;
    const file = publicFile(JSON.stringify(document), 'application/ld+json; charset=utf-8');
    written.set(key, file);
    return file;
  };
  return {
    entrypoint: () => once('entrypoint', () => entrypoint(model))!,
    documentation: () => once('documentation', () => apiDocumentation(model, world.baseUrl))!,
    context: (name) => once(`context ${name}`, () => contextOf(model, name, world.baseUrl)),
  };
}
