/** A short text in a row, written over and saved with Enter or by leaving it; empty means none. */
import { InputBase, Tooltip } from '@mui/material';
import { type KeyboardEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { anyStore, given } from '../store/data-provider.ts';
import { useMayWrite } from './layout.tsx';
import { useSentence } from './sentence.ts';

interface TextCellProps {
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly field: string;
  readonly value: string;
  readonly label: string;
  /** An emptied text is sent as this: null where there is nothing to say. */
  readonly emptied?: '' | null;
  onSaved(): Promise<void>;
}

export function TextCell({ path, parameters, field, value, label, emptied = null, onSaved }: TextCellProps) {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const sentence = useSentence();
  const mayWrite = useMayWrite();

  async function save(): Promise<void> {
    if (typed === undefined || isBusy) return;
    if (typed === value) return leave();
    setBusy(true);
    try {
      await anyStore().patch(path, ...given(path, parameters), { [field]: typed === '' ? emptied : typed });
      await onSaved();
      leave();
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
    if (event.key === 'Escape') leave();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void save();
  }

  return (
    <Tooltip title={problem ?? translate('list.cellHelp')} open={typed !== undefined} placement="bottom-start">
      <InputBase
        value={typed ?? value}
        readOnly={!mayWrite || isBusy}
        error={problem !== undefined}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
        fullWidth
        slotProps={{ input: { 'aria-label': label, 'aria-invalid': problem !== undefined } }}
        sx={{
          font: 'inherit',
          border: 1,
          borderColor: problem ? 'error.main' : 'divider',
          borderRadius: 1,
          px: 1,
          '& input': { py: 0.5 },
        }}
      />
    </Tooltip>
  );
}
