/** Opens the way to send mails that the settings name. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createFolderTransport } from '../adapters/mail/folder.ts';
import { createSmtpTransport } from '../adapters/mail/smtp.ts';
import { createWebhookTransport } from '../adapters/mail/webhook.ts';
import { createSender } from '../adapters/web/sender.ts';
import type { MailTransport } from '../store/mails/transport.ts';
import { signedHeaders } from '../store/webhooks/sign.ts';
import { isInstalled } from './installed.ts';
import type { Config } from './settings/index.ts';
import { senderDomain } from './settings/values.ts';

/** The operator chooses the receiver of mails, so it may be in any network. */
const ANY_NETWORK = ['0.0.0.0/0', '::/0'];

/**
 * @returns undefined if the settings name none
 * @throws {Error} with a message for the operator
 */
export function openMailTransport(config: Config): MailTransport | undefined {
  if (config.mailVia === '') return undefined;
  return { domain: senderDomain(config.mailFrom), ...openTransport(config) };
}

function openTransport({ mailVia, mailFrom, smtpUrl, mailWebhookUrl, mailWebhookSecret, mailFolder }: Config) {
  if (mailVia === 'webhook')
    return createWebhookTransport({
      ...{ url: mailWebhookUrl, from: mailFrom, sender: createSender({ allow: ANY_NETWORK }) },
      sign: (message) => signedHeaders([mailWebhookSecret], message),
    });
  if (!isInstalled('nodemailer'))
    throw new Error(`MAIL_VIA=${mailVia} needs the package nodemailer, which is not installed. Install it with npm.`);
  if (mailVia === 'smtp') return createSmtpTransport(smtpUrl, mailFrom);
  const folder = resolve(mailFolder);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(`The folder of MAIL_FOLDER, ${folder}, cannot be written: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  return createFolderTransport(folder, mailFrom);
}

/** The name of the store in mails. */
export function storeName({ storeName: name, baseUrl }: Pick<Config, 'storeName' | 'baseUrl'>): string {
  return name !== '' ? name : new URL(baseUrl).hostname;
}
