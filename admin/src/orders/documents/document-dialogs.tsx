/** The dialogs that create an invoice or a credit note. */
import { Alert, Button, Typography } from '@mui/material';
import type { OrderInvoiceOutput, OrderItemOutput, OrderRefundableOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { useFormat } from '../../utils/format.ts';
import { exceeds, linesOf, QuantityFields, useQuantities } from '../actions/quantity-fields.tsx';
import { StepDialog } from '../actions/step-dialog.tsx';
import { type StepCallbacks, useSettle } from '../actions/use-settle.ts';
import { ValueParts } from '../actions/value-parts.tsx';
import { useCreditPreview } from '../draft/use-quote.ts';
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
  const quantities = useQuantities(Object.fromEntries(items.map(({ id }) => [id, 0])));
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const maxOf = ({ id }: Pick<OrderItemOutput, 'id'>): number => leftOf(id);
  const lines = linesOf(items, units);
  const [isAll, setAll] = useState(false);
  const hasAll = items.every(({ id }) => units[id] === leftOf(id));
  const isWhole = earlier.length === 0 && hasAll && (isAll || lines.length > 0);
  const isInvalid = quantities.isInvalid || exceeds(items, units, maxOf);
  const body = { kind: 'credit_note', of: invoice.id, ...(isWhole ? {} : { lines }) } as const;
  const preview = useCreditPreview(order.id, isWhole || isInvalid || lines.length === 0 ? undefined : body);

  function creditAll(): void {
    quantities.setAll(Object.fromEntries(items.map(({ id }) => [id, leftOf(id)])));
    setAll(true);
  }

  return (
    <StepDialog
      title="orders.issueCreditNote"
      confirm="orders.issueCreditNote"
      step={step}
      isDisabled={isInvalid || !(isWhole || (lines.length > 0 && preview.isReady))}
      onConfirm={() => void step.run(() => store.post(PATH, { order_id: order.id }, body))}
      onClose={callbacks.onClose}
    >
      <QuantityFields items={items} quantities={quantities} maxOf={maxOf} />
      <Button size="small" onClick={creditAll} sx={{ my: 1 }}>
        {translate(earlier.length === 0 ? 'orders.creditWhole' : 'orders.creditAll')}
      </Button>
      <CreditedAmount
        invoice={invoice}
        isWhole={isWhole}
        credit={lines.length > 0 && !isInvalid ? preview.found : undefined}
        error={preview.error}
      />
    </StepDialog>
  );
}

interface AmountProps {
  readonly invoice: OrderInvoiceOutput;
  readonly isWhole: boolean;
  /** The credit note as it would be; undefined if no units are chosen. */
  readonly credit: OrderRefundableOutput | undefined;
  readonly error: unknown;
}

/** How much a credit note takes back, before it is created. */
function CreditedAmount({ invoice: { currency, total }, isWhole, credit, error }: AmountProps) {
  const translate = useTranslate();
  const format = useFormat();
  const errorMessage = useErrorMessage();
  if (error !== null) return <Alert severity="error">{errorMessage(error)}</Alert>;
  if (isWhole)
    return <Typography>{translate('orders.creditNoteWhole', { value: format.money(total, currency) })}</Typography>;
  if (!credit) return <Typography>{translate('orders.creditNoteNone')}</Typography>;
  const surcharges = (credit.surcharges as readonly CreditedSurcharge[])
    .filter(({ include }) => !include)
    .map(({ type, name, value }) => ({ kind: 'surcharge', type, name, value }) as const);
  const parts = [{ kind: 'items', value: credit.sub_total } as const, ...surcharges];
  return (
    <>
      <Typography>{translate('orders.creditNotePart', { value: format.money(credit.total, currency) })}</Typography>
      <ValueParts proposed={{ value: credit.total, parts }} currency={currency} />
    </>
  );
}

interface CreditedSurcharge {
  readonly type: string;
  readonly name: string;
  readonly include: boolean;
  readonly value: number;
}
