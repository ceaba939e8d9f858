/** Opens the invoice of an order to be printed. Creates it if the order has none that applies. */
import { Button, Tooltip } from '@mui/material';
import type { OrderInvoiceOutput } from 'purveyor/client';
import { useNotify, useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { readAll } from '../../api/runtime-requests.ts';
import { useAction } from '../../utils/use-action.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import type { LoadedOrder } from '../load-order.ts';
import { openInvoice } from './open-invoice.ts';

const PATH = '/orders/{order_id}/invoices';

export function PrintInvoiceButton({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const notify = useNotify();
  const action = useAction(null);
  const mayWrite = useMayWrite();
  const order_id = loaded.order.id;
  const known = openInvoice(loaded.invoices);
  if (!mayWrite && !known) return null;

  /** Reads the invoices again: the page may be older than an invoice that was created in another window. */
  async function findOrCreate(): Promise<Pick<OrderInvoiceOutput, 'id' | 'number'>> {
    const invoices = await readAll(PATH, { order_id });
    const existing = openInvoice(invoices);
    if (existing) return existing;
    // Two windows that create it at the same time get the same invoice.
    const idempotencyKey = `invoice-of-order-${order_id}-after-${invoices.length}`;
    const { data } = await store.post(PATH, { order_id }, {}, { idempotencyKey });
    notify('orders.invoiceCreated', { type: 'success', messageArgs: { number: data.number } });
    return data;
  }

  async function open(): Promise<void> {
    // Browsers allow a new window only during the click.
    const shown = window.open('', '_blank');
    const isDone = await action.run(async () => {
      const { id, number } = await findOrCreate();
      if (shown) shown.location.href = `/api/orders/${order_id}/invoices/${id}`;
      else notify('orders.windowBlocked', { type: 'warning', messageArgs: { number } });
    });
    if (!isDone) shown?.close();
    await onDone();
  }

  return (
    <Tooltip
      title={
        known ? translate('orders.openInvoiceHelp', { number: known.number }) : translate('orders.printInvoiceHelp')
      }
      describeChild
    >
      <Button size="small" loading={action.isBusy} onClick={() => void open()}>
        {translate('orders.document.invoice')}
      </Button>
    </Tooltip>
  );
}
