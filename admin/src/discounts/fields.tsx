/** The fields of each kind of discount, in the order in which a shop owner thinks: what, how much, for which products, who, when. */
import { Alert, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { FieldGroup } from '../forms/field-group.tsx';
import { DecimalInput, PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import type { TextField } from '../forms/translated-text.tsx';
import { Translations } from '../forms/translations.tsx';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { AmountInput } from './amount-input.tsx';
import { CodeInput } from './code-input.tsx';
import { TEXTS } from './discount-form.ts';
import type { Kind } from './kinds.ts';
import { LinkListInput, OneMembershipInput } from './link-inputs.tsx';
import { PeriodInput } from './period-input.tsx';
import { ProductsInput } from './products-input.tsx';

interface Props {
  /** A new record has no translations yet. */
  readonly isNew?: boolean;
}

const FIELDS = { sale_discounts: SaleFields, volume_discounts: VolumeFields, coupons: CouponFields };

export function DiscountFields({ kind, isNew = false }: Props & { readonly kind: Kind }) {
  const Fields = FIELDS[kind];
  return <Fields isNew={isNew} />;
}

const TRANSLATED: readonly TextField[] = TEXTS.map((name) => ({ name, required: name === 'name' }));

function SaleFields({ isNew }: Props) {
  const translate = useTranslate();
  return (
    <>
      <FieldGroup title="discounts.group.sale">
        <PlainTextInput source="name" help="discounts.help.name" required />
        <SwitchInput source="enabled" help="discounts.help.enabled" />
      </FieldGroup>
      <FieldGroup title="discounts.group.amount">
        <AmountInput types={['%']} />
        <SwitchInput source="apply_to_wholesale" help="discounts.help.apply_to_wholesale" />
        <Help text="discounts.saleHelp" />
      </FieldGroup>
      <WhatFields />
      <FieldGroup title="discounts.group.who">
        <LinkListInput source="memberships" help="discounts.help.memberships" />
      </FieldGroup>
      <WhenFields />
      <FieldGroup title="discounts.group.page">
        <SwitchInput source="show_in_separate_section" help="discounts.help.show_in_separate_section" />
        <PlainTextInput source="clean_url" help="help.clean_url" />
        <PlainTextInput source="meta_title" help="help.meta" />
        <PlainTextInput source="meta_tags" />
        <PlainTextInput source="meta_description" lines={2} />
      </FieldGroup>
      {isNew ? (
        <Typography variant="body2" color="textSecondary">
          {translate('discounts.translationsLater')}
        </Typography>
      ) : (
        <Translations fields={TRANSLATED} level={2} />
      )}
    </>
  );
}

function VolumeFields() {
  const translate = useTranslate();
  const currency = useStoreInfo()?.currency;
  return (
    <>
      <FieldGroup title="discounts.group.amount">
        <AmountInput types={['%', '$']} />
        <DecimalInput
          source="subtotal_range_begin"
          label={translate('discounts.field.subtotal_range_begin')}
          help="discounts.help.subtotal_range_begin"
          unit={currency}
        />
        <Help text="discounts.volumeHelp" />
      </FieldGroup>
      <FieldGroup title="discounts.group.who">
        <OneMembershipInput />
        <LinkListInput source="zones" help="discounts.help.zones" />
      </FieldGroup>
      <WhenFields />
    </>
  );
}

function CouponFields() {
  const translate = useTranslate();
  const currency = useStoreInfo()?.currency;
  return (
    <>
      <FieldGroup title="discounts.group.coupon">
        <CodeInput />
        <SwitchInput source="enabled" help="discounts.help.enabled" />
        <PlainTextInput source="comment" label={translate('discounts.field.comment')} help="discounts.help.comment" />
      </FieldGroup>
      <FieldGroup title="discounts.group.amount">
        <AmountInput types={['%', '$', 'S']} />
      </FieldGroup>
      <WhatFields>
        {(['total_range_begin', 'total_range_end'] as const).map((source) => (
          <DecimalInput
            key={source}
            source={source}
            label={translate(`discounts.field.${source}`)}
            help={`discounts.help.${source}`}
            unit={currency}
          />
        ))}
      </WhatFields>
      <FieldGroup title="discounts.group.who">
        <LinkListInput source="memberships" help="discounts.help.memberships" />
        <LinkListInput source="zones" help="discounts.help.zones" />
      </FieldGroup>
      <WhenFields />
      <FieldGroup title="discounts.group.limits">
        {(['uses_limit', 'uses_limit_per_user'] as const).map((source) => (
          <DecimalInput
            key={source}
            source={source}
            label={translate(`discounts.field.${source}`)}
            help="discounts.help.uses_limit"
            decimals={0}
          />
        ))}
        <SwitchInput source="single_use" help="discounts.help.single_use" />
      </FieldGroup>
    </>
  );
}

/** The restrictions to products, and further fields. */
function WhatFields({ children }: { children?: ReactNode }) {
  return (
    <FieldGroup title="discounts.group.what">
      <ProductsInput />
      <LinkListInput source="categories" help="discounts.help.categories" />
      <LinkListInput source="product_classes" help="discounts.help.product_classes" />
      <Help text="discounts.whatHelp" />
      {children}
    </FieldGroup>
  );
}

function WhenFields() {
  return (
    <FieldGroup title="discounts.group.when">
      <PeriodInput />
    </FieldGroup>
  );
}

function Help({ text }: { text: string }) {
  const translate = useTranslate();
  return (
    <Alert severity="info" icon={false} sx={{ gridColumn: '1 / -1', py: 0 }}>
      {translate(text)}
    </Alert>
  );
}
