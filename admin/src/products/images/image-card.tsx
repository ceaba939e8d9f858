import CropIcon from '@mui/icons-material/Crop';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Box, Card, Checkbox, Chip, IconButton, Stack, TextField, Typography } from '@mui/material';
import type { ProductImageOutput } from 'purveyor/client';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { useMayWrite } from '../../utils/use-may.tsx';

interface Props {
  readonly image: ProductImageOutput;
  readonly name: string;
  /** Its place in the order, from 1. */
  readonly number: number;
  readonly count: number;
  readonly handle: ReactNode;
  readonly isSelected: boolean;
  /** Undefined if there is no point in selecting several. */
  readonly onSelect: (() => void) | undefined;
  onDescribe(alt: string): void;
  onCrop(): void;
  onDelete(): void;
}

/** An image of a product, with its alternative text. */
export function ImageCard({ image, name, number, count, handle, isSelected, onSelect, ...on }: Props) {
  const { onDescribe, onCrop, onDelete } = on;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  return (
    <Card variant="outlined" sx={isSelected ? { borderColor: 'primary.main' } : {}}>
      <Box sx={{ position: 'relative' }}>
        <Box
          component="img"
          src={image.url}
          alt={image.alt}
          loading="lazy"
          sx={{ width: '100%', height: 180, objectFit: 'contain', display: 'block', bgcolor: 'common.white' }}
        />
        {count > 1 && (
          <Chip
            size="small"
            color={number === 1 ? 'primary' : 'default'}
            label={number === 1 ? translate('images.main') : translate('images.number', { number, count })}
            sx={{
              position: 'absolute',
              top: 6,
              right: 6,
              ...(number === 1 ? {} : { bgcolor: 'background.paper', border: 1, borderColor: 'divider' }),
            }}
          />
        )}
        {mayWrite && onSelect && (
          <Checkbox
            size="small"
            checked={isSelected}
            onChange={onSelect}
            slotProps={{ input: { 'aria-label': translate('list.select', { name }) } }}
            sx={{ position: 'absolute', top: 4, left: 4, bgcolor: 'background.paper', p: 0.25 }}
          />
        )}
      </Box>
      <Box sx={{ p: 1 }}>
        <TextField
          key={image.alt}
          defaultValue={image.alt}
          label={translate('field.alt')}
          disabled={!mayWrite}
          helperText={image.alt === '' ? translate('images.altHelp') : undefined}
          color={image.alt === '' ? 'warning' : 'primary'}
          focused={image.alt === '' ? true : undefined}
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
            <Box>
              <IconButton size="small" onClick={onCrop} aria-label={translate('images.cropOf', { name })}>
                <CropIcon fontSize="small" />
              </IconButton>
              <IconButton size="small" onClick={onDelete} aria-label={`${translate('button.delete')}: ${name}`}>
                <DeleteIcon fontSize="small" />
              </IconButton>
            </Box>
          )}
        </Stack>
      </Box>
    </Card>
  );
}
