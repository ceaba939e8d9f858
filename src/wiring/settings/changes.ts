/** The change feed, the audit and webhooks. */
import { setting } from './setting.ts';
import { addressRanges, waits, whole } from './values.ts';

export const changesSettings = {
  changesKeepDays: setting(
    'CHANGES_KEEP_DAYS',
    '30',
    'days for which the change feed reports deletions, and changes that newer ones have replaced',
    whole(1, 36_500),
  ),
  auditKeepDays: setting(
    'AUDIT_KEEP_DAYS',
    '365',
    'days for which audit entries are stored; 0: forever',
    whole(0, 36_500),
  ),
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '',
    'comma-separated address ranges that webhooks may reach in addition to the public internet',
    addressRanges,
  ),
  webhookRetrySeconds: setting(
    'WEBHOOK_RETRY_SECONDS',
    '5,300,1800,7200,18000,36000,50400,72000,86400',
    'delays before each retry of a webhook delivery; after the last one, the webhook pauses',
    waits,
  ),
};
