/** The content of a mail for one attempt: the variables of its template, with a new token, and the rendered texts. */
import { looseMatch, type Service } from '../../engine/index.ts';
import { jobRequestOptions } from '../own-requests.ts';
import { readStoreState } from '../state.ts';
import type { User } from '../users/accounts.ts';
import { createMailedLink, type LinkKind, MAILS } from '../users/links.ts';
import type { ClaimedMail } from './outbox-rows.ts';
import { isTemplateName, readTemplate } from './templates/overrides.ts';
import { rendered } from './templates/render.ts';
import type { MailMessage } from './transport.ts';

export interface MailSettings {
  /** The name of the store in mails. */
  readonly storeName: string;
}

type Content = Pick<MailMessage, 'template' | 'language' | 'to' | 'subject' | 'text' | 'html'>;

/** Returns undefined if the mail is no longer needed. */
export async function contentOf(
  service: Service,
  { to, template, data }: Pick<ClaimedMail, 'to' | 'template' | 'data'>,
  { storeName: store }: MailSettings,
): Promise<Content | undefined> {
  // A newer version of the program may have queued it. One of its servers will send it.
  if (!isTemplateName(template)) throw new Error(`This version has no template “${template}” of mails.`);
  const { actor } = jobRequestOptions('mail');
  const link = await createMailedLink(service, (users) => addressee(users, to, data.user), kindsOf(template), actor);
  if (!link) return undefined;
  const { defaultLanguage } = await readStoreState(service);
  const variables = { store, name: link.user.name, link: `${service.environment.baseUrl}/admin#token=${link.token}` };
  const name = MAILS[link.kind];
  const { language, ...used } = await readTemplate(service, { name, language: link.user.language || defaultLanguage });
  // Not the address that was entered: another mailbox may have a similar one, such as one with full-width letters.
  return { template: name, language, to: link.user.email, ...rendered(used, variables) };
}

/** The user to whom a mail is addressed, unless the account or its address has changed since the mail was queued. */
function addressee(users: readonly User[], to: string, id: unknown): User | undefined {
  return users.find((user) => looseMatch(user.email) === looseMatch(to) && (id === undefined || user.id === id));
}

/** Somebody who asks for a new password may have an invitation that was not used yet. */
function kindsOf(template: string): readonly LinkKind[] {
  return template === MAILS.invite ? ['invite'] : ['reset_link', 'invite'];
}
