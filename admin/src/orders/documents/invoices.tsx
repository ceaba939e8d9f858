/** The invoices and credit notes of an order. They cannot be changed, so creating one asks first. */
import { Button, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { OrderInvoiceOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { useFormat } from '../../utils/format.ts';
import { useMay, useMayWrite } from '../../utils/use-may.tsx';
import { ExplainedButton } from '../actions/explained-button.tsx';
import type { LoadedOrder } from '../load-order.ts';
import { CreditNoteDialog, InvoiceDialog } from './document-dialogs.tsx';
import { isCredited } from './open-invoice.ts';

/** What is being created: an invoice, or a credit note of one. */
type Pending = 'invoice' | OrderInvoiceOutput;

export function Invoices({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { invoices: documents } = loaded;
  const [pending, setPending] = useState<Pending>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const mayCredit = useMay('orders:refund');
  const invoices = documents.filter(({ kind }) => kind === 'invoice');
  const creditable = invoices.filter((invoice) => !isCredited(invoice, documents));
  const callbacks = { onDone, onClose: () => setPending(undefined) };

  return (
    <>
      {documents.length === 0 && (
        <Typography color="textSecondary" gutterBottom>
          {translate('orders.noInvoice')}
        </Typography>
      )}
      {documents.length > 0 && <DocumentTable order_id={loaded.order.id} documents={documents} />}
      {mayWrite && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
          <Button variant={creditable.length === 0 ? 'outlined' : 'text'} onClick={() => setPending('invoice')}>
            {translate(creditable.length === 0 ? 'orders.issueInvoice' : 'orders.issueAnotherInvoice')}
          </Button>
          {mayCredit && invoices.length > 0 && creditable.length === 0 && (
            <ExplainedButton reason={translate('orders.notPossible.credited')} onClick={() => undefined}>
              {translate('orders.issueCreditNote')}
            </ExplainedButton>
          )}
          {mayCredit &&
            creditable.map((invoice) => (
              <Button key={invoice.id} onClick={() => setPending(invoice)}>
                {creditable.length === 1
                  ? translate('orders.issueCreditNote')
                  : translate('orders.issueCreditNoteOf', { number: invoice.number })}
              </Button>
            ))}
        </Stack>
      )}
      {pending === 'invoice' && <InvoiceDialog loaded={loaded} {...callbacks} />}
      {pending !== undefined && pending !== 'invoice' && (
        <CreditNoteDialog loaded={loaded} invoice={pending} {...callbacks} />
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
    { label: translate('orders.transaction.kind'), cell: ({ kind }) => translate(`orders.document.${kind}`) },
    { label: translate('orders.transaction.date'), cell: ({ date }) => format.dateTime(date) },
    {
      label: translate('orders.amount'),
      isRight: true,
      cell: ({ total, currency }) => format.money(total, currency),
    },
  ];
  return (
    <ResponsiveTable label={translate('orders.invoices')} rows={documents} keyOf={({ id }) => id} columns={columns} />
  );
}
