import { Stack, Typography } from '@mui/material';
import type { PersonOutput, ProfileOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useRedirect, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { PersonalDataButtons } from './personal-data-buttons.tsx';

export function PrivacySection({ profile: { id, login } }: { profile: ProfileOutput }) {
  const [toErase, setToErase] = useState<PersonOutput['records']>();
  const translate = useTranslate();
  const redirect = useRedirect();
  const parameters = { profile_id: id };
  const exportData = async () => (await store.get('/profiles/{profile_id}/export', parameters)).data;
  return (
    <Section title="customers.privacy">
      <Stack spacing={1.5}>
        <Typography color="textSecondary">{translate('customers.privacyHelp')}</Typography>
        <PersonalDataButtons name={`customer-${id}`} read={exportData} onErase={setToErase} />
        <Link to={`/guests?email=${encodeURIComponent(login)}`}>{translate('customers.guestOrders')}</Link>
      </Stack>
      {toErase && (
        <EraseDialog
          who={login}
          records={toErase}
          erase={async () => (await store.post('/profiles/{profile_id}/erase', parameters, {})).data}
          onClose={() => setToErase(undefined)}
          onErased={() => redirect('list', 'profiles')}
        />
      )}
    </Section>
  );
}
