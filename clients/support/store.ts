/** The store that a tool meets: the server that `purveyor serve` starts, on a SQLite file of its own. */
import { after, before, describe } from 'node:test';
import type { Json } from '../../test/support/openapi.ts';
import { type Settings, Store } from '../../test/support/store.ts';

export { READ_ONLY_KEY, READ_WRITE_KEY } from '../../test/support/store.ts';
export type { Store };

/** A tool may compute for longer than a connection stays open unused, and then send on it before it sees that it is closed. */
const PATIENT: Settings = { KEEP_ALIVE_SECONDS_MAX: '120' };

/** Declares tests of a tool. The store runs while they run, not yet while they are declared. */
export function withStore(name: string, declare: (store: Store) => void, settings: Settings = {}): void {
  describe(name, () => {
    const store = new Store('sqlite', { ...PATIENT, ...settings });
    before(() => store.start());
    after(() => store.stop());
    declare(store);
  });
}

export const SPEC_VERSIONS = ['3.1.0', '3.0.3'] as const;
export type SpecVersion = (typeof SPEC_VERSIONS)[number];

export function documentUrl(store: Store, version: SpecVersion): string {
  return `${store.address}/api/openapi.json?spec_version=${version}`;
}

/** The document without bodies that are a line for each record, or a stream: for tools that know one JSON value alone. */
export function withoutLines(document: Json): Json {
  const copy = structuredClone(document);
  for (const [path, methods] of Object.entries<Json>(copy.paths))
    for (const [method, operation] of Object.entries<Json>(methods)) {
      if (!operation.responses) continue;
      if (operation.requestBody && !operation.requestBody.content['application/json']) delete methods[method];
      for (const { content } of Object.values<Json>(operation.responses))
        for (const type of Object.keys(content ?? {})) if (/ndjson|jsonl|event-stream/.test(type)) delete content[type];
      if (Object.keys(methods).every((name) => name === 'parameters')) delete copy.paths[path];
    }
  return copy;
}
