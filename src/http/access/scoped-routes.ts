/** Gives every route that needs a key its scopes. A route without a family stops the start (access.md §1). */
import type { FastifyInstance } from 'fastify';
import { neededFields } from '../../access/needed-fields.ts';
import { pathOf, requiredScopes } from '../../access/scopes.ts';
import type { Model } from '../../engine/index.ts';

/** @param app before its first route */
export function registerScopes(app: FastifyInstance, model: Model): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.isPublic) return;
    const [method] = [route.method].flat();
    const scopes = requiredScopes(model, method!, pathOf(route.url));
    if (!scopes)
      throw new Error(`${method} ${route.url} has no scope. Declare a family, or add the path to src/access/.`);
    const fields = neededFields(model, method!, pathOf(route.url));
    route.config = { ...route.config, scopes, fields } as NonNullable<typeof route.config>;
  });
}
