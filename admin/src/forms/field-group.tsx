/** A group of form fields with a heading. */
import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

/** @param title message key */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, mb: 3, minWidth: 0 }}>
      <Typography component="legend" variant="h6" sx={{ mb: 0.5, p: 0 }}>
        {translate(title)}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 1.5,
          columnGap: 3,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))',
          alignItems: 'start',
        }}
      >
        {children}
      </Box>
    </Box>
  );
}
