/**
 * The shared parts of one document. A part is made when something first refers to it, so the document has exactly the
 * parts that it uses.
 */
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

  refer(section: Section, name: string, make: () => Part): Reference {
    const parts = this.#parts[section];
    if (!parts.has(name)) {
      // Parts may refer to each other: the place is taken before the part is made.
      parts.set(name, {});
      parts.set(name, make());
    }
    return { $ref: `#/components/${section}/${name}` };
  }

  /** By name, so that a part keeps its place whoever uses it first. */
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

/** The material from which every piece of a document is written. */
export interface Writing {
  readonly model: Model;
  readonly dialect: Dialect;
  readonly baseUrl: string;
  readonly components: Components;
  /** Records are described in their JSON-LD form, those inside others too. */
  readonly isLinked?: true;
}
