/** The store's API keys: when each was last used; create and revoke them. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Alert, Button, Chip, IconButton, Link, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Key, KeyMade } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMay } from '../utils/use-may.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { SecretNotice } from './secret-notice.tsx';

export default function ApiKeys() {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<KeyMade>();
  const [toDelete, setToDelete] = useState<Key>();
  const translate = useTranslate();
  const mayWrite = useMay('keys:manage');
  const action = useAction('settings.revoked');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['keys'],
    queryFn: () => readAll('/keys'),
    enabled: mayWrite,
  });

  async function revoke(key: Key): Promise<void> {
    setToDelete(undefined);
    await action.run(() => store.delete('/keys/{id}', { id: key.id }));
    await refetch();
  }

  if (!mayWrite) return <Alert severity="info">{translate('settings.keysWriteOnly')}</Alert>;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Stack spacing={2}>
      <Stack
        direction={{ xs: 'column', sm: 'row' }}
        spacing={2}
        sx={{ justifyContent: 'space-between', alignItems: { sm: 'center' } }}
      >
        <Typography color="textSecondary">
          {translate('settings.keysHelp')} <Link href="/api">{translate('menu.reference')}</Link>
        </Typography>
        <Button variant="contained" onClick={() => setCreating(true)} sx={{ flexShrink: 0 }}>
          {translate('settings.newKey')}
        </Button>
      </Stack>
      {created && (
        <SecretNotice
          title={translate(created.kind === 'publishable' ? 'settings.publishableCreated' : 'settings.keyCreated', {
            name: created.name,
          })}
          label={translate('session.key')}
          secret={created.key}
          onClose={() => setCreated(undefined)}
        />
      )}
      {isPending ? <LoadingSkeleton /> : <KeyTable keys={data} onRevoke={setToDelete} />}
      {isCreating && (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            void refetch();
          }}
        />
      )}
      {toDelete && (
        <Confirm
          isOpen
          title={translate('settings.revoke', { name: toDelete.name })}
          content={translate('settings.revokeHelp')}
          confirm={translate('settings.revokeShort')}
          confirmColor="warning"
          onClose={() => setToDelete(undefined)}
          onConfirm={() => void revoke(toDelete)}
        />
      )}
    </Stack>
  );
}

function KeyTable({ keys, onRevoke }: { keys: readonly Key[]; onRevoke(key: Key): void }) {
  const translate = useTranslate();
  const format = useFormat();
  const columns: Column<Key>[] = [
    { label: translate('settings.key.name'), cell: ({ name }) => name },
    {
      label: translate('settings.key.kind'),
      cell: (key) => <KeyAccess apiKey={key} />,
    },
    { label: translate('settings.key.created'), cell: (key) => format.date(key.created_at) },
    { label: translate('settings.key.lastUsed'), cell: (key) => format.date(key.last_used_at) },
    {
      label: translate('settings.key.expires'),
      cell: (key) => (key.expires_at === null ? translate('settings.never') : format.dateTime(key.expires_at)),
    },
    {
      label: translate('settings.revokeShort'),
      isRight: true,
      cell: (key) =>
        key.source === 'environment' ? (
          <Typography variant="body2" component="span" color="textSecondary">
            {translate('settings.environment')}
          </Typography>
        ) : (
          <IconButton onClick={() => onRevoke(key)} aria-label={translate('settings.revoke', { name: key.name })}>
            <DeleteIcon />
          </IconButton>
        ),
    },
  ];
  return (
    <ResponsiveTable label={translate('settings.tab.keys')} columns={columns} rows={keys} keyOf={({ id }) => id} />
  );
}

/**
 * The kind of a key. A scoped key lists its scopes and hidden fields, and a key with networks lists them. A publishable key is not
 * secret, so it is shown with its origins.
 */
function KeyAccess({ apiKey: { kind, scopes, masks, networks, origins = [], key } }: { apiKey: Key }) {
  const translate = useTranslate();
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['settings.scopesCount', kind === 'scoped' ? scopes : []],
    ['settings.masksCount', masks],
    ['settings.networksCount', networks],
  ];
  return (
    <>
      <Chip
        size="small"
        variant="outlined"
        label={translate(`settings.keyKind.${kind}`)}
        sx={{ height: 'auto', '& .MuiChip-label': { whiteSpace: 'normal' } }}
      />
      {key !== undefined && (
        <Typography component="code" variant="body2" sx={{ display: 'block', overflowWrap: 'anywhere', mt: 0.5 }}>
          {key}
        </Typography>
      )}
      {origins.length > 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {translate('settings.onPages', { origins: origins.join(', ') })}
        </Typography>
      )}
      {lists.map(
        ([label, values]) =>
          values.length > 0 && (
            <Typography key={label} component="details" variant="body2" sx={{ overflowWrap: 'anywhere', mt: 0.5 }}>
              <summary>{translate(label, { smart_count: values.length })}</summary>
              {values.join(', ')}
            </Typography>
          ),
      )}
    </>
  );
}
