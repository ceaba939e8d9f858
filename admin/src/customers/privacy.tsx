/** All that the store knows of a customer: given out as a file, or erased. */
import { Stack, Typography } from '@mui/material';
import type { PersonOutput, ProfileOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useRedirect, useTranslate } from 'react-admin';
import { Section } from '../parts/section.tsx';
import { store } from '../store/client.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { KnownButtons } from './known-buttons.tsx';

export function Privacy({ profile: { id, login } }: { profile: ProfileOutput }) {
  const [doomed, setDoomed] = useState<PersonOutput['records']>();
  const translate = useTranslate();
  const redirect = useRedirect();
  const parameters = { profile_id: id };
  const readKnown = async () => (await store.get('/profiles/{profile_id}/export', parameters)).data;
  return (
    <Section title="customers.privacy">
      <Stack spacing={1.5}>
        <Typography color="textSecondary">{translate('customers.privacyHelp')}</Typography>
        <KnownButtons name={`customer-${id}`} read={readKnown} onErase={setDoomed} />
        <Link to={`/guests?email=${encodeURIComponent(login)}`}>{translate('customers.guestOrders')}</Link>
      </Stack>
      {doomed && (
        <EraseDialog
          who={login}
          records={doomed}
          erase={async () => (await store.post('/profiles/{profile_id}/erase', parameters, {})).data}
          onClose={() => setDoomed(undefined)}
          onErased={() => redirect('list', 'profiles')}
        />
      )}
    </Section>
  );
}
