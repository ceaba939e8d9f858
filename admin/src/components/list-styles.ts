/** Lets every list shrink to the window, and hides collapsed bulk actions from the keyboard too. */
export const LIST_STYLES = {
  '& .RaList-main': { minWidth: 0 },
  '& .RaList-content': { minWidth: 0 },
  '& .RaDataTable-tableWrapper': { overflowX: 'auto' },
  '& .RaBulkActionsToolbar-collapsed': { visibility: 'hidden' },
  // On phones: the search field has the margin of the cards below, and the button for a new record covers no button of other pages.
  '& .RaFilterForm-filterFormInput': { pl: { xs: 1, sm: 0 } },
  '& .MuiTablePagination-toolbar': { pr: { xs: 10, md: 0 } },
} as const;
