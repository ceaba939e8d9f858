/** Shows a mail as its recipient gets it, with example values. */
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { MailTemplateEntry } from 'purveyor/client';
import { type ReactNode, useId } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useLanguageName } from '../utils/language-name.ts';
import { useTemplateName } from './use-template-name.ts';

interface Props {
  readonly entry: MailTemplateEntry;
  onClose(): void;
}

export function PreviewDialog({ entry: { name, language }, onClose }: Props) {
  const id = useId();
  const translate = useTranslate();
  const nameOf = useTemplateName();
  const languageName = useLanguageName();
  const { data, error, refetch } = useQuery({
    queryKey: ['mail-preview', name, language],
    queryFn: async () => (await store.post('/mail_templates/{name}/{language}/preview', { name, language }, {})).data,
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
        {`${translate('mails.action.preview')}: ${nameOf(name)}, ${languageName(language)}`}
      </DialogTitle>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <DialogContent lang={language} sx={{ pt: 0 }}>
          <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere', mb: 1 }}>{data.subject}</Typography>
          <Part title="mails.html">
            {/* The frame may load and run nothing. */}
            <Box
              component="iframe"
              title={translate('mails.html')}
              sandbox=""
              srcDoc={data.html}
              sx={{ width: '100%', height: 240, border: 0, bgcolor: 'common.white', colorScheme: 'light' }}
            />
          </Part>
          <Part title="mails.text">
            <Typography sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', p: 1 }}>{data.text}</Typography>
          </Part>
          <Typography variant="body2" color="textSecondary">
            {translate('mails.previewHelp')}
          </Typography>
        </DialogContent>
      ) : (
        <LoadingSkeleton />
      )}
      <DialogActions>
        <Button onClick={onClose}>{translate('button.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Box component="section" aria-label={translate(title)} sx={{ mb: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {translate(title)}
      </Typography>
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, overflow: 'hidden' }}>{children}</Box>
    </Box>
  );
}
