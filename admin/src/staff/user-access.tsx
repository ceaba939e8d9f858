/** Whether a person can sign in: invitations, reset links, disabling and deleting the account. */
import { Button, Stack, Typography } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import type { UserLink } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { offersPasswordReset, store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { DetailsList } from './details-list.tsx';
import { type LinkKind, LinkNotice } from './link-notice.tsx';
import { useExplained } from './use-explained.ts';
import { UserStatus } from './user-status.tsx';
import { USERS_KEY, type UserSectionProps } from './users-common.ts';

interface Props extends UserSectionProps {
  /** Whether it is the person who is signed in. The page offers nobody to disable or delete the own account. */
  readonly isOwn: boolean;
}

export function UserAccess({ user, onDone, isOwn }: Props) {
  const { id, name, status } = user;
  const [link, setLink] = useState<UserLink>();
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction(null);
  const explained = useExplained();
  const kind: LinkKind = status === 'invited' ? 'invite' : 'reset_link';

  async function createLink(): Promise<void> {
    await action.run(async () => {
      setLink((await explained(() => store.post(`/users/{id}/${kind}`, { id }, {}))).data);
    });
  }

  async function mailLink(): Promise<void> {
    const request = () => store.post(`/users/{id}/${kind}`, { id }, { mail: true });
    // The link that was shown no longer works.
    if (await action.run(() => explained(request), `staff.mailed.${kind}`)) setLink(undefined);
  }

  return (
    <Section title="staff.access">
      <Stack spacing={2}>
        <DetailsList
          details={[
            [translate('field.status'), <UserStatus key="status" status={status} />],
            [translate('staff.lastSignIn'), format.dateTime(user.last_sign_in_at)],
          ]}
        />
        <Typography color="textSecondary">{translate(`staff.statusHelp.${status}`)}</Typography>
        {link && <LinkNotice {...{ name, kind, link }} onClose={() => setLink(undefined)} />}
        <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
          {status !== 'disabled' && (
            <Button variant="outlined" loading={action.isBusy} onClick={() => void createLink()}>
              {translate(`staff.newLink.${kind}`)}
            </Button>
          )}
          {status !== 'disabled' && offersPasswordReset() && (
            <Button variant="outlined" loading={action.isBusy} onClick={() => void mailLink()}>
              {translate(`staff.mail.${kind}`)}
            </Button>
          )}
          {!isOwn && <Locks user={user} onDone={onDone} />}
        </Stack>
      </Stack>
    </Section>
  );
}

/** Buttons after which the person can no longer sign in, or can again. */
function Locks({ user: { id, name, status }, onDone }: UserSectionProps) {
  const [asking, setAsking] = useState<'disable' | 'delete'>();
  const translate = useTranslate();
  const action = useAction();
  const explained = useExplained();
  const navigate = useNavigate();
  const queries = useQueryClient();

  async function setStatus(next: 'active' | 'disabled'): Promise<void> {
    const request = () => store.patch('/users/{id}', { id }, { status: next });
    await action.run(() => explained(request, translate('staff.lastOwner')));
    await queries.invalidateQueries({ queryKey: USERS_KEY });
    await onDone();
  }

  async function remove(): Promise<void> {
    const request = () => store.delete('/users/{id}', { id });
    if (!(await action.run(() => explained(request, translate('staff.lastOwner')), 'staff.deleted'))) return;
    navigate('/staff/users');
    await queries.invalidateQueries({ queryKey: USERS_KEY, exact: true });
  }

  return (
    <>
      {status === 'disabled' ? (
        <Button variant="outlined" loading={action.isBusy} onClick={() => void setStatus('active')}>
          {translate('staff.enable')}
        </Button>
      ) : (
        status === 'active' && (
          <Button variant="outlined" color="warning" onClick={() => setAsking('disable')}>
            {translate('staff.disable')}
          </Button>
        )
      )}
      <Button color="error" onClick={() => setAsking('delete')}>
        {translate('staff.delete')}
      </Button>
      {asking && (
        <Confirm
          isOpen
          title={translate(`staff.${asking}Title`, { name })}
          content={translate(`staff.${asking}Help`)}
          confirm={translate(`staff.${asking}`)}
          confirmColor="warning"
          onClose={() => setAsking(undefined)}
          onConfirm={() => {
            setAsking(undefined);
            void (asking === 'disable' ? setStatus('disabled') : remove());
          }}
        />
      )}
    </>
  );
}
