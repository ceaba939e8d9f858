/** A cell of the grid of wholesale prices. Leaving it saves; what the store rejects is shown below it. */
import { Box, InputBase, Typography } from '@mui/material';
import { useId, useState } from 'react';
import { useMayWrite } from '../../utils/use-may.tsx';
import type { Draft } from './use-price-grid.ts';

interface Props {
  /** Accessible name. */
  readonly label: string;
  /** The column and the row, for the arrow keys. */
  readonly column: string;
  readonly row: number | 'new';
  readonly value: string;
  readonly placeholder?: string;
  readonly draft: Draft | undefined;
  /** A text below the cell. */
  readonly note?: string | undefined;
  readonly isReadOnly?: boolean;
  /** Saves what was typed when the cell is left. */
  onLeave?(text: string): void;
  onType?(text: string): void;
  onCancel(): void;
}

export function GridCell(props: Props) {
  const { label, column, row, value, placeholder, draft, note, isReadOnly = false, onLeave, onType, onCancel } = props;
  const [typed, setTyped] = useState<string>();
  const mayWrite = useMayWrite();
  const id = useId();
  const { problem } = draft ?? {};
  const below = problem ?? note;

  function leave(): void {
    if (typed === undefined || !onLeave) return;
    setTyped(undefined);
    onLeave(typed.trim());
  }

  return (
    <Box sx={{ minWidth: 96 }}>
      <InputBase
        value={typed ?? draft?.text ?? value}
        placeholder={placeholder}
        readOnly={!mayWrite || isReadOnly}
        error={problem !== undefined}
        onChange={({ target }) => {
          setTyped(target.value);
          onType?.(target.value);
        }}
        onBlur={leave}
        onKeyDown={({ key }) => {
          if (key !== 'Escape') return;
          setTyped(undefined);
          onCancel();
        }}
        onFocus={({ target }) => target.select()}
        fullWidth
        slotProps={{
          input: {
            ...({ 'data-cell': column, 'data-row': row } as object),
            'aria-label': label,
            'aria-invalid': problem !== undefined,
            'aria-describedby': below === undefined ? undefined : id,
            inputMode: column === 'quantity' ? 'numeric' : 'text',
          },
        }}
        sx={isReadOnly ? { ...CELL, ...READ_ONLY } : CELL}
      />
      {below !== undefined && (
        <Typography
          id={id}
          variant="caption"
          component="div"
          color={problem === undefined ? 'textSecondary' : 'error'}
          role={problem === undefined ? undefined : 'alert'}
          sx={{ px: 0.5, lineHeight: 1.3, textAlign: 'right', overflowWrap: 'anywhere' }}
        >
          {below}
        </Typography>
      )}
    </Box>
  );
}

const CELL = {
  font: 'inherit',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  px: 1,
  '& input': { textAlign: 'right', py: 0.5, fontVariantNumeric: 'tabular-nums' },
  '& input::placeholder': { opacity: 1, color: 'text.secondary' },
  '&.Mui-focused': { borderColor: 'primary.main', bgcolor: 'background.paper' },
  '&.Mui-error': { borderColor: 'error.main' },
} as const;

const READ_ONLY = { borderColor: 'transparent', color: 'text.secondary' } as const;
