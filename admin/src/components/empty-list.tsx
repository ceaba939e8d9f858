/** The message for a list without records, and what to do first. */
import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { CreateButton, useTranslate } from 'react-admin';
import { useMayWrite } from '../utils/use-may.tsx';

interface Props {
  /** Message keys. */
  readonly title: string;
  readonly help: string;
  readonly create?: string;
  /** Further links. */
  readonly children?: ReactNode;
}

export function EmptyList({ title, help, create, children }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  return (
    <Box sx={{ textAlign: 'center', p: { xs: 3, sm: 8 }, width: '100%' }} role="status">
      <Typography variant="h5" component="h2" gutterBottom>
        {translate(title)}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 3, maxWidth: '50ch', mx: 'auto' }}>
        {translate(help)}
      </Typography>
      {create !== undefined && mayWrite && <CreateButton label={create} variant="contained" />}
      {children}
    </Box>
  );
}
