/** The bar above a record: the way back to the list, and what else stands there. */
import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { ListButton, TopToolbar } from 'react-admin';

export function BackBar({ resource, children }: { resource: string; children?: ReactNode }) {
  return (
    // In a narrow window a list's bar takes all of the height that is left; inside a box it does not.
    <Box>
      <TopToolbar sx={{ alignItems: 'center' }}>
        <ListButton resource={resource} label="button.backToList" />
        {children}
      </TopToolbar>
    </Box>
  );
}
