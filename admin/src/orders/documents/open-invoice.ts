/** Which invoices of an order still apply. */
import type { OrderInvoiceOutput } from 'purveyor/client';
import { total } from '../actions/quantities.ts';

type Document = Pick<OrderInvoiceOutput, 'id' | 'kind' | 'of' | 'total'>;

/** Whether credit notes have taken back all of an invoice. */
export function isCredited(invoice: Document, documents: readonly Document[]): boolean {
  const notes = documents.filter(({ of }) => of === invoice.id);
  return notes.length > 0 && total(notes.map((note) => note.total)) >= invoice.total;
}

/** Returns the latest invoice that is not credited in full. */
export function openInvoice<D extends Document>(documents: readonly D[]): D | undefined {
  return documents.filter(({ kind }) => kind === 'invoice').findLast((invoice) => !isCredited(invoice, documents));
}
