/** The documents of JSON-LD and Hydra as bytes. */
import { apiDocumentation, contextOf, entrypoint } from '../../describe/hydra.ts';
import type { Model } from '../../engine/index.ts';
import { AddressedDocuments } from './addressed-documents.ts';
import type { PublicFile } from './public-files.ts';

interface LinkedDocuments {
  entrypoint(baseUrl: string): PublicFile;
  documentation(baseUrl: string): PublicFile;
  /** @returns undefined for a name that has no context */
  context(name: string, baseUrl: string): PublicFile | undefined;
}

export function linkedDocuments(model: Model): LinkedDocuments {
  const documents = new AddressedDocuments();
  const get = (name: string, baseUrl: string, write: (address: string) => object | undefined): PublicFile | undefined =>
    documents.get(name, baseUrl, 'application/ld+json; charset=utf-8', write);
  return {
    entrypoint: (baseUrl) => get('entrypoint', baseUrl, () => entrypoint(model))!,
    documentation: (baseUrl) => get('documentation', baseUrl, (address) => apiDocumentation(model, address))!,
    context: (name, baseUrl) => get(`context ${name}`, baseUrl, (address) => contextOf(model, name, address)),
  };
}
