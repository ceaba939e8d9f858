/** Ships everything that is left of the selected orders. Says first how many can be shipped. */
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { OrderOutput } from 'purveyor/client';
import { useState } from 'react';
import { useListContext, useNotify, useRefresh, useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { shippable } from './quantities.ts';

interface Loaded {
  readonly order: OrderOutput;
  readonly etag: string;
}

async function load(ids: readonly number[]): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const id of ids) {
    const { data, etag } = await store.get('/orders/{id}', { id });
    loaded.push({ order: data, etag: etag! });
  }
  return loaded;
}

const canShip = ({ order }: Loaded): boolean =>
  !['C', 'D', 'R'].includes(order.payment_status?.code ?? '') && order.items.some((item) => shippable(item) > 0);

export function BulkShipDialog({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['orders-to-ship', ids],
    queryFn: () => load(ids),
    gcTime: 0,
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="ship-orders">
      <DialogTitle id="ship-orders">{translate('orders.markShipped')}</DialogTitle>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={2} />
      ) : (
        <ShipOrders orders={data} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ShipOrders({ orders, onClose }: { orders: readonly Loaded[]; onClose(): void }) {
  const [done, setDone] = useState<number>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { onUnselectItems } = useListContext();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();
  const toShip = orders.filter(canShip);

  async function ship(): Promise<void> {
    const failed: string[] = [];
    for (const [at, { order, etag }] of toShip.entries()) {
      setDone(at);
      const lines = order.items.flatMap((item) =>
        shippable(item) > 0 ? [{ item_id: item.id, amount: shippable(item) }] : [],
      );
      const isShipped = ['S', 'D'].includes(order.shipping_status?.code ?? '');
      const body = { shipment: { lines }, ...(isShipped ? {} : { shipping_status: 'S' }) };
      await store
        .post('/orders/{id}/settle', { id: order.id }, body, { ifMatch: etag })
        .catch((error: unknown) => failed.push(`${order.order_number}: ${errorMessage(error)}`));
    }
    setDone(undefined);
    refresh();
    if (failed.length > 0) return setProblems(failed);
    notify('orders.shippedOrders', { type: 'success', messageArgs: { smart_count: toShip.length } });
    onUnselectItems();
    onClose();
  }

  return (
    <>
      <DialogContent>
        <Typography>{translate('orders.shipsOrders', { smart_count: toShip.length })}</Typography>
        {toShip.length < orders.length && (
          <Typography color="textSecondary">
            {translate('orders.skipsOrders', { smart_count: orders.length - toShip.length })}
          </Typography>
        )}
        {done !== undefined && (
          <LinearProgress
            variant="determinate"
            value={(done / toShip.length) * 100}
            aria-label={translate('orders.markShipped')}
            sx={{ mt: 2 }}
          />
        )}
        {problems.map((problem) => (
          <Alert key={problem} severity="error" sx={{ mt: 1 }}>
            {problem}
          </Alert>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('button.close')}</Button>
        {problems.length === 0 && (
          <Button
            variant="contained"
            loading={done !== undefined}
            disabled={toShip.length === 0}
            onClick={() => void ship()}
          >
            {translate('orders.markShipped')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
