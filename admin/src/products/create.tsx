/** Asks only for what the store requires; the other fields are on the product's own page. */
import { store } from '../api/client.ts';
import { CreatePage } from '../forms/create-page.tsx';
import { FieldGroup } from '../forms/field-group.tsx';
import { DecimalInput, PlainTextInput, SwitchInput } from '../forms/inputs.tsx';

const INITIAL_VALUES = { name: '', sku: '', price: 0, amount: 0, enabled: true };

export default function ProductCreate() {
  return (
    <CreatePage
      resource="products"
      title="products.new"
      initialValues={INITIAL_VALUES}
      submitLabel="products.create"
      maxWidth={760}
      create={(values) => store.post('/products', values as never)}
    >
      <FieldGroup title="products.group.product">
        <PlainTextInput source="name" required />
        <PlainTextInput source="sku" help="help.sku" required />
        <DecimalInput source="price" help="help.price" />
        <DecimalInput source="amount" decimals={0} help="help.amount" />
        <SwitchInput source="enabled" help="help.enabled" />
      </FieldGroup>
    </CreatePage>
  );
}
