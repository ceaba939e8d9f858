/** Uploads an attachment of a product, or changes its texts and its access. A file is never replaced. */

import AddIcon from '@mui/icons-material/AttachFileOutlined';
import { Box, FormHelperText, Typography } from '@mui/material';
import type { ProductAttachmentInput, ProductAttachmentOutput } from 'purveyor/client';
import { required, SelectInput, useInput, useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { FileButton } from '../components/file-button.tsx';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { toBase64 } from '../utils/base64.ts';

const PATH = '/products/{product_id}/attachments';
const ONE = '/products/{product_id}/attachments/{id}';
const FIELDS = ['title', 'description', 'access'] as const;
const EMPTY_VALUES = { title: '', description: '', external_url: '' };
const NEW_ATTACHMENT: Version = {
  values: { ...EMPTY_VALUES, access: 'A', attachment: null, filename: null },
  etag: '',
};

export interface AccessChoice {
  /** `A`, `R` or the id of a membership. */
  readonly id: string;
  readonly name: string;
}

interface Props {
  readonly product_id: number;
  /** Undefined for a new attachment. */
  readonly attachment?: ProductAttachmentOutput | undefined;
  /** The position of a new attachment. */
  readonly position: number;
  readonly accessChoices: readonly AccessChoice[];
  onClose(): void;
  onDone(): Promise<unknown>;
}

export function AttachmentDialog({ product_id, attachment, position, accessChoices, onClose, onDone }: Props) {
  const translate = useTranslate();
  const isNew = attachment === undefined;
  // `field.title` is the form of address of a customer.
  const title = translate('attachments.title');

  async function read(): Promise<Version> {
    if (isNew) return NEW_ATTACHMENT;
    const { data, etag } = await store.get(ONE, { product_id, id: attachment.id });
    return { values: Object.fromEntries(FIELDS.map((field) => [field, data[field]])), etag: etag! };
  }

  async function write(changed: Values, etag: string): Promise<void> {
    if (isNew) await store.post(PATH, { product_id }, await inputOf(changed, position));
    else await store.patch(ONE, { product_id, id: attachment.id }, changed, { ifMatch: etag });
  }

  return (
    <RecordDialog
      title={translate(isNew ? 'attachments.add' : 'attachments.edit')}
      queryKey={['attachment', product_id, attachment?.id]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => (field === 'title' ? title : undefined)}
      {...{ read, write, onClose, onDone }}
    >
      {isNew && (
        <>
          <FileInput />
          <PlainTextInput source="external_url" help="help.external_url" placeholder="https://" />
        </>
      )}
      <PlainTextInput source="title" label={title} required />
      <PlainTextInput source="description" />
      <SelectInput
        source="access"
        label="field.access"
        choices={[...accessChoices]}
        translateChoice={false}
        helperText="help.access"
        validate={required()}
      />
    </RecordDialog>
  );
}

async function inputOf({ attachment: file, ...texts }: Values, position: number): Promise<ProductAttachmentInput> {
  const source = file instanceof File ? { attachment: await toBase64(file), filename: file.name } : {};
  return { title: '', ...texts, position, ...source };
}

/** Chooses the file. Its name becomes the title if there is none yet. */
function FileInput() {
  const { field } = useInput<File | null>({ source: 'attachment' });
  const { getValues, setValue, formState } = useFormContext();
  const translate = useTranslate();
  const error = formState.errors.attachment ?? formState.errors.filename;

  function choose(file: File | undefined): void {
    if (file === undefined) return;
    field.onChange(file);
    if (getValues('title') === '') setValue('title', file.name.replace(/\.[^.]+$/, ''), { shouldDirty: true });
  }

  return (
    <Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <FileButton label="attachments.choose" accept="" icon={<AddIcon />} onFiles={([file]) => choose(file)} />
        <Typography sx={{ overflowWrap: 'anywhere', minWidth: 0 }} role="status">
          {field.value?.name ?? ''}
        </Typography>
      </Box>
      {error && <FormHelperText error>{`${error.message ?? translate('violation.required')}`}</FormHelperText>}
    </Box>
  );
}
