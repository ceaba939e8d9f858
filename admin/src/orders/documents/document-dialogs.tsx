/** The dialogs that create an invoice or a credit note. */
import { Alert, Typography } from '@mui/material';
import type { OrderInvoiceOutput, OrderItemOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useFormat } from '../../utils/format.ts';
import { exceeds, linesOf, QuantityFields, useQuantities } from '../actions/quantity-fields.tsx';
import { StepDialog } from '../actions/step-dialog.tsx';
import { type StepCallbacks, useSettle } from '../actions/use-settle.ts';
import type { LoadedOrder } from '../load-order.ts';
import { openInvoice } from './open-invoice.ts';
import { SellerHint } from './seller-hint.tsx';

const PATH = '/orders/{order_id}/invoices';

export function InvoiceDialog({ loaded, ...callbacks }: { loaded: LoadedOrder } & StepCallbacks) {
  const { order } = loaded;
  const existing = openInvoice(loaded.invoices);
  const title = existing ? 'orders.issueAnotherInvoice' : 'orders.issueInvoice';
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);
  return (
    <StepDialog
      title={title}
      confirm={title}
      step={step}
      onConfirm={() => void step.run(() => store.post(PATH, { order_id: order.id }, {}))}
      onClose={callbacks.onClose}
    >
      {existing && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {translate('orders.anotherInvoiceHelp', { number: existing.number })}
        </Alert>
      )}
      <Typography>{translate('orders.invoiceHelp')}</Typography>
      <SellerHint />
      {order.billing_address === null && (
        <Alert severity="warning" sx={{ mt: 1 }}>
          {translate('orders.invoiceWithoutAddress')}
        </Alert>
      )}
    </StepDialog>
  );
}

/** Credits some units of an invoice, or all of it with its surcharges. */
export function CreditNoteDialog({
  loaded,
  invoice,
  ...callbacks
}: { loaded: LoadedOrder; invoice: OrderInvoiceOutput } & StepCallbacks) {
  const { order, invoices } = loaded;
  const earlier = invoices.filter(({ of }) => of === invoice.id);
  const leftOf = (item_id: number): number => {
    const credited = earlier.flatMap(({ lines }) => lines.filter((line) => line.item_id === item_id));
    const invoiced = invoice.lines.filter((line) => line.item_id === item_id);
    const count = (lines: readonly { amount: number }[]) => lines.reduce((sum, { amount }) => sum + amount, 0);
    return count(invoiced) - count(credited);
  };
  const items = order.items.filter(({ id }) => leftOf(id) > 0);
  const quantities = useQuantities(Object.fromEntries(items.map(({ id }) => [id, leftOf(id)])));
  const translate = useTranslate();
  const format = useFormat();
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const maxOf = ({ id }: Pick<OrderItemOutput, 'id'>): number => leftOf(id);
  const lines = linesOf(items, units);
  const isWhole = earlier.length === 0 && items.every(({ id }) => units[id] === leftOf(id));
  const body = { kind: 'credit_note', of: invoice.id, ...(isWhole ? {} : { lines }) } as const;

  return (
    <StepDialog
      title="orders.issueCreditNote"
      confirm="orders.issueCreditNote"
      step={step}
      isDisabled={(lines.length === 0 && !isWhole) || quantities.isInvalid || exceeds(items, units, maxOf)}
      onConfirm={() => void step.run(() => store.post(PATH, { order_id: order.id }, body))}
      onClose={callbacks.onClose}
    >
      <QuantityFields items={items} quantities={quantities} maxOf={maxOf} />
      <Typography sx={{ mt: 2 }}>
        {isWhole
          ? translate('orders.creditNoteWhole', { value: format.money(invoice.total, invoice.currency) })
          : translate('orders.creditNotePart')}
      </Typography>
    </StepDialog>
  );
}
