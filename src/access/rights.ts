/** The rights of a key: its scopes, and what it cannot see (access.md §§1 and 2). Decided once for each set of scopes. */
import type { Model, ModelField, ModelResource } from '../engine/index.ts';
import { familiesOf } from './families.ts';
import { createHiddenData, type HiddenData } from './hidden-data.ts';
import { maskableFields, maskName } from './masks.ts';
import { allScopes, covers } from './scopes.ts';

/** A publishable key is public. It is only for the shop's visitors, who read no records of the model. */
export type KeyKind = 'read-write' | 'read-only' | 'scoped' | 'publishable';

/** What a key was created with. */
export interface Grant {
  readonly kind: KeyKind;
  /** Only of scoped keys. */
  readonly scopes?: readonly string[];
  /** Only of scoped keys. */
  readonly masks?: readonly string[];
}

const PRESETS = {
  'read-write': ['*:*'],
  'read-only': ['*:export', '*:read', 'privacy:export'],
  publishable: [],
} as const;

/** What a publishable key shows to everyone. Only who may read all of it may create one. */
export const SHOWN_BY_PUBLISHABLE: Grant = {
  kind: 'scoped',
  scopes: ['attributes:read', 'categories:read', 'products:read', 'stickers:read', 'tags:read'],
};

/** Returns the scopes of a key, as output shows them. */
export function grantedScopes({ kind, scopes = [] }: Grant): readonly string[] {
  return kind === 'scoped' ? scopes : PRESETS[kind];
}

/** Returns the masks of a key, as output shows them. */
export function grantedMasks({ kind, masks = [] }: Grant): readonly string[] {
  return kind === 'scoped' ? masks : [];
}

export class Rights {
  /** Whether no request is rejected and no data is hidden. */
  readonly isFull: boolean;
  readonly scopes: readonly string[];
  /** Fields that the key cannot see although it can read their family. */
  readonly masks: readonly string[];
  /** Undefined if the key may read every record with all fields. */
  readonly hidden: HiddenData | undefined;
  /** Without wildcards; each scope includes reading its family. */
  readonly #granted = new Set<string>();
  readonly #model: Model;

  constructor(model: Model, grant: Grant) {
    this.scopes = grantedScopes(grant);
    this.masks = grantedMasks(grant);
    for (const scope of allScopes(model).keys())
      if (this.scopes.some((granted) => covers(granted, scope))) this.#add(scope);
    this.hidden = createHiddenData(model, (scope) => this.has(scope), this.masks);
    this.isFull = this.scopes.includes('*:*') && !this.hidden;
    if (this.hidden?.readsAll ?? true) this.#granted.add('*:read');
    this.#model = model;
  }

  #add(scope: string): void {
    this.#granted.add(scope).add(`${scope.split(':')[0]}:read`);
  }

  has(scope: string): boolean {
    return this.#granted.has(scope);
  }

  missing(scopes: readonly string[]): readonly string[] {
    return this.isFull ? [] : scopes.filter((scope) => !this.#granted.has(scope));
  }

  /** Returns those scopes that a key with these rights may not grant. A wildcard can only be granted by a wildcard. */
  notGrantable(scopes: readonly string[]): readonly string[] {
    const isDerived = (scope: string): boolean => !scope.includes('*') && this.has(scope);
    return scopes.filter((scope) => !this.scopes.some((own) => covers(own, scope)) && !isDerived(scope));
  }

  /**
   * Returns the own masks that other rights lack although they include reading a family of the field. A key cannot grant such
   * rights, even if the field is hidden for another reason: further scopes, as of another role, would show it.
   */
  droppedMasks(other: Rights): readonly string[] {
    const families = familiesOf(this.#model);
    const readsSome = (resource: ModelResource): boolean =>
      families.ofResource(resource).some((family) => other.has(`${family}:read`));
    const fields = this.masks.flatMap((mask) => maskableFields(this.#model).get(mask) ?? []);
    const isMasked = (field: ModelField): boolean => (other.hidden?.masksOf([field]).length ?? 0) > 0;
    return fields.filter((field) => readsSome(field.resource) && !isMasked(field)).map(maskName);
  }
}

const known = new WeakMap<Model, Map<string, Rights>>();

/** Grants that differ are few, because each belongs to a key that was created. */
const KNOWN_MAX = 10_000;

export function rightsOf(model: Model, grant: Grant): Rights {
  const all = known.get(model) ?? new Map<string, Rights>();
  known.set(model, all);
  const name = grant.kind === 'scoped' ? [...grantedScopes(grant), ...grantedMasks(grant)].join() : grant.kind;
  const found = all.get(name);
  if (found) return found;
  const rights = new Rights(model, grant);
  if (all.size >= KNOWN_MAX) all.clear();
  all.set(name, rights);
  return rights;
}
