/** One address of a customer, new or as it stands in the address book. */
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileAddressOutput } from 'purveyor/client';
import { Form, SelectInput, useTranslate } from 'react-admin';
import { FlagInput, WordsInput } from '../parts/inputs.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useSaving, type Version } from '../parts/use-saving.tsx';
import { store } from '../store/client.ts';

const PATH = '/profiles/{profile_id}/addresses/{address_id}';

const TEXTS = [
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
const FLAGS = ['is_billing', 'is_shipping', 'is_work'] as const;
const TYPES = ['R', 'C'].map((id) => ({ id, name: `customers.type.${id}` }));

const EMPTIED = Object.fromEntries(TEXTS.map((field) => [field, '']));
/** As the store fills in an address that says nothing. */
const EMPTY: Version = {
  values: { ...EMPTIED, ...Object.fromEntries(FLAGS.map((field) => [field, false])), country_code: null, type: 'R' },
  etag: '',
};

interface Props {
  readonly profile_id: number;
  /** Left out, a new one is made. */
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
  const seen = isNew ? EMPTY : data;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="address">
      <DialogTitle id="address">{translate(isNew ? 'customers.newAddress' : 'customers.address')}</DialogTitle>
      {error ? (
        <Failed error={error} onAgain={() => void refetch()} />
      ) : seen ? (
        <AddressForm {...rest} {...(isNew ? {} : { address_id })} seen={seen} />
      ) : (
        <Reading />
      )}
    </Dialog>
  );
}

async function readAddress(profile_id: number, address_id: number): Promise<Version> {
  const { data, etag } = await store.get(PATH, { profile_id, address_id });
  const names = Object.keys(EMPTY.values) as (keyof ProfileAddressOutput)[];
  return { values: Object.fromEntries(names.map((name) => [name, data[name]])), etag: etag! };
}

function AddressForm({ profile_id, address_id, seen, onClose, onDone }: Props & { seen: Version }) {
  const translate = useTranslate();
  const saving = useSaving({
    seen,
    emptied: EMPTIED,
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
      <Form record={seen.values} onSubmit={saving.submit} noValidate>
        <DialogContent sx={{ pt: 0 }}>
          <Box
            sx={{
              display: 'grid',
              columnGap: 2,
              alignItems: 'start',
              gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
            }}
          >
            {TEXTS.map((field) => (
              <WordsInput key={field} source={field} />
            ))}
            <WordsInput source="country_code" help="help.country_code" />
            <SelectInput
              source="type"
              label="field.type"
              choices={TYPES}
              helperText={false}
              validate={[]}
              sx={{ gridColumn: { sm: '1 / -1' } }}
            />
            {FLAGS.map((field) => (
              <FlagInput key={field} source={field} />
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
