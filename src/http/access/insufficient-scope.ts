/** The problem of a request that needs scopes which its key lacks, or fields that it cannot see (access.md §6). */
import { Problem } from '../../engine/index.ts';

/** @param missing scopes such as `products:read`, and masked fields such as `Product.cost_price` */
export function insufficientScope(missing: readonly string[], reason = 'This request'): Problem {
  return lacking(missing, reason, (fields) => `${reason} needs ${fields}, which your key or your roles hide.`);
}

/**
 * The problem of a request that gives rights, or changes someone who has them, which its key or user could not give.
 *
 * @param missing scopes that the caller lacks, and its masks that the other rights lack
 * @param action such as “Changing this role”
 */
export function ungrantable(missing: readonly string[], action: string): Problem {
  return lacking(
    missing,
    action,
    (fields) =>
      `${action} would show ${fields}, which you cannot see. Add it to “masks”, or ask someone who can see it.`,
  );
}

function lacking(missing: readonly string[], reason: string, ofFields: (fields: string) => string): Problem {
  const all = [...new Set(missing)].sort();
  const scopes = all.filter((each) => each.includes(':'));
  const masked = all.filter((each) => !each.includes(':'));
  const sentences = [
    ...(scopes.length > 0
      ? [`${reason} needs the ${counted('scope', scopes)}, which your key or your roles do not include.`]
      : []),
    ...(masked.length > 0 ? [ofFields(`the ${counted('field', masked)}`)] : []),
  ];
  return new Problem('insufficient-scope', sentences.join(' '), {
    more: { missing_scopes: scopes, masked_fields: masked },
  });
}

function counted(noun: string, names: readonly string[]): string {
  return `${noun}${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(', ')}`;
}
