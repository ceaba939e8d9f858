/** The payments and refunds recorded for an order. */
import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import type { LoadedOrder } from './load-order.ts';
import { netPaid } from './status-effects.ts';

export function Transactions({ loaded: { order, transactions } }: { loaded: LoadedOrder }) {
  const translate = useTranslate();
  const format = useFormat();
  if (transactions.length === 0)
    return <Typography color="textSecondary">{translate('orders.noTransactions')}</Typography>;
  return (
    <>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={translate('orders.transactions')}>
        <Table size="small">
          <TableHead>
            <TableRow>
              {['date', 'kind', 'method', 'status'].map((name) => (
                <TableCell key={name}>{translate(`orders.transaction.${name}`)}</TableCell>
              ))}
              <TableCell align="right">{translate('orders.transaction.value')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {transactions.map((one) => (
              <TableRow key={one.id}>
                <TableCell>{format.dateTime(one.date)}</TableCell>
                <TableCell>{one.type}</TableCell>
                <TableCell>{one.local_name || one.name}</TableCell>
                <TableCell>{translate(`orders.transactionStatus.${one.status}`)}</TableCell>
                <TableCell align="right">{format.money(one.value, one.currency)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      <Typography sx={{ mt: 1 }}>
        {translate('orders.netPaid', { value: format.money(netPaid(transactions), order.currency) })}
      </Typography>
    </>
  );
}
