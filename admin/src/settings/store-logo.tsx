/** The logo on invoices, credit notes and packing slips. Changes are saved immediately. */
import { Box, Button, Stack, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { FileButton } from '../components/file-button.tsx';
import { Section } from '../components/section.tsx';
import { sourceOfFile } from '../utils/image-source.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import type { LoadedStore } from './store-settings.tsx';

export function StoreLogo({ loaded: { info, etag }, onDone }: { loaded: LoadedStore; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { logo } = info;

  async function save(read: () => Promise<object | null>): Promise<void> {
    await action.run(async () => store.patch('/store', { logo: await read() } as never, { ifMatch: etag }));
    await onDone();
  }

  return (
    <Section title="settings.logo">
      {logo ? (
        <Box
          component="img"
          src={logo.url}
          alt={logo.alt || translate('settings.logo')}
          sx={{ maxWidth: '100%', maxHeight: 120, objectFit: 'contain', bgcolor: 'common.white', p: 1 }}
        />
      ) : (
        <Typography color="textSecondary">{translate('settings.noLogo')}</Typography>
      )}
      {mayWrite && (
        <Stack direction="row" spacing={1} sx={{ mt: 1 }}>
          <FileButton
            label="categories.chooseImage"
            isBusy={action.isBusy}
            onFiles={([file]) => file && void save(() => sourceOfFile(file, file.name))}
          />
          {logo && (
            <Button color="error" onClick={() => void save(async () => null)}>
              {translate('button.remove')}
            </Button>
          )}
        </Stack>
      )}
    </Section>
  );
}
