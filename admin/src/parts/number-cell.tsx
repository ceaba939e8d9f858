/** A number in the row of a list: written over, saved with Enter or by leaving it, and refused beside itself. */
import { InputBase, Tooltip } from '@mui/material';
import { type KeyboardEvent, useState } from 'react';
import { useLocaleState, useNotify, useRefresh, useTranslate } from 'react-admin';
import { anyStore, given } from '../store/data-provider.ts';
import { useMayWrite } from './layout.tsx';
import { useRegion } from './money.ts';
import { useSentence } from './sentence.ts';

interface NumberCellProps {
  /** The record's path and its parameters. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly field: string;
  readonly value: number;
  /** For those who do not see the table: field and record. */
  readonly label: string;
  readonly decimals?: number;
  /** The number is another record's, and becomes this one's own when it is changed. */
  readonly isMuted?: boolean;
  /** Called instead of reading the list again. */
  onSaved?(): Promise<void>;
}

export function NumberCell({ path, parameters, field, value, label, decimals = 0, isMuted, onSaved }: NumberCellProps) {
  const [locale] = useLocaleState();
  const shown = useDecimals(decimals)(value);
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const sentence = useSentence();
  const mayWrite = useMayWrite();

  async function save(): Promise<void> {
    if (typed === undefined || isBusy) return;
    const number = numberIn(typed);
    if (number === value) return leave();
    setBusy(true);
    try {
      const outcome = await changeOne(path, parameters, field, value, number ?? typed);
      const words = { field: translate(`field.${field}`), shown: value, now: outcome.now };
      if (!outcome.isDone) notify(translate('conflict.cell', words), { type: 'warning', autoHideDuration: 8000 });
      else notify('state.saved', { type: 'success', autoHideDuration: 2000 });
      leave();
      if (onSaved) await onSaved();
      else refresh();
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  }

  function leave(): void {
    setTyped(undefined);
    setProblem(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Enter') {
      // It must not send a form around it.
      event.preventDefault();
      void save();
    }
    if (event.key === 'Escape') leave();
  }

  return (
    <Tooltip
      title={problem ?? (typed === undefined ? '' : translate('list.cellHelp'))}
      open={typed !== undefined}
      placement="bottom-end"
    >
      <InputBase
        value={typed ?? shown}
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
            'aria-label': label,
            'aria-invalid': problem !== undefined,
            inputMode: decimals > 0 ? 'decimal' : 'numeric',
            lang: locale,
          },
        }}
        sx={isMuted && typed === undefined ? { ...CELL, color: 'text.secondary' } : CELL}
      />
    </Tooltip>
  );
}

/**
 * Changes one field, and others `along` with it, if it still is as it was shown.
 * @returns whether it was changed, and else the value that it has now
 * @throws {StoreProblem} when the store refuses
 */
export async function changeOne(
  path: string,
  parameters: Readonly<Record<string, unknown>>,
  field: string,
  shown: unknown,
  value: unknown,
  along: object = {},
): Promise<{ isDone: boolean; now: unknown }> {
  // The tag of one field alone: of such a tag only the version counts (http.md §13).
  const { data, etag } = await anyStore().get(path, ...given(path, parameters), { filter: { fields: field } });
  const now = data[field];
  if (now !== shown) return { isDone: false, now };
  await anyStore().patch(path, ...given(path, parameters), { ...along, [field]: value }, { ifMatch: etag });
  return { isDone: true, now: value };
}

/** Gives a function that writes a number so that a person can go on typing: no grouping. */
export function useDecimals(decimals: number): (value: number) => string {
  const format = new Intl.NumberFormat(useRegion(), {
    useGrouping: false,
    minimumFractionDigits: decimals > 0 ? 2 : 0,
    maximumFractionDigits: decimals,
  });
  return (value) => format.format(value);
}

/** @returns nothing where the text is no number; both `19.99` and `19,99` are */
export function numberIn(text: string): number | undefined {
  const plain = text.replace(/\s/g, '').replace(',', '.');
  return /^-?\d+(\.\d*)?$/.test(plain) ? Number(plain) : undefined;
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
