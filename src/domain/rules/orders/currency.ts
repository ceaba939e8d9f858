/** The currency of an order and of money that moved for it: one that something can be charged in. */
import { type Draft, type Field, type Group, text } from '../../../engine/vocabulary.ts';
import { CURRENCIES } from './currencies.ts';

/** Output has what is stored: a code may have been withdrawn since, or come from before there was a table. */
export function currency(options: { readonly groups: readonly Group[]; readonly description: string }): Field {
  return {
    ...text({
      ...options,
      default: null,
      preservedOnReplace: true,
      form: { pattern: /^[A-Z]{3}$/, expected: 'three capital letters such as EUR' },
      example: 'USD',
      description: `An active code of ISO 4217. ${options.description}`,
    }),
    inputSchema: { type: 'string', pattern: `^(?:${[...CURRENCIES.keys()].join('|')})$` },
  };
}

/**
 * A store whose own currency is not in the table, because it was chosen before there was one, goes on in it. Past orders may
 * be in currencies of the past.
 */
export function checkCurrency({
  values,
  environment,
  past,
  violations,
}: Pick<Draft<'currency'>, 'values' | 'violations' | 'environment' | 'past'>): void {
  const code = values.currency;
  if (typeof code === 'string' && code !== environment.settings.currency && !past && !CURRENCIES.has(code))
    violations.add('currency', 'choice', 'This value should be an active currency code of ISO 4217.');
}
