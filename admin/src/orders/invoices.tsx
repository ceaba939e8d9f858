/** Invoices of an order and the credit notes that take them back. Written at once, and for good. */
import { Alert, Button, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { OrderInvoiceOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { useWriter } from '../parts/money.ts';
import { RowsTable } from '../parts/rows-table.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import type { LoadedOrder } from './show.tsx';

/** The document to be written: an invoice, or a credit note of one. */
interface Wanted {
  readonly of: OrderInvoiceOutput | undefined;
}

export function Invoices({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { order, invoices } = loaded;
  const [wanted, setWanted] = useState<Wanted>();
  const translate = useTranslate();
  const writer = useWriter();
  const act = useAct();
  const mayWrite = useMayWrite();
  const invoicesAlone = invoices.filter(({ kind }) => kind === 'invoice');
  const creditable = invoicesAlone.filter(({ id }) => !invoices.some(({ of }) => of === id));

  async function write(): Promise<void> {
    const of = wanted?.of;
    setWanted(undefined);
    await act.run(() =>
      store.post('/orders/{order_id}/invoices', { order_id: order.id }, of ? { kind: 'credit_note', of: of.id } : {}),
    );
    await onDone();
  }

  return (
    <>
      {invoices.length === 0 && (
        <Typography color="textSecondary" gutterBottom>
          {translate('orders.noInvoice')}
        </Typography>
      )}
      {invoices.length > 0 && (
        <RowsTable
          label={translate('orders.invoices')}
          rows={invoices}
          keyOf={({ id }) => id}
          columns={[
            {
              label: translate('field.order_number'),
              cell: ({ id, number }) => (
                <MuiLink href={`/api/orders/${order.id}/invoices/${id}`} target="_blank" rel="noopener">
                  {number}
                </MuiLink>
              ),
            },
            { label: translate('orders.transaction.kind'), cell: ({ kind }) => translate(`orders.invoice.${kind}`) },
            { label: translate('orders.transaction.date'), cell: ({ date }) => writer.moment(date) },
            {
              label: translate('orders.transaction.value'),
              isRight: true,
              cell: ({ total, currency }) => writer.money(total, currency),
            },
          ]}
        />
      )}
      {mayWrite && (
        <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
          <Button
            variant={invoicesAlone.length === 0 ? 'outlined' : 'text'}
            loading={act.isBusy}
            onClick={() => setWanted({ of: undefined })}
          >
            {translate('orders.issueInvoice')}
          </Button>
          {creditable.map((invoice) => (
            <Button key={invoice.id} loading={act.isBusy} onClick={() => setWanted({ of: invoice })}>
              {translate('orders.issueCreditNote', { number: invoice.number })}
            </Button>
          ))}
        </Stack>
      )}
      <Confirm
        isOpen={wanted !== undefined}
        title={
          wanted?.of
            ? translate('orders.issueCreditNote', { number: wanted.of.number })
            : translate('orders.issueInvoice')
        }
        content={
          <>
            <Typography>
              {wanted?.of
                ? translate('orders.creditNoteHelp', { value: writer.money(wanted.of.total, wanted.of.currency) })
                : translate('orders.invoiceHelp')}
            </Typography>
            {!wanted?.of && !order.billing_address && (
              <Alert severity="warning" sx={{ mt: 1 }}>
                {translate('orders.invoiceWithoutAddress')}
              </Alert>
            )}
          </>
        }
        onConfirm={() => void write()}
        onClose={() => setWanted(undefined)}
      />
    </>
  );
}
