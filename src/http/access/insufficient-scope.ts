/** The problem of a request that needs scopes which its key lacks, or fields that it cannot see (access.md §6). */
import { Problem } from '../../engine/index.ts';

/** @param missing scopes such as `products:read`, and masked fields such as `Product.cost_price` */
export function insufficientScope(missing: readonly string[], reason = 'This request'): Problem {
  const all = [...new Set(missing)].sort();
  const scopes = all.filter((each) => each.includes(':'));
  const masked = all.filter((each) => !each.includes(':'));
  const sentences = [
    ...(scopes.length > 0
      ? [`${reason} needs the ${counted('scope', scopes)}, which the key of this request does not have.`]
      : []),
    ...(masked.length > 0
      ? [`${reason} needs the ${counted('field', masked)}, which the key of this request cannot see.`]
      : []),
  ];
  return new Problem('insufficient-scope', sentences.join(' '), {
    more: { missing_scopes: scopes, masked_fields: masked },
  });
}

function counted(noun: string, names: readonly string[]): string {
  return `${noun}${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(', ')}`;
}
