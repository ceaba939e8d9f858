/** A table that becomes a list of labeled values on narrow screens. */
import {
  Box,
  Card,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material';
import type { ReactNode } from 'react';

export interface Column<T> {
  readonly label: string;
  readonly isRight?: boolean;
  cell(row: T): ReactNode;
}

interface Props<T> {
  readonly label: string;
  /** The first column is the row header. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  keyOf(row: T, index: number): string | number;
}

export function ResponsiveTable<T>(props: Props<T>) {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  return isNarrow ? <RowList {...props} /> : <RowTable {...props} />;
}

function RowTable<T>({ label, columns, rows, keyOf }: Props<T>) {
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={label}>
      <Table size="small">
        <TableHead>
          <TableRow>
            {columns.map((column) => (
              <TableCell key={column.label} align={column.isRight ? 'right' : 'left'}>
                {column.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row, index) => (
            <TableRow key={keyOf(row, index)}>
              {columns.map((column, at) => (
                <TableCell
                  key={column.label}
                  align={column.isRight ? 'right' : 'left'}
                  sx={column.isRight ? { whiteSpace: 'nowrap' } : { overflowWrap: 'anywhere' }}
                  {...(at === 0 ? { component: 'th', scope: 'row' } : {})}
                >
                  {column.cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function RowList<T>({ label, columns, rows, keyOf }: Props<T>) {
  return (
    <Stack component="ul" spacing={1} aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {rows.map((row, index) => (
        <Card key={keyOf(row, index)} variant="outlined" component="li" sx={{ p: 1.5 }}>
          <Box component="dl" sx={{ m: 0 }}>
            {columns.map((column) => (
              <Stack key={column.label} direction="row" spacing={1} sx={{ py: 0.25, alignItems: 'baseline' }}>
                <Typography component="dt" variant="body2" color="textSecondary" sx={{ flex: '0 0 40%' }}>
                  {column.label}
                </Typography>
                <Typography
                  component="dd"
                  variant="body2"
                  sx={{ m: 0, flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
                >
                  {column.cell(row)}
                </Typography>
              </Stack>
            ))}
          </Box>
        </Card>
      ))}
    </Stack>
  );
}
