/**
 * Wholesale prices as a grid: a row for each quantity, a column for everyone and each membership. Arrow keys and Enter move between
 * cells, and a block of cells can be pasted from a spreadsheet. On narrow screens one column is shown at a time.
 */
import {
  Box,
  MenuItem,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  type Theme,
  Typography,
  useMediaQuery,
} from '@mui/material';
import type { MembershipOutput, WholesalePriceOutput } from 'purveyor/client';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { parseNumber } from '../../utils/format.ts';
import { moveInGrid } from '../../utils/grid-keys.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import { pastedCells } from '../variants/variant-plan.ts';
import { NewQuantity, PriceRow } from './price-row.tsx';
import { usePricesToday } from './prices-today.ts';
import { type CellChange, type Column, type PriceGridState, usePriceGrid } from './use-price-grid.ts';
import type { Owner } from './wholesale.ts';

interface Props {
  readonly owner: Owner;
  /** The rows of this owner. */
  readonly rows: readonly WholesalePriceOutput[];
  readonly memberships: readonly MembershipOutput[];
  onDone(): Promise<void>;
}

/** Up to this many memberships all have a column. Of more, only those with prices have one until it is added. */
const COLUMNS_MAX = 4;

const keyOf = ({ membership }: Column): string => `membership-${membership ?? 'all'}`;

export function PriceGrid({ owner, rows, memberships, onDone }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  const { columns, hidden, addColumn } = useColumns(memberships, rows);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = isNarrow ? columns.filter(({ membership }) => membership === chosen) : columns;
  const grid = usePriceGrid({ owner, rows, hasMemberships: memberships.length > 0, onDone });
  const today = usePricesToday(
    owner,
    columns.map(({ membership }) => membership),
  );
  const table = useRef<HTMLTableElement>(null);

  return (
    <Box component="section" aria-label={translate('prices.wholesale')}>
      <Typography variant="h6" component="h2">
        {translate('prices.wholesale')}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 1, maxWidth: '80ch' }}>
        {translate('prices.gridHelp')}
      </Typography>
      {isNarrow && columns.length > 1 && <ColumnInput columns={columns} value={chosen} onChange={setChosen} />}
      <Box
        sx={{ overflowX: 'auto' }}
        tabIndex={isNarrow ? undefined : 0}
        role="group"
        aria-label={translate('prices.wholesale')}
      >
        <Table
          ref={table}
          size="small"
          data-grid
          onKeyDown={onKeyDown}
          onPaste={(event) => pasteInto(event, grid, shown)}
          sx={{ width: 'auto', minWidth: { sm: 420 }, '& td, & th': { px: 0.75, verticalAlign: 'top' } }}
        >
          <TableHead>
            <TableRow>
              <TableCell>{translate('prices.quantityFrom')}</TableCell>
              {shown.map((column) => (
                <TableCell key={keyOf(column)} align="right" sx={{ maxWidth: 180, whiteSpace: 'normal' }}>
                  {column.name}
                </TableCell>
              ))}
              {mayWrite && <TableCell align="right">{translate('button.delete')}</TableCell>}
            </TableRow>
          </TableHead>
          <TableBody>
            {grid.quantities.map((quantity) => (
              <PriceRow
                key={quantity}
                quantity={quantity}
                columns={shown}
                columnKeyOf={keyOf}
                grid={grid}
                today={today}
              />
            ))}
            {mayWrite && (
              <NewQuantity grid={grid} columnCount={shown.length + 1} onAdded={(row) => focusRow(table.current, row)} />
            )}
          </TableBody>
        </Table>
      </Box>
      {mayWrite && hidden.length > 0 && (
        <TextField
          select
          label={translate('prices.addColumn')}
          value=""
          onChange={({ target }) => {
            addColumn(Number(target.value));
            setChosen(Number(target.value));
          }}
          sx={{ maxWidth: 320, mt: 1.5 }}
        >
          {hidden.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      )}
    </Box>
  );
}

/** Decides which memberships have a column. */
function useColumns(memberships: readonly MembershipOutput[], rows: readonly WholesalePriceOutput[]) {
  const [added, setAdded] = useState<readonly number[]>([]);
  const translate = useTranslate();
  const isShown = ({ id }: MembershipOutput): boolean =>
    memberships.length <= COLUMNS_MAX || added.includes(id) || rows.some(({ membership }) => membership === id);
  const columns: Column[] = [
    { membership: null, name: translate('prices.everyone') },
    ...memberships.filter(isShown).map(({ id, name }) => ({ membership: id, name })),
  ];
  return {
    columns,
    hidden: memberships.filter((membership) => !isShown(membership)),
    addColumn: (id: number) => setAdded((before) => [...before, id]),
  };
}

interface ColumnInputProps {
  readonly columns: readonly Column[];
  readonly value: number | null;
  onChange(membership: number | null): void;
}

/** Chooses the column that narrow screens show. */
function ColumnInput({ columns, value, onChange }: ColumnInputProps) {
  const translate = useTranslate();
  return (
    <TextField
      select
      label={translate('prices.buyers')}
      value={value ?? 0}
      onChange={({ target }) => onChange(Number(target.value) || null)}
    >
      {columns.map(({ membership, name }) => (
        <MenuItem key={membership ?? 0} value={membership ?? 0}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}

/** Enter in the last row goes to the field for a new one, which saves. It must not submit the form around the grid. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const input = event.target as HTMLInputElement;
  if (moveInGrid(event) || event.key !== 'Enter' || input.dataset.cell === undefined) return;
  event.preventDefault();
  const grid = input.closest('[data-grid]')!;
  if (input.dataset.row !== 'new') grid.querySelector<HTMLInputElement>('input[data-row="new"]')?.focus();
}

/** Moves the focus to the first price of a row as soon as it is rendered. */
function focusRow(table: HTMLTableElement | null, quantity: number): void {
  requestAnimationFrame(() =>
    table
      ?.querySelector<HTMLInputElement>(`input[data-row="${quantity}"]:not([data-cell="quantity"]):not([readonly])`)
      ?.focus(),
  );
}

/**
 * Saves a block of cells that was copied from a spreadsheet. Pasted into a price, its rows are those from there on; pasted into the
 * field for a new quantity, its first column has the quantities.
 */
function pasteInto(event: ClipboardEvent<HTMLElement>, grid: PriceGridState, columns: readonly Column[]): void {
  const text = event.clipboardData.getData('text/plain');
  const { cell = '', row = '' } = (event.target as HTMLInputElement).dataset;
  const first = columns.findIndex((column) => keyOf(column) === cell);
  if (!/[\t\n]/.test(text.trim()) || (first < 0 && row !== 'new')) return;
  event.preventDefault();
  const from = grid.quantities.indexOf(Number(row));
  const quantities: number[] = [];
  const changes = pastedCells(text).flatMap((texts, down): CellChange[] => {
    const quantity = row === 'new' ? parseNumber(texts[0]!) : grid.quantities[from + down];
    // A heading, or more rows than the grid has.
    if (quantity === undefined || !Number.isInteger(quantity) || quantity < 1) return [];
    quantities.push(quantity);
    return (row === 'new' ? texts.slice(1) : texts).flatMap((one, right) => {
      const column = columns[Math.max(first, 0) + right];
      if (!column || (quantity === 1 && column.membership === null)) return [];
      return [{ cell: { quantity, membership: column.membership }, text: one }];
    });
  });
  grid.addPasted(quantities.filter((quantity) => !grid.quantities.includes(quantity)));
  void grid.save(changes);
}
