/** The payments and refunds recorded for an order. */
import { Button, Stack, Typography } from '@mui/material';
import type { TransactionOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useMay, useMayWrite } from '../utils/use-may.tsx';
import { balanceOf } from './actions/balance.ts';
import { OrderActionDialog } from './actions/order-action-dialog.tsx';
import { RefundDialog } from './actions/refund-dialog.tsx';
import { netPaid } from './actions/status-effects.ts';
import type { LoadedOrder } from './load-order.ts';

interface Props {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

export function Transactions({ loaded, onDone }: Props) {
  return (
    <>
      <TransactionTable loaded={loaded} />
      <OpenBalance loaded={loaded} onDone={onDone} />
    </>
  );
}

/** What is still to be paid or to be paid back, with the step that records it. */
function OpenBalance({ loaded, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const format = useFormat();
  const mayWrite = useMayWrite();
  const mayRefund = useMay('orders:refund');
  const { due, toPayBack } = balanceOf(loaded);
  if (due === 0 && toPayBack === 0) return null;
  const kind = due > 0 ? 'due' : 'toPayBack';
  const may = mayWrite && (kind === 'due' || mayRefund);
  const callbacks = { loaded, onDone, onClose: () => setOpen(false) };
  return (
    <Stack direction="row" spacing={2} useFlexGap sx={{ mt: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <Typography sx={{ fontWeight: 700 }}>
        {translate(`orders.balance.${kind}`, { value: format.money(due || toPayBack, loaded.order.currency) })}
      </Typography>
      {may && (
        <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
          {translate(`orders.recordBalance.${kind}`)}
        </Button>
      )}
      {isOpen && kind === 'due' && <OrderActionDialog action="pay" {...callbacks} />}
      {isOpen && kind === 'toPayBack' && <RefundDialog paysBack {...callbacks} />}
    </Stack>
  );
}

function TransactionTable({ loaded: { order, transactions } }: Pick<Props, 'loaded'>) {
  const translate = useTranslate();
  const format = useFormat();
  const columns: readonly Column<TransactionOutput>[] = [
    { label: translate('orders.transaction.date'), cell: ({ date }) => format.dateTime(date) },
    { label: translate('orders.transaction.kind'), cell: ({ type }) => translate(`orders.transactionType.${type}`) },
    { label: translate('orders.transaction.method'), cell: ({ local_name, name }) => local_name || name || '–' },
    {
      label: translate('orders.transaction.status'),
      cell: ({ status }) => translate(`orders.transactionStatus.${status}`),
    },
    {
      label: translate('orders.amount'),
      isRight: true,
      cell: ({ value, currency }) => format.money(value, currency),
    },
  ];
  if (transactions.length === 0)
    return <Typography color="textSecondary">{translate('orders.noTransactions')}</Typography>;
  return (
    <>
      <ResponsiveTable
        label={translate('orders.transactions')}
        columns={columns}
        rows={transactions}
        keyOf={({ id }) => id}
      />
      <Typography sx={{ mt: 1 }}>
        {translate('orders.netPaid', { value: format.money(netPaid(transactions), order.currency) })}
      </Typography>
    </>
  );
}
