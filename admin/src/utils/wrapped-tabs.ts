/** The style of tabs that wrap onto several lines, so that none is out of sight. Each has an underline of its own. */
export const WRAPPED_TABS = {
  borderBottom: 1,
  borderColor: 'divider',
  '& .MuiTabs-list': { flexWrap: 'wrap' },
  '& .MuiTabs-indicator': { display: 'none' },
  '& .MuiTab-root': {
    minHeight: 44,
    minWidth: 0,
    px: { xs: 1.25, sm: 2 },
    py: 1,
    borderBottom: '2px solid transparent',
  },
  '& .Mui-selected': { borderBottomColor: 'primary.main' },
} as const;
