/** The toolbar above a record, with the link back to the list. */
import BackIcon from '@mui/icons-material/ArrowBack';
import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { Button, ListButton, TopToolbar } from 'react-admin';
import { Link } from 'react-router-dom';

interface Props {
  readonly resource: string;
  /** Another screen to go back to. Its label is a message key. */
  readonly back?: { readonly to: string; readonly label: string } | undefined;
  readonly children?: ReactNode;
}

export function RecordToolbar({ resource, back, children }: Props) {
  return (
    // In narrow windows TopToolbar grows to the remaining height; inside a box it does not.
    <Box>
      <TopToolbar sx={{ alignItems: 'center', px: { xs: 1, sm: 0 } }}>
        {back ? (
          <Button component={Link} to={back.to} label={back.label}>
            <BackIcon />
          </Button>
        ) : (
          <ListButton resource={resource} label="button.backToList" />
        )}
        {children}
      </TopToolbar>
    </Box>
  );
}
