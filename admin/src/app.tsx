/** The pages and their routes. Each page is a chunk of its own, loaded when it is opened. */
import { QueryClient } from '@tanstack/react-query';
import { lazy } from 'react';
import { Admin, CustomRoutes, type I18nProvider, Resource } from 'react-admin';
import { Route } from 'react-router-dom';
import { authProvider } from './api/auth-provider.ts';
import { dataProvider } from './api/data-provider.ts';
import { PageLayout } from './components/layout.tsx';
import { LoginPage } from './components/login-page.tsx';
import { darkTheme, lightTheme } from './theme.ts';

const Home = lazy(() => import('./home/home.tsx'));
const ProductList = lazy(() => import('./products/list.tsx'));
const ProductCreate = lazy(() => import('./products/create.tsx'));
const ProductEdit = lazy(() => import('./products/edit.tsx'));
const OrderList = lazy(() => import('./orders/list.tsx'));
const OrderShow = lazy(() => import('./orders/show.tsx'));
const CustomerList = lazy(() => import('./customers/list.tsx'));
const CustomerCreate = lazy(() => import('./customers/create.tsx'));
const CustomerEdit = lazy(() => import('./customers/edit.tsx'));
const Guests = lazy(() => import('./customers/guests.tsx'));
const Categories = lazy(() => import('./categories/categories-page.tsx'));
const Transfer = lazy(() => import('./transfer/transfer-page.tsx'));
const Settings = lazy(() => import('./settings/settings.tsx'));

/** The store's client retries requests itself. */
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

export function App({ i18nProvider }: { i18nProvider: I18nProvider }) {
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
      <Resource name="orders" list={OrderList} show={OrderShow} recordRepresentation="order_number" />
      <Resource
        name="profiles"
        list={CustomerList}
        create={CustomerCreate}
        edit={CustomerEdit}
        recordRepresentation="login"
      />
      <CustomRoutes>
        <Route path="/guests" element={<Guests />} />
        <Route path="/categories/:id?" element={<Categories />} />
        <Route path="/transfer" element={<Transfer />} />
        <Route path="/settings/:part?" element={<Settings />} />
      </CustomRoutes>
    </Admin>
  );
}
