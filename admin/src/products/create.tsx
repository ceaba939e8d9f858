/** A new product: the least that the store asks for; the rest is filled in on its own screen. */
import { CreateScreen } from '../parts/create-screen.tsx';
import { AmountInput, FlagInput, WordsInput } from '../parts/inputs.tsx';
import { store } from '../store/client.ts';
import { Group } from './basics-tab.tsx';

const FIRST = { name: '', sku: '', price: 0, amount: 0, enabled: false };

export default function ProductCreate() {
  return (
    <CreateScreen
      resource="products"
      title="products.new"
      first={FIRST}
      label="products.create"
      maxWidth={760}
      create={(values) => store.post('/products', values as never)}
    >
      <Group title="products.group.product">
        <WordsInput source="name" required />
        <WordsInput source="sku" help="help.sku" required />
        <AmountInput source="price" help="help.price" />
        <AmountInput source="amount" decimals={0} help="help.amount" />
        <FlagInput source="enabled" help="help.enabled" />
      </Group>
    </CreateScreen>
  );
}
