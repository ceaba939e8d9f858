/** Caches compiled statements by shape: each is built and compiled on first use, so that requests only bind values. */
import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Dialect, Statement } from '../ports.ts';

/** Filters and orders combine to more shapes than a store uses; the least recently used are evicted. */
const SHAPES_MAX = 2000;

export class Shapes<T extends object = object> {
  readonly #shapes: LRUCache<string, T>;

  constructor(max = SHAPES_MAX) {
    this.#shapes = new LRUCache({ max });
  }

  get<S extends T>(key: string, build: () => S): S {
    const known = this.#shapes.get(key);
    if (known) return known as S;
    const built = build();
    this.#shapes.set(key, built);
    return built;
  }
}

/** Statements of one dialect by shape. */
export class Statements {
  readonly #dialect: Dialect;
  readonly #shapes: Shapes<Statement>;

  constructor(dialect: Dialect, max = SHAPES_MAX) {
    this.#dialect = dialect;
    this.#shapes = new Shapes(max);
  }

  get(key: string, build: (dialect: Dialect) => RawBuilder<unknown>): Statement {
    return this.#shapes.get(key, () => this.#dialect.compile(build(this.#dialect)));
  }
}
