/** The images of the store's products, to be used again for another product. */
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProductImageOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { readPage } from '../../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { sourceOfUrl } from '../../utils/image-source.ts';

interface Props {
  readonly product_id: number;
  /** The position of the last image. */
  readonly lastPosition: number;
  onDone(): Promise<void>;
  onClose(): void;
}

const PRODUCTS_PER_PAGE = 24;
const POSITION_STEP = 10;

export function ImageLibrary({ product_id, lastPosition, onDone, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<readonly ProductImageOutput[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['image-library', typed.trim(), pages],
    queryFn: () => readImages(typed.trim(), pages),
    placeholderData: (before) => before,
  });

  const toggle = (image: ProductImageOutput): void =>
    setChosen(chosen.includes(image) ? chosen.filter((one) => one !== image) : [...chosen, image]);

  async function add(): Promise<void> {
    setBusy(true);
    try {
      for (const [at, { url, alt }] of chosen.entries()) {
        const position = lastPosition + (at + 1) * POSITION_STEP;
        const source = await sourceOfUrl(url);
        await store.post('/products/{product_id}/images', { product_id }, { ...source, alt, position });
      }
      await onDone();
      onClose();
    } catch (thrown) {
      setProblem(errorMessage(thrown));
      setBusy(false);
      await onDone();
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="image-library">
      <DialogTitle id="image-library">{translate('images.library')}</DialogTitle>
      <DialogContent>
        <TextField
          type="search"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          label={translate('images.searchLibrary')}
        />
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <LoadingSkeleton lines={3} />
        ) : data.found.length === 0 ? (
          <Typography role="status">{translate('list.noMatch')}</Typography>
        ) : (
          <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(auto-fill, minmax(96px, 1fr))', mt: 1 }}>
            {data.found.map(({ image, name }) => (
              <ImageChoice
                key={image.id}
                image={image}
                name={image.alt || name}
                isChosen={chosen.some(({ id }) => id === image.id)}
                onToggle={() => toggle(chosen.find(({ id }) => id === image.id) ?? image)}
              />
            ))}
          </Box>
        )}
        {data?.hasMore && (
          <Button onClick={() => setPages(pages + 1)} sx={{ mt: 1 }}>
            {translate('images.more')}
          </Button>
        )}
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('button.cancel')}</Button>
        <Button variant="contained" loading={isBusy} disabled={chosen.length === 0} onClick={() => void add()}>
          {translate('images.use', { smart_count: chosen.length })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ImageChoiceProps {
  readonly image: ProductImageOutput;
  readonly name: string;
  readonly isChosen: boolean;
  onToggle(): void;
}

function ImageChoice({ image, name, isChosen, onToggle }: ImageChoiceProps) {
  return (
    <Box
      component="button"
      type="button"
      aria-pressed={isChosen}
      onClick={onToggle}
      sx={{
        ...{ p: 0.5, border: 2, borderRadius: 1, bgcolor: 'background.paper', cursor: 'pointer', font: 'inherit' },
        borderColor: isChosen ? 'primary.main' : 'divider',
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
      }}
    >
      <Box
        component="img"
        src={`${image.url}?width=160`}
        alt={name}
        loading="lazy"
        sx={{ width: '100%', height: 84, objectFit: 'contain', display: 'block', bgcolor: 'common.white' }}
      />
    </Box>
  );
}

async function readImages(words: string, pages: number) {
  const found: { image: ProductImageOutput; name: string }[] = [];
  let hasMore = true;
  for (let page = 1; page <= pages && hasMore; page += 1) {
    const filter = { fields: 'id,name,images', ...(words === '' ? {} : { search: words }) };
    const read = await readPage('/products', {}, { page, itemsPerPage: PRODUCTS_PER_PAGE, filter });
    for (const { name, images } of read.data) found.push(...images.map((image) => ({ image, name })));
    hasMore = read.hasNext;
  }
  return { found, hasMore };
}
