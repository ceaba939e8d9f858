/**
 * What a session may do. A scope is `family:operation`, for example `orders:write`; the family of a path is its first segment. A
 * session of a key without scopes of its own has those of the key's kind.
 */

/** Who is signed in: a key, or a member of staff. */
export interface Session {
  readonly expires_at: string;
  readonly key: { readonly name: string; readonly kind: string } | null;
  readonly user?: { readonly name: string; readonly email: string } | null;
  readonly scopes?: readonly string[];
  readonly masks?: readonly string[];
}

export type Scope = `${string}:${string}`;

export interface Access {
  readonly scopes: readonly string[];
  /** Fields that the store does not show, such as `Product.cost_price`. */
  readonly masks: readonly string[];
}

const SCOPES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  'read-write': ['*:*'],
  // It may also export personal data, but only with GET, which this page does not use.
  'read-only': ['*:read'],
};

export function accessOf({ key, scopes, masks }: Session): Access {
  return { scopes: SCOPES_OF_KIND[key?.kind ?? ''] ?? scopes ?? [], masks: masks ?? [] };
}

/** Whether one of the scopes grants this one. Every operation includes `read` of its family. */
export function grants({ scopes }: Access, scope: Scope): boolean {
  const [family, operation] = scope.split(':');
  return scopes.some((granted) => {
    const [ofFamily, ofOperation] = granted.split(':');
    if (ofFamily !== '*' && ofFamily !== family) return false;
    return ofOperation === '*' || ofOperation === operation || operation === 'read';
  });
}

/** Whether the session can change anything at all. */
export const isReadOnly = ({ scopes }: Access): boolean =>
  scopes.every((scope) => scope.endsWith(':read') || scope.endsWith(':export'));
