/** Passkeys of one’s own account: list, add, delete. */
import { Stack, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Passkey } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { hasPasskeys, storeHasPasskeys } from '../../api/passkeys.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { Section } from '../../components/section.tsx';
import { useFormat } from '../../utils/format.ts';
import { useAction } from '../../utils/use-action.ts';
import { SECOND_FACTOR_KEY } from '../users-common.ts';
import { AddPasskey } from './add-passkey.tsx';

/** Renders nothing if the store has no passkeys. @param onAdded is called after each new passkey */
export function PasskeysSection({ onAdded }: { onAdded?: () => void }) {
  return storeHasPasskeys() ? <Passkeys onAdded={onAdded} /> : null;
}

function Passkeys({ onAdded }: { onAdded: (() => void) | undefined }) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['passkeys'],
    queryFn: async () => (await store.get('/users/me/passkeys')).data,
  });

  async function update(): Promise<void> {
    await refetch();
    await queries.invalidateQueries({ queryKey: SECOND_FACTOR_KEY });
  }

  async function finish(): Promise<void> {
    await update();
    onAdded?.();
  }

  return (
    <Section title="passkey.title">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={2} />
      ) : (
        <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
          <Typography color="textSecondary">{translate('passkey.help')}</Typography>
          {data.length > 0 && <PasskeyTable passkeys={data} onDeleted={() => void update()} />}
          {hasPasskeys() ? (
            <AddPasskey onAdded={() => void finish()} />
          ) : (
            <Typography>{translate('passkey.unsupported')}</Typography>
          )}
        </Stack>
      )}
    </Section>
  );
}

function PasskeyTable({ passkeys, onDeleted }: { passkeys: readonly Passkey[]; onDeleted(): void }) {
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction('passkey.deleted');
  async function remove(id: number): Promise<void> {
    if (await action.run(() => store.delete('/users/me/passkeys/{id}', { id }))) onDeleted();
  }
  const columns: readonly Column<Passkey>[] = [
    { label: translate('field.name'), cell: ({ name }) => name },
    { label: translate('passkey.added'), cell: ({ created_at }) => format.dateTime(created_at) },
    {
      label: translate('staff.lastUsed'),
      cell: ({ last_used_at }) => (last_used_at === null ? '–' : format.dateTime(last_used_at)),
    },
    {
      label: translate('list.actions'),
      isRight: true,
      cell: ({ id, name }) => (
        <DeleteButton name={name} confirmation="passkey.deleteHelp" isAllowed onConfirmed={() => remove(id)} />
      ),
    },
  ];
  return (
    <ResponsiveTable label={translate('passkey.title')} columns={columns} rows={passkeys} keyOf={({ id }) => id} />
  );
}
