/** The image of a variant: one of the product's images, an uploaded one, or none. */
import AddIcon from '@mui/icons-material/AddPhotoAlternateOutlined';
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, IconButton } from '@mui/material';
import type { ProductOutput, VariantOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { FileButton } from '../../components/file-button.tsx';
import { Thumbnail } from '../../components/thumbnail.tsx';
import { sourceOfFile, sourceOfUrl } from '../../utils/image-source.ts';
import { useAction } from '../../utils/use-action.ts';
import { useMayWrite } from '../../utils/use-may.tsx';

interface Props {
  readonly product: ProductOutput;
  readonly variant: VariantOutput;
  readonly name: string;
  onDone(): Promise<void>;
}

export function VariantImage({ product, variant, name, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const label = translate('variants.imageOf', { name });

  async function save(image: () => Promise<object | null>): Promise<void> {
    const parameters = { product_id: product.id, id: variant.id };
    const isSaved = await action.run(async () =>
      store.patch('/products/{product_id}/variants/{id}', parameters, { image: await image() }),
    );
    if (isSaved) setOpen(false);
    await onDone();
  }

  return (
    <>
      <IconButton size="small" disabled={!mayWrite} onClick={() => setOpen(true)} aria-label={label} sx={{ p: 0.25 }}>
        {variant.image ? (
          <Thumbnail image={{ url: variant.image.url, alt: '' }} size={36} />
        ) : (
          <AddIcon fontSize="small" sx={{ m: 1 }} />
        )}
      </IconButton>
      {isOpen && (
        <Dialog open onClose={() => setOpen(false)} fullWidth maxWidth="sm" aria-labelledby="variant-image">
          <DialogTitle id="variant-image">{label}</DialogTitle>
          <DialogContent>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
              {product.images.map((image, at) => (
                <IconButton
                  key={image.id}
                  disabled={action.isBusy}
                  onClick={() => void save(async () => ({ ...(await sourceOfUrl(image.url)), alt: image.alt }))}
                  aria-label={image.alt || `${translate('field.image')} ${at + 1}`}
                >
                  <Thumbnail image={{ url: image.url, alt: '' }} size={72} />
                </IconButton>
              ))}
            </Box>
            <FileButton
              label="products.chooseImages"
              isBusy={action.isBusy}
              onFiles={([file]) => file && void save(async () => sourceOfFile(file, file.name))}
            />
          </DialogContent>
          <DialogActions>
            {variant.image && (
              <Button color="error" onClick={() => void save(async () => null)}>
                {translate('button.remove')}
              </Button>
            )}
            <Button onClick={() => setOpen(false)}>{translate('button.close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
