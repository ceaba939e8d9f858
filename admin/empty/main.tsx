/** The smallest page of react-admin: one list with one record, without a server. `bench/admin-page.ts` compares the admin page with it. */

import { Admin, Datagrid, type DataProvider, List, Resource, TextField } from 'react-admin';
import { createRoot } from 'react-dom/client';

const provider = { getList: async () => ({ data: [{ id: 1 }], total: 1 }) } as unknown as DataProvider;

function Products() {
  return (
    <List>
      <Datagrid>
        <TextField source="id" />
      </Datagrid>
    </List>
  );
}

createRoot(document.getElementById('root')!).render(
  <Admin dataProvider={provider}>
    <Resource name="products" list={Products} />
  </Admin>,
);
