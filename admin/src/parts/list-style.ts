/** Styles of every list: narrow enough for its window, and no hidden bar of actions that Tab would still find. */
export const LIST = {
  '& .RaList-main': { minWidth: 0 },
  '& .RaList-content': { minWidth: 0 },
  '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
  '& .RaBulkActionsToolbar-collapsed': { visibility: 'hidden' },
} as const;
