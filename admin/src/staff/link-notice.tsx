/** Shows an invitation or a reset link, which the store cannot show again. */
import type { UserLink } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { SecretNotice } from '../settings/secret-notice.tsx';
import { useFormat } from '../utils/format.ts';

export type LinkKind = 'invite' | 'reset_link';

interface Props {
  /** Of the person. */
  readonly name: string;
  readonly kind: LinkKind;
  readonly link: UserLink;
  onClose(): void;
}

export function LinkNotice({ name, kind, link, onClose }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const time = format.dateTime(link.expires_at);
  return (
    <SecretNotice
      title={translate(`staff.linkReady.${kind}`, { name, time })}
      label={translate('staff.link')}
      secret={link.url}
      onClose={onClose}
    />
  );
}
