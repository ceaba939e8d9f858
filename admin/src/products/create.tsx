/** A new product: the least that the store asks for; the rest is filled in on its own screen. */
import { Box, Card } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { Form, Title, useNotify, useRedirect, useTranslate } from 'react-admin';
import { BackBar } from '../parts/back-bar.tsx';
import { AmountInput, FlagInput, WordsInput } from '../parts/inputs.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { useFieldErrors, useSentence } from '../parts/sentence.ts';
import { store } from '../store/client.ts';
import { Group } from './basics-tab.tsx';

const FIRST = { name: '', sku: '', price: 0, amount: 0, enabled: false };

export default function ProductCreate() {
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const notify = useNotify();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();

  async function create(values: object): Promise<object | undefined> {
    setBusy(true);
    try {
      const { data } = await store.post('/products', values as never);
      notify('state.saved', { type: 'success' });
      redirect('edit', 'products', data.id);
      return undefined;
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) return fieldErrors(error);
      notify(sentence(error), { type: 'error' });
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Title title={translate('products.new')} />
      <BackBar resource="products" />
      <Card variant="outlined" sx={{ maxWidth: 760 }}>
        <Form record={FIRST} onSubmit={create} noValidate>
          <Box sx={{ p: { xs: 1.5, sm: 3 } }}>
            <Group title="products.group.product">
              <WordsInput source="name" required />
              <WordsInput source="sku" help="help.sku" required />
              <AmountInput source="price" help="help.price" />
              <AmountInput source="amount" decimals={0} help="help.amount" />
              <FlagInput source="enabled" help="help.enabled" />
            </Group>
          </Box>
          <SaveBar label="products.make" isBusy={isBusy} isNew />
        </Form>
      </Card>
    </>
  );
}
