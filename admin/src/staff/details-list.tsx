/** Labels and values below each other. */
import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';

export function DetailsList({ details }: { details: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gridTemplateColumns: { sm: 'minmax(120px, 25%) 1fr' }, columnGap: 2, rowGap: 0.5, m: 0 }}
    >
      {details.map(([label, value]) => (
        <Box key={label} sx={{ display: 'contents' }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {label}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ m: 0, mb: { xs: 1, sm: 0 }, overflowWrap: 'anywhere' }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
