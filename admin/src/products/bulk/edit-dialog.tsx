/** Sets fields of the selected products: visibility, sale, tags and classes. */
import { Autocomplete, MenuItem, TextField } from '@mui/material';
import type { ProductOutput } from 'purveyor/client';
import { useState } from 'react';
import { useGetList, useTranslate } from 'react-admin';
import { fieldOf, type Values } from '../../api/record-diff.ts';
import { parseNumber } from '../../utils/format.ts';
import { planProducts } from './bulk-change.ts';
import { ChangeDialog } from './change-dialog.tsx';

const CHANGES = ['enable', 'disable', 'addTags', 'removeTags', 'startSale', 'endSale', 'class', 'taxClass'] as const;
type Change = (typeof CHANGES)[number];

interface Draft {
  readonly change: Change;
  readonly tags: readonly string[];
  /** The name of a product class or tax class; null for none. */
  readonly name: string | null;
  readonly discount: 'sale_percent' | 'sale_price';
  readonly value: string;
}

const NEW: Draft = { change: 'enable', tags: [], name: null, discount: 'sale_percent', value: '' };

const FIELDS: Readonly<Record<Change, readonly string[]>> = {
  enable: ['enabled'],
  disable: ['enabled'],
  addTags: ['tags'],
  removeTags: ['tags'],
  startSale: ['participate_sale', 'discount_type', 'sale_price_value'],
  endSale: ['participate_sale'],
  class: ['product_class'],
  taxClass: ['tax_class'],
};

export function EditDialog({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const [draft, setDraft] = useState(NEW);
  const translate = useTranslate();
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  return (
    <ChangeDialog
      title="bulk.edit"
      undoMessage="bulk.productsChanged"
      ids={ids}
      isReady={isComplete(draft)}
      inputs={JSON.stringify(draft)}
      plan={async () => [await planProducts(ids, FIELDS[draft.change], (product) => bodyOf(draft, product), inputOf)]}
      onClose={onClose}
    >
      <TextField
        select
        label={translate('bulk.what')}
        value={draft.change}
        onChange={({ target }) => setDraft({ ...NEW, change: target.value as Change })}
      >
        {CHANGES.map((name) => (
          <MenuItem key={name} value={name}>
            {translate(`bulk.what.${name}`)}
          </MenuItem>
        ))}
      </TextField>
      <Inputs draft={draft} onChange={change} />
    </ChangeDialog>
  );
}

function isComplete({ change, tags, value }: Draft): boolean {
  if (change === 'addTags' || change === 'removeTags') return tags.length > 0;
  return change !== 'startSale' || parseNumber(value) !== undefined;
}

/** Returns a link by name, as a request contains it. */
function inputOf(product: ProductOutput, field: string): unknown {
  const value = fieldOf(product, field);
  if (field === 'tags') return (value as ProductOutput['tags']).map(({ name }) => name);
  if (field === 'product_class' || field === 'tax_class') return (value as { name: string } | null)?.name ?? null;
  return value;
}

function bodyOf({ change, tags, name, discount, value }: Draft, product: ProductOutput): Values {
  switch (change) {
    case 'enable':
    case 'disable':
      return { enabled: change === 'enable' };
    case 'addTags':
      return { tags: [...new Set([...product.tags.map((tag) => tag.name), ...tags])] };
    case 'removeTags':
      return { tags: product.tags.map((tag) => tag.name).filter((one) => !tags.includes(one)) };
    case 'startSale':
      return { participate_sale: true, discount_type: discount, sale_price_value: parseNumber(value)! };
    case 'endSale':
      return { participate_sale: false };
    case 'class':
      return { product_class: name };
    case 'taxClass':
      return { tax_class: name };
  }
}

interface InputsProps {
  readonly draft: Draft;
  onChange(changed: Partial<Draft>): void;
}

function Inputs({ draft, onChange }: InputsProps) {
  const translate = useTranslate();
  switch (draft.change) {
    case 'addTags':
    case 'removeTags':
      return <TagsInput draft={draft} onChange={onChange} />;
    case 'class':
      return <NameInput resource="product_classes" label="field.product_class" draft={draft} onChange={onChange} />;
    case 'taxClass':
      return <NameInput resource="tax_classes" label="field.tax_class" draft={draft} onChange={onChange} />;
    case 'startSale':
      return (
        <>
          <TextField
            select
            label={translate('field.discount_type')}
            value={draft.discount}
            onChange={({ target }) => onChange({ discount: target.value as Draft['discount'] })}
          >
            {(['sale_percent', 'sale_price'] as const).map((type) => (
              <MenuItem key={type} value={type}>
                {translate(`products.discountType.${type}`)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            label={translate('field.sale_price_value')}
            value={draft.value}
            onChange={({ target }) => onChange({ value: target.value })}
            helperText={translate('help.sale_price_value')}
            slotProps={{ htmlInput: { inputMode: 'decimal' } }}
          />
        </>
      );
    default:
      return null;
  }
}

function TagsInput({ draft, onChange }: InputsProps) {
  const translate = useTranslate();
  const { data: known } = useGetList('tags', {
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'name', order: 'ASC' },
  });
  const mayCreate = draft.change === 'addTags';
  return (
    <Autocomplete<string, true, false, boolean>
      multiple
      freeSolo={mayCreate}
      autoSelect={mayCreate}
      options={(known ?? []).map(({ name }) => name as string)}
      value={[...draft.tags]}
      onChange={(_event, tags) => onChange({ tags })}
      renderInput={(input) => (
        <TextField
          {...input}
          label={translate('field.tags')}
          helperText={mayCreate ? translate('help.tags') : undefined}
        />
      )}
    />
  );
}

function NameInput({
  resource,
  label,
  draft,
  onChange,
}: InputsProps & { resource: 'product_classes' | 'tax_classes'; label: string }) {
  const translate = useTranslate();
  const { data } = useGetList(resource, {
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'name', order: 'ASC' },
  });
  return (
    <TextField
      select
      label={translate(label)}
      value={draft.name ?? ''}
      onChange={({ target }) => onChange({ name: target.value || null })}
      helperText={resource === 'product_classes' ? translate('help.product_class') : undefined}
    >
      <MenuItem value="">{translate('state.none')}</MenuItem>
      {(data ?? []).map(({ id, name }) => (
        <MenuItem key={id} value={name as string}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
