/** Connects the retention of price histories with the background jobs. */
import { expireFormerValues } from '../domain/rules/pricing/price-history-retention.ts';
import type { Service } from '../engine/index.ts';
import type { FormerValueRetention } from '../store/former-values.ts';

/** The unit of work, which accepts any names, with those that the rule uses. */
type ExpiringUnit = Parameters<typeof expireFormerValues>[0];

export function priceHistoryRetention({ environment }: Service): FormerValueRetention {
  const { currency, price_history_days } = environment.settings;
  return {
    days: Number(price_history_days),
    expire: (unit, products, expiry) =>
      expireFormerValues(unit as unknown as ExpiringUnit, products, { ...expiry, currency: currency! }),
  };
}
