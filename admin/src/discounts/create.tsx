import { useTranslate } from 'react-admin';
import { CreatePage } from '../forms/create-page.tsx';
import { checkPeriod, createDiscount, INITIAL_VALUES } from './discount-form.ts';
import { DiscountFields } from './fields.tsx';
import { useKind } from './kinds.ts';

export default function DiscountCreate() {
  const kind = useKind();
  const translate = useTranslate();
  return (
    <CreatePage
      key={kind}
      resource={kind}
      title={`discounts.new.${kind}`}
      initialValues={INITIAL_VALUES[kind]}
      submitLabel={`discounts.create.${kind}`}
      maxWidth={760}
      check={(values) => checkPeriod(values, translate)}
      create={(values) => createDiscount(kind, values)}
    >
      <DiscountFields kind={kind} isNew />
    </CreatePage>
  );
}
