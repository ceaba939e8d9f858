/** Reads the settings from the environment. No other module reads it. */
import { readFileSync } from 'node:fs';
import { CURRENCIES } from '../pricing/currencies.ts';
import { type Config, settings } from './settings/index.ts';
import { IMAGES_FORM, isImagesAddress, isSecure } from './settings/values.ts';

/** An invalid setting. The message is one line for the operator. */
class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

/** @throws {InvalidSetting} before any file or table is created */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(settings).map(([property, { name, default: fallback, isSecret, read }]) => {
    const text = environment[name] ?? (isSecret && textOfFile(`${name}_FILE`, environment));
    try {
      return [property, (read as (text: string) => unknown)(text === undefined ? fallback : text.trim())];
    } catch (error) {
      throw new InvalidSetting(`${name} must be ${(error as Error).message}${shown(name, text)}.`);
    }
  });
  const config = Object.fromEntries(entries) as Config;
  if (config.apiKeyReadWrite !== undefined && config.apiKeyReadWrite === config.apiKeyReadOnly)
    throw new InvalidSetting('API_KEY_READ_WRITE and API_KEY_READ_ONLY must differ; both have the same key.');
  if (config.databaseSchema !== '' && config.databaseUrl.startsWith('sqlite:'))
    throw new InvalidSetting(
      'DATABASE_SCHEMA must be empty if DATABASE_URL names a SQLite file; it is only for PostgreSQL.',
    );
  checkS3Key(config, settings.imagesUrl.name);
  checkOidc(config);
  checkMail(config);
  if (!isS3(config) && config.imagesPublicUrl !== '')
    throw new InvalidSetting(
      'IMAGES_PUBLIC_URL must be empty if IMAGES_URL names a folder; only an S3 store has a public URL.',
    );
  return config;
}

/** @throws {InvalidSetting} if the file cannot be read */
function textOfFile(name: string, environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const file = environment[name]?.trim();
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidSetting(`${name} must name a readable file: ${(error as Error).message}.`);
  }
}

/**
 * Returns the settings with a different image store.
 * @param name of the setting or argument with the address, for error messages
 * @throws {InvalidSetting}
 */
export function imagesSettings(config: Config, name: string, address: string): Config {
  if (!isImagesAddress(address)) throw new InvalidSetting(`${name} must be ${IMAGES_FORM}${shown(name, address)}.`);
  const changed = { ...config, imagesUrl: address };
  checkS3Key(changed, name);
  return changed;
}

function checkS3Key(config: Config, name: string): void {
  if (isS3(config) && (config.s3AccessKeyId === '' || config.s3SecretAccessKey === ''))
    throw new InvalidSetting(
      `${name} names an S3 store. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to its credentials.`,
    );
}

function checkOidc({ oidcIssuer, oidcClientId, oidcClientSecret, oidcOnly, baseUrl }: Config): void {
  if (oidcIssuer === '') {
    if (oidcOnly || oidcClientId !== '' || oidcClientSecret !== '')
      throw new InvalidSetting(
        'OIDC_ISSUER is empty. Set it to the issuer of the OpenID Connect provider, or remove the other settings of OIDC_.',
      );
    return;
  }
  if (oidcClientId === '' || oidcClientSecret === '')
    throw new InvalidSetting(
      'OIDC_ISSUER names an OpenID Connect provider. Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET to what the provider has issued.',
    );
  if (baseUrl === '' || !isSecure(new URL(baseUrl)))
    throw new InvalidSetting(
      'OIDC_ISSUER needs BASE_URL, because the provider returns browsers to it. Set it to the https address of the store.',
    );
}

/** The settings that each way to send mails needs. */
const MAIL_SETTINGS = {
  smtp: ['mailFrom', 'smtpUrl'],
  webhook: ['mailFrom', 'mailWebhookUrl', 'mailWebhookSecret'],
  folder: ['mailFrom', 'mailFolder'],
} as const;

function checkMail(config: Config): void {
  const { mailVia, baseUrl } = config;
  if (mailVia === '') return;
  const missing = MAIL_SETTINGS[mailVia].filter((property) => config[property] === '');
  if (missing.length > 0)
    throw new InvalidSetting(
      `MAIL_VIA=${mailVia} needs ${missing.map((property) => settings[property].name).join(' and ')}. Add what is missing, or leave MAIL_VIA empty.`,
    );
  if (baseUrl === '')
    throw new InvalidSetting(
      'MAIL_VIA needs BASE_URL, because mails contain links. Set it to the public address of the store.',
    );
}

function isS3({ imagesUrl }: Pick<Config, 'imagesUrl'>): boolean {
  return imagesUrl.startsWith('s3:');
}

/** Checks the currency of a new store. An existing store ignores the setting. @throws {InvalidSetting} */
export function checkFirstCurrency({ storeCurrency }: Pick<Config, 'storeCurrency'>): void {
  if (!CURRENCIES.has(storeCurrency))
    throw new InvalidSetting(
      `STORE_CURRENCY must be an active ISO 4217 currency code; it is ${JSON.stringify(storeCurrency)}.`,
    );
}

/** Whether the environment names an API key setting, even with an empty value. */
export function namesKeys(environment: Readonly<Record<string, string | undefined>>): boolean {
  return [settings.apiKeyReadWrite, settings.apiKeyReadOnly].some(({ name }) => environment[name] !== undefined);
}

/** Formats the settings for `--help`. */
export function describeSettings(): string {
  const all = Object.values(settings);
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name, default: fallback, description }) => {
    const note = fallback === '' ? '' : ` (default: ${fallback})`;
    return `  ${name.padEnd(width)}  ${description}${note}`;
  });
  return `Settings are environment variables:\n${lines.join('\n')}`;
}

/** Ends the message with the value. Secrets, and values that may contain one before an "@", are never shown. */
function shown(name: string, text = ''): string {
  const isSecret =
    /^(?:API_KEY_|AWS_|OIDC_CLIENT_|SMTP_URL$|MAIL_WEBHOOK_SECRET$|DATABASE_URL$)/.test(name) || /[@?]/.test(text);
  return isSecret ? '' : `; it is ${JSON.stringify(text)}`;
}
