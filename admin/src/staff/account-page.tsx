/** The account of the person who is signed in: each section of it is saved on its own. */
import { Alert, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Title, useGetIdentity, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { AccountDetails, readAccount } from './account-details.tsx';
import { AccountPassword } from './account-password.tsx';
import { PasskeysSection } from './passkeys/passkeys-section.tsx';
import { RightsText } from './rights-text.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { useOwnUserId } from './users-common.ts';

const ACCOUNT_KEY = ['account'] as const;

export default function AccountPage() {
  const translate = useTranslate();
  const isPending = useGetIdentity().isPending;
  const id = useOwnUserId();
  return (
    <>
      <Title title={translate('menu.account')} />
      {isPending ? (
        <LoadingSkeleton />
      ) : id === undefined ? (
        <Alert severity="info">{translate('account.none')}</Alert>
      ) : (
        <Account />
      )}
    </>
  );
}

function Account() {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({ queryKey: ACCOUNT_KEY, queryFn: readAccount });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return (
    <Stack spacing={2} sx={{ maxWidth: 900, mt: 1 }}>
      <AccountDetails key={data.version.etag} account={data} onDone={refetch} />
      <AccountPassword email={data.user.email} />
      <SecondFactorSection />
      <PasskeysSection />
      <SessionsSection
        queryKey={[...ACCOUNT_KEY, 'sessions']}
        endAllLabel={translate('account.endOthers')}
        read={async () => (await store.get('/users/me/sessions')).data}
        end={(session_id) => store.delete('/users/me/sessions/{session_id}', { session_id })}
        endAll={() => store.delete('/users/me/sessions')}
      />
      <Section title="account.rights">
        <RightsText role={data.user} />
      </Section>
    </Stack>
  );
}
