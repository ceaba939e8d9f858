/** Shared components of one OpenAPI document. Each is created on first reference, so the document has no unused ones. */
import type { Model } from '../../engine/index.ts';
import type { Dialect } from './dialect.ts';

type Section = 'schemas' | 'responses' | 'headers';
export type Part = { readonly [keyword: string]: unknown };
export type Reference = { readonly $ref: string };

export class Components {
  readonly #parts: Record<Section, Map<string, Part>> = {
    schemas: new Map(),
    responses: new Map(),
    headers: new Map(),
  };

  /** Returns a reference to a component. Creates it on first use. */
  refer(section: Section, name: string, make: () => Part): Reference {
    const parts = this.#parts[section];
    if (!parts.has(name)) {
      // Components can refer to each other, so the name is reserved first.
      parts.set(name, {});
      parts.set(name, make());
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** All components, sorted by name for a stable document. */
  all(): Record<Section, Record<string, Part>> {
    const sorted = (parts: Map<string, Part>): Record<string, Part> =>
      Object.fromEntries([...parts].sort(([one], [other]) => (one < other ? -1 : 1)));
    return {
      schemas: sorted(this.#parts.schemas),
      responses: sorted(this.#parts.responses),
      headers: sorted(this.#parts.headers),
    };
  }
}

/** What every part of a document is generated from. */
export interface DocumentContext {
  readonly model: Model;
  readonly dialect: Dialect;
  readonly baseUrl: string;
  readonly components: Components;
}
