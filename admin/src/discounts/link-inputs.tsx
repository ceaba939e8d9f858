/** Restriction lists: records are chosen by name, the form has their ids. */
import type { CategoryOutput } from 'purveyor/client';
import {
  AutocompleteArrayInput,
  AutocompleteInput,
  ReferenceArrayInput,
  ReferenceInput,
  useTranslate,
} from 'react-admin';
import { pathText } from '../categories/category-input.tsx';

const byName = (text: string) => (text === '' ? {} : { name: text });
const SORT_BY_NAME = { field: 'name', order: 'ASC' } as const;
const ANY_LEVEL = { parent: 'all' };

interface Props {
  readonly source: 'memberships' | 'product_classes' | 'categories' | 'zones';
  /** Message key. */
  readonly help: string;
}

export function LinkListInput({ source, help }: Props) {
  const translate = useTranslate();
  const isCategory = source === 'categories';
  return (
    <ReferenceArrayInput
      source={source}
      reference={source}
      sort={SORT_BY_NAME}
      {...(isCategory ? { filter: ANY_LEVEL } : {})}
    >
      <AutocompleteArrayInput
        label={`discounts.field.${source}`}
        filterToQuery={byName}
        optionText={isCategory ? (category: CategoryOutput) => pathText(category) : 'name'}
        helperText={translate(help)}
        parse={(ids: readonly number[] | null) => ids ?? []}
      />
    </ReferenceArrayInput>
  );
}

export function OneMembershipInput() {
  return (
    <ReferenceInput source="membership" reference="memberships" sort={SORT_BY_NAME}>
      <AutocompleteInput
        label="discounts.field.membership"
        filterToQuery={byName}
        optionText="name"
        helperText="discounts.help.membership"
      />
    </ReferenceInput>
  );
}
