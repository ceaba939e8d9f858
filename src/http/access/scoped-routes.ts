/** Gives every route that needs a key its scopes. A route without a family stops the start (access.md §1). */
import type { FastifyInstance } from 'fastify';
import { neededFields } from '../../access/needed-fields.ts';
import { pathOf, requiredScopes } from '../../access/scopes.ts';
import type { Model } from '../../engine/index.ts';
import { followedCheck } from './followed-records.ts';

/** @param app before its first route */
export function registerScopes(app: FastifyInstance, model: Model): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.isPublic || route.config?.isOfShoppers) return;
    const [method] = [route.method].flat();
    const scopes = requiredScopes(model, method!, pathOf(route.url));
    if (!scopes)
      throw new Error(`${method} ${route.url} has no scope. Declare a family, or add the path to src/access/.`);
    const fields = neededFields(model, method!, pathOf(route.url));
    const needsRecentSignIn = route.config?.needsRecentSignIn || isSensitive(method!, scopes);
    route.config = { ...route.config, scopes, fields, needsRecentSignIn } as NonNullable<typeof route.config>;
    const check = followedCheck(model, pathOf(route.url));
    if (check) route.preHandler = [route.preHandler ?? [], check].flat();
  });
}

const SAFE = new Set(['GET', 'HEAD']);

/** Whether a session needs a recent sign-in: changes of keys, users and roles, and erasures (access.md §3). */
function isSensitive(method: string, scopes: readonly string[]): boolean {
  return !SAFE.has(method) && scopes.some((scope) => scope.endsWith(':manage') || scope === 'privacy:erase');
}
