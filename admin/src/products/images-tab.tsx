/** The images of a product: add, describe, sort and delete. Changes are saved immediately. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Box, Card, IconButton, Stack, TextField, Typography } from '@mui/material';
import type { ProductImageOutput } from 'purveyor/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { SortableList } from '../components/sortable-list.tsx';
import { positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may-write.ts';
import { ImageUploader } from './image-uploader.tsx';
import type { TabProps } from './types.ts';

const PATH = '/products/{product_id}/images/{image_id}';

export function ImagesTab({ loaded, onChanged }: TabProps) {
  const product_id = loaded.product.id;
  const [images, setImages] = useState(loaded.product.images);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  useEffect(() => setImages(loaded.product.images), [loaded.product.images]);

  async function move(from: number, to: number): Promise<void> {
    const changes = positionsAfterMove(images, from, to);
    const positions = new Map(changes.map(({ id, position }) => [id, position]));
    const sorted = images.map((image) => ({ ...image, position: positions.get(image.id) ?? image.position }));
    // Shown at once, before the store has saved it.
    setImages(sorted.sort((a, b) => a.position - b.position || a.id - b.id));
    await action.run(async () => {
      for (const { id, position } of changes) await store.patch(PATH, { product_id, image_id: id }, { position });
    });
    await onChanged();
  }

  async function remove(image: ProductImageOutput): Promise<void> {
    await action.run(() => store.delete(PATH, { product_id, image_id: image.id }));
    await onChanged();
  }

  async function describe(image: ProductImageOutput, alt: string): Promise<void> {
    if (alt === image.alt) return;
    await action.run(() => store.patch(PATH, { product_id, image_id: image.id }, { alt }));
    await onChanged();
  }

  return (
    <Stack spacing={2}>
      {mayWrite && (
        <ImageUploader product_id={product_id} lastPosition={images.at(-1)?.position ?? 0} onDone={() => onChanged()} />
      )}
      {images.length === 0 && <Typography color="textSecondary">{translate('products.noImages')}</Typography>}
      <SortableList
        items={images}
        nameOf={({ alt, id }) => alt || `${translate('field.image')} ${id}`}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}
      >
        {(image, handle) => (
          <ImageCard
            image={image}
            handle={handle}
            onDescribe={(alt) => void describe(image, alt)}
            onDelete={() => void remove(image)}
          />
        )}
      </SortableList>
    </Stack>
  );
}

interface ImageCardProps {
  readonly image: ProductImageOutput;
  readonly handle: ReactNode;
  onDescribe(alt: string): void;
  onDelete(): void;
}

function ImageCard({ image, handle, onDescribe, onDelete }: ImageCardProps) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  return (
    <Card variant="outlined">
      <Box
        component="img"
        src={image.url}
        alt={image.alt}
        loading="lazy"
        sx={{ width: '100%', height: 180, objectFit: 'contain', display: 'block', bgcolor: 'common.white' }}
      />
      <Box sx={{ p: 1 }}>
        <TextField
          key={image.alt}
          defaultValue={image.alt}
          label={translate('field.alt')}
          disabled={!mayWrite}
          onBlur={({ target }) => onDescribe(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            (event.target as HTMLInputElement).blur();
          }}
          slotProps={{ htmlInput: { maxLength: 255 } }}
        />
        <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
          {handle}
          <Typography variant="caption" color="textSecondary">
            {image.width} × {image.height}
          </Typography>
          {mayWrite && (
            <IconButton
              size="small"
              onClick={onDelete}
              aria-label={`${translate('button.delete')}: ${image.alt || image.id}`}
            >
              <DeleteIcon fontSize="small" />
            </IconButton>
          )}
        </Stack>
      </Box>
    </Card>
  );
}
