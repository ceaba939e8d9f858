/** The images of a product: add, reuse, describe, crop, sort and delete. Changes are saved immediately. */
import LibraryIcon from '@mui/icons-material/PhotoLibraryOutlined';
import { Alert, Button, Stack, Typography } from '@mui/material';
import type { ProductImageOutput } from 'purveyor/client';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { SortableList } from '../../components/sortable-list.tsx';
import { positionsAfterMove, positionsOf } from '../../utils/positions.ts';
import { useAction } from '../../utils/use-action.ts';
import { useMayWrite } from '../../utils/use-may.tsx';
import type { TabProps } from '../types.ts';
import { CropDialog } from './crop-dialog.tsx';
import { ImageCard } from './image-card.tsx';
import { ImageLibrary } from './image-library.tsx';
import { ImageUploader } from './image-uploader.tsx';

const PATH = '/products/{product_id}/images/{image_id}';

export function ImagesTab({ loaded, onChanged }: TabProps) {
  const product_id = loaded.product.id;
  const [isLibraryOpen, setLibraryOpen] = useState(false);
  const [cropped, setCropped] = useState<ProductImageOutput>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const { images, selected, toggle, move, action } = useImages(loaded.product, () => onChanged());
  const nameOf = ({ alt, id }: ProductImageOutput): string => alt || `${translate('field.image')} ${id}`;
  const undescribed = images.filter(({ alt }) => alt === '').length;

  const change = (request: () => Promise<unknown>): Promise<void> => action.run(request).then(() => onChanged());
  const parametersOf = ({ id }: ProductImageOutput) => ({ product_id, image_id: id });

  return (
    <Stack spacing={2}>
      {mayWrite && (
        <>
          <ImageUploader
            product_id={product_id}
            lastPosition={images.at(-1)?.position ?? 0}
            onDone={() => onChanged()}
          />
          <Button startIcon={<LibraryIcon />} onClick={() => setLibraryOpen(true)} sx={{ alignSelf: 'flex-start' }}>
            {translate('images.library')}
          </Button>
        </>
      )}
      {images.length === 0 && <Typography color="textSecondary">{translate('products.noImages')}</Typography>}
      {undescribed > 0 && (
        <Alert severity="warning">{translate('images.undescribed', { smart_count: undescribed })}</Alert>
      )}
      {mayWrite && images.length > 1 && (
        <Typography variant="body2" color="textSecondary">
          {translate('images.mainHelp')} {images.length > 2 && translate('images.sortHelp')}
        </Typography>
      )}
      <SortableList
        items={images}
        nameOf={nameOf}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite}
        isRow
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}
      >
        {(image, handle) => (
          <ImageCard
            image={image}
            name={nameOf(image)}
            number={images.indexOf(image) + 1}
            count={images.length}
            handle={handle}
            isSelected={selected.has(image.id)}
            onSelect={images.length > 2 ? () => toggle(image.id) : undefined}
            onDescribe={(alt) => {
              if (alt !== image.alt) void change(() => store.patch(PATH, parametersOf(image), { alt }));
            }}
            onCrop={() => setCropped(image)}
            onDelete={() => void change(() => store.delete(PATH, parametersOf(image)))}
          />
        )}
      </SortableList>
      {isLibraryOpen && (
        <ImageLibrary
          product_id={product_id}
          lastPosition={images.at(-1)?.position ?? 0}
          onDone={() => onChanged()}
          onClose={() => setLibraryOpen(false)}
        />
      )}
      {cropped && (
        <CropDialog
          image={cropped}
          name={nameOf(cropped)}
          onSave={(source) => change(() => store.patch(PATH, parametersOf(cropped), source))}
          onClose={() => setCropped(undefined)}
        />
      )}
    </Stack>
  );
}

/** The images in the order that the user sees, which the store may not have saved yet. */
function useImages(
  { id: product_id, images: stored }: { id: number; images: ProductImageOutput[] },
  onSaved: () => Promise<void>,
) {
  const [images, setImages] = useState(stored);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const action = useAction();
  useEffect(() => setImages(stored), [stored]);

  function toggle(id: number): void {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  }

  /** Moves an image. If it is one of several selected ones, all of them move together. */
  async function move(from: number, to: number): Promise<void> {
    const moved = images[from]!;
    const together = selected.has(moved.id) ? images.filter(({ id }) => selected.has(id)) : [moved];
    const changes = together.length === 1 ? positionsAfterMove(images, from, to) : positionsOf(images, together, to);
    const positions = new Map(changes.map(({ id, position }) => [id, position]));
    const sorted = images.map((image) => ({ ...image, position: positions.get(image.id) ?? image.position }));
    setImages(sorted.sort((a, b) => a.position - b.position || a.id - b.id));
    await action.run(async () => {
      for (const { id, position } of changes) await store.patch(PATH, { product_id, image_id: id }, { position });
    });
    setSelected(new Set());
    await onSaved();
  }

  return { images, selected, toggle, move, action };
}
