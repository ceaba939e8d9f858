/** The message for a list without records, and what to do first. */
import { Box, Typography } from '@mui/material';
import { CreateButton, useTranslate } from 'react-admin';
import { useMayWrite } from '../utils/use-may-write.ts';

export function EmptyList({ title, help, create }: { title: string; help: string; create?: string }) {
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
    </Box>
  );
}
