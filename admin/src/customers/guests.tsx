/** Guest orders, found by email address, and the personal data in them. */
import { Alert, Button, Card, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type OrderOutput, type PersonOutput, StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { OrderSummaryList } from '../orders/order-summary-list.tsx';
import { useFieldErrors } from '../utils/error-messages.ts';
import { useMay } from '../utils/use-may.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { PersonalDataButtons } from './personal-data-buttons.tsx';

export default function Guests() {
  const [parameters, setParameters] = useSearchParams();
  const email = parameters.get('email') ?? '';
  const [typed, setTyped] = useState(email);
  const translate = useTranslate();
  const fieldErrors = useFieldErrors();
  const mayExport = useMay('privacy:export');
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['guest', email],
    queryFn: () => exportPersonalData(email),
    enabled: email !== '' && mayExport,
    gcTime: 0,
    retry: false,
  });
  const emailError = error instanceof StoreProblem ? fieldErrors(error).email : undefined;

  function search(event: FormEvent): void {
    event.preventDefault();
    setParameters({ email: typed.trim() });
    if (typed.trim() === email) void refetch();
  }

  return (
    <>
      <Title title={translate('guests.title')} />
      <RecordToolbar resource="profiles" />
      <Card variant="outlined" sx={{ p: { xs: 1.5, sm: 3 }, maxWidth: 760 }}>
        <Stack spacing={2}>
          <Typography color="textSecondary">{translate('guests.help')}</Typography>
          {!mayExport && <Alert severity="info">{translate('guests.writeOnly')}</Alert>}
          <form onSubmit={search} noValidate>
            <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: 'flex-start' }}>
              <TextField
                type="email"
                label={translate('field.email')}
                value={typed}
                disabled={!mayExport}
                onChange={({ target }) => setTyped(target.value)}
                error={emailError !== undefined}
                helperText={emailError}
              />
              <Button
                type="submit"
                variant="contained"
                disabled={!mayExport || typed.trim() === ''}
                sx={{ mt: '10px !important', flexShrink: 0 }}
              >
                {translate('guests.search')}
              </Button>
            </Stack>
          </form>
          {error && emailError === undefined && <LoadError error={error} onRetry={() => void refetch()} />}
          {isLoading && <LoadingSkeleton lines={3} />}
          {data && <GuestOrders email={email} data={data} onDone={async () => void (await refetch())} />}
        </Stack>
      </Card>
    </>
  );
}

const exportPersonalData = async (email: string): Promise<PersonOutput> =>
  (await store.post('/privacy/export', { email })).data;

function GuestOrders({ email, data, onDone }: { email: string; data: PersonOutput; onDone(): Promise<void> }) {
  const [toErase, setToErase] = useState<PersonOutput['records']>();
  const translate = useTranslate();
  const orders = data.records.filter(({ resource }) => resource === 'order').map(({ record }) => record);
  return (
    <section aria-label={email}>
      {orders.length === 0 ? (
        <Typography role="status">{translate('guests.none')}</Typography>
      ) : (
        <Stack spacing={2}>
          <Typography role="status">{translate('guests.found', { smart_count: orders.length })}</Typography>
          <OrderSummaryList orders={orders as unknown as OrderOutput[]} isSingleCustomer />
          <PersonalDataButtons name="guest" read={() => exportPersonalData(email)} onErase={setToErase} />
        </Stack>
      )}
      {toErase && (
        <EraseDialog
          who={email}
          records={toErase}
          erase={async () => (await store.post('/privacy/erase', { email })).data}
          onClose={() => setToErase(undefined)}
          onErased={() => {
            setToErase(undefined);
            void onDone();
          }}
        />
      )}
    </section>
  );
}
