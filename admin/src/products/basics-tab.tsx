/** The fields that most products differ in. */
import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { SelectInput, useTranslate } from 'react-admin';
import { AmountInput, FlagInput, MomentInput, WordsInput } from '../parts/inputs.tsx';
import { NamesInput } from '../parts/names-input.tsx';

const KINDS = ['sale_price', 'sale_percent'].map((id) => ({ id, name: `products.discountType.${id}` }));

export function BasicsTab() {
  return (
    <>
      <Group title="products.group.product">
        <WordsInput source="name" required />
        <WordsInput source="sku" help="help.sku" required />
        <WordsInput source="clean_url" help="help.clean_url" />
        <FlagInput source="enabled" help="help.enabled" />
      </Group>
      <Group title="products.group.price">
        <AmountInput source="price" help="help.price" />
        <AmountInput source="market_price" help="help.market_price" />
        <AmountInput source="cost_price" help="help.cost_price" />
        <NamesInput source="tax_class" reference="tax_classes" />
        <FlagInput source="taxable" />
      </Group>
      <Group title="products.group.sale">
        <FlagInput source="participate_sale" />
        <SelectInput
          source="discount_type"
          label="field.discount_type"
          choices={KINDS}
          helperText={false}
          validate={[]}
        />
        <AmountInput source="sale_price_value" help="help.sale_price_value" />
        <FlagInput source="apply_sale_to_wholesale" />
      </Group>
      <Group title="products.group.shipping">
        <AmountInput source="weight" help="help.weight" />
        <FlagInput source="free_shipping" />
      </Group>
      <Group title="products.group.visibility">
        <NamesInput source="tags" reference="tags" isSeveral mayMake help="help.tags" />
        <NamesInput source="memberships" reference="memberships" isSeveral help="help.memberships" />
        <NamesInput source="product_class" reference="product_classes" help="help.product_class" />
        <MomentInput source="arrival_date" help="help.arrival_date" />
        <FlagInput source="google_feed_enabled" />
        <FlagInput source="facebook_marketing_enabled" />
      </Group>
    </>
  );
}

export function Group({ title, children }: { title: string; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, mb: 3, minWidth: 0 }}>
      <Typography component="legend" variant="h6" sx={{ mb: 0.5, p: 0 }}>
        {translate(title)}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 1.5,
          columnGap: 3,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))',
          alignItems: 'start',
        }}
      >
        {children}
      </Box>
    </Box>
  );
}
