/** The toolbar above a record, with the link back to the list. */
import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { ListButton, TopToolbar } from 'react-admin';

export function RecordToolbar({ resource, children }: { resource: string; children?: ReactNode }) {
  return (
    // In narrow windows TopToolbar grows to the remaining height; inside a box it does not.
    <Box>
      <TopToolbar sx={{ alignItems: 'center' }}>
        <ListButton resource={resource} label="button.backToList" />
        {children}
      </TopToolbar>
    </Box>
  );
}
