/** The shipping methods, in the order in which buyers see them. */
import { Box, Button, Card, Link as MuiLink, Stack, Switch, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ShippingMethodOutput } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { Title, useRedirect, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { store } from '../api/client.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { SortableList } from '../components/sortable-list.tsx';
import { positionAtEnd, positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { MethodDialog } from './method-dialog.tsx';
import { METHODS_KEY, ONE, readMethods } from './records.ts';

export default function Methods() {
  const [isCreating, setCreating] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const mayWrite = useMayWrite();
  const { data, error, isPending, refetch } = useQuery({ queryKey: METHODS_KEY, queryFn: readMethods });
  if (error) return <LoadError title="menu.shipping" error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Title title={translate('menu.shipping')} />
      <Card variant="outlined" sx={{ mt: 1, p: { xs: 1.5, sm: 3 } }}>
        <Stack spacing={2}>
          <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
            {translate(data?.length === 0 ? 'shipping.none' : 'shipping.help')}
          </Typography>
          {mayWrite && (
            <Box>
              <Button variant="contained" onClick={() => setCreating(true)} disabled={isPending}>
                {translate('shipping.new')}
              </Button>
            </Box>
          )}
          {isPending ? <LoadingSkeleton /> : <MethodList methods={data} onDone={refetch} />}
        </Stack>
      </Card>
      {isCreating && (
        <MethodDialog
          position={positionAtEnd(data ?? [])}
          onClose={() => setCreating(false)}
          onDone={async (id) => redirect(`/shipping/${id}`)}
        />
      )}
    </>
  );
}

interface ListProps {
  readonly methods: readonly ShippingMethodOutput[];
  onDone(): Promise<unknown>;
}

function MethodList({ methods, onDone }: ListProps) {
  const mayWrite = useMayWrite();
  const action = useAction();

  async function run(request: () => Promise<unknown>): Promise<void> {
    await action.run(request);
    await onDone();
  }

  const move = (from: number, to: number): Promise<void> =>
    run(async () => {
      for (const { id, position } of positionsAfterMove(methods, from, to))
        await store.patch(ONE, { id }, { position });
    });

  return (
    <SortableList
      items={methods}
      nameOf={({ name }) => name}
      onMove={(from, to) => void move(from, to)}
      isFixed={!mayWrite || methods.length < 2}
      sx={{ maxWidth: 760 }}
    >
      {(method, handle) => <MethodRow method={method} handle={handle} onRun={run} />}
    </SortableList>
  );
}

interface RowProps {
  readonly method: ShippingMethodOutput;
  readonly handle: ReactNode;
  onRun(request: () => Promise<unknown>): Promise<void>;
}

function MethodRow({ method: { id, name, delivery_time, processor, enabled }, handle, onRun }: RowProps) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const details = [delivery_time, ...(processor === 'pickup' ? [translate('shipping.processor.pickup')] : [])];
  return (
    <Stack
      direction="row"
      spacing={1}
      useFlexGap
      sx={{ alignItems: 'center', flexWrap: 'wrap', py: 1, borderBottom: 1, borderColor: 'divider' }}
    >
      {handle}
      <Box sx={{ flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <MuiLink component={Link} to={`/shipping/${id}`} sx={{ fontWeight: 600 }}>
          {name}
        </MuiLink>
        <Typography variant="body2" color="textSecondary">
          {details.filter((text) => text !== '').join(' · ')}
        </Typography>
      </Box>
      <Typography variant="body2">{translate(enabled ? 'field.enabled' : 'state.disabled')}</Typography>
      <Switch
        size="small"
        checked={enabled}
        disabled={!mayWrite}
        onChange={(_event, isSet) => void onRun(() => store.patch(ONE, { id }, { enabled: isSet }))}
        slotProps={{ input: { 'aria-label': translate('button.toggleEnabled', { name }) } }}
      />
      <DeleteButton
        name={name}
        confirmation="shipping.delete"
        onConfirmed={() => onRun(() => store.delete(ONE, { id }))}
      />
    </Stack>
  );
}
