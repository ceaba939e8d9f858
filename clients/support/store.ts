/** Starts a store for a tool: the server of `purveyor serve` with a new SQLite file. */
import { after, before, describe } from 'node:test';
import { type Json, resolved } from '../../test/support/openapi.ts';
import { type Settings, Store } from '../../test/support/store.ts';

export { READ_ONLY_KEY, READ_WRITE_KEY } from '../../test/support/store.ts';
export type { Store };

/** Declares tests of a tool. The store is not running yet when `declare` is called. */
export function withStore(name: string, declare: (store: Store) => void, settings: Settings = {}): void {
  describe(name, () => {
    const store = new Store('sqlite', settings);
    before(() => store.start());
    after(() => store.stop());
    declare(store);
  });
}

export const SPEC_VERSIONS = ['3.1.0', '3.0.3'] as const;
export type SpecVersion = (typeof SPEC_VERSIONS)[number];

/** The documents of the store: that of the back office, and that for shoppers. */
export const DOCUMENTS = ['/api', '/storefront'] as const;

export function documentUrl(store: Store, version: SpecVersion, base: (typeof DOCUMENTS)[number] = '/api'): string {
  return `${store.address}${base}/openapi.json?spec_version=${version}`;
}

/**
 * Removes operations with a body of lines or a file, and media types for lines and event streams, for tools that support only
 * single JSON values.
 */
export function withoutLines(document: Json): Json {
  const copy = structuredClone(document);
  for (const [path, { parameters, ...methods }] of Object.entries<Json>(copy.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries<Json>(methods)) {
      const hasFile = resolved(copy, responses[200])?.content?.['*/*'] !== undefined;
      const hasOnlyLines = requestBody && !resolved(copy, requestBody).content['application/json'];
      if (hasOnlyLines || hasFile) delete copy.paths[path][method];
      removeLineTypes(responses);
    }
    if (Object.keys(copy.paths[path]).every((name) => name === 'parameters')) delete copy.paths[path];
  }
  removeLineTypes(copy.components.responses);
  return copy;
}

/**
 * Removes the operations that only users can do, a reset link, which only a user who has signed in can get, and those on a mail
 * or a cart, because the store sends no mails and only shoppers create carts.
 */
export function withoutSignedInUsers(document: Json): Json {
  const paths = Object.entries<Json>(document.paths).filter(
    ([path]) => !/^\/(users\/(me\b|\{\w+\}\/(sessions\/|reset_link))|(mails|carts)\/)/.test(path),
  );
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Removes the examples of optional parameters, for tools that would send all of them in one request. */
export function withoutSuggestions(document: Json): Json {
  const copy = structuredClone(document);
  const items = Object.values<Json>(copy.paths).flatMap(({ parameters, ...methods }) => [
    { parameters },
    ...Object.values<Json>(methods),
  ]);
  for (const { parameters = [] } of [...items, { parameters: Object.values(copy.components.parameters) }])
    for (const parameter of parameters) if (!parameter.required) delete parameter.example;
  return copy;
}

function removeLineTypes(responses: Json): void {
  for (const { content } of Object.values<Json>(responses))
    for (const type of Object.keys(content ?? {})) if (/ndjson|jsonl|event-stream/.test(type)) delete content[type];
}
