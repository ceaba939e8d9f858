import type { OrderOutput } from 'purveyor/client';
import { Form } from 'react-admin';
import { store } from '../api/client.ts';
import { PlainTextInput } from '../forms/inputs.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { useSaveRecord } from '../forms/use-save-record.tsx';
import type { LoadedOrder } from './load-order.ts';

const notesOf = ({ notes, admin_notes }: OrderOutput) => ({ notes, admin_notes });
const EMPTY_VALUES = { notes: '', admin_notes: '' };

export function Notes({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { id } = loaded.order;
  const values = notesOf(loaded.order);
  const saving = useSaveRecord({
    original: { values, etag: loaded.etag },
    emptyValues: EMPTY_VALUES,
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
        <PlainTextInput source="admin_notes" lines={2} />
        <PlainTextInput source="notes" lines={2} />
        <SaveBar isBusy={saving.isBusy} />
      </Form>
      {saving.dialog}
    </>
  );
}
