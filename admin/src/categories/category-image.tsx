/** The icon or the banner of a category. Changes are saved immediately. */
import { Box, Button, Stack, Typography } from '@mui/material';
import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { toBase64 } from '../utils/base64.ts';
import { IMAGE_TYPES } from '../utils/image-types.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';

interface Props {
  readonly id: number;
  readonly kind: 'icon' | 'banner';
  readonly image: { readonly url: string; readonly alt: string } | null;
  onDone(): Promise<void>;
}

export function CategoryImage({ id, kind, image, onDone }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const path = kind === 'icon' ? '/categories/{category_id}/icon' : '/categories/{category_id}/banner';

  async function upload(file: File): Promise<void> {
    await action.run(async () => {
      const attachment = await toBase64(file);
      await store.post(path, { category_id: id }, { attachment, filename: file.name, alt: image?.alt ?? '' });
    });
    await onDone();
  }

  async function remove(): Promise<void> {
    await action.run(() => store.delete(path, { category_id: id }));
    await onDone();
  }

  return (
    <Box component="section" aria-label={translate(`categories.image.${kind}`)}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate(`categories.image.${kind}`)}
      </Typography>
      {image ? (
        <Box
          component="img"
          src={image.url}
          alt={image.alt}
          sx={{ maxWidth: '100%', height: 110, objectFit: 'contain', bgcolor: 'common.white' }}
        />
      ) : (
        <Typography color="textSecondary">{translate('categories.noImage')}</Typography>
      )}
      {mayWrite && (
        <Stack direction="row" spacing={1}>
          <Button size="small" loading={action.isBusy} onClick={() => input.current?.click()}>
            {translate('categories.chooseImage')}
          </Button>
          {image && (
            <Button size="small" color="error" onClick={() => void remove()}>
              {translate('button.remove')}
            </Button>
          )}
          <input
            ref={input}
            type="file"
            accept={IMAGE_TYPES}
            hidden
            aria-label={translate(`categories.image.${kind}`)}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              // Otherwise choosing the same file again would be no change.
              target.value = '';
              if (file) void upload(file);
            }}
          />
        </Stack>
      )}
    </Box>
  );
}
