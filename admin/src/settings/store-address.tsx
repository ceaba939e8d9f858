/** The store's postal address. */
import { Alert, Button } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { AddressFields, addressInput, addressValues } from '../forms/address-fields.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import type { LoadedStore } from './store-settings.tsx';

export function StoreAddress({ loaded: { info, etag }, onDone }: { loaded: LoadedStore; onDone(): Promise<void> }) {
  const [values, setValues] = useState(addressValues(info.address));
  const [problem, setProblem] = useState<string>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const errorMessage = useErrorMessage();

  async function save(): Promise<void> {
    setProblem(undefined);
    const isSaved = await action.run(() =>
      store.patch('/store', { address: addressInput(values) }, { ifMatch: etag }).catch((error: unknown) => {
        if (error instanceof StoreProblem) setProblem(errorMessage(error));
        throw error;
      }),
    );
    if (isSaved) await onDone();
  }

  return (
    <Section title="settings.address">
      <AddressFields values={values} onChange={setValues} />
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {mayWrite && (
        <Button variant="outlined" loading={action.isBusy} onClick={() => void save()} sx={{ mt: 1 }}>
          {translate('settings.saveAddress')}
        </Button>
      )}
    </Section>
  );
}
