/** The content of a mail for one attempt: the variables of its template, with a new token, and the rendered texts. */
import { looseMatch, type Service } from '../../engine/index.ts';
import { jobRequestOptions } from '../own-requests.ts';
import { customerMail } from '../shoppers/mailed.ts';
import { readStoreState } from '../state.ts';
import type { User } from '../users/accounts.ts';
import { createMailedLink, type LinkKind, MAILS } from '../users/links.ts';
import type { ClaimedMail } from './outbox-rows.ts';
import { isToStaff } from './templates/built-in.ts';
import { isTemplateName, readTemplate } from './templates/overrides.ts';
import { rendered } from './templates/render.ts';
import type { MailMessage } from './transport.ts';

export interface MailSettings {
  /** The name of the store in mails. */
  readonly storeName: string;
}

type Content = Pick<MailMessage, 'template' | 'language' | 'to' | 'subject' | 'text' | 'html'>;

type Mail = Pick<ClaimedMail, 'id' | 'to' | 'template' | 'profile' | 'data'>;

/** Returns undefined if the mail is no longer needed. */
export async function contentOf(
  service: Service,
  mail: Mail,
  { storeName: store }: MailSettings,
): Promise<Content | undefined> {
  // A newer version of the program may have queued it. One of its servers will send it.
  if (!isTemplateName(mail.template)) throw new Error(`This version has no mail template “${mail.template}”.`);
  const made = await (isToStaff(mail.template) ? staffMail(service, mail) : customerMail(service, mail));
  if (!made) return undefined;
  const { template: name, to, variables } = made;
  const { defaultLanguage } = await readStoreState(service);
  const { language, ...used } = await readTemplate(service, { name, language: made.language || defaultLanguage });
  return { template: name, language, to, ...rendered(used, { store, ...variables }) };
}

async function staffMail(service: Service, { to, template, data }: Mail) {
  const { actor } = jobRequestOptions('mail');
  const link = await createMailedLink(service, (users) => addressee(users, to, data.user), kindsOf(template), actor);
  if (!link) return undefined;
  const { email, name, language } = link.user;
  const variables = { name, link: `${service.environment.baseUrl}/admin#token=${link.token}` };
  // Not the address that was entered: another mailbox may have a similar one, such as one with full-width letters.
  return { template: MAILS[link.kind], language, to: email, variables };
}

/** The user to whom a mail is addressed, unless the account or its address has changed since the mail was queued. */
function addressee(users: readonly User[], to: string, id: unknown): User | undefined {
  return users.find((user) => looseMatch(user.email) === looseMatch(to) && (id === undefined || user.id === id));
}

/** Somebody who asks for a new password may have an invitation that was not used yet. */
function kindsOf(template: string): readonly LinkKind[] {
  return template === MAILS.invite ? ['invite'] : ['reset_link', 'invite'];
}
