/** Rules of profiles (profiles.md §1). Every profile is a customer; administrators have API keys instead. */
import { checkVAT, countries } from 'jsvat-next';
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

export const USES_OF_PROFILE = {
  own: ['access_level', 'vat_id', 'login', 'password', 'status', 'email_verified_at'],
  ShopperSession: ['profile'],
  Mail: ['profile', 'template', 'status'],
  OneTimeToken: ['mail'],
} as const;

type ProfileDraft = Draft<(typeof USES_OF_PROFILE.own)[number]>;

const CUSTOMER = 0;
const ADMINISTRATOR = 100;

export function checkAccess({ sent, violations }: ProfileDraft): void {
  const { access_level: level } = sent;
  if (level === ADMINISTRATOR)
    violations.add(
      'access_level',
      'choice',
      'Profiles are customers. Send 0, and create an API key (/keys) for an administrator.',
    );
  else if (typeof level === 'number' && level !== CUSTOMER)
    violations.add('access_level', 'choice', 'The value must be 0 (customer).');
}

export function deriveProfile(draft: ProfileDraft): void {
  deriveVatId(draft);
  // Only the owner of an address can verify it.
  if (isChanged('login', draft)) draft.values.email_verified_at = null;
}

/**
 * Ends all sessions of the customer, and all tokens in mails, if the login, the password or the status has changed
 * (storefront.md §3).
 */
export async function endSessions(
  draft: ProfileDraft,
  unit: UnitOfWork<typeof USES_OF_PROFILE>,
  profile: Value,
): Promise<void> {
  const credentials = ['login', 'password', 'status'] as const;
  if (!credentials.some((name) => isChanged(name, draft))) return;
  await unit.remove('ShopperSession', { profile });
  const mails = await unit.list('Mail', { profile, template: ['reset', 'login_change'] }, { only: ['status'] });
  await unit.remove('OneTimeToken', { mail: mails.map(({ id }) => id) });
  // Their next attempt would create another token.
  await unit.remove('Mail', { id: mails.filter(({ status }) => status !== 'sent').map(({ id }) => id) });
}

function isChanged(
  name: 'login' | 'password' | 'status',
  { stored, values }: { readonly stored: Stored<typeof name> | undefined; readonly values: ProfileDraft['values'] },
): boolean {
  return stored !== undefined && values[name] !== undefined && values[name] !== stored[name];
}

/** A VAT identification number begins with its country. */
const COUNTRY_PREFIX = /^[A-Z]{2}/;

/** Removes separators from a VAT identification number, and checks its form and check digits without a network. */
export function deriveVatId({ values, violations }: Pick<Draft<'vat_id'>, 'values' | 'violations'>): void {
  if (typeof values.vat_id !== 'string') return;
  const plain = plainVatId(values.vat_id);
  values.vat_id = plain;
  if (plain !== '' && !(COUNTRY_PREFIX.test(plain) && checkVAT(plain, countries).isValid))
    violations.add(
      'vat_id',
      'format',
      'This value should be a VAT identification number with the prefix of its country, such as "DE136695976".',
    );
}

/** Returns a VAT identification number as it is stored. */
export function plainVatId(sent: string): string {
  return sent.replace(/[\s.-]/g, '').toUpperCase();
}

/**
 * Returns the name in the first billing address that has one, else in the first address that has one: first and last
 * name, or the company if both are empty.
 *
 * @param addresses - addresses of a profile, by id
 */
export function displayName(addresses: readonly Readonly<Record<string, Value>>[]): string {
  const nameIn = ({ firstname, lastname, company }: Readonly<Record<string, Value>>): string =>
    [firstname, lastname].filter(Boolean).join(' ') || String(company);
  const billing = addresses.filter(({ is_billing }) => is_billing === true);
  return [...billing, ...addresses].map(nameIn).find((name) => name.trim() !== '') ?? '';
}
