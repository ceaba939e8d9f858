/** A variant in the grid. */
import { Box, InputBase, Typography } from '@mui/material';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { fieldOf } from '../../api/record-diff.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { useDecimalFormat } from '../../utils/format.ts';
import { useAction } from '../../utils/use-action.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import { useStoreInfo } from '../../utils/use-store-info.ts';
import { CELL_FIELDS, type CellField, isChange } from './save-cells.ts';
import { GRID_ROW } from './variant-grid-styles.ts';
import { VariantImage } from './variant-image.tsx';

interface Props {
  readonly product: ProductOutput;
  readonly variant: VariantOutput;
  readonly name: string;
  readonly index: number;
  readonly isNarrow: boolean;
  readonly place: CSSProperties;
  onChange(field: CellField, text: string): void;
  onFocus(): void;
  onDone(): Promise<void>;
}

export function VariantRow({ product, variant, name, index, isNarrow, place, onChange, onFocus, onDone }: Props) {
  const translate = useTranslate();
  const action = useAction();
  const unit = useStoreInfo()?.weight_unit;
  const parameters = { product_id: product.id, id: variant.id };
  return (
    <Box
      role="row"
      aria-rowindex={index + 2}
      style={place}
      onFocus={onFocus}
      sx={{
        ...(isNarrow ? NARROW_ROW : GRID_ROW),
        ...{ position: 'absolute', top: 0, left: 0, right: 0, borderBottom: 1, borderColor: 'divider' },
      }}
    >
      <Box
        role="cell"
        title={name}
        sx={{
          ...{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
          ...(isNarrow ? { gridColumn: '1 / -1', fontWeight: 600 } : {}),
        }}
      >
        {name}
      </Box>
      {CELL_FIELDS.map((field) => (
        <Box role="cell" key={field} sx={{ minWidth: 0 }}>
          {isNarrow && (
            <Typography variant="body2" color="textSecondary" aria-hidden>
              {translate(`field.${field}`)}
              {field === 'weight' && unit && ` (${unit})`}
            </Typography>
          )}
          <Cell variant={variant} name={name} field={field} index={index} onChange={(text) => onChange(field, text)} />
        </Box>
      ))}
      <Box role="cell">
        <VariantImage product={product} variant={variant} name={name} onDone={onDone} />
      </Box>
      <Box role="cell" sx={isNarrow ? { justifySelf: 'end' } : {}}>
        <DeleteButton
          name={name}
          confirmation="products.deleteVariant"
          onConfirmed={async () => {
            await action.run(() => store.delete('/products/{product_id}/variants/{id}', parameters));
            await onDone();
          }}
        />
      </Box>
    </Box>
  );
}

interface CellProps {
  readonly variant: VariantOutput;
  readonly name: string;
  readonly field: CellField;
  readonly index: number;
  onChange(text: string): void;
}

function Cell({ variant, name, field, index, onChange }: CellProps) {
  const [typed, setTyped] = useState<string>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const decimal = useDecimalFormat(field === 'amount' ? 0 : 4);
  const value = variant[field];
  const shown = typeof value === 'number' ? decimal(value) : (value ?? '');
  const isNumber = field !== 'sku';
  const isInherited = isNumber && fieldOf(variant, `default_${field}`) === true;

  function save(): void {
    if (typed === undefined) return;
    setTyped(undefined);
    const text = typed.trim();
    if (isChange({ variant, name, field, text })) onChange(text);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') setTyped(undefined);
    // The grid moves the focus, which saves; the last row has no next one.
    if (event.key === 'Enter') save();
  }

  return (
    <InputBase
      value={typed ?? shown}
      readOnly={!mayWrite}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={save}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => target.select()}
      fullWidth
      slotProps={{
        input: {
          'aria-label': `${translate(`field.${field}`)}: ${name}`,
          ...({ 'data-cell': field, 'data-row': index } as object),
          ...(isNumber ? { inputMode: field === 'amount' ? 'numeric' : 'decimal' } : {}),
        },
      }}
      sx={{
        ...{ font: 'inherit', border: 1, borderColor: 'divider', borderRadius: 1, px: 1 },
        ...(isInherited && typed === undefined ? { color: 'text.secondary' } : {}),
        '& input': { py: 0.5, ...(isNumber ? { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } : {}) },
        '&.Mui-focused': { borderColor: 'primary.main', bgcolor: 'background.paper' },
      }}
    />
  );
}

const NARROW_ROW = {
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: 1,
  alignItems: 'end',
  py: 1,
} as const;
