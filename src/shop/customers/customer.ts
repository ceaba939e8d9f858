/** What customers see of their own profile (storefront.md §3). */
import { formatTimestamp, type Reads, type Value } from '../../engine/index.ts';
import { shownTexts } from '../feed-details.ts';

export interface ShownCustomer {
  readonly login: string;
  readonly language: string;
  readonly membership: { readonly id: Value; readonly name: string } | null;
  readonly email_verified_at: string | null;
}

const FIELDS = ['login', 'language', 'membership_id', 'email_verified_at'];

/** @returns undefined if the profile does not exist */
export async function readCustomer(reads: Reads, profile: Value): Promise<ShownCustomer | undefined> {
  const [found] = await reads.list('Profile', { id: profile }, { only: FIELDS });
  if (!found) return undefined;
  const { login, language, membership_id: membership, email_verified_at: verified } = found;
  const { timeZone } = reads.service.environment;
  return {
    login: login as string,
    language: language as string,
    membership: membership === null ? null : { id: membership!, name: await membershipName(reads, membership!) },
    email_verified_at: verified === null ? null : formatTimestamp(verified as number, timeZone),
  };
}

async function membershipName(reads: Reads, id: Value): Promise<string> {
  return (await shownTexts(reads, 'Membership', [id], 'name')).get(id)!;
}
