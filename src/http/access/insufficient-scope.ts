/** The problem of a request that needs scopes which its key lacks (access.md §6). */
import { Problem } from '../../engine/index.ts';

export function insufficientScope(missing: readonly string[], reason = 'This request'): Problem {
  const scopes = [...new Set(missing)].sort();
  const needed = scopes.map((scope) => `“${scope}”`).join(', ');
  const plural = scopes.length === 1 ? 'the scope' : 'the scopes';
  return new Problem(
    'insufficient-scope',
    `${reason} needs ${plural} ${needed}, which the key of this request does not have.`,
    {
      more: { missing_scopes: scopes, masked_fields: [] },
    },
  );
}
