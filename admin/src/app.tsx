/** The pages and their routes. Each page but the start page is a chunk of its own, loaded when it is opened. */
import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { Admin, CustomRoutes, type I18nProvider, Resource } from 'react-admin';
import { Route } from 'react-router-dom';
import { authProvider } from './api/auth-provider.ts';
import { dataProvider } from './api/data-provider.ts';
import Home from './home/home.tsx';
import { PageLayout } from './layout/layout.tsx';
import { LoginPage } from './layout/login-page.tsx';
import { darkTheme, lightTheme } from './theme.ts';
import { ScopeFamily } from './utils/use-may.tsx';

/** Loads a screen when it is opened. Its controls need the scopes of this family. */
function screen(family: string, load: () => Promise<{ default: ComponentType }>) {
  const Screen = lazy(load);
  return () => (
    <ScopeFamily name={family}>
      <Screen />
    </ScopeFamily>
  );
}

const ProductList = screen('products', () => import('./products/list.tsx'));
const ProductCreate = screen('products', () => import('./products/create.tsx'));
const ProductEdit = screen('products', () => import('./products/edit.tsx'));
const OrderList = screen('orders', () => import('./orders/list.tsx'));
const OrderCreate = screen('orders', () => import('./orders/draft/create.tsx'));
const OrderShow = screen('orders', () => import('./orders/show.tsx'));
const PrintPage = screen('orders', () => import('./orders/documents/print-page.tsx'));
const CustomerList = screen('profiles', () => import('./customers/list.tsx'));
const CustomerCreate = screen('profiles', () => import('./customers/create.tsx'));
const CustomerEdit = screen('profiles', () => import('./customers/edit.tsx'));
const Guests = screen('profiles', () => import('./customers/guests.tsx'));
const Categories = screen('categories', () => import('./categories/categories-page.tsx'));
const FrontPage = screen('front_page', () => import('./categories/front-page.tsx'));
const ReviewList = screen('products', () => import('./reviews/list.tsx'));
const Taxes = screen('tax_rates', () => import('./taxes/taxes-page.tsx'));
/** Sale discounts, volume discounts and coupons have the same screens. */
const DISCOUNTS = ['sale_discounts', 'volume_discounts', 'coupons'].map((name) => ({
  name,
  list: screen(name, () => import('./discounts/list.tsx')),
  create: screen(name, () => import('./discounts/create.tsx')),
  edit: screen(name, () => import('./discounts/edit.tsx')),
}));
const Shipping = screen('shipping_methods', () => import('./shipping/methods.tsx'));
const ShippingMethod = screen('shipping_methods', () => import('./shipping/method-page.tsx'));
const Carts = screen('carts', () => import('./carts/carts-page.tsx'));
const Mails = screen('mails', () => import('./mails/mails-page.tsx'));
const Transfer = screen('products', () => import('./transfer/transfer-page.tsx'));
const Staff = screen('users', () => import('./staff/staff-page.tsx'));
const StaffUser = screen('users', () => import('./staff/user-page.tsx'));
const Activity = screen('audit', () => import('./audit/activity-page.tsx'));
const Account = screen('', () => import('./staff/account-page.tsx'));
const Settings = screen('', () => import('./settings/settings.tsx'));
const Help = screen('', () => import('./help/help-page.tsx'));

interface Props {
  readonly i18nProvider: I18nProvider;
  readonly queryClient: QueryClient;
}

export function App({ i18nProvider, queryClient }: Props) {
  return (
    <Admin
      title="Purveyor"
      authProvider={authProvider}
      dataProvider={dataProvider}
      i18nProvider={i18nProvider}
      lightTheme={lightTheme}
      darkTheme={darkTheme}
      queryClient={queryClient}
      dashboard={Home}
      layout={PageLayout}
      loginPage={LoginPage}
      requireAuth
      disableTelemetry
    >
      <Resource
        name="products"
        list={ProductList}
        create={ProductCreate}
        edit={ProductEdit}
        recordRepresentation="name"
      />
      <Resource
        name="orders"
        list={OrderList}
        create={OrderCreate}
        show={OrderShow}
        recordRepresentation="order_number"
      />
      <Resource
        name="profiles"
        list={CustomerList}
        create={CustomerCreate}
        edit={CustomerEdit}
        recordRepresentation="login"
      />
      {DISCOUNTS.map((resource) => (
        <Resource key={resource.name} {...resource} />
      ))}
      <Resource name="reviews" list={ReviewList} recordRepresentation="reviewer_name" />
      <CustomRoutes>
        <Route path="/guests" element={<Guests />} />
        <Route path="/categories/:id?" element={<Categories />} />
        <Route path="/front-page" element={<FrontPage />} />
        <Route path="/print" element={<PrintPage />} />
        <Route path="/taxes/:part?" element={<Taxes />} />
        <Route path="/shipping" element={<Shipping />} />
        <Route path="/shipping/:id" element={<ShippingMethod />} />
        <Route path="/carts" element={<Carts />} />
        <Route path="/mails/:part?" element={<Mails />} />
        <Route path="/transfer" element={<Transfer />} />
        <Route path="/staff/:part?" element={<Staff />} />
        <Route path="/staff/users/:id" element={<StaffUser />} />
        <Route path="/activity" element={<Activity />} />
        <Route path="/account" element={<Account />} />
        <Route path="/settings/:part?" element={<Settings />} />
        <Route path="/help/:section?" element={<Help />} />
      </CustomRoutes>
    </Admin>
  );
}
