/** The currency field of orders and transactions: a currency that payments can be made in. */
import { type Draft, type Field, type Group, text } from '../../../engine/vocabulary.ts';
import { CURRENCIES } from '../../../pricing/currencies.ts';

/** Only input is limited to active codes. A stored code may have been withdrawn since. */
export function currency(options: { readonly groups: readonly Group[]; readonly description: string }): Field {
  return {
    ...text({
      ...options,
      default: null,
      preservedOnReplace: true,
      form: { pattern: /^[A-Z]{3}$/, expected: 'three capital letters such as EUR' },
      example: 'USD',
      description: `Active ISO 4217 code. ${options.description}`,
    }),
    inputSchema: { type: 'string', pattern: `^(?:${[...CURRENCIES.keys()].join('|')})$` },
  };
}

/** Checks for an active currency. The store's own currency is always valid, and past orders may have withdrawn ones. */
export function checkCurrency({
  values,
  environment,
  past,
  violations,
}: Pick<Draft<'currency'>, 'values' | 'violations' | 'environment' | 'past'>): void {
  const code = values.currency;
  if (typeof code === 'string' && code !== environment.settings.currency && !past && !CURRENCIES.has(code))
    violations.add('currency', 'choice', 'The value must be an active ISO 4217 currency code.');
}
