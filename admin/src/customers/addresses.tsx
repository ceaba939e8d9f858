/** The address book of a customer. Done at once. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, Chip, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileAddressOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { AddressLines, nameIn } from '../parts/address.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import { AddressDialog } from './address-dialog.tsx';

interface Props {
  readonly profile_id: number;
  onDone(): Promise<void>;
}

export function Addresses({ profile_id, onDone }: Props) {
  const [edited, setEdited] = useState<number | 'new'>();
  const [doomed, setDoomed] = useState<ProfileAddressOutput>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['addresses-of', profile_id],
    queryFn: () => addressesOf(profile_id),
  });

  async function renew(): Promise<void> {
    await refetch();
    await onDone();
  }

  async function remove(address_id: number): Promise<void> {
    setDoomed(undefined);
    await act.run(() => store.delete('/profiles/{profile_id}/addresses/{address_id}', { profile_id, address_id }));
    await renew();
  }

  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={3} />;
  return (
    <Stack spacing={1}>
      {data.length === 0 && <Typography color="textSecondary">{translate('customers.noAddresses')}</Typography>}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data.map((address) => (
          <Address
            key={address.id}
            address={address}
            onEdit={() => setEdited(address.id)}
            onDelete={() => setDoomed(address)}
          />
        ))}
      </Box>
      {mayWrite && (
        <Box>
          <Button variant="outlined" onClick={() => setEdited('new')}>
            {translate('customers.newAddress')}
          </Button>
        </Box>
      )}
      {edited !== undefined && (
        <AddressDialog
          profile_id={profile_id}
          {...(edited === 'new' ? {} : { address_id: edited })}
          onClose={() => setEdited(undefined)}
          onDone={renew}
        />
      )}
      {doomed && (
        <Confirm
          isOpen
          title={`${translate('button.delete')}: ${calledOf(doomed)}`}
          content={translate('customers.deleteAddress')}
          onClose={() => setDoomed(undefined)}
          onConfirm={() => void remove(doomed.id)}
        />
      )}
    </Stack>
  );
}

async function addressesOf(profile_id: number): Promise<ProfileAddressOutput[]> {
  const found: ProfileAddressOutput[] = [];
  for await (const one of store.list('/profiles/{profile_id}/addresses', { profile_id })) found.push(one);
  return found;
}

/** The words by which a person tells it from others. */
const calledOf = (address: ProfileAddressOutput): string =>
  [nameIn(address), address.street, address.city].filter(Boolean).join(', ') || `${address.id}`;

function Address({ address, onEdit, onDelete }: { address: ProfileAddressOutput; onEdit(): void; onDelete(): void }) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const called = calledOf(address);
  const uses = (['is_billing', 'is_shipping', 'is_work'] as const).filter((field) => address[field]);
  return (
    <Stack component="li" direction="row" sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <AddressLines address={address} />
        {address.custom_fields.map(({ name, value }) => (
          <Typography key={name} variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {name}: {value}
          </Typography>
        ))}
        <Stack direction="row" spacing={0.5} useFlexGap sx={{ flexWrap: 'wrap', mt: 0.5 }}>
          {uses.map((field) => (
            <Chip key={field} size="small" variant="outlined" label={translate(`field.${field}`)} />
          ))}
        </Stack>
      </Box>
      {mayWrite && (
        <Box sx={{ flexShrink: 0 }}>
          <IconButton size="small" onClick={onEdit} aria-label={`${translate('button.edit')}: ${called}`}>
            <EditIcon fontSize="small" />
          </IconButton>
          <IconButton size="small" onClick={onDelete} aria-label={`${translate('button.delete')}: ${called}`}>
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Box>
      )}
    </Stack>
  );
}
