/** The bar above a record: the way back to the list, and what else stands there. */
import type { ReactNode } from 'react';
import { ListButton, TopToolbar } from 'react-admin';

export function BackBar({ resource, children }: { resource: string; children?: ReactNode }) {
  return (
    // In a narrow window a list's bar takes the height that is left.
    <TopToolbar sx={{ flex: 'none', alignItems: 'center' }}>
      <ListButton resource={resource} label="act.back" />
      {children}
    </TopToolbar>
  );
}
