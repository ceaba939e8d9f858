/** Changes a template of mails in one language. */
import { Alert } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import type { MailContent, MailTemplateEntry } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useLanguageName } from '../utils/language-name.ts';
import { useTemplateName } from './use-template-name.ts';

const ONE = '/mail_templates/{name}/{language}';

interface Props {
  readonly entry: MailTemplateEntry;
  onClose(): void;
  onDone(): Promise<unknown>;
}

export function TemplateDialog({ entry: { name, language, variables }, onClose, onDone }: Props) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const nameOf = useTemplateName();
  const languageName = useLanguageName();

  async function read(): Promise<Version> {
    const { data, etag } = await store.get(ONE, { name, language });
    const { subject, text, html } = data;
    return { values: { subject, text, html }, etag: etag! };
  }

  async function write(_changed: object, ifMatch: string, values: object): Promise<unknown> {
    const { subject, text, html } = values as MailContent;
    await store.put(ONE, { name, language }, { subject, text, html }, { ifMatch });
    return queries.invalidateQueries({ queryKey: ['mail-preview', name, language] });
  }

  return (
    <RecordDialog
      title={`${nameOf(name)}: ${languageName(language)}`}
      maxWidth="md"
      queryKey={['mail-template', name, language]}
      emptyValues={{ subject: '', text: '', html: '' }}
      labelOf={(field) => translate(`mails.${field}`)}
      {...{ read, write, onClose, onDone }}
    >
      <Alert severity="info" icon={false} sx={{ mb: 1, overflowWrap: 'anywhere' }}>
        {translate('mails.variables', { names: variables.map((variable) => `{{${variable}}}`).join(', ') })}
      </Alert>
      <PlainTextInput source="subject" label={translate('mails.subject')} lang={language} required />
      <PlainTextInput
        source="text"
        label={translate('mails.text')}
        help="mails.help.text"
        lines={6}
        lang={language}
        required
      />
      <PlainTextInput
        source="html"
        label={translate('mails.html')}
        help="mails.help.html"
        lines={8}
        lang={language}
        required
      />
    </RecordDialog>
  );
}
