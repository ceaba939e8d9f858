/** Crops an image in the browser and replaces its file. The frame is moved with the mouse, by touch or with the arrow keys. */
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  GlobalStyles,
  MenuItem,
  TextField,
} from '@mui/material';
import type { ProductImageOutput } from 'purveyor/client';
import { type SyntheticEvent, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import ReactCrop, { centerCrop, makeAspectCrop, type PercentCrop } from 'react-image-crop';
import cropStyles from 'react-image-crop/dist/ReactCrop.css?inline';
import { type ImageSource, ownPath, sourceOfFile } from '../../utils/image-source.ts';

interface Props {
  readonly image: ProductImageOutput;
  readonly name: string;
  onSave(source: ImageSource): Promise<void>;
  onClose(): void;
}

const RATIOS = { free: undefined, square: 1, landscape: 4 / 3, portrait: 3 / 4 } as const;
type Ratio = keyof typeof RATIOS;

const WHOLE: PercentCrop = { unit: '%', x: 10, y: 10, width: 80, height: 80 };

/** Types that a canvas can write; others become PNG. */
const WRITABLE = ['image/jpeg', 'image/png', 'image/webp'];
const QUALITY = 0.92;

export default function CropDialogContent({ image, name, onSave, onClose }: Props) {
  const [crop, setCrop] = useState<PercentCrop>(WHOLE);
  const [ratio, setRatio] = useState<Ratio>('free');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const shown = useRef<HTMLImageElement>(null);
  const translate = useTranslate();

  function choose(next: Ratio): void {
    setRatio(next);
    const { width, height } = image;
    const aspect = RATIOS[next];
    setCrop(
      aspect ? centerCrop(makeAspectCrop({ unit: '%', width: 80 }, aspect, width, height), width, height) : WHOLE,
    );
  }

  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    try {
      await onSave(await cropped(shown.current!, crop, image.url));
      onClose();
    } catch {
      setProblem(translate('images.cannotCrop'));
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="crop">
      <GlobalStyles styles={cropStyles} />
      <form onSubmit={(event) => void save(event)} style={{ display: 'contents' }}>
        <DialogTitle id="crop">{translate('images.cropOf', { name })}</DialogTitle>
        <DialogContent>
          <TextField
            select
            label={translate('images.ratio')}
            value={ratio}
            onChange={({ target }) => choose(target.value as Ratio)}
            sx={{ maxWidth: 220, mb: 1 }}
          >
            {(Object.keys(RATIOS) as Ratio[]).map((one) => (
              <MenuItem key={one} value={one}>
                {translate(`images.ratio.${one}`)}
              </MenuItem>
            ))}
          </TextField>
          <Box sx={{ textAlign: 'center' }}>
            <ReactCrop
              crop={crop}
              aspect={RATIOS[ratio]}
              onChange={(_pixels, percent) => setCrop(percent)}
              ruleOfThirds
              ariaLabels={{
                cropArea: translate('images.cropArea'),
                nwDragHandle: translate('images.handle', { corner: 'NW' }),
                nDragHandle: translate('images.handle', { corner: 'N' }),
                neDragHandle: translate('images.handle', { corner: 'NE' }),
                eDragHandle: translate('images.handle', { corner: 'E' }),
                seDragHandle: translate('images.handle', { corner: 'SE' }),
                sDragHandle: translate('images.handle', { corner: 'S' }),
                swDragHandle: translate('images.handle', { corner: 'SW' }),
                wDragHandle: translate('images.handle', { corner: 'W' }),
              }}
            >
              <img ref={shown} src={ownPath(image.url)} alt={image.alt} style={{ maxHeight: '60vh', minWidth: 120 }} />
            </ReactCrop>
          </Box>
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy} disabled={crop.width === 0 || crop.height === 0}>
            {translate('images.crop')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** @throws {DOMException} if the image is from a server whose images the page may not read */
async function cropped(image: HTMLImageElement, crop: PercentCrop, url: string): Promise<ImageSource> {
  const { naturalWidth, naturalHeight } = image;
  const [x, y] = [(crop.x / 100) * naturalWidth, (crop.y / 100) * naturalHeight];
  const [width, height] = [(crop.width / 100) * naturalWidth, (crop.height / 100) * naturalHeight].map((size) =>
    Math.max(1, Math.round(size)),
  ) as [number, number];
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')!.drawImage(image, x, y, width, height, 0, 0, width, height);
  const stored = (await fetch(ownPath(url), { method: 'HEAD' })).headers.get('content-type') ?? '';
  const type = WRITABLE.includes(stored) ? stored : 'image/png';
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  if (!blob) throw new Error('The browser could not write the image.');
  return sourceOfFile(blob, `image.${type.slice('image/'.length)}`);
}
