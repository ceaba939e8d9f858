/** The old and the new prices of a planned change. */
import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormat } from '../../utils/format.ts';
import type { PlannedLine } from './bulk-change.ts';

/** Lines that are shown; the rest is counted. */
const LINES_MAX = 10;

export function PriceTable({ field, changed }: { field: string; changed: readonly PlannedLine[] }) {
  const translate = useTranslate();
  const { money } = useFormat();
  const label = translate('bulk.prices');
  return (
    <Box sx={{ mt: 1 }}>
      <Table size="small" aria-label={label} sx={{ '& td, & th': { px: 1 } }}>
        <TableHead>
          <TableRow>
            <TableCell>{translate('field.name')}</TableCell>
            <TableCell align="right">{translate('bulk.oldPrice')}</TableCell>
            <TableCell align="right">{translate('bulk.newPrice')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {changed.slice(0, LINES_MAX).map(({ name, before, body }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: products and variants can have the same key
            <TableRow key={at}>
              <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
                {name}
              </TableCell>
              <TableCell align="right" sx={PRICE}>
                {money(before[field] as number)}
              </TableCell>
              <TableCell align="right" sx={{ ...PRICE, fontWeight: 600 }}>
                {money(body[field] as number)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {changed.length > LINES_MAX && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {translate('bulk.morePrices', { smart_count: changed.length - LINES_MAX })}
        </Typography>
      )}
    </Box>
  );
}

const PRICE = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const;
