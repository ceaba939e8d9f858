/** The address book of a customer. Changes are saved immediately. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, Chip, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileAddressOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { AddressLines, addressName } from '../components/address-lines.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { AddressDialog } from './address-dialog.tsx';

interface Props {
  readonly profile_id: number;
  onDone(): Promise<void>;
}

export function AddressBook({ profile_id, onDone }: Props) {
  const [edited, setEdited] = useState<number | 'new'>();
  const [toDelete, setToDelete] = useState<ProfileAddressOutput>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['addresses-of', profile_id],
    queryFn: () => readAll('/profiles/{profile_id}/addresses', { profile_id }),
  });

  async function reload(): Promise<void> {
    await refetch();
    await onDone();
  }

  async function remove(address_id: number): Promise<void> {
    setToDelete(undefined);
    await action.run(() => store.delete('/profiles/{profile_id}/addresses/{address_id}', { profile_id, address_id }));
    await reload();
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;
  return (
    <Stack spacing={1}>
      {data.length === 0 && <Typography color="textSecondary">{translate('customers.noAddresses')}</Typography>}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data.map((address) => (
          <AddressItem
            key={address.id}
            address={address}
            onEdit={() => setEdited(address.id)}
            onDelete={() => setToDelete(address)}
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
          onDone={reload}
        />
      )}
      {toDelete && (
        <Confirm
          isOpen
          title={`${translate('button.delete')}: ${addressSummary(toDelete)}`}
          content={translate('customers.deleteAddress')}
          onClose={() => setToDelete(undefined)}
          onConfirm={() => void remove(toDelete.id)}
        />
      )}
    </Stack>
  );
}

/** Returns a one-line description, for accessible names. */
const addressSummary = (address: ProfileAddressOutput): string =>
  [addressName(address), address.street, address.city].filter(Boolean).join(', ') || `${address.id}`;

function AddressItem({
  address,
  onEdit,
  onDelete,
}: {
  address: ProfileAddressOutput;
  onEdit(): void;
  onDelete(): void;
}) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const summary = addressSummary(address);
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
          <IconButton size="small" onClick={onEdit} aria-label={`${translate('button.edit')}: ${summary}`}>
            <EditIcon fontSize="small" />
          </IconButton>
          <IconButton size="small" onClick={onDelete} aria-label={`${translate('button.delete')}: ${summary}`}>
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Box>
      )}
    </Stack>
  );
}
