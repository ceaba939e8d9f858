/** Gives every route that needs a key its scopes. A route without a family stops the start (access.md §1). */
import type { FastifyInstance } from 'fastify';
import { scopesOfRoute } from '../../access/scopes.ts';
import type { Model } from '../../engine/index.ts';

/** @param app before its first route */
export function registerScopes(app: FastifyInstance, model: Model): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.isPublic) return;
    const [method] = [route.method].flat();
    const scopes = scopesOfRoute(model, method!, route.url);
    if (!scopes)
      throw new Error(`${method} ${route.url} has no scope. Declare a family, or add the path to src/access/.`);
    route.config = { ...route.config, scopes } as NonNullable<typeof route.config>;
  });
}
