/** The texts of mails: each template in each language, as the store lists them. */
import { Box, Button, Chip, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { MailTemplateEntry } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useLanguageName } from '../utils/language-name.ts';
import { useAction } from '../utils/use-action.ts';
import { useMay, useMayWrite } from '../utils/use-may.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { TemplateDialog } from './template-dialog.tsx';
import { useTemplateName } from './use-template-name.ts';

/** What was chosen for a template. */
interface Chosen {
  readonly action: 'edit' | 'preview' | 'reset';
  readonly entry: MailTemplateEntry;
}

export default function Templates() {
  const [chosen, setChosen] = useState<Chosen>();
  const translate = useTranslate();
  const nameOf = useTemplateName();
  const action = useAction('mails.wasReset');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mail-templates'],
    queryFn: async () => (await store.get('/mail_templates')).data,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const close = (): void => setChosen(undefined);

  async function reset({ name, language }: MailTemplateEntry): Promise<void> {
    close();
    await action.run(() => store.delete('/mail_templates/{name}/{language}', { name, language }));
    await refetch();
  }

  return (
    <Stack spacing={3}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('mails.templatesHelp')}
      </Typography>
      {[...Map.groupBy(data, ({ name }) => name)].map(([name, entries]) => (
        <Box key={name} component="section" aria-label={nameOf(name)}>
          <Typography variant="h6" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {nameOf(name)}
          </Typography>
          <Languages label={nameOf(name)} entries={entries} onChoose={setChosen} />
        </Box>
      ))}
      {chosen?.action === 'edit' && <TemplateDialog entry={chosen.entry} onClose={close} onDone={refetch} />}
      {chosen?.action === 'preview' && <PreviewDialog entry={chosen.entry} onClose={close} />}
      {chosen?.action === 'reset' && (
        <Confirm
          isOpen
          title={translate('mails.reset')}
          content={translate('mails.resetHelp')}
          confirm={translate('mails.reset')}
          confirmColor="warning"
          onClose={close}
          onConfirm={() => void reset(chosen.entry)}
        />
      )}
    </Stack>
  );
}

interface LanguagesProps {
  readonly label: string;
  readonly entries: readonly MailTemplateEntry[];
  onChoose(chosen: Chosen): void;
}

function Languages({ label, entries, onChoose }: LanguagesProps) {
  const translate = useTranslate();
  const languageName = useLanguageName();
  const isOfStaff = entries.some(({ name }) => name.startsWith('staff_'));
  const mayChangePasswords = useMay(isOfStaff ? '*:*' : 'profiles:write');
  const mayWrite = useMayWrite() && mayChangePasswords;
  const columns: readonly Column<MailTemplateEntry>[] = [
    { label: translate('field.language'), cell: ({ language }) => languageName(language) },
    {
      label: translate('mails.wording'),
      cell: ({ built_in }) => (
        <Chip
          size="small"
          variant="outlined"
          color={built_in ? 'default' : 'success'}
          label={translate(built_in ? 'mails.builtIn' : 'mails.own')}
        />
      ),
    },
    ...(mayWrite
      ? [
          {
            label: translate('list.actions'),
            isRight: true,
            cell: (entry: MailTemplateEntry) => (
              <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', justifyContent: { sm: 'flex-end' } }}>
                {(['edit', 'preview', ...(entry.built_in ? [] : ['reset' as const])] as const).map((action) => (
                  <Button
                    key={action}
                    size="small"
                    onClick={() => onChoose({ action, entry })}
                    aria-label={`${translate(`mails.action.${action}`)}: ${label}, ${languageName(entry.language)}`}
                  >
                    {translate(`mails.action.${action}`)}
                  </Button>
                ))}
              </Stack>
            ),
          },
        ]
      : []),
  ];
  return <ResponsiveTable label={label} columns={columns} rows={entries} keyOf={({ language }) => language} />;
}
