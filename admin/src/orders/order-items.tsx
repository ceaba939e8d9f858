/** The items of an order as they were sold, and the totals. */
import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';

export function OrderItems({ order }: { order: OrderOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const money = (value: number) => format.money(value, order.currency);
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={translate('orders.lines')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('field.name')}</TableCell>
            <TableCell align="right">{translate('field.price')}</TableCell>
            <TableCell align="right">{translate('field.quantity')}</TableCell>
            <TableCell align="right">{translate('orders.lineTotal')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {order.items.map((item) => (
            <TableRow key={item.id}>
              <TableCell>
                {item.product_id === null ? item.name : <Link to={`/products/${item.product_id}`}>{item.name}</Link>}
                <Typography variant="body2" color="textSecondary">
                  {item.sku}
                  {item.options.map(({ attribute_id, name, value }) => (
                    <span key={attribute_id}>
                      {' '}
                      · {name}: {value}
                    </span>
                  ))}
                </Typography>
                {item.backordered_amount > 0 && (
                  <Typography variant="body2" color="warning">
                    {translate('orders.backordered', { smart_count: item.backordered_amount })}
                  </Typography>
                )}
              </TableCell>
              <TableCell align="right">{money(item.price)}</TableCell>
              <TableCell align="right">{item.amount}</TableCell>
              <TableCell align="right">{money(item.discounted_subtotal)}</TableCell>
            </TableRow>
          ))}
          <TotalRow label={translate('orders.subTotal')} value={money(order.sub_total)} />
          {order.surcharges.map(({ id, name, value, include }) => (
            <TotalRow
              key={id}
              label={include ? translate('orders.included', { name }) : name}
              value={money(value)}
              isMuted={include}
            />
          ))}
          <TotalRow label={translate('field.total')} value={money(order.total)} isTotal />
        </TableBody>
      </Table>
    </Box>
  );
}

function TotalRow({
  label,
  value,
  isMuted = false,
  isTotal = false,
}: {
  label: string;
  value: string;
  isMuted?: boolean;
  isTotal?: boolean;
}) {
  const sx = { fontWeight: isTotal ? 700 : 400, color: isMuted ? 'text.secondary' : 'text.primary', border: 0 };
  return (
    <TableRow>
      <TableCell component="th" scope="row" colSpan={3} align="right" sx={sx}>
        {label}
      </TableCell>
      <TableCell align="right" sx={{ ...sx, fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </TableCell>
    </TableRow>
  );
}
