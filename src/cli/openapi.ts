/** `purveyor openapi`: writes the OpenAPI document without a server or a database. */
import { openApiDocument, SPEC_VERSIONS } from '../describe/openapi.ts';
import { storeModel } from '../wiring/open.ts';
import { version } from '../wiring/version.ts';

/**
 * Returns the OpenAPI document as JSON text.
 * @param specVersion as in requests to the server, `3.1` or `3.0.3`
 * @param baseUrl public address of the store, without a trailing slash
 */
export function openApiText(specVersion: string, baseUrl: string): string {
  const known = SPEC_VERSIONS.get(specVersion);
  if (known === undefined)
    throw new Error(`--spec-version must be one of ${[...SPEC_VERSIONS.keys()].join(', ')}; it is "${specVersion}".`);
  const document = openApiDocument(storeModel(), { baseUrl, programVersion: version, specVersion: known });
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
