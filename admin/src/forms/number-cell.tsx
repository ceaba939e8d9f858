/** An editable number in a list row. Enter or leaving it saves; the error message appears below it. */
import { InputBase, Tooltip } from '@mui/material';
import { type KeyboardEvent, useState } from 'react';
import { useLocaleState, useNotify, useRefresh, useTranslate } from 'react-admin';
import { type FieldPath, type PathParameters, updateField } from '../api/runtime-requests.ts';
import { useErrorMessage } from '../utils/error-messages.ts';
import { parseNumber, useDecimalFormat } from '../utils/format.ts';
import { moveInGrid } from '../utils/grid-keys.ts';
import { useMayWrite } from '../utils/use-may.tsx';

interface NumberCellProps {
  readonly path: FieldPath;
  readonly parameters: PathParameters;
  readonly field: string;
  readonly value: number;
  /** Accessible name: the field and the record. */
  readonly label: string;
  readonly decimals?: number;
  /** The value is inherited from another record until it is changed here. */
  readonly isInherited?: boolean;
  /** Replaces the refresh of the list. */
  onSaved?(): Promise<void>;
}

export function NumberCell(props: NumberCellProps) {
  const { field, value, label, decimals = 0, isInherited } = props;
  const [locale] = useLocaleState();
  const formatted = useDecimalFormat(decimals)(value);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const { typed, setTyped, problem, isBusy, save, cancel } = useNumberCell(props);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    event.stopPropagation();
    if (event.key === 'Escape') cancel();
    // In a table with other such cells the key moves on, which saves; a rejected number keeps its message.
    if (moveInGrid(event)) return;
    if (event.key !== 'Enter') return;
    // Enter must not submit a form around the cell.
    event.preventDefault();
    void save();
  }

  return (
    <Tooltip
      title={problem ?? (typed === undefined ? '' : translate('list.cellHelp'))}
      open={typed !== undefined}
      placement="bottom-end"
    >
      <InputBase
        value={typed ?? formatted}
        readOnly={!mayWrite || isBusy}
        error={problem !== undefined}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
        onClick={(event) => event.stopPropagation()}
        // Typing replaces the number.
        onFocus={({ target }) => target.select()}
        slotProps={{
          input: {
            ...({ 'data-cell': field } as object),
            'aria-label': label,
            'aria-invalid': problem !== undefined,
            inputMode: decimals > 0 ? 'decimal' : 'numeric',
            lang: locale,
          },
        }}
        sx={isInherited && typed === undefined ? { ...CELL, color: 'text.secondary' } : CELL}
      />
    </Tooltip>
  );
}

function useNumberCell({ path, parameters, field, value, onSaved }: NumberCellProps) {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();

  function cancel(): void {
    setTyped(undefined);
    setProblem(undefined);
  }

  async function save(): Promise<void> {
    if (typed === undefined || isBusy) return;
    const number = parseNumber(typed);
    if (number === value) return cancel();
    setBusy(true);
    try {
      // A text that is not a number is sent as it is, so that the store explains what is wrong.
      const { isSaved, current } = await updateField(path, parameters, field, value, number ?? typed);
      const conflict = { field: translate(`field.${field}`), shown: value, now: current };
      if (isSaved) notify('state.saved', { type: 'success', autoHideDuration: 2000 });
      else notify(translate('conflict.cell', conflict), { type: 'warning', autoHideDuration: 8000 });
      cancel();
      if (onSaved) await onSaved();
      else refresh();
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  return { typed, setTyped, problem, isBusy, save, cancel };
}

const CELL = {
  font: 'inherit',
  width: '7.5em',
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  px: 1,
  '& input': { textAlign: 'right', py: 0.5, fontVariantNumeric: 'tabular-nums' },
  '&.Mui-focused': { borderColor: 'primary.main', bgcolor: 'background.paper' },
  '&.Mui-error': { borderColor: 'error.main' },
} as const;
