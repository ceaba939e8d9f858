/** The pictures of a product: dropped, pasted, chosen or fetched from an address; sorted; described. Done at once. */
import AddIcon from '@mui/icons-material/AddPhotoAlternateOutlined';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Alert, Box, Button, Card, IconButton, LinearProgress, Stack, TextField, Typography } from '@mui/material';
import type { ProductImageOutput } from 'purveyor/client';
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { base64Of } from '../parts/base64.ts';
import { useMayWrite } from '../parts/layout.tsx';
import { positionsAfterMove } from '../parts/positions.ts';
import { useSentence } from '../parts/sentence.ts';
import { SortableList } from '../parts/sortable.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import type { TabProps } from './edit.tsx';

export function PicturesTab({ loaded, onParts }: TabProps) {
  const product_id = loaded.product.id;
  const [images, setImages] = useState(loaded.product.images);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  useEffect(() => setImages(loaded.product.images), [loaded.product.images]);

  async function move(from: number, to: number): Promise<void> {
    const changes = positionsAfterMove(images, from, to);
    const placed = new Map(changes.map(({ id, position }) => [id, position]));
    const sorted = images.map((image) => ({ ...image, position: placed.get(image.id) ?? image.position }));
    setImages(sorted.sort((a, b) => a.position - b.position || a.id - b.id));
    await act.run(async () => {
      for (const { id, position } of changes)
        await store.patch('/products/{product_id}/images/{image_id}', { product_id, image_id: id }, { position });
    });
    await onParts();
  }

  async function remove(image: ProductImageOutput): Promise<void> {
    await act.run(() => store.delete('/products/{product_id}/images/{image_id}', { product_id, image_id: image.id }));
    await onParts();
  }

  async function describe(image: ProductImageOutput, alt: string): Promise<void> {
    if (alt === image.alt) return;
    await act.run(() =>
      store.patch('/products/{product_id}/images/{image_id}', { product_id, image_id: image.id }, { alt }),
    );
    await onParts();
  }

  return (
    <Stack spacing={2}>
      {mayWrite && <AddPictures product_id={product_id} last={images.at(-1)?.position ?? 0} onDone={onParts} />}
      {images.length === 0 && <Typography color="textSecondary">{translate('products.noImages')}</Typography>}
      <SortableList
        items={images}
        nameOf={({ alt, id }) => alt || `${translate('field.image')} ${id}`}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite}
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}
      >
        {(image, handle) => (
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
                onBlur={({ target }) => void describe(image, target.value)}
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
                    onClick={() => void remove(image)}
                    aria-label={`${translate('button.delete')}: ${image.alt || image.id}`}
                  >
                    <DeleteIcon fontSize="small" />
                  </IconButton>
                )}
              </Stack>
            </Box>
          </Card>
        )}
      </SortableList>
    </Stack>
  );
}

function AddPictures({ product_id, last, onDone }: { product_id: number; last: number; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const sentence = useSentence();
  const input = useRef<HTMLInputElement>(null);
  const [externalUrl, setExternalUrl] = useState('');
  const [isOver, setOver] = useState(false);
  const [busy, setBusy] = useState<string>();
  const [problems, setProblems] = useState<readonly string[]>([]);

  async function send(name: string, source: object, position: number): Promise<string[]> {
    setBusy(name);
    try {
      await store.post('/products/{product_id}/images', { product_id }, { ...source, position });
      return [];
    } catch (error) {
      return [`${name}: ${sentence(error)}`];
    }
  }

  async function take(files: Iterable<File>): Promise<void> {
    const refused: string[] = [];
    let position = last;
    for (const file of files) {
      position += 10;
      refused.push(...(await send(file.name, { attachment: await base64Of(file), filename: file.name }, position)));
    }
    setProblems(refused);
    setBusy(undefined);
    await onDone();
  }

  async function fetchOne(): Promise<void> {
    const refused = await send(externalUrl, { externalUrl }, last + 10);
    setProblems(refused);
    setBusy(undefined);
    if (refused.length > 0) return;
    setExternalUrl('');
    await onDone();
  }

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer.files.length > 0) void take([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  };

  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={paste}
      sx={{ border: 2, borderStyle: 'dashed', borderRadius: 2, borderColor: isOver ? 'primary.main' : 'divider', p: 2 }}
    >
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2} sx={{ alignItems: { sm: 'center' } }}>
        <Button
          startIcon={<AddIcon />}
          variant="outlined"
          onClick={() => input.current?.click()}
          sx={{ flexShrink: 0 }}
        >
          {translate('products.chooseImages')}
        </Button>
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
          multiple
          hidden
          aria-label={translate('products.chooseImages')}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            target.value = '';
            void take(files);
          }}
        />
        <TextField
          label={translate('products.imageUrl')}
          value={externalUrl}
          onChange={({ target }) => setExternalUrl(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (externalUrl !== '') void fetchOne();
          }}
          type="url"
          placeholder="https://"
        />
        <Button onClick={() => void fetchOne()} disabled={externalUrl === ''} sx={{ flexShrink: 0 }}>
          {translate('button.add')}
        </Button>
      </Stack>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate('products.dropImages')}
      </Typography>
      {busy !== undefined && <LinearProgress sx={{ mt: 1 }} aria-label={busy} />}
      {problems.map((problem) => (
        <Alert key={problem} severity="error" sx={{ mt: 1 }}>
          {problem}
        </Alert>
      ))}
    </Box>
  );
}
