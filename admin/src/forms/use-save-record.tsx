/**
 * Saves a form with If-Match. If someone else changed the record in the meantime, a dialog shows both versions, and the user's choice
 * is saved to the newer one.
 */
import { StoreProblem } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { changedFields, type Values } from '../api/record-diff.ts';
import { useErrorMessage, useFieldErrors } from '../utils/error-messages.ts';
import { type Conflict, ConflictDialog } from './conflict-dialog.tsx';

/** A form's values and the ETag of the version they are from. */
export interface Version {
  readonly values: Values;
  readonly etag: string;
}

interface Options {
  /** The version that the user edited. */
  readonly original: Version;
  /** What to send for emptied fields; null for fields it does not name. */
  readonly emptyValues?: Values;
  /** The translated label of a field that is not called as usual in `field.*`. */
  labelOf?(field: string): string | undefined;
  /** Describes a value in a conflict that is not its own text, such as the id of a linked record. */
  textOf?(field: string, value: unknown): string | undefined;
  read(): Promise<Version>;
  /** @param values all values of the form */
  write(changed: Values, etag: string, values: Values): Promise<unknown>;
  /** Called after a successful save. */
  onDone(): Promise<void>;
  /** Shows why a save failed, if that belongs to no field. Without it, a notification does. */
  showProblem?(message: string): void;
}

interface Saving {
  readonly isBusy: boolean;
  /** For react-admin's `Form`. @returns a message for each field that the store rejected */
  submit(values: Values): Promise<object | undefined>;
  /** To be rendered outside of the form. */
  readonly dialog: ReactNode;
}

const LONG_ERROR = { type: 'error', autoHideDuration: 10000 } as const;

export function useSaveRecord(options: Options): Saving {
  const { original, emptyValues = {}, labelOf, textOf, read, write, onDone, showProblem } = options;
  const [conflict, setConflict] = useState<Conflict & { etag: string }>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const fieldErrors = useFieldErrors();

  async function send(changed: Values, etag: string, mine: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      await write(changed, etag, mine);
      setConflict(undefined);
      notify('state.saved', { type: 'success' });
      await onDone();
    } catch (error) {
      return await handleError(error, mine);
    } finally {
      setBusy(false);
    }
    return undefined;
  }

  async function handleError(error: unknown, mine: Values): Promise<object | undefined> {
    if (error instanceof StoreProblem && error.status === 412) {
      const now = await read();
      setConflict({ before: original.values, mine, theirs: now.values, etag: now.etag });
      return undefined;
    }
    const errors = error instanceof StoreProblem ? fieldErrors(error) : {};
    const isShownBelowField = Object.keys(errors).some((field) => field in original.values);
    if (showProblem && !isShownBelowField && !conflict) showProblem(errorMessage(error));
    else notify(isShownBelowField ? 'state.invalidFields' : errorMessage(error), LONG_ERROR);
    return isShownBelowField ? errors : undefined;
  }

  async function saveChoice(changes: Values, { theirs, etag }: Conflict & { etag: string }): Promise<void> {
    const [first] = Object.values((await send(changes, etag, { ...theirs, ...changes })) ?? {});
    // The dialog has no field that could show the error.
    if (first !== undefined) notify(first, LONG_ERROR);
  }

  return {
    isBusy,
    submit: (values) => send(changedFields(original.values, values, emptyValues), original.etag, values),
    dialog: conflict && (
      <ConflictDialog
        conflict={conflict}
        labelOf={(field) => labelOf?.(field) ?? translate(`field.${field}`)}
        textOf={textOf}
        onBack={() => setConflict(undefined)}
        onSave={(changes) => void saveChoice(changes, conflict)}
      />
    ),
  };
}
