/** The HTTP server: the stages of a request in order, then the routes. */
import type { FastifyInstance } from 'fastify';
import { registerScopes } from '../access/scoped-routes.ts';
import { registerAdminRoutes } from '../admin/routes.ts';
import { Attempts } from '../admission/attempts.ts';
import { registerAuditRoutes } from '../endpoints/audit.ts';
import { registerRestoreRoutes } from '../endpoints/audit-restore.ts';
import { registerKeyRoutes } from '../endpoints/keys.ts';
import { registerLookupRoute } from '../endpoints/lookup.ts';
import { registerMailTemplateRoutes } from '../endpoints/mail-templates.ts';
import { registerPrivacyRoutes } from '../endpoints/privacy.ts';
import { registerRecordPages } from '../endpoints/record-pages.ts';
import { registerScopesRoute } from '../endpoints/scopes.ts';
import { registerAttachmentFiles } from '../endpoints/serve-attachments.ts';
import { registerImageFiles } from '../endpoints/serve-image-files.ts';
import { registerShopDocuments } from '../endpoints/shop-documents.ts';
import { registerStatisticsRoute } from '../endpoints/statistics.ts';
import { registerUrlRoutes } from '../endpoints/urls.ts';
import { registerChangeFeed } from '../feed/changes.ts';
import { registerReferenceRoutes } from '../reference/routes.ts';
import { registerStorefrontReference } from '../reference/storefront.ts';
import { createReadCaches } from '../resources/reads.ts';
import { registerResourceRoutes } from '../resources/routes.ts';
import { registerSecretCheckRoutes } from '../resources/secret-checks.ts';
import { registerContentEncoding } from '../responses/encodings.ts';
import { registerCartRoutes } from '../storefront/carts/routes.ts';
import { registerCustomerRoutes } from '../storefront/customers/routes.ts';
import { registerStorefrontRoutes } from '../storefront/routes.ts';
import { SecretChecks } from '../users/checked-secret.ts';
import { registerOwnUserRoutes } from '../users/own-user.ts';
import { registerRoleRoutes } from '../users/roles.ts';
import { registerUserRoutes } from '../users/users.ts';
import { createParts, type ServerParts } from './app.ts';
import type { HttpOptions } from './context.ts';
import { registerHealthRoutes } from './health.ts';
import { registerExpectations } from './protocol-errors.ts';
import { registerServerTiming } from './server-timing.ts';
import { registerConnectionLimits } from './slow-clients.ts';
import {
  registerAdmission,
  registerBacklogLimit,
  registerBodyArrival,
  registerBodyParser,
  registerErrors,
  registerObservation,
  registerQueue,
  registerRequestMembers,
  registerSlotRelease,
} from './stages.ts';

/** Creates the server. The caller makes it listen. */
export async function createServer(options: HttpOptions): Promise<FastifyInstance> {
  const parts = createParts(options);
  registerStages(parts);
  registerRoutes(parts);
  options.metrics?.showWork(() => parts.admissionControl.workCounts());
  options.metrics?.showResponseBacklog(() => parts.backlog.bytes);
  return parts.app;
}

/** The order of these calls is the order in which a request passes the stages (http.md §2). */
function registerStages(parts: ServerParts): void {
  registerRequestMembers(parts);
  registerObservation(parts);
  registerQueue(parts);
  registerAdmission(parts);
  registerBodyParser(parts);
  registerBodyArrival(parts);
  registerContentEncoding(parts.app);
  registerSlotRelease(parts);
  registerBacklogLimit(parts);
  registerServerTiming(parts.app);
  registerErrors(parts);
}

function registerRoutes({
  app,
  options,
  admission,
  admissionControl,
  addresses,
  observer,
  backlog,
}: ServerParts): void {
  const caches = createReadCaches(options, { observer, keyUses: admission.keyUses, backlog });
  registerScopes(app, options.service.model);
  app.addHook('onClose', async () => {
    caches.pages.lists?.queue.stop();
    caches.pages.wholeListReads.stop();
    caches.storefront.wholeListReads.stop();
  });
  registerHealthRoutes(app, options);
  registerImageFiles(app, options);
  registerAttachmentFiles(app, options);
  registerReferenceRoutes(app, options);
  registerResourceRoutes(app, options, admissionControl, caches);
  registerPrivacyRoutes(app, options);
  const attempts = new Attempts(admission.failedLogins, admissionControl);
  registerSecretCheckRoutes(app, options, admissionControl, attempts);
  registerChangeFeed(app, options, admissionControl);
  registerRecordPages(app);
  registerKeyRoutes(app, options);
  registerLookupRoute(app, options);
  registerAuditRoutes(app, options);
  registerRestoreRoutes(app, options, admissionControl);
  registerMailTemplateRoutes(app, options);
  registerRoleRoutes(app, options);
  registerUserRoutes(app, options);
  const checks = new SecretChecks(admission.failedLogins, admissionControl);
  registerOwnUserRoutes(app, options, { control: admissionControl, checks });
  registerScopesRoute(app);
  registerStatisticsRoute(app);
  registerUrlRoutes(app, options);
  registerShopDocuments(app, options, addresses);
  registerStorefrontRoutes(app, options, caches);
  registerCustomerRoutes(app, options, attempts, admissionControl);
  registerCartRoutes(app, options, admissionControl);
  registerStorefrontReference(app, options);
  registerAdminRoutes(app, options, { counts: admission, checks, control: admissionControl });
  // These listen to Node's server itself. Listeners run before those of Fastify; the observer comes first.
  registerExpectations(app, addresses, observer);
  registerConnectionLimits(app, options.limits);
  caches.fastPath.attach(app);
  observer.attach(app);
}
