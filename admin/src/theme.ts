/** The light and the dark theme. Uses system fonts, so that no font has to be loaded. */
import type { Theme } from '@mui/material';
import { defaultDarkTheme, defaultLightTheme, type RaThemeOptions } from 'react-admin';

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif';

const shared: RaThemeOptions = {
  typography: {
    fontFamily: FONT,
    fontSize: 14,
    h6: { fontWeight: 600, fontSize: '1.05rem' },
    button: { textTransform: 'none', fontWeight: 600 },
  },
  shape: { borderRadius: 8 },
  sidebar: { width: 232, closedWidth: 56 },
};

/** Menus and lists of options cover the page: an edge and a shadow set them off. */
const FLOATING = {
  paper: ({ theme }: { theme: Theme }) => ({
    border: `1px solid ${theme.palette.mode === 'dark' ? theme.palette.grey[700] : theme.palette.grey[400]}`,
    boxShadow: theme.shadows[8],
    backgroundImage: 'none',
  }),
};

const components: RaThemeOptions['components'] = {
  MuiAutocomplete: { styleOverrides: FLOATING },
  MuiPopover: { styleOverrides: FLOATING },
  MuiAppBar: { defaultProps: { elevation: 0, color: 'default' } },
  MuiPaper: { defaultProps: { elevation: 0 } },
  MuiTextField: { defaultProps: { variant: 'outlined', margin: 'dense', size: 'small', fullWidth: true } },
  MuiFormControl: { defaultProps: { variant: 'outlined', margin: 'dense', size: 'small', fullWidth: true } },
  // react-admin puts the accessible name on the root; it belongs on the input.
  MuiCheckbox: {
    defaultProps: {
      slotProps: {
        root: { 'aria-label': undefined },
        input: (box: object) => ({ 'aria-label': (box as Record<string, string>)['aria-label'] }),
      },
    },
  },
  MuiDialog: {
    styleOverrides: {
      paper: {
        // The content scrolls, so that the buttons below it are always visible.
        '& > form': { display: 'contents' },
        '@media (max-width: 599.95px)': { margin: 12, width: 'calc(100% - 24px)', maxHeight: 'calc(100% - 24px)' },
      },
    },
  },
  MuiButton: { defaultProps: { disableElevation: true } },
  // Inside <main>, so that tooltips are part of a landmark.
  MuiTooltip: {
    defaultProps: { slotProps: { popper: { container: () => document.querySelector('main') ?? document.body } } },
  },
  // On phones below the app bar, where `PageLayout` makes space for it.
  MuiSnackbar: {
    styleOverrides: {
      root: ({ theme }: { theme: Theme }) => ({
        [theme.breakpoints.down('sm')]: { '&&': { top: 64, bottom: 'auto' } },
      }),
    },
  },
  MuiTableCell: { styleOverrides: { head: { fontWeight: 600, whiteSpace: 'nowrap' } } },
};

export const lightTheme: RaThemeOptions = {
  ...defaultLightTheme,
  ...shared,
  palette: {
    mode: 'light',
    primary: { main: '#0b5f54', contrastText: '#ffffff' },
    secondary: { main: '#0b5f54', contrastText: '#ffffff' },
    error: { main: '#b3261e' },
    warning: { main: '#8a4b00' },
    success: { main: '#1b6b35' },
    info: { main: '#0a5a8a' },
    background: { default: '#f5f6f7', paper: '#ffffff' },
    text: { primary: '#1b1f23', secondary: '#535b64' },
  },
  components: { ...defaultLightTheme.components, ...components },
};

export const darkTheme: RaThemeOptions = {
  ...defaultDarkTheme,
  ...shared,
  palette: {
    mode: 'dark',
    primary: { main: '#7fd4c4', contrastText: '#06201c' },
    secondary: { main: '#7fd4c4', contrastText: '#06201c' },
    error: { main: '#ffb4ab' },
    warning: { main: '#ffc480' },
    success: { main: '#8fdca6' },
    info: { main: '#93ccf3' },
    background: { default: '#121417', paper: '#1b1f23' },
    text: { primary: '#e8eaed', secondary: '#aab2bb' },
  },
  components: { ...defaultDarkTheme.components, ...components },
};
