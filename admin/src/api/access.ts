/**
 * What a session may do. A scope is `family:operation`, for example `orders:write`; the family of a path is its first segment. A
 * session of a key without scopes of its own has those of the key's kind.
 */

/** Who is signed in: a key, or a member of staff. */
export interface Session {
  readonly expires_at: string;
  readonly key: { readonly name: string; readonly kind: string } | null;
  readonly user?: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    /** Whether the session began at an identity provider. */
    readonly oidc?: boolean;
  } | null;
  readonly scopes?: readonly string[];
  readonly masks?: readonly string[];
}

export type Scope = `${string}:${string}`;

export interface Access {
  readonly scopes: readonly string[];
  /** Families that are excluded, although a scope with a wildcard names them. */
  readonly excluded?: readonly string[];
  /** Fields that the store does not show, such as `Product.cost_price`. */
  readonly masks: readonly string[];
  /** Whether a user is signed in, who has an account at the store. A key has none. */
  readonly isUser: boolean;
}

const SCOPES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  'read-write': ['*:*'],
  // It may also export personal data, but only with GET, which this page does not use.
  'read-only': ['*:read'],
};

/** What a read-only key cannot read (access.md §1). */
const NOT_FOR_READ_ONLY = ['audit', 'keys', 'roles', 'users'];

export function accessOf({ key, user, scopes, masks }: Session): Access {
  const granted = SCOPES_OF_KIND[key?.kind ?? ''] ?? scopes ?? [];
  return {
    ...{ scopes: granted, masks: masks ?? [], isUser: user !== undefined && user !== null },
    ...(key?.kind === 'read-only' ? { excluded: NOT_FOR_READ_ONLY } : {}),
  };
}

/** Whether one of the scopes grants this one. Every operation includes `read` of its family. */
export function grants({ scopes, excluded }: Pick<Access, 'scopes' | 'excluded'>, scope: Scope): boolean {
  const [family, operation] = scope.split(':');
  if (excluded?.includes(family!)) return false;
  return scopes.some((granted) => {
    const [ofFamily, ofOperation] = granted.split(':');
    if (ofFamily !== '*' && ofFamily !== family) return false;
    return ofOperation === '*' || ofOperation === operation || operation === 'read';
  });
}

/** Whether the session can change anything at all. */
export const isReadOnly = ({ scopes }: Access): boolean =>
  scopes.every((scope) => scope.endsWith(':read') || scope.endsWith(':export'));
