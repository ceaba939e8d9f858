/** Creates the invoice of an order that has none, and opens it to be printed. */
import { Button, Tooltip } from '@mui/material';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useAction } from '../../utils/use-action.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import type { LoadedOrder } from '../load-order.ts';

export function PrintInvoiceButton({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const action = useAction();
  const mayWrite = useMayWrite();
  const order_id = loaded.order.id;
  if (!mayWrite || loaded.invoices.some(({ kind }) => kind === 'invoice')) return null;

  async function open(): Promise<void> {
    // Browsers allow a new window only during the click.
    const shown = window.open('', '_blank');
    const isDone = await action.run(async () => {
      const { data } = await store.post('/orders/{order_id}/invoices', { order_id }, {});
      if (shown) shown.location.href = `/api/orders/${order_id}/invoices/${data.id}`;
    });
    if (!isDone) shown?.close();
    await onDone();
  }

  return (
    <Tooltip title={translate('orders.printInvoiceHelp')} describeChild>
      <Button size="small" loading={action.isBusy} onClick={() => void open()}>
        {translate('orders.document.invoice')}
      </Button>
    </Tooltip>
  );
}
