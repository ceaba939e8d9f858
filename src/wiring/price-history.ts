/** Connects the retention of price histories with the background jobs. */
import {
  expireFormerValues,
  productsChangedByRules,
  productsPerUnit,
} from '../domain/rules/pricing/price-history-retention.ts';
import type { Reads, Service, Unit } from '../engine/index.ts';
import type { FormerValueRetention } from '../store/former-values.ts';

// These accept any names. The rules name those that they use.
type ExpiringUnit = Parameters<typeof expireFormerValues>[0];
type ExpiringReads = Parameters<typeof productsPerUnit>[0];

export function priceHistoryRetention({ environment }: Service): FormerValueRetention {
  const { currency, price_history_days } = environment.settings;
  const readsOf = (reads: Reads): ExpiringReads => reads as unknown as ExpiringReads;
  const unitOf = (unit: Unit): ExpiringUnit => unit as unknown as ExpiringUnit;
  return {
    days: Number(price_history_days),
    perUnit: (reads, products) => productsPerUnit(readsOf(reads), products),
    changedByRules: (reads, products, expiry) =>
      productsChangedByRules(readsOf(reads), products, { ...expiry, currency: currency! }),
    expire: (unit, products, expiry) => expireFormerValues(unitOf(unit), products, { ...expiry, currency: currency! }),
  };
}
