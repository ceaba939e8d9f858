/** Lets every list shrink to the window, and hides collapsed bulk actions from the keyboard too. */
export const LIST_STYLES = {
  '& .RaList-main': { minWidth: 0 },
  '& .RaList-content': { minWidth: 0 },
  '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
  '& .RaBulkActionsToolbar-collapsed': { visibility: 'hidden' },
} as const;
