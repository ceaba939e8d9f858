/** The payments and refunds recorded for an order. */
import { Typography } from '@mui/material';
import type { TransactionOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { netPaid } from './actions/status-effects.ts';
import type { LoadedOrder } from './load-order.ts';

export function Transactions({ loaded: { order, transactions } }: { loaded: LoadedOrder }) {
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
