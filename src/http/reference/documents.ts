/** The OpenAPI document in its versions, as bytes: written when first asked for, because only a running server has an address. */
import type { Model } from '../../engine/model.ts';
import { openApiDocument, type SpecVersion } from '../../engine/openapi.ts';
import type { World } from '../../engine/resource.ts';
import { type PublicFile, publicFile } from './public-files.ts';

export type Documents = (version: SpecVersion) => PublicFile;

export function openApiDocuments(model: Model, world: World, programVersion: string): Documents {
  const written = new Map<string, PublicFile>();
  return (specVersion) => {
    const { baseUrl } = world;
    const known = written.get(`${specVersion} ${baseUrl}`);
    if (known) return known;
    const document = openApiDocument(model, { baseUrl, programVersion, specVersion });
    const file = publicFile(JSON.stringify(document), 'application/json; charset=utf-8');
    written.set(`${specVersion} ${baseUrl}`, file);
    return file;
  };
}
