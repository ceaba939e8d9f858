/**
 * First start of a store: writes its languages, its currency and the seed records. Later, the store's own values apply,
 * and a setting that differs from them is reported.
 */
import { sql } from 'kysely';
import { inUnit, isProblem, type Service, writeRecord } from '../engine/index.ts';
import { CURRENCIES } from '../pricing/currencies.ts';
import { jobRequestOptions, routeOf, targetAt } from '../store/own-requests.ts';
import { sowSeeds } from '../store/seeds.ts';
import { readSetting, settingsOf, writeSetting } from '../store/settings.ts';
import { checkFirstCurrency } from './config.ts';
import type { Config } from './settings/index.ts';

/** @returns one line for each setting that differs from the store's value, or that a new store would reject */
export async function fillSettings(service: Service, config: Config): Promise<string[]> {
  const requestOptions = jobRequestOptions('start', config.defaultLanguage);
  const currency = await readSetting(settingsOf(service), 'currency');
  if (currency === undefined) checkFirstCurrency(config);
  if (currency === undefined) await fillLanguages(service, config);
  await sowSeeds(service, requestOptions);
  if (currency === undefined) {
    await inUnit(service, requestOptions, (unit) => writeSetting(unit, 'currency', config.storeCurrency));
    return [];
  }
  return differences(service, config, currency);
}

async function fillLanguages(service: Service, { defaultLanguage, languages }: Config): Promise<void> {
  for (const code of new Set([defaultLanguage, ...languages])) {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
    const language = await writeRecord(
      service,
      jobRequestOptions('start', defaultLanguage),
      targetAt(routeOf(service, 'Language')),
      'create',
      {
        code,
        name,
        enabled: true,
        is_default: code === defaultLanguage,
      },
    );
    // Not unique: an interrupted first start has already created this language.
    if (isProblem(language) && language.violations?.[0]?.code !== 'not_unique')
      throw new Error(`Language ${code}: ${language.detail}`);
  }
}

async function differences(service: Service, config: Config, currency: string): Promise<string[]> {
  const select = service.statements.get(
    'list languages',
    () => sql`select code, is_default from ${sql.table('language')} order by code`,
  );
  const rows = await service.database.query(select, {});
  const { decode } = service.database.dialect;
  const stored = rows.map(([code]) => code as string);
  const fallback = rows.find(([, isDefault]) => decode.boolean(isDefault as never))?.[0] as string;
  const lines: string[] = [];
  if (config.storeCurrency !== currency)
    lines.push(`STORE_CURRENCY is ${config.storeCurrency}, but the store uses ${currency}. The setting is ignored.`);
  if (!CURRENCIES.has(currency))
    lines.push(
      `The store’s currency, ${currency}, is not an active ISO 4217 code, so its amounts are not rounded. Orders may use another.`,
    );
  if (config.defaultLanguage !== fallback)
    lines.push(
      `DEFAULT_LANGUAGE is ${config.defaultLanguage}, but the store uses ${fallback}. The setting is ignored.`,
    );
  const missing = config.languages.filter((code) => !stored.includes(code));
  if (missing.length > 0)
    lines.push(
      `LANGUAGES names ${missing.join(', ')}, but the store has ${stored.join(', ')}. Add languages at /languages.`,
    );
  return lines;
}
