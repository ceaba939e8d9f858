/** The layout of every page: app bar, main menu and, for read-only keys, a notice. */
import CategoryIcon from '@mui/icons-material/AccountTreeOutlined';
import ReferenceIcon from '@mui/icons-material/CodeOutlined';
import HomeIcon from '@mui/icons-material/HomeOutlined';
import ProductIcon from '@mui/icons-material/Inventory2Outlined';
import CustomerIcon from '@mui/icons-material/PeopleOutlined';
import OrderIcon from '@mui/icons-material/ReceiptLongOutlined';
import SettingsIcon from '@mui/icons-material/SettingsOutlined';
import TransferIcon from '@mui/icons-material/SwapVertOutlined';
import { Alert, Box, ListItemIcon, ListItemText, MenuItem } from '@mui/material';
import { type ReactNode, useEffect } from 'react';
import {
  AppBar,
  Layout,
  LoadingIndicator,
  LocalesMenuButton,
  Menu,
  TitlePortal,
  ToggleThemeButton,
  UserMenu,
  useGetIdentity,
  useLocaleState,
  usePermissions,
  useTranslate,
} from 'react-admin';

export function PageLayout({ children }: { children: ReactNode }) {
  const [locale] = useLocaleState();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <Layout
      appBar={TopBar}
      menu={MainMenu}
      sx={{ minWidth: 0, '& .RaLayout-content': { minWidth: 0, p: { xs: 1, sm: 2 } } }}
    >
      <ReadOnlyNotice />
      {children}
    </Layout>
  );
}

function TopBar() {
  const { identity } = useGetIdentity();
  return (
    <AppBar
      color="default"
      alwaysOn
      toolbar={<ToolbarButtons />}
      userMenu={<UserMenu label={identity?.fullName ?? 'ra.auth.user_menu'} />}
      sx={{ bgcolor: 'background.paper', borderBottom: 1, borderColor: 'divider' }}
    >
      <TitlePortal component="h1" />
    </AppBar>
  );
}

/** Makes space for the title on phones. Screen readers still read the name of the language. */
const HIDE_LABELS_ON_PHONES = {
  '& .MuiButton-root': { minWidth: 0, fontSize: { xs: 0, sm: '0.875rem' }, px: { xs: 0.5, sm: 1 } },
  '& .MuiButton-startIcon': { mx: { xs: 0, sm: 0.5 } },
  '& .MuiButton-endIcon': { mx: { xs: 0, sm: 0.5 } },
};

function ToolbarButtons() {
  const translate = useTranslate();
  // Its types lack the props that it passes to the progress indicator.
  const progressProps = { 'aria-label': translate('state.loading') } as object;
  return (
    <>
      <Box component="span" sx={HIDE_LABELS_ON_PHONES}>
        <LocalesMenuButton />
      </Box>
      <ToggleThemeButton />
      <LoadingIndicator {...progressProps} />
    </>
  );
}

function MainMenu() {
  const translate = useTranslate();
  return (
    <Box component="nav" aria-label={translate('menu.label')}>
      <Menu>
        <Menu.Item to="/" primaryText="menu.home" leftIcon={<HomeIcon />} />
        <Menu.Item to="/products" primaryText="menu.products" leftIcon={<ProductIcon />} />
        <Menu.Item to="/orders" primaryText="menu.orders" leftIcon={<OrderIcon />} />
        <Menu.Item to="/profiles" primaryText="menu.customers" leftIcon={<CustomerIcon />} />
        <Menu.Item to="/categories" primaryText="menu.categories" leftIcon={<CategoryIcon />} />
        <Menu.Item to="/transfer" primaryText="menu.transfer" leftIcon={<TransferIcon />} />
        <Menu.Item to="/settings" primaryText="menu.settings" leftIcon={<SettingsIcon />} />
        <MenuItem component="a" href="/api" tabIndex={0} sx={{ color: 'text.secondary' }}>
          <ListItemIcon sx={{ minWidth: 40 }}>
            <ReferenceIcon />
          </ListItemIcon>
          <ListItemText>{translate('menu.reference')}</ListItemText>
        </MenuItem>
      </Menu>
    </Box>
  );
}

function ReadOnlyNotice() {
  const { permissions } = usePermissions();
  const translate = useTranslate();
  if (permissions !== 'read-only') return null;
  return (
    <Alert severity="info" sx={{ mb: 1 }}>
      {translate('session.readOnly')}
    </Alert>
  );
}
