/** A card with a heading. */
import { Card, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  /** Message key of the heading. */
  readonly title: string;
  readonly children: ReactNode;
}

export function Section({ title, children }: Props) {
  const translate = useTranslate();
  return (
    <Card variant="outlined" component="section" aria-label={translate(title)} sx={{ p: 2, minWidth: 0 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate(title)}
      </Typography>
      {children}
    </Card>
  );
}
