/** Creates or changes a zone. */
import { StoreProblem, type ZoneInput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { NO_PLACES, ZoneElementsInput } from './zone-elements-input.tsx';
import { type RejectedElements, useZoneText, type ZoneElement } from './zone-text.ts';

const ONE = '/zones/{id}';

interface Props {
  /** Undefined for a new zone. */
  readonly id?: number;
  onClose(): void;
  onDone(): Promise<unknown>;
}

export function ZoneDialog({ id, onClose, onDone }: Props) {
  const [rejected, setRejected] = useState<RejectedElements>();
  const translate = useTranslate();
  const textOf = useZoneText();

  async function read(): Promise<Version> {
    if (id === undefined) return { values: { name: '', elements: [{ countries: [], ...NO_PLACES }] }, etag: '' };
    const { data, etag } = await store.get(ONE, { id });
    return { values: { name: data.name, elements: data.elements }, etag: etag! };
  }

  async function write(changed: object, ifMatch: string, values: object): Promise<unknown> {
    const body = values as ZoneInput & { readonly elements: readonly ZoneElement[] };
    try {
      if (id === undefined) return await store.post('/zones', body);
      return await store.patch(ONE, { id }, changed, { ifMatch });
    } catch (error) {
      if (error instanceof StoreProblem) setRejected({ elements: body.elements, violations: error.violations });
      throw error;
    }
  }

  return (
    <RecordDialog
      title={translate(id === undefined ? 'zones.new' : 'zones.edit')}
      maxWidth="md"
      queryKey={['zone', id]}
      emptyValues={{ name: '' }}
      labelOf={(field) => (field === 'elements' ? translate('zones.contains') : undefined)}
      textOf={(field, value) => (field === 'elements' ? textOf(value as readonly ZoneElement[]) : undefined)}
      {...{ read, write, onClose, onDone }}
    >
      <PlainTextInput source="name" help="zones.nameHelp" required />
      <ZoneElementsInput rejected={rejected} />
    </RecordDialog>
  );
}
