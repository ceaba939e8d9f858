/** Users, roles and sessions in their output form (access.md §3). Timestamps are in the store's time zone. */
import { formatTimestamp, type Service } from '../../engine/index.ts';
import { factorsOf, type Role, type User } from './accounts.ts';
import type { Passkey } from './passkeys.ts';
import type { UserSession } from './user-sessions.ts';
import type { View } from './views.ts';

type Shown = Pick<Service, 'environment'>;

export function userRecord(
  { id, email, name, status, language, roleIds, totp, passkeys, lastSignIn, created }: User,
  service: Shown,
) {
  return {
    ...{ id, email, name, status, language, role_ids: [...roleIds], factors: factorsOf({ totp, passkeys }) },
    last_sign_in_at: lastSignIn === null ? null : shown(lastSignIn, service),
    created_at: shown(created, service),
  };
}

export function roleRecord({ id, name, scopes, masks, isPreset }: Role) {
  return { id, name, scopes: [...scopes], masks: [...masks], preset: isPreset };
}

/** @param current the listed id of the session of the request */
export function sessionRecord(
  { id, created, lastUsed, address, userAgent }: UserSession,
  current: string | undefined,
  service: Shown,
) {
  return {
    ...{ id, created_at: shown(created, service), last_used_at: shown(lastUsed, service) },
    ...{ address, user_agent: userAgent, current: id === current },
  };
}

export function passkeyRecord({ id, name, created, lastUsed }: Passkey, service: Shown) {
  const last_used_at = lastUsed === null ? null : shown(lastUsed, service);
  return { id, name, created_at: shown(created, service), last_used_at };
}

export function viewRecord({ id, name, screen, query }: View) {
  return { id, name, screen, query };
}

export function shown(seconds: number, { environment }: Shown): string {
  return formatTimestamp(seconds, environment.timeZone);
}
