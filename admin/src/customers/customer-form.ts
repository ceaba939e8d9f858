/** A customer as form values, with the ETag of their version. */
import type { ProfileOutput } from 'purveyor/client';
import { store } from '../api/client.ts';

const FIELDS = [
  'login',
  'status',
  'status_comment',
  'language',
  'membership_id',
  'pending_membership_id',
  'force_change_password',
  'tax_exempt',
  'vat_id',
] as const;

export const EMPTY_VALUES = { login: '', status_comment: '', language: '', vat_id: '' };

export const PATH = '/profiles/{profile_id}';

export interface LoadedCustomer {
  readonly profile: ProfileOutput;
  readonly values: Readonly<Record<(typeof FIELDS)[number], unknown>>;
  readonly etag: string;
}

/** @throws {StoreProblem} if the customer does not exist */
export async function loadCustomer(profile_id: number): Promise<LoadedCustomer> {
  const { data, etag } = await store.get(PATH, { profile_id });
  const values = Object.fromEntries(FIELDS.map((field) => [field, data[field]])) as LoadedCustomer['values'];
  return { profile: data, values, etag: etag! };
}
