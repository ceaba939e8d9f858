/** What sessions of the admin page need besides scopes: a second factor, and a recent sign-in (access.md §3). */
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { USERS_PATH } from '../../access/scopes.ts';
import { API_PATH, type Problem, problem } from '../../engine/index.ts';
import type { ValidKey } from '../../store/keys.ts';
import type { HttpOptions } from '../server/context.ts';

const RECENT_SECONDS = 900;

const OWN_PATH = `${API_PATH}${USERS_PATH}/me`;

/** If the store requires second factors, users without one can only use their own account, where they set one up. */
export function checkSecondFactor(
  { routeOptions: { url = '' } }: FastifyRequest,
  { user }: ValidKey,
  { secondFactor }: Pick<HttpOptions, 'secondFactor'>,
): Problem | undefined {
  if (secondFactor !== 'required' || !user || user.byProvider || user.factors.length > 0) return undefined;
  if (url === OWN_PATH || url.startsWith(`${OWN_PATH}/`)) return undefined;
  return problem('second-factor-required', 'This store requires two-step sign-in. Set it up for your account first.');
}

/** @param now seconds since 1970 */
export function checkRecentSignIn(
  { needsRecentSignIn }: Pick<FastifyContextConfig, 'needsRecentSignIn'>,
  { confirmedAt, user }: ValidKey,
  now: number,
): Problem | undefined {
  if (!needsRecentSignIn || confirmedAt === undefined || now - confirmedAt <= RECENT_SECONDS) return undefined;
  const how = user?.byProvider ? 'at /admin/oidc/confirm in a browser' : 'with POST /admin/session/confirm';
  return problem(
    'reauthentication-required',
    `The last sign-in of this session was more than 15 minutes ago. Confirm it ${how}.`,
  );
}
