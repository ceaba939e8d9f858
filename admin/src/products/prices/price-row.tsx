/** The rows of the grid of wholesale prices: one quantity, and the field for a new one. */
import AddIcon from '@mui/icons-material/Add';
import { Button, TableCell, TableRow } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { DeleteButton } from '../../components/delete-button.tsx';
import { parseNumber, useDecimalFormat, useFormat } from '../../utils/format.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import { GridCell } from './price-cell.tsx';
import { type Column, type PriceGridState, quantityKey } from './use-price-grid.ts';
import { type CellName, cellKey } from './wholesale.ts';

interface RowProps {
  readonly quantity: number;
  readonly columns: readonly Column[];
  columnKeyOf(column: Column): string;
  readonly grid: PriceGridState;
  /** The price that buyers pay today. */
  today(cell: CellName): number | undefined;
}

export function PriceRow({ quantity, columns, columnKeyOf, grid, today }: RowProps) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const format = useFormat();
  const name = translate('prices.fromQuantity', { smart_count: quantity, count: format.number(quantity) });
  const canDelete = grid.isAdded(quantity) || grid.rowsFrom(quantity).length > 0;
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ width: 120 }}>
        <GridCell
          label={translate('prices.quantityOf', { quantity })}
          column="quantity"
          row={quantity}
          value={`${quantity}`}
          draft={grid.drafts[quantityKey(quantity)]}
          // One unit is always there: it shows the regular price.
          isReadOnly={quantity === 1}
          onLeave={(text) => void grid.move(quantity, text, parseNumber(text))}
          onCancel={() => grid.forget(quantityKey(quantity))}
        />
      </TableCell>
      {columns.map((column) => (
        <TableCell key={columnKeyOf(column)} sx={{ width: 150 }}>
          <Price
            cell={{ quantity, membership: column.membership }}
            column={columnKeyOf(column)}
            label={`${column.name}, ${name}`}
            grid={grid}
            today={today}
          />
        </TableCell>
      ))}
      {mayWrite && (
        <TableCell align="right" sx={{ width: 48 }}>
          {canDelete && (
            <DeleteButton name={name} confirmation="prices.deleteRow" onConfirmed={() => grid.remove(quantity)} />
          )}
        </TableCell>
      )}
    </TableRow>
  );
}

interface PriceProps extends Pick<RowProps, 'grid' | 'today'> {
  readonly cell: CellName;
  readonly column: string;
  readonly label: string;
}

/** A price or a percentage off. A cell without one shows in gray what buyers pay. */
function Price({ cell, column, label, grid, today }: PriceProps) {
  const translate = useTranslate();
  const decimal = useDecimalFormat(4);
  const format = useFormat();
  const row = grid.rowOf(cell);
  const paid = today(cell);
  const value = !row ? '' : row.type === 'percent' ? format.percent(row.price) : decimal(row.price);
  const isShown = row && (row.type === 'percent' || row.price !== paid);
  const key = cellKey(cell);
  return (
    <GridCell
      label={label}
      column={column}
      row={cell.quantity}
      value={value}
      placeholder={paid === undefined ? '' : decimal(paid)}
      draft={grid.drafts[key]}
      note={isShown && paid !== undefined ? translate('prices.today', { price: decimal(paid) }) : undefined}
      // The price of one unit for everyone is the product's.
      isReadOnly={cell.quantity === 1 && cell.membership === null}
      onLeave={(text) => void grid.save([{ cell, text }])}
      onCancel={() => grid.forget(key)}
    />
  );
}

interface NewProps {
  readonly grid: PriceGridState;
  readonly columnCount: number;
  onAdded(quantity: number): void;
}

/** Adds a row. Its prices are then typed into its cells. */
export function NewQuantity({ grid, columnCount, onAdded }: NewProps) {
  const [typed, setTyped] = useState('');
  const [version, setVersion] = useState(0);
  const translate = useTranslate();

  function add(): void {
    const quantity = parseNumber(typed);
    if (!grid.add(typed, quantity)) return;
    setTyped('');
    setVersion(version + 1);
    onAdded(quantity!);
  }

  return (
    <TableRow>
      <TableCell
        component="th"
        scope="row"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && typed !== '') {
            event.preventDefault();
            event.stopPropagation();
            add();
          }
        }}
      >
        <GridCell
          key={version}
          label={translate('prices.newQuantity')}
          column="quantity"
          row="new"
          value=""
          placeholder={translate('prices.newQuantityExample')}
          draft={grid.drafts[quantityKey('new')]}
          onType={setTyped}
          onCancel={() => {
            setTyped('');
            grid.forget(quantityKey('new'));
          }}
        />
      </TableCell>
      <TableCell colSpan={columnCount}>
        <Button startIcon={<AddIcon />} onClick={add} disabled={typed.trim() === ''} size="small">
          {translate('prices.addQuantity')}
        </Button>
      </TableCell>
    </TableRow>
  );
}
