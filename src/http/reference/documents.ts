/** The OpenAPI document in its versions, as bytes. */

import { openApiDocument, type SpecVersion } from '../../describe/openapi.ts';
import type { Model } from '../../engine/index.ts';
import { AddressedDocuments } from './addressed-documents.ts';
import type { PublicFile } from './public-files.ts';

type Documents = (version: SpecVersion, baseUrl: string) => PublicFile;

export function openApiDocuments(model: Model, programVersion: string): Documents {
  const documents = new AddressedDocuments();
  return (specVersion, baseUrl) =>
    documents.get(specVersion, baseUrl, 'application/json; charset=utf-8', (address) =>
      openApiDocument(model, { baseUrl: address, programVersion, specVersion }),
    )!;
}
