import { AutocompleteInput, ReferenceInput } from 'react-admin';

const byName = (text: string) => ({ name: text });

export function MembershipInput({ source, help = false }: { source: string; help?: string | false }) {
  return (
    <ReferenceInput source={source} reference="memberships" sort={{ field: 'name', order: 'ASC' }}>
      <AutocompleteInput label={`field.${source}`} filterToQuery={byName} optionText="name" helperText={help} />
    </ReferenceInput>
  );
}
