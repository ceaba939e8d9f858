/** `purveyor openapi`: the OpenAPI document as text, without a server and without a database. */
import { openApiDocument, SPEC_VERSIONS } from '../describe/openapi.ts';
import { storeModel } from '../wiring/open.ts';
import { version } from '../wiring/version.ts';

/**
 * @param specVersion as a client of the server may write it, `3.1` or `3.0.3`
 * @param baseUrl where the store is reached, without a slash at the end
 */
export function openApiText(specVersion: string, baseUrl: string): string {
  const known = SPEC_VERSIONS.get(specVersion);
  if (known === undefined)
    throw new Error(`The version should be one of ${[...SPEC_VERSIONS.keys()].join(', ')}; it is "${specVersion}".`);
  const document = openApiDocument(storeModel(), { baseUrl, programVersion: version, specVersion: known });
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
