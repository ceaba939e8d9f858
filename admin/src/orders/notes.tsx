/** The two notes of an order, saved together against the version that was read. */
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { Form, useNotify, useTranslate } from 'react-admin';
import { type Conflict, ConflictDialog } from '../parts/conflict-dialog.tsx';
import { WordsInput } from '../parts/inputs.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { useFieldErrors, useSentence } from '../parts/sentence.ts';
import { changedFields, type Values } from '../store/changes.ts';
import { store } from '../store/client.ts';
import type { LoadedOrder } from './show.tsx';

const notesOf = ({ notes, admin_notes }: Values) => ({ notes, admin_notes });
const EMPTIED = { notes: '', admin_notes: '' };

export function Notes({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { id } = loaded.order;
  const [conflict, setConflict] = useState<Conflict & { etag: string }>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();
  const before = notesOf(loaded.order as unknown as Values);

  async function send(changed: Values, etag: string, mine: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      await store.patch('/orders/{id}', { id }, changed, { ifMatch: etag });
      setConflict(undefined);
      notify('state.saved', { type: 'success' });
      await onDone();
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) return fieldErrors(error);
      if (!(error instanceof StoreProblem) || error.status !== 412) {
        notify(sentence(error), { type: 'error' });
        return undefined;
      }
      const now = await store.get('/orders/{id}', { id });
      setConflict({ before, mine, theirs: notesOf(now.data as unknown as Values), etag: now.etag! });
    } finally {
      setBusy(false);
    }
    return undefined;
  }

  return (
    <Form
      record={{ id, ...before }}
      onSubmit={(values: Values) => send(changedFields(before, notesOf(values), EMPTIED), loaded.etag, notesOf(values))}
      noValidate
    >
      <WordsInput source="admin_notes" lines={2} />
      <WordsInput source="notes" lines={2} />
      <SaveBar isBusy={isBusy} />
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          labelOf={(field) => translate(`field.${field}`)}
          onBack={() => setConflict(undefined)}
          onTake={(changes) => void send(changes, conflict.etag, { ...conflict.theirs, ...changes })}
        />
      )}
    </Form>
  );
}
