/** How the store sends mails. */
import { secret, setting } from './setting.ts';
import { anyText, oneOf, optional, sender, smtpAddress, waits, webAddress, webhookSecret, whole } from './values.ts';

export const mailSettings = {
  /** Empty: the store sends no mails. */
  mailVia: setting(
    'MAIL_VIA',
    '',
    'how to send mails: smtp, webhook or folder; empty: the store sends none',
    oneOf('', 'smtp', 'webhook', 'folder'),
  ),
  mailFrom: setting('MAIL_FROM', '', 'sender of mails, such as Shop <shop@example.com>', sender),
  smtpUrl: secret('SMTP_URL', 'SMTP server, such as smtps://user:password@mail.example.com', smtpAddress),
  mailWebhookUrl: setting('MAIL_WEBHOOK_URL', '', 'address to which mails are posted', optional(webAddress)),
  mailWebhookSecret: secret('MAIL_WEBHOOK_SECRET', 'secret that signs these requests: whsec_…', webhookSecret),
  mailFolder: setting('MAIL_FOLDER', '', 'folder for mails, one .eml file each', anyText),
  mailRetrySeconds: setting(
    'MAIL_RETRY_SECONDS',
    '5,30,120,600,1800,3600,7200,14400',
    'delays before each retry of a mail; the last one is repeated until 72 hours have passed',
    waits,
  ),
  limitMailsTo: setting(
    'LIMIT_MAILS_TO',
    '5',
    'maximum mails per hour to one address that requests without a key cause; 0: no limit',
    whole(0),
  ),
  limitMails: setting(
    'LIMIT_MAILS',
    '20',
    'maximum mails per hour that one client address causes without a key; 0: no limit',
    whole(0),
  ),
};
