import { SelectInput } from 'react-admin';
import { FieldGroup } from '../forms/field-group.tsx';
import { DateTimeField, DecimalInput, PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { LinkedNamesInput } from '../forms/linked-names-input.tsx';
import { useMaySee } from '../utils/use-may.tsx';
import { useStoreInfo } from '../utils/use-store-info.ts';

const DISCOUNT_TYPES = ['sale_price', 'sale_percent'].map((id) => ({ id, name: `products.discountType.${id}` }));

export function BasicsTab() {
  const maySeeCost = useMaySee('Product.cost_price');
  const { weight_unit, dimension_unit } = useStoreInfo() ?? {};
  return (
    <>
      <FieldGroup title="products.group.product">
        <PlainTextInput source="name" required />
        <PlainTextInput source="sku" help="help.sku" required />
        <PlainTextInput source="clean_url" help="help.clean_url" />
        <SwitchInput source="enabled" help="help.enabled" />
      </FieldGroup>
      <FieldGroup title="products.group.price">
        <DecimalInput source="price" help="help.price" />
        <DecimalInput source="market_price" help="help.market_price" />
        {maySeeCost && <DecimalInput source="cost_price" help="help.cost_price" />}
        <LinkedNamesInput source="tax_class" reference="tax_classes" />
        <SwitchInput source="taxable" />
      </FieldGroup>
      <FieldGroup title="products.group.sale">
        <SwitchInput source="participate_sale" />
        <SelectInput
          source="discount_type"
          label="field.discount_type"
          choices={DISCOUNT_TYPES}
          helperText={false}
          validate={[]}
        />
        <DecimalInput source="sale_price_value" help="help.sale_price_value" />
        <SwitchInput source="apply_sale_to_wholesale" />
      </FieldGroup>
      <FieldGroup title="products.group.shipping">
        <DecimalInput source="weight" help="help.weight" unit={weight_unit} />
        <SwitchInput source="free_shipping" />
        <DecimalInput source="width" help="help.dimensions" unit={dimension_unit} />
        <DecimalInput source="length" help="help.dimensions" unit={dimension_unit} />
        <DecimalInput source="height" help="help.dimensions" unit={dimension_unit} />
        <SwitchInput source="separate_box" help="help.separate_box" />
      </FieldGroup>
      <FieldGroup title="products.group.visibility">
        <LinkedNamesInput source="tags" reference="tags" isMultiple mayCreate help="help.tags" />
        <LinkedNamesInput source="memberships" reference="memberships" isMultiple help="help.memberships" />
        <LinkedNamesInput source="product_class" reference="product_classes" help="help.product_class" />
        <DateTimeField source="arrival_date" help="help.arrival_date" />
        <SwitchInput source="google_feed_enabled" />
        <SwitchInput source="facebook_marketing_enabled" />
      </FieldGroup>
    </>
  );
}
