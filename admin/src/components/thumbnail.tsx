/** A small image, or a placeholder. */
import { Box } from '@mui/material';

export function Thumbnail({
  image,
  size = 40,
}: {
  image?: { url: string; alt: string } | null | undefined;
  size?: number;
}) {
  const box = { width: size, height: size, borderRadius: 1, display: 'block', flexShrink: 0 } as const;
  if (!image) return <Box aria-hidden sx={{ ...box, bgcolor: 'action.hover', border: 1, borderColor: 'divider' }} />;
  return (
    <Box
      component="img"
      src={image.url}
      alt={image.alt}
      loading="lazy"
      sx={{ ...box, objectFit: 'cover', bgcolor: 'common.white' }}
    />
  );
}
