/** The paths of customers, below `/storefront` (storefront.md §3). */
import type { FastifyInstance } from 'fastify';
import type { AdmissionControl } from '../../admission/admission-control.ts';
import type { Attempts } from '../../admission/attempts.ts';
import type { HttpOptions } from '../../server/context.ts';
import { registerAccountRoutes } from './accounts.ts';
import { registerAddressRoutes } from './addresses.ts';
import { registerOrderLinkRoutes } from './order-links.ts';
import { registerOrderRoutes } from './orders.ts';
import { registerOwnProfileRoutes } from './own-profile.ts';
import { PasswordChecks } from './passwords.ts';
import { registerCustomerPrivacyRoutes } from './privacy.ts';
import { registerSessionRoutes } from './sessions.ts';

/** @param attempts counts wrong passwords, together with `check_password` */
export function registerCustomerRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  attempts: Attempts,
  control: AdmissionControl,
): void {
  if (!options.storefront) return;
  const checks = new PasswordChecks(attempts, control);
  registerSessionRoutes(app, options, checks);
  registerOwnProfileRoutes(app, options, checks);
  registerAddressRoutes(app, options);
  registerOrderRoutes(app, options);
  registerCustomerPrivacyRoutes(app, options, checks);
  registerAccountRoutes(app, options, checks, control);
  registerOrderLinkRoutes(app, options);
}
