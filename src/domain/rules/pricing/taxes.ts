/** Rules of tax settings and tax rates (pricing.md §3). */
import type { Draft, UnitOfWork } from '../../../engine/vocabulary.ts';
import { afterWrite } from '../after-write.ts';
import { checkDateRange, DATE_RANGE, MONEY, PERCENT } from './value.ts';

const PERCENT_MAX = 1000;

export const USES_OF_TAX_SETTINGS = { own: ['prices_include_tax', 'default_zone'], TaxRate: ['type'] } as const;

export const USES_OF_TAX_RATE = {
  own: ['type', 'value', ...DATE_RANGE],
  TaxSettings: ['prices_include_tax'],
} as const;

/** Prices can include taxes only if `default_zone` is set and no rate is an amount. */
export async function checkTaxSettings(
  draft: Draft<(typeof USES_OF_TAX_SETTINGS.own)[number]>,
  unit: UnitOfWork<typeof USES_OF_TAX_SETTINGS>,
): Promise<void> {
  const { stored, violations } = draft;
  const { prices_include_tax, default_zone } = afterWrite(draft);
  if (prices_include_tax !== true) return;
  if (default_zone === null)
    violations.add(
      'default_zone',
      'required',
      'default_zone is required while prices include taxes. Send the zone whose taxes they include.',
    );
  if (stored?.prices_include_tax === true) return;
  const [rate] = await unit.list('TaxRate', { type: MONEY });
  if (rate)
    violations.add(
      'prices_include_tax',
      'conflict',
      `Prices cannot include the tax of /tax_rates/${rate.id}, which is an amount. Delete the rate or change its type.`,
    );
}

export async function checkTaxRate(
  draft: Draft<(typeof USES_OF_TAX_RATE.own)[number]>,
  unit: UnitOfWork<typeof USES_OF_TAX_RATE>,
): Promise<void> {
  checkDateRange(draft);
  const { stored, violations } = draft;
  const { type, value } = afterWrite(draft);
  if (type === PERCENT && typeof value === 'number' && value > PERCENT_MAX)
    violations.add('value', 'range', `A percentage must be at most ${PERCENT_MAX}.`);
  if (type !== MONEY || stored?.type === MONEY) return;
  const [settings] = await unit.list('TaxSettings', {});
  if (settings?.prices_include_tax === true)
    violations.add(
      'type',
      'conflict',
      'While prices include taxes (/tax_settings), a rate must be a percentage. Send the type "%".',
    );
}
