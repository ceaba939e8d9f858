/** Creates or edits an address of a customer. */
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileAddressOutput } from 'purveyor/client';
import { Form, SelectInput, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { CountryField } from '../forms/country-input.tsx';
import { PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { useSaveRecord, type Version } from '../forms/use-save-record.tsx';

const PATH = '/profiles/{profile_id}/addresses/{address_id}';

const TEXT_FIELDS = [
  'title',
  'firstname',
  'lastname',
  'company',
  'street',
  'zipcode',
  'city',
  'state_name',
  'phone',
] as const;
const FLAG_FIELDS = ['is_billing', 'is_shipping', 'is_work'] as const;
const TYPES = ['R', 'C'].map((id) => ({ id, name: `customers.type.${id}` }));

const EMPTY_VALUES = Object.fromEntries(TEXT_FIELDS.map((field) => [field, '']));
/** The store's defaults. */
const NEW_ADDRESS: Version = {
  values: {
    ...EMPTY_VALUES,
    ...Object.fromEntries(FLAG_FIELDS.map((field) => [field, false])),
    country_code: null,
    type: 'R',
  },
  etag: '',
};

interface Props {
  readonly profile_id: number;
  /** Undefined for a new address. */
  readonly address_id?: number;
  onClose(): void;
  onDone(): Promise<void>;
}

export function AddressDialog({ address_id, ...rest }: Props) {
  const { profile_id, onClose } = rest;
  const translate = useTranslate();
  const isNew = address_id === undefined;
  const { data, error, refetch } = useQuery({
    queryKey: ['address', profile_id, address_id],
    queryFn: () => readAddress(profile_id, address_id!),
    enabled: !isNew,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const original = isNew ? NEW_ADDRESS : data;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="address">
      <DialogTitle id="address">{translate(isNew ? 'customers.newAddress' : 'customers.address')}</DialogTitle>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : original ? (
        <AddressForm {...rest} {...(isNew ? {} : { address_id })} original={original} />
      ) : (
        <LoadingSkeleton />
      )}
    </Dialog>
  );
}

async function readAddress(profile_id: number, address_id: number): Promise<Version> {
  const { data, etag } = await store.get(PATH, { profile_id, address_id });
  const names = Object.keys(NEW_ADDRESS.values) as (keyof ProfileAddressOutput)[];
  return { values: Object.fromEntries(names.map((name) => [name, data[name]])), etag: etag! };
}

function AddressForm({ profile_id, address_id, original, onClose, onDone }: Props & { original: Version }) {
  const translate = useTranslate();
  const saving = useSaveRecord({
    original,
    emptyValues: EMPTY_VALUES,
    read: () => readAddress(profile_id, address_id!),
    write: (changed, etag) =>
      address_id === undefined
        ? store.post('/profiles/{profile_id}/addresses', { profile_id }, changed)
        : store.patch(PATH, { profile_id, address_id }, changed, { ifMatch: etag }),
    async onDone() {
      onClose();
      await onDone();
    },
  });
  return (
    <>
      <Form record={original.values} onSubmit={saving.submit} noValidate>
        <DialogContent sx={{ pt: 0 }}>
          <Box
            sx={{
              display: 'grid',
              columnGap: 2,
              alignItems: 'start',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
            }}
          >
            {TEXT_FIELDS.map((field) => (
              <PlainTextInput key={field} source={field} />
            ))}
            <CountryField source="country_code" />
            <SelectInput
              source="type"
              label="field.type"
              choices={TYPES}
              helperText={false}
              validate={[]}
              sx={{ gridColumn: { sm: '1 / -1' } }}
            />
            {FLAG_FIELDS.map((field) => (
              <SwitchInput key={field} source={field} />
            ))}
          </Box>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={saving.isBusy}>
            {translate('button.save')}
          </Button>
        </DialogActions>
      </Form>
      {saving.dialog}
    </>
  );
}
