/** The OpenAPI document in its versions, whole and by group, as bytes. Each is generated and compressed once. */
import { onlyGroup, openApiDocument, type SpecVersion } from '../../describe/openapi.ts';
import type { Model } from '../../engine/index.ts';
import { AddressedDocuments } from './addressed-documents.ts';
import type { PublicFile } from './public-files.ts';

/** What a request for the document chooses. */
export interface DocumentChoice {
  readonly specVersion: SpecVersion;
  /** Only this group of `x-tagGroups`; without it, the whole document. */
  readonly group?: string;
}

type Documents = (choice: DocumentChoice, baseUrl: string) => PublicFile;

export function openApiDocuments(model: Model, programVersion: string): Documents {
  const documents = new AddressedDocuments();
  return ({ specVersion, group }, baseUrl) =>
    documents.get(`${specVersion} ${group ?? ''}`, baseUrl, 'application/json; charset=utf-8', (address) => {
      const whole = openApiDocument(model, { baseUrl: address, programVersion, specVersion });
      return group === undefined ? whole : onlyGroup(whole, group);
    })!;
}
