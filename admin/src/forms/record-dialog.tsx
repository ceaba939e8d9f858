/** A dialog with a form that creates a record, or changes one with If-Match. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Form, useTranslate } from 'react-admin';
import type { Values } from '../api/record-diff.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useSaveRecord, type Version } from './use-save-record.tsx';

interface Props {
  /** Translated. */
  readonly title: string;
  readonly maxWidth?: 'sm' | 'md';
  /** Translated label of the button that saves; “Save changes” if left out. */
  readonly saveLabel?: string;
  /** Distinguishes the record from others that the screen opens in a dialog. */
  readonly queryKey: readonly unknown[];
  /** What to send for emptied fields; null for fields it does not name. */
  readonly emptyValues?: Values;
  /** The translated label of a field that is not called as usual in `field.*`. */
  labelOf?(field: string): string | undefined;
  /** Describes a value in a conflict that is not its own text, such as the id of a linked record. */
  textOf?(field: string, value: unknown): string | undefined;
  /** Reads the record, or returns the initial values of a new one. */
  read(): Promise<Version>;
  /** Sends the fields that differ from what `read` returned. @param values all values of the form */
  write(changed: Values, etag: string, values: Values): Promise<unknown>;
  onClose(): void;
  onDone(): Promise<unknown>;
  readonly children: ReactNode;
}

export function RecordDialog({ title, maxWidth = 'sm', queryKey, read, ...rest }: Props) {
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['dialog', ...queryKey],
    queryFn: read,
    // A refetch in the background would change the form while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Dialog open onClose={rest.onClose} fullWidth maxWidth={maxWidth} aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <RecordForm {...rest} read={read} original={data} />
      ) : (
        <LoadingSkeleton />
      )}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'title' | 'maxWidth' | 'queryKey'> & { readonly original: Version };

function RecordForm({ original, saveLabel, onClose, onDone, children, ...rest }: FormProps) {
  const translate = useTranslate();
  // In the dialog, because a notification would cover its buttons.
  const [problem, setProblem] = useState<string>();
  const saving = useSaveRecord({
    ...rest,
    showProblem: setProblem,
    original,
    async onDone() {
      onClose();
      await onDone();
    },
  });
  return (
    <>
      <Form
        record={original.values}
        onSubmit={(values: Values) => {
          setProblem(undefined);
          return saving.submit(values);
        }}
        noValidate
      >
        <DialogContent sx={{ pt: 0 }}>
          {children}
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={saving.isBusy}>
            {saveLabel ?? translate('button.save')}
          </Button>
        </DialogActions>
      </Form>
      {saving.dialog}
    </>
  );
}
