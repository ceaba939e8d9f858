/** An editable text in a row. Enter or leaving it saves, unless someone else has changed it; the error message appears below it. */
import { InputBase, Tooltip } from '@mui/material';
import { type KeyboardEvent, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { type FieldPath, type PathParameters, updateField } from '../api/runtime-requests.ts';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useMayWrite } from '../utils/use-may.tsx';

interface TextCellProps {
  readonly path: FieldPath;
  readonly parameters: PathParameters;
  readonly field: string;
  readonly value: string;
  readonly label: string;
  /** What to send for an empty text. */
  readonly emptyValue?: '' | null;
  onSaved(): Promise<void>;
}

export function TextCell({ path, parameters, field, value, label, emptyValue = null, onSaved }: TextCellProps) {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const mayWrite = useMayWrite();

  async function save(): Promise<void> {
    if (typed === undefined || isBusy) return;
    if (typed === value) return cancel();
    setBusy(true);
    try {
      const { isSaved, current } = await updateField(path, parameters, field, value, typed === '' ? emptyValue : typed);
      const conflict = { field: translate(`field.${field}`, { _: label }), shown: value, now: current };
      if (!isSaved) notify(translate('conflict.cell', conflict), { type: 'warning', autoHideDuration: 8000 });
      await onSaved();
      cancel();
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  function cancel(): void {
    setTyped(undefined);
    setProblem(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') cancel();
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
