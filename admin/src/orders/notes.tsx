/** The two notes of an order, saved together against the version that was read. */
import type { OrderOutput } from 'purveyor/client';
import { Form } from 'react-admin';
import { WordsInput } from '../parts/inputs.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { useSaving } from '../parts/use-saving.tsx';
import { store } from '../store/client.ts';
import type { LoadedOrder } from './show.tsx';

const notesOf = ({ notes, admin_notes }: OrderOutput) => ({ notes, admin_notes });
const EMPTIED = { notes: '', admin_notes: '' };

export function Notes({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { id } = loaded.order;
  const values = notesOf(loaded.order);
  const saving = useSaving({
    seen: { values, etag: loaded.etag },
    emptied: EMPTIED,
    async read() {
      const { data, etag } = await store.get('/orders/{id}', { id });
      return { values: notesOf(data), etag: etag! };
    },
    write: (changed, etag) => store.patch('/orders/{id}', { id }, changed, { ifMatch: etag }),
    onDone,
  });
  return (
    <>
      <Form record={{ id, ...values }} onSubmit={saving.submit} noValidate>
        <WordsInput source="admin_notes" lines={2} />
        <WordsInput source="notes" lines={2} />
        <SaveBar isBusy={saving.isBusy} />
      </Form>
      {saving.dialog}
    </>
  );
}
