/** The money of an order as it was taken down. */
import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useWriter } from '../parts/money.ts';
import { moneyHeld } from './effects.ts';
import type { LoadedOrder } from './show.tsx';

export function Transactions({ loaded: { order, transactions } }: { loaded: LoadedOrder }) {
  const translate = useTranslate();
  const writer = useWriter();
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
                <TableCell>{writer.moment(one.date)}</TableCell>
                <TableCell>{one.type}</TableCell>
                <TableCell>{one.local_name || one.name}</TableCell>
                <TableCell>{translate(`orders.transactionStatus.${one.status}`)}</TableCell>
                <TableCell align="right">{writer.money(one.value, one.currency)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      <Typography sx={{ mt: 1 }}>
        {translate('orders.netPaid', { value: writer.money(moneyHeld(transactions), order.currency) })}
      </Typography>
    </>
  );
}
