/** Chooses the customer of a new order, by name or login. */
import { Autocomplete, Box, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useMay } from '../../utils/use-may.tsx';

export type FoundCustomer = Pick<ProfileOutput, 'id' | 'login' | 'display_name' | 'vat_id'>;

interface Props {
  readonly value: FoundCustomer | null;
  onChange(customer: FoundCustomer | null): void;
  /** Message key. */
  readonly help?: string;
}

export function CustomerInput({ value, onChange, help = 'orders.customerHelp' }: Props) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const mayRead = useMay('profiles:read');
  const { data = [] } = useQuery({
    queryKey: ['customers-to-choose', typed.trim()],
    queryFn: async () => {
      const filter = typed.trim() === '' ? {} : { searchFakeField: typed.trim() };
      return (await store.page('/profiles', { filter, itemsPerPage: 20 })).data;
    },
    placeholderData: (before) => before,
    enabled: mayRead,
  });
  if (!mayRead) return null;
  return (
    <Autocomplete
      options={data}
      value={value}
      getOptionLabel={({ login, display_name }) => display_name || login}
      renderOption={({ key, ...row }, { login, display_name }) => (
        <Box key={key} component="li" {...row}>
          <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {display_name && <Typography>{display_name}</Typography>}
            <Typography variant="body2" color={display_name ? 'textSecondary' : 'textPrimary'}>
              {login}
            </Typography>
          </Box>
        </Box>
      )}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      filterOptions={(options) => options}
      onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
      onChange={(_event, customer) => onChange(customer)}
      noOptionsText={translate('list.noMatch')}
      renderInput={(input) => <TextField {...input} label={translate('field.customer')} helperText={translate(help)} />}
    />
  );
}
