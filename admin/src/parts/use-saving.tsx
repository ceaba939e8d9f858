/**
 * Saves a form against the version that the person saw. Where somebody else changed the record meanwhile, both versions are shown,
 * and the person's choice is saved to the newer one.
 */
import { StoreProblem } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { changedFields, type Values } from '../store/changes.ts';
import { type Conflict, ConflictDialog } from './conflict-dialog.tsx';
import { useFieldErrors, useSentence } from './sentence.ts';

/** The values of a form, and the tag of the version that has them. */
export interface Version {
  readonly values: Values;
  readonly etag: string;
}

interface Options {
  /** As the person saw the record. */
  readonly seen: Version;
  /** What emptied fields are sent as, else null. */
  readonly emptied?: Values;
  read(): Promise<Version>;
  write(changed: Values, etag: string): Promise<unknown>;
  /** Called once it is saved. */
  onDone(): Promise<void>;
}

interface Saving {
  readonly isBusy: boolean;
  /** For a form: gives a sentence for each field that the store refused. */
  submit(values: Values): Promise<object | undefined>;
  /** To be shown outside of the form. */
  readonly dialog: ReactNode;
}

export function useSaving({ seen, emptied = {}, read, write, onDone }: Options): Saving {
  const [conflict, setConflict] = useState<Conflict & { etag: string }>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();

  async function send(changed: Values, etag: string, mine: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      await write(changed, etag);
      setConflict(undefined);
      notify('state.saved', { type: 'success' });
      await onDone();
    } catch (error) {
      return await refused(error, mine);
    } finally {
      setBusy(false);
    }
    return undefined;
  }

  async function refused(error: unknown, mine: Values): Promise<object | undefined> {
    if (error instanceof StoreProblem && error.status === 412) {
      const now = await read();
      setConflict({ before: seen.values, mine, theirs: now.values, etag: now.etag });
      return undefined;
    }
    const errors = error instanceof StoreProblem ? fieldErrors(error) : {};
    const isBeside = Object.keys(errors).some((field) => field in seen.values);
    notify(isBeside ? 'state.invalidFields' : sentence(error), { type: 'error', autoHideDuration: 10000 });
    return isBeside ? errors : undefined;
  }

  /** A refusal of the choice has no field beside it that could say so. */
  async function take(changes: Values, { theirs, etag }: Conflict & { etag: string }): Promise<void> {
    const [first] = Object.values((await send(changes, etag, { ...theirs, ...changes })) ?? {});
    if (first !== undefined) notify(first, { type: 'error', autoHideDuration: 10000 });
  }

  return {
    isBusy,
    submit: (values) => send(changedFields(seen.values, values, emptied), seen.etag, values),
    dialog: conflict && (
      <ConflictDialog
        conflict={conflict}
        labelOf={(field) => translate(`field.${field}`)}
        onBack={() => setConflict(undefined)}
        onTake={(changes) => void take(changes, conflict)}
      />
    ),
  };
}
