/** Orders of people without a login, by their e-mail address: shown, given out as a file, or erased. */
import { Alert, Button, Card, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type OrderOutput, type PersonOutput, StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { ShortList } from '../orders/short-list.tsx';
import { BackBar } from '../parts/back-bar.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { useFieldErrors } from '../parts/sentence.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { KnownButtons } from './known-buttons.tsx';

export default function Guests() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('email') ?? '';
  const [typed, setTyped] = useState(asked);
  const translate = useTranslate();
  const fieldErrors = useFieldErrors();
  const mayWrite = useMayWrite();
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['guest', asked],
    queryFn: () => knownOf(asked),
    enabled: asked !== '' && mayWrite,
    gcTime: 0,
    retry: false,
  });
  const wrong = error instanceof StoreProblem ? fieldErrors(error).email : undefined;

  function look(event: FormEvent): void {
    event.preventDefault();
    setSearch({ email: typed.trim() });
    if (typed.trim() === asked) void refetch();
  }

  return (
    <>
      <Title title={translate('guests.title')} />
      <BackBar resource="profiles" />
      <Card variant="outlined" sx={{ p: { xs: 1.5, sm: 3 }, maxWidth: 760 }}>
        <Stack spacing={2}>
          <Typography color="textSecondary">{translate('guests.help')}</Typography>
          {!mayWrite && <Alert severity="info">{translate('guests.writeOnly')}</Alert>}
          <form onSubmit={look} noValidate>
            <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: 'flex-start' }}>
              <TextField
                type="email"
                label={translate('field.email')}
                value={typed}
                disabled={!mayWrite}
                onChange={({ target }) => setTyped(target.value)}
                error={wrong !== undefined}
                helperText={wrong}
              />
              <Button
                type="submit"
                variant="contained"
                disabled={!mayWrite || typed.trim() === ''}
                sx={{ mt: '10px !important', flexShrink: 0 }}
              >
                {translate('guests.search')}
              </Button>
            </Stack>
          </form>
          {error && wrong === undefined && <Failed error={error} onAgain={() => void refetch()} />}
          {isLoading && <Reading lines={3} />}
          {data && <Known email={asked} known={data} onDone={async () => void (await refetch())} />}
        </Stack>
      </Card>
    </>
  );
}

const knownOf = async (email: string): Promise<PersonOutput> => (await store.post('/privacy/export', { email })).data;

function Known({ email, known, onDone }: { email: string; known: PersonOutput; onDone(): Promise<void> }) {
  const [doomed, setDoomed] = useState<PersonOutput['records']>();
  const translate = useTranslate();
  const orders = known.records.filter(({ resource }) => resource === 'order').map(({ record }) => record);
  return (
    <section aria-label={email}>
      {orders.length === 0 ? (
        <Typography role="status">{translate('guests.none')}</Typography>
      ) : (
        <Stack spacing={2}>
          <Typography role="status">{translate('guests.found', { smart_count: orders.length })}</Typography>
          <ShortList orders={orders as unknown as OrderOutput[]} isOfOne />
          <KnownButtons name="guest" read={() => knownOf(email)} onErase={setDoomed} />
        </Stack>
      )}
      {doomed && (
        <EraseDialog
          who={email}
          records={doomed}
          erase={async () => (await store.post('/privacy/erase', { email })).data}
          onClose={() => setDoomed(undefined)}
          onErased={() => {
            setDoomed(undefined);
            void onDone();
          }}
        />
      )}
    </section>
  );
}
