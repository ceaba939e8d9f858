/** A customer as the form has it, with the tag of that version. */
import type { ProfileOutput } from 'purveyor/client';
import { store } from '../store/client.ts';

const FIELDS = [
  'login',
  'status',
  'status_comment',
  'language',
  'membership_id',
  'pending_membership_id',
  'force_change_password',
] as const;

export const EMPTIED = { login: '', status_comment: '', language: '' };

export const PATH = '/profiles/{profile_id}';

export interface Loaded {
  readonly profile: ProfileOutput;
  readonly values: Readonly<Record<(typeof FIELDS)[number], unknown>>;
  readonly etag: string;
}

/** @throws {StoreProblem} when there is no such customer */
export async function loadCustomer(profile_id: number): Promise<Loaded> {
  const { data, etag } = await store.get(PATH, { profile_id });
  const values = Object.fromEntries(FIELDS.map((field) => [field, data[field]])) as Loaded['values'];
  return { profile: data, values, etag: etag! };
}
