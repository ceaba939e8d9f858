/** The names of statuses in the page's language. */
import { useTranslate } from 'react-admin';

export type StatusKind = 'payment' | 'shipping';

interface Status {
  readonly code: string;
  readonly name: string;
}

/** The names of the built-in statuses (orders.md §2). A store that has renamed one sees its own name. */
const BUILT_IN: Readonly<Record<StatusKind, Readonly<Record<string, string>>>> = {
  payment: {
    Q: 'Awaiting payment',
    A: 'Authorized',
    PP: 'Partially Paid',
    P: 'Paid',
    D: 'Declined',
    C: 'Cancelled',
    R: 'Refunded',
  },
  shipping: {
    N: 'New',
    P: 'Processing',
    S: 'Shipped',
    D: 'Delivered',
    WND: 'Will Not Deliver',
    R: 'Returned',
    WFA: 'Waiting for approval',
    NBA: 'New, backordered',
  },
};

/** Returns a function that names a status. */
export function useStatusName(): (kind: StatusKind, status: Status | null | undefined) => string {
  const translate = useTranslate();
  return (kind, status) => {
    if (!status) return '';
    const { code, name } = status;
    return BUILT_IN[kind][code] === name ? translate(`status.${kind}.${code}`) : name;
  };
}
