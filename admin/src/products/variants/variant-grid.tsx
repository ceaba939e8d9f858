/**
 * The variants of a product as a grid: arrow keys and Enter move between cells, a block of cells can be pasted from a spreadsheet, and a
 * value can be copied to the rows below. Only visible rows are rendered: a product can have a thousand variants.
 */
import FillIcon from '@mui/icons-material/KeyboardDoubleArrowDown';
import { Alert, Box, IconButton, type Theme, Tooltip, Typography, useMediaQuery } from '@mui/material';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { type ClipboardEvent, useRef, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { useDecimalFormat } from '../../utils/format.ts';
import { moveInGrid } from '../../utils/grid-keys.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import { useStoreInfo } from '../../utils/use-store-info.ts';
import { VISUALLY_HIDDEN } from '../../utils/visually-hidden.ts';
import { CELL_FIELDS, type CellChange, type CellField, saveCells } from './save-cells.ts';
import { GRID_ROW } from './variant-grid-styles.ts';
import { pastedCells, valueKeys } from './variant-plan.ts';
import { VariantRow } from './variant-row.tsx';

interface Props {
  readonly product: ProductOutput;
  readonly variants: readonly VariantOutput[];
  /** The name of each value, such as `select:5`. */
  readonly names: ReadonlyMap<string, string>;
  onDone(): Promise<void>;
}

const ROW_HEIGHT = 52;
/** On narrow screens a row has its fields in two columns. */
const NARROW_ROW_HEIGHT = 216;
const HEIGHT_MAX = 560;
/** On narrow screens, up to this many rows scroll with the page. */
const NARROW_ROWS_MAX = 12;

export function VariantGrid({ product, variants, names, onDone }: Props) {
  const translate = useTranslate();
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const scrollBox = useRef<HTMLDivElement>(null);
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  const rows = useVirtualizer({
    count: variants.length,
    getScrollElement: () => scrollBox.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const nameOf = (variant: VariantOutput): string =>
    valueKeys(variant)
      .map((key) => names.get(key) ?? key)
      .join(' · ');
  const canFill = useMayWrite() && variants.length > 1;
  const height = variants.length * rowHeight;
  const cells = useCells({ product, variants, nameOf, onDone });

  return (
    <Box component="section" aria-label={translate('products.tab.variants')}>
      <Typography variant="body2" color="textSecondary" role="status" sx={{ mb: 1 }}>
        {translate('products.variantCount', { smart_count: variants.length })} {translate('variants.gridHelp')}
      </Typography>
      {cells.problems.map((problem) => (
        <Alert key={problem} severity="error" sx={{ mb: 1 }}>
          {problem}
        </Alert>
      ))}
      {isNarrow && canFill && (
        <Typography variant="body2" color="textSecondary">
          {translate('variants.fillDownTitle')}
        </Typography>
      )}
      <Box
        role="table"
        aria-rowcount={variants.length + 1}
        aria-label={translate('products.tab.variants')}
        data-grid
        onKeyDown={(event) => {
          if (!moveInGrid(event) && event.key === 'Enter') event.preventDefault();
        }}
        onPaste={cells.paste}
      >
        <Header isNarrow={isNarrow} onFill={canFill ? cells.fillDown : undefined} />
        <Box
          ref={scrollBox}
          role="rowgroup"
          tabIndex={0}
          aria-label={translate('products.tab.variants')}
          sx={{
            height: isNarrow && variants.length <= NARROW_ROWS_MAX ? height : Math.min(height, HEIGHT_MAX),
            overflowY: 'auto',
          }}
        >
          <Box role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map(({ index, start }) => (
              <VariantRow
                key={variants[index]!.id}
                product={product}
                variant={variants[index]!}
                name={nameOf(variants[index]!)}
                index={index}
                isNarrow={isNarrow}
                place={{ transform: `translateY(${start}px)`, height: rowHeight }}
                onChange={(field, text) => void cells.change(index, field, text)}
                onFocus={() => cells.setCurrent(index)}
                onDone={onDone}
              />
            ))}
          </Box>
        </Box>
      </Box>
    </Box>
  );
}

interface CellsProps extends Pick<Props, 'product' | 'variants' | 'onDone'> {
  nameOf(variant: VariantOutput): string;
}

function useCells({ product, variants, nameOf, onDone }: CellsProps) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  /** The row of the cell that had the focus last. */
  const [current, setCurrent] = useState(0);
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const decimal = useDecimalFormat(4);

  async function save(changes: readonly CellChange[]): Promise<void> {
    setProblems([]);
    try {
      const result = await saveCells(product.id, changes, (name) => translate('variants.conflict', { name }));
      setProblems(result.problems);
      if (result.saved > 0) notify('state.saved', { type: 'success', autoHideDuration: 2000 });
    } catch (error) {
      setProblems([errorMessage(error)]);
    }
    await onDone();
  }

  const changeOf = (index: number, field: CellField, text: string): CellChange[] => {
    const variant = variants[index];
    return variant ? [{ variant, name: nameOf(variant), field, text }] : [];
  };

  /** Writes a block of cells that was copied from a spreadsheet, from the cell with the focus on. */
  function paste(event: ClipboardEvent<HTMLElement>): void {
    const text = event.clipboardData.getData('text/plain');
    const { cell, row } = (event.target as HTMLInputElement).dataset;
    if (cell === undefined || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const [firstRow, firstField] = [Number(row), CELL_FIELDS.indexOf(cell as CellField)];
    const changes = pastedCells(text).flatMap((texts, down) =>
      texts.flatMap((one, right) => {
        const field = CELL_FIELDS[firstField + right];
        return field ? changeOf(firstRow + down, field, one) : [];
      }),
    );
    void save(changes);
  }

  /** Copies the value of the row with the focus to the rows below it. */
  function fillDown(field: CellField): void {
    const from = current < variants.length - 1 ? current : 0;
    const value = variants[from]![field];
    const text = typeof value === 'number' ? decimal(value) : (value ?? '');
    void save(variants.slice(from + 1).flatMap((_, at) => changeOf(from + 1 + at, field, text)));
  }

  return {
    ...{ problems, paste, fillDown, setCurrent },
    change: (index: number, field: CellField, text: string) => save(changeOf(index, field, text)),
  };
}

interface HeaderProps {
  readonly isNarrow: boolean;
  readonly onFill: ((field: CellField) => void) | undefined;
}

/** The columns that can be filled down. */
const FILLED: readonly string[] = ['price', 'amount', 'weight'];

function Header({ isNarrow, onFill }: HeaderProps) {
  const translate = useTranslate();
  const unit = useStoreInfo()?.weight_unit;
  const columns = ['variant', ...CELL_FIELDS, 'image', 'delete'];
  return (
    <Box role="rowgroup">
      <Box
        role="row"
        aria-rowindex={1}
        sx={{ ...(isNarrow ? NARROW_HEADER : GRID_ROW), fontWeight: 600, borderBottom: 2, borderColor: 'divider' }}
      >
        {columns.map((name) => {
          const label = translate(name === 'delete' ? 'button.delete' : `field.${name}`);
          const canFill = onFill && FILLED.includes(name);
          return (
            <Box key={name} role="columnheader" sx={{ display: 'flex', alignItems: 'center', minWidth: 0 }}>
              {name === 'delete' || (isNarrow && !canFill) ? (
                <Box sx={VISUALLY_HIDDEN}>{label}</Box>
              ) : name === 'weight' && unit ? (
                `${label} (${unit})`
              ) : (
                label
              )}
              {canFill && (
                <Tooltip title={translate('variants.fillDownHelp')} describeChild>
                  <IconButton
                    size="small"
                    onClick={() => onFill(name as CellField)}
                    aria-label={translate('variants.fillDown', { field: label })}
                  >
                    <FillIcon fontSize="small" />
                  </IconButton>
                </Tooltip>
              )}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

const NARROW_HEADER = { display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' } as const;
