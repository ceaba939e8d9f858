/** The layout of every page: app bar, main menu and, for read-only keys, a notice. */
import AccountIcon from '@mui/icons-material/AccountCircleOutlined';
import CategoryIcon from '@mui/icons-material/AccountTreeOutlined';
import StaffIcon from '@mui/icons-material/BadgeOutlined';
import ReferenceIcon from '@mui/icons-material/CodeOutlined';
import ActivityIcon from '@mui/icons-material/HistoryOutlined';
import HomeIcon from '@mui/icons-material/HomeOutlined';
import ProductIcon from '@mui/icons-material/Inventory2Outlined';
import DiscountIcon from '@mui/icons-material/LocalOfferOutlined';
import ShippingIcon from '@mui/icons-material/LocalShippingOutlined';
import MailIcon from '@mui/icons-material/MailOutlined';
import CustomerIcon from '@mui/icons-material/PeopleOutlined';
import TaxIcon from '@mui/icons-material/PercentOutlined';
import ReviewIcon from '@mui/icons-material/RateReviewOutlined';
import OrderIcon from '@mui/icons-material/ReceiptLongOutlined';
import SettingsIcon from '@mui/icons-material/SettingsOutlined';
import CartIcon from '@mui/icons-material/ShoppingCartOutlined';
import FrontPageIcon from '@mui/icons-material/StorefrontOutlined';
import TransferIcon from '@mui/icons-material/SwapVertOutlined';
import { Alert, Box, ListItemIcon, ListItemText, MenuItem } from '@mui/material';
import { lazy, type ReactNode, useEffect } from 'react';
import {
  AppBar,
  Layout,
  LoadingIndicator,
  LocalesMenuButton,
  Logout,
  Menu,
  MenuItemLink,
  MenuItemLinkClasses,
  TitlePortal,
  ToggleThemeButton,
  UserMenu,
  useGetIdentity,
  useLocaleState,
  useStoreContext,
  useTranslate,
  useUserMenu,
} from 'react-admin';
import { useLocation } from 'react-router-dom';
import { grants, isReadOnly, type Scope } from '../api/access.ts';
import { needsSecondFactor } from '../api/auth-provider.ts';
import { useAccess } from '../utils/use-may.tsx';
import { ConfirmSessionDialog } from './confirm-session-dialog.tsx';
import { HelpLink } from './help-link.tsx';
import { Lookup } from './lookup.tsx';
import { PageSidebar } from './sidebar.tsx';
import { UndoBar } from './undo-bar.tsx';

const SecondFactorPage = lazy(() => import('./second-factor-page.tsx'));

/** On phones, messages are at the top. The content moves down, so that they cover none of its buttons. */
const SPACE_FOR_MESSAGE = {
  'body:has(.MuiSnackbar-root) & .RaLayout-content': { pt: { xs: '72px', sm: 2 } },
};

export function PageLayout({ children }: { children: ReactNode }) {
  const [locale] = useLocaleState();
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <Layout
      appBar={TopBar}
      menu={MainMenu}
      sidebar={PageSidebar}
      sx={{ minWidth: 0, '& .RaLayout-content': { minWidth: 0, p: { xs: 1, sm: 2 } }, ...SPACE_FOR_MESSAGE }}
    >
      <ReadOnlyNotice />
      <UndoBar />
      <ConfirmSessionDialog />
      {needsSecondFactor() ? <SecondFactorPage /> : children}
      <Box component="footer" sx={{ display: { xs: 'block', sm: 'none' }, textAlign: 'center', py: 2 }}>
        <HelpLink />
      </Box>
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
      userMenu={
        <UserMenu label={identity?.fullName ?? 'ra.auth.user_menu'}>
          {identity?.userId !== undefined && <AccountItem />}
          <Logout />
        </UserMenu>
      }
      sx={{ bgcolor: 'background.paper', borderBottom: 1, borderColor: 'divider' }}
    >
      <TitlePortal component="h1" sx={TITLE} />
    </AppBar>
  );
}

/** The page of the own account, which only users have. */
function AccountItem() {
  const menu = useUserMenu();
  return (
    <MenuItemLink
      to="/account"
      primaryText="menu.account"
      leftIcon={<AccountIcon />}
      {...(menu ? { onClick: menu.onClose } : {})}
    />
  );
}

/** The title is an inline block, which would be cut without an ellipsis. */
const TITLE = { '& > *': { maxWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', verticalAlign: 'bottom' } };

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
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
        <HelpLink />
      </Box>
      <Box component="span" sx={HIDE_LABELS_ON_PHONES}>
        <Lookup />
        <LocalesMenuButton />
      </Box>
      <ToggleThemeButton />
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
        <LoadingIndicator {...progressProps} />
      </Box>
    </>
  );
}

/** The screens, each with scopes. A session that has none of them does not see it. */
const SCREENS: readonly (readonly [path: string, name: string, icon: ReactNode, ...scopes: Scope[]])[] = [
  ['/', 'home', <HomeIcon key="home" />],
  ['/products', 'products', <ProductIcon key="products" />, 'products:read'],
  ['/orders', 'orders', <OrderIcon key="orders" />, 'orders:read'],
  ['/carts', 'carts', <CartIcon key="carts" />, 'carts:read'],
  ['/profiles', 'customers', <CustomerIcon key="customers" />, 'profiles:read'],
  ['/sale_discounts', 'discounts', <DiscountIcon key="discounts" />],
  ['/categories', 'categories', <CategoryIcon key="categories" />, 'categories:read'],
  ['/front-page', 'frontPage', <FrontPageIcon key="front-page" />, 'front_page:read'],
  ['/reviews', 'reviews', <ReviewIcon key="reviews" />, 'products:read'],
  ['/taxes', 'taxes', <TaxIcon key="taxes" />, 'tax_rates:read'],
  ['/shipping', 'shipping', <ShippingIcon key="shipping" />, 'shipping_methods:read'],
  ['/mails', 'mails', <MailIcon key="mails" />, 'mails:read', 'mail_templates:read'],
  ['/transfer', 'transfer', <TransferIcon key="transfer" />, 'products:read'],
  ['/staff', 'staff', <StaffIcon key="staff" />, 'users:manage', 'roles:manage'],
  ['/activity', 'activity', <ActivityIcon key="activity" />, 'audit:read'],
  ['/settings', 'settings', <SettingsIcon key="settings" />],
];

/** Screens with several lists. Their menu item opens the first list that the session may read. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/sale_discounts': ['/sale_discounts', '/volume_discounts', '/coupons'],
};

function MainMenu() {
  const translate = useTranslate();
  const access = useAccess();
  const { pathname } = useLocation();
  const { getItem, setItem } = useStoreContext();

  /** A filter of the last visit would hide records from someone who opens the list again. Order and page size remain. */
  function clearFilter(path: string): void {
    const key = `${path.slice(1)}.listParams`;
    const params = getItem<object>(key);
    if (params) setItem(key, { ...params, filter: {}, displayedFilters: {}, page: 1 });
  }

  const mayRead = (path: string): boolean => !access || grants(access, `${path.slice(1)}:read`);
  const shown = SCREENS.filter(([path, , , ...scopes]) =>
    path in LISTS
      ? LISTS[path]!.some(mayRead)
      : scopes.length === 0 || !access || scopes.some((scope) => grants(access, scope)),
  );
  const isOpen = (path: string): boolean => LISTS[path]?.some((list) => pathname.startsWith(list)) === true;
  return (
    <Box component="nav" aria-label={translate('menu.label')}>
      <Menu>
        {shown.map(([path, name, icon]) => (
          <Menu.Item
            key={path}
            to={LISTS[path]?.find(mayRead) ?? path}
            {...(isOpen(path) ? { className: MenuItemLinkClasses.active } : {})}
            primaryText={`menu.${name}`}
            leftIcon={icon}
            onClick={() => (LISTS[path] ?? [path]).forEach(clearFilter)}
          />
        ))}
        <MenuItem
          component="a"
          href="/api"
          tabIndex={0}
          sx={{ color: 'text.secondary', '& .MuiListItemIcon-root': { minWidth: 40 } }}
        >
          <ListItemIcon>
            <ReferenceIcon />
          </ListItemIcon>
          <ListItemText>{translate('menu.reference')}</ListItemText>
        </MenuItem>
      </Menu>
    </Box>
  );
}

function ReadOnlyNotice() {
  const access = useAccess();
  const { identity } = useGetIdentity();
  const translate = useTranslate();
  if (!access || !isReadOnly(access)) return null;
  return (
    <Alert severity="info" sx={{ mb: 1 }}>
      {translate(identity?.userId === undefined ? 'session.readOnly' : 'session.readOnlyUser')}
    </Alert>
  );
}
