/** The store's API keys: who has one, and when it was last used; made here, shown once, revoked at once. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Alert, Button, Chip, IconButton, Link, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Key, KeyMade } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { useWriter } from '../parts/money.ts';
import { type Column, RowsTable } from '../parts/rows-table.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

async function readKeys(): Promise<Key[]> {
  const found: Key[] = [];
  for await (const key of store.list('/keys')) found.push(key);
  return found;
}

export function ApiKeys() {
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<KeyMade>();
  const [doomed, setDoomed] = useState<Key>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct('settings.revoked');
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['keys'], queryFn: readKeys, enabled: mayWrite });

  async function revoke(key: Key): Promise<void> {
    setDoomed(undefined);
    await act.run(() => store.delete('/keys/{id}', { id: key.id }));
    await refetch();
  }

  if (!mayWrite) return <Alert severity="info">{translate('settings.keysWriteOnly')}</Alert>;
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
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
        <Button variant="contained" onClick={() => setNew(true)} sx={{ flexShrink: 0 }}>
          {translate('settings.newKey')}
        </Button>
      </Stack>
      {made && (
        <ShownOnce
          title={translate('settings.keyCreated', { name: made.name })}
          secret={made.key}
          onClose={() => setMade(undefined)}
        />
      )}
      {isPending ? <Reading /> : <KeyTable keys={data} onRevoke={setDoomed} />}
      {isNew && (
        <NewKeyDialog
          onClose={() => setNew(false)}
          onMade={(key) => {
            setNew(false);
            setMade(key);
            void refetch();
          }}
        />
      )}
      {doomed && (
        <Confirm
          isOpen
          title={translate('settings.revoke', { name: doomed.name })}
          content={translate('settings.revokeHelp')}
          confirm={translate('settings.revokeShort')}
          confirmColor="warning"
          onClose={() => setDoomed(undefined)}
          onConfirm={() => void revoke(doomed)}
        />
      )}
    </Stack>
  );
}

function KeyTable({ keys, onRevoke }: { keys: readonly Key[]; onRevoke(key: Key): void }) {
  const translate = useTranslate();
  const writer = useWriter();
  const columns: Column<Key>[] = [
    { label: translate('settings.key.name'), cell: ({ name }) => name },
    {
      label: translate('settings.key.kind'),
      cell: ({ kind }) => <Chip size="small" variant="outlined" label={translate(`settings.keyKind.${kind}`)} />,
    },
    { label: translate('settings.key.created'), cell: (key) => writer.day(key.created_at) },
    { label: translate('settings.key.lastUsed'), cell: (key) => writer.day(key.last_used_at) },
    {
      label: translate('settings.key.expires'),
      cell: (key) => (key.expires_at === null ? translate('settings.never') : writer.moment(key.expires_at)),
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
  return <RowsTable label={translate('settings.tab.keys')} columns={columns} rows={keys} keyOf={({ id }) => id} />;
}
