/** The invoices and credit notes of an order. They cannot be changed, so issuing one asks first. */
import { Alert, Button, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { OrderInvoiceOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may-write.ts';
import type { LoadedOrder } from './load-order.ts';

/** A document to be issued, before it is confirmed. */
interface PendingDocument {
  /** The invoice to be credited; undefined for a new invoice. */
  readonly credited: OrderInvoiceOutput | undefined;
}

export function Invoices({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { order, invoices: documents } = loaded;
  const [pending, setPending] = useState<PendingDocument>();
  const translate = useTranslate();
  const action = useAction();
  const mayWrite = useMayWrite();
  const invoices = documents.filter(({ kind }) => kind === 'invoice');
  const creditable = invoices.filter(({ id }) => !documents.some(({ of }) => of === id));

  async function issue({ credited }: PendingDocument): Promise<void> {
    setPending(undefined);
    const body = credited ? ({ kind: 'credit_note', of: credited.id } as const) : {};
    await action.run(() => store.post('/orders/{order_id}/invoices', { order_id: order.id }, body));
    await onDone();
  }

  return (
    <>
      {documents.length === 0 && (
        <Typography color="textSecondary" gutterBottom>
          {translate('orders.noInvoice')}
        </Typography>
      )}
      {documents.length > 0 && <DocumentTable order_id={order.id} documents={documents} />}
      {mayWrite && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
          <Button
            variant={invoices.length === 0 ? 'outlined' : 'text'}
            loading={action.isBusy}
            onClick={() => setPending({ credited: undefined })}
          >
            {translate('orders.issueInvoice')}
          </Button>
          {creditable.map((invoice) => (
            <Button key={invoice.id} loading={action.isBusy} onClick={() => setPending({ credited: invoice })}>
              {translate('orders.issueCreditNote', { number: invoice.number })}
            </Button>
          ))}
        </Stack>
      )}
      {pending && (
        <ConfirmIssue
          credited={pending.credited}
          hasBillingAddress={order.billing_address !== null}
          onConfirm={() => void issue(pending)}
          onClose={() => setPending(undefined)}
        />
      )}
    </>
  );
}

function DocumentTable({ order_id, documents }: { order_id: number; documents: readonly OrderInvoiceOutput[] }) {
  const translate = useTranslate();
  const format = useFormat();
  const columns: readonly Column<OrderInvoiceOutput>[] = [
    {
      label: translate('field.order_number'),
      cell: ({ id, number }) => (
        <MuiLink href={`/api/orders/${order_id}/invoices/${id}`} target="_blank" rel="noopener">
          {number}
        </MuiLink>
      ),
    },
    { label: translate('orders.transaction.kind'), cell: ({ kind }) => translate(`orders.invoice.${kind}`) },
    { label: translate('orders.transaction.date'), cell: ({ date }) => format.dateTime(date) },
    {
      label: translate('orders.transaction.value'),
      isRight: true,
      cell: ({ total, currency }) => format.money(total, currency),
    },
  ];
  return (
    <ResponsiveTable label={translate('orders.invoices')} rows={documents} keyOf={({ id }) => id} columns={columns} />
  );
}

interface ConfirmIssueProps extends PendingDocument {
  readonly hasBillingAddress: boolean;
  onConfirm(): void;
  onClose(): void;
}

function ConfirmIssue({ credited, hasBillingAddress, onConfirm, onClose }: ConfirmIssueProps) {
  const translate = useTranslate();
  const format = useFormat();
  const title = credited
    ? translate('orders.issueCreditNote', { number: credited.number })
    : translate('orders.issueInvoice');
  const help = credited
    ? translate('orders.creditNoteHelp', { value: format.money(credited.total, credited.currency) })
    : translate('orders.invoiceHelp');
  return (
    <Confirm
      isOpen
      title={title}
      content={
        <>
          <Typography>{help}</Typography>
          {!credited && !hasBillingAddress && (
            <Alert severity="warning" sx={{ mt: 1 }}>
              {translate('orders.invoiceWithoutAddress')}
            </Alert>
          )}
        </>
      }
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
