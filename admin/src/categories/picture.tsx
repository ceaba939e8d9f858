/** The icon or the banner of a category. Done at once. */
import { Box, Button, Stack, Typography } from '@mui/material';
import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import { base64Of } from '../parts/base64.ts';
import { useMayWrite } from '../parts/layout.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';

interface Props {
  readonly id: number;
  readonly kind: 'icon' | 'banner';
  readonly picture: { readonly url: string; readonly alt: string } | null;
  onDone(): Promise<void>;
}

export function CategoryPicture({ id, kind, picture, onDone }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const path = kind === 'icon' ? '/categories/{category_id}/icon' : '/categories/{category_id}/banner';

  async function put(file: File): Promise<void> {
    await act.run(async () => {
      const attachment = await base64Of(file);
      await store.post(path, { category_id: id }, { attachment, filename: file.name, alt: picture?.alt ?? '' });
    });
    await onDone();
  }

  async function remove(): Promise<void> {
    await act.run(() => store.delete(path, { category_id: id }));
    await onDone();
  }

  return (
    <Box component="section" aria-label={translate(`categories.image.${kind}`)}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate(`categories.image.${kind}`)}
      </Typography>
      {picture ? (
        <Box
          component="img"
          src={picture.url}
          alt={picture.alt}
          sx={{ maxWidth: '100%', height: 110, objectFit: 'contain', bgcolor: 'common.white' }}
        />
      ) : (
        <Typography color="textSecondary">{translate('categories.noImage')}</Typography>
      )}
      {mayWrite && (
        <Stack direction="row" spacing={1}>
          <Button size="small" loading={act.isBusy} onClick={() => input.current?.click()}>
            {translate('categories.chooseImage')}
          </Button>
          {picture && (
            <Button size="small" color="error" onClick={() => void remove()}>
              {translate('button.remove')}
            </Button>
          )}
          <input
            ref={input}
            type="file"
            accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
            hidden
            aria-label={translate(`categories.image.${kind}`)}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              target.value = '';
              if (file) void put(file);
            }}
          />
        </Stack>
      )}
    </Box>
  );
}
