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
import { type Texts, textIn, textValues } from '../forms/translated-texts.ts';
import { Translations } from '../forms/translations.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useTranslatedRecord } from '../forms/use-translated-record.ts';
import { toBase64 } from '../utils/base64.ts';

const PATH = '/products/{product_id}/attachments';
const ONE = '/products/{product_id}/attachments/{id}';
const FIELDS = ['title', 'description', 'access'] as const;
const EMPTY_VALUES = { title: '', description: '', external_url: '' };
const TEXTS = ['title', 'description'] as const;
const NEW_VALUES: Values = { ...EMPTY_VALUES, access: 'A', attachment: null, filename: null };

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
    if (isNew) return { values: { ...NEW_VALUES, ...textValues({}, TEXTS) }, etag: '' };
    const ids = { product_id, id: attachment.id };
    const [{ data, etag }, texts] = await Promise.all([store.get(ONE, ids), store.get(`${ONE}/translations`, ids)]);
    const own = Object.fromEntries(FIELDS.map((field) => [field, data[field]]));
    return { values: { ...own, ...textValues(texts.data as unknown as Texts, TEXTS) }, etag: etag! };
  }

  const write = useTranslatedRecord(attachment?.id, TEXTS, {
    create: async (own) => (await store.post(PATH, { product_id }, await inputOf(own, position))).data.id,
    patch: (id, own, ifMatch) => store.patch(ONE, { product_id, id }, changeOf(own), { ifMatch }),
    patchTexts: (id, texts, language) => store.patch(ONE, { product_id, id }, texts, { language }),
    removeTexts: (id, code) => store.delete(`${ONE}/translations/{code}`, { product_id, id, code }),
    readEtag: async (id) => (await store.get(ONE, { product_id, id })).etag!,
  });

  return (
    <RecordDialog
      title={translate(isNew ? 'attachments.add' : 'attachments.edit')}
      queryKey={['attachment', product_id, attachment?.id]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => labelOf(field, title, translate)}
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
      <Translations fields={[{ name: 'title', label: title, required: true }, { name: 'description' }]} />
    </RecordDialog>
  );
}

/** The fields that can be changed: a file is never replaced. */
function changeOf(values: Values): Values {
  return Object.fromEntries(FIELDS.flatMap((field) => (field in values ? [[field, values[field]]] : [])));
}

async function inputOf({ attachment: file, ...texts }: Values, position: number): Promise<ProductAttachmentInput> {
  const source = file instanceof File ? { attachment: await toBase64(file), filename: file.name } : {};
  return { title: '', ...texts, position, ...source };
}

function labelOf(field: string, title: string, translate: (key: string) => string): string {
  const text = textIn(field);
  const name = text?.field ?? field;
  const label = name === 'title' ? title : translate(`field.${name}`);
  return text ? `${label} (${text.code})` : label;
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
