/** A filter by statuses. Orders name statuses by their codes. */
import { SelectArrayInput, useGetList } from 'react-admin';
import { useStatusName } from './statuses.ts';

interface Props {
  readonly source: 'payment_status' | 'shipping_status';
  /** Message key; the menu of filters shows it too. */
  readonly label: string;
}

export function StatusInput({ source, label }: Props) {
  const nameOf = useStatusName();
  const { data } = useGetList<{ id: number; code: string; name: string }>(`${source}es`, {
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'id', order: 'ASC' },
  });
  return (
    <SelectArrayInput
      source={source}
      label={label}
      choices={(data ?? []).map((status) => ({
        id: status.code,
        name: nameOf(source === 'payment_status' ? 'payment' : 'shipping', status),
      }))}
      translateChoice={false}
      // Presets filter by a single status, which the address contains as a text instead of a list.
      format={(filter: string | readonly string[] | undefined) => [filter ?? []].flat()}
      parse={(chosen: readonly string[]) => (chosen.length < 2 ? (chosen[0] ?? '') : chosen)}
    />
  );
}
