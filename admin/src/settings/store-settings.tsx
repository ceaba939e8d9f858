/** The seller, the texts and the logo of documents and e-mails, and the values that only the server's settings change. */
import { Box, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { StoreInfoOutput } from 'purveyor/client';
import { Form, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { FieldGroup } from '../forms/field-group.tsx';
import { PlainTextInput } from '../forms/inputs.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { useSaveRecord } from '../forms/use-save-record.tsx';
import { StoreAddress } from './store-address.tsx';
import { StoreInfoTable } from './store-info.tsx';
import { StoreLogo } from './store-logo.tsx';

/** The texts that the page edits. */
const TEXTS = [
  'seller',
  'tax_number',
  'shop_url',
  'invoice_header',
  'invoice_footer',
  'email_header',
  'email_footer',
] as const;

export interface LoadedStore {
  readonly info: StoreInfoOutput;
  readonly etag: string;
}

async function loadStoreInfo(): Promise<LoadedStore> {
  const { data, etag } = await store.get('/store');
  return { info: data, etag: etag! };
}

const valuesOf = ({ info }: LoadedStore): Values => Object.fromEntries(TEXTS.map((field) => [field, info[field]]));

export default function StoreSettings() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['store-settings'],
    queryFn: loadStoreInfo,
    // A refetch in the background would change the form while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const reload = async (): Promise<void> => void (await refetch());
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
  return (
    <Stack spacing={3} sx={{ maxWidth: 960 }}>
      <StoreForm key={data.etag} loaded={data} onDone={reload} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 320px), 1fr))' }}>
        <StoreLogo loaded={data} onDone={reload} />
        <StoreAddress key={data.etag} loaded={data} onDone={reload} />
      </Box>
      <Section title="settings.serverValues">
        <StoreInfoTable info={data.info} />
      </Section>
    </Stack>
  );
}

function StoreForm({ loaded, onDone }: { loaded: LoadedStore; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const saving = useSaveRecord({
    original: { values: valuesOf(loaded), etag: loaded.etag },
    // Null returns a text to the setting of the server.
    async read() {
      const now = await loadStoreInfo();
      return { values: valuesOf(now), etag: now.etag };
    },
    write: (changed, etag) => store.patch('/store', changed, { ifMatch: etag }),
    onDone,
  });
  return (
    <Box component="section" aria-label={translate('settings.documents')}>
      <Form record={{ id: 'store', ...valuesOf(loaded) }} onSubmit={saving.submit} warnWhenUnsavedChanges noValidate>
        <FieldGroup title="settings.documents">
          <PlainTextInput source="seller" lines={4} help="help.seller" />
          <Box>
            <PlainTextInput source="tax_number" help="help.tax_number" />
            <PlainTextInput source="shop_url" help="help.shop_url" placeholder="https://" />
          </Box>
          <PlainTextInput source="invoice_header" lines={2} help="help.invoice_header" />
          <PlainTextInput source="invoice_footer" lines={2} help="help.invoice_footer" />
        </FieldGroup>
        <FieldGroup title="settings.emails">
          <PlainTextInput source="email_header" lines={2} help="help.email_header" />
          <PlainTextInput source="email_footer" lines={2} help="help.email_footer" />
        </FieldGroup>
        <SaveBar isBusy={saving.isBusy} />
      </Form>
      {saving.dialog}
    </Box>
  );
}
