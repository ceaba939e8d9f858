/**
 * The printable page of an invoice, by language. A language without labels falls back to the store's default language, then
 * to English.
 */
import type { Languages, Printed, ShownRecord, Value } from '../../../engine/vocabulary.ts';

import { decimalsOf } from './currencies.ts';
import { isFiner } from './money.ts';

type Labels = Readonly<Record<(typeof LABELS)[number], string>>;

const LABELS = [
  'invoice',
  'credit_note',
  'of',
  'date',
  'seller',
  'billing',
  'shipping',
  'item',
  'sku',
  'amount',
  'price',
  'subtotal',
  'sub_total',
  'included',
  'total',
] as const;

/** The labels by language, in the order of `LABELS`. */
const LABELS_BY_LANGUAGE: Readonly<Record<string, string>> = {
  en: 'Invoice|Credit note|Of invoice|Date|Seller|Bill to|Ship to|Item|SKU|Quantity|Price|Amount|Subtotal|included|Total',
  de: 'Rechnung|Gutschrift|Zu Rechnung|Datum|Verkäufer|Rechnungsadresse|Lieferadresse|Artikel|Artikelnr.|Menge|Preis|Betrag|Zwischensumme|enthalten|Summe',
  fr: 'Facture|Avoir|Sur facture|Date|Vendeur|Facturé à|Livré à|Article|Référence|Quantité|Prix|Montant|Sous-total|compris|Total',
  es: 'Factura|Nota de crédito|De la factura|Fecha|Vendedor|Facturar a|Enviar a|Artículo|Referencia|Cantidad|Precio|Importe|Subtotal|incluido|Total',
};

type Lines = readonly Readonly<Record<string, Value>>[];

export function printedInvoice(record: ShownRecord, { language, defaultLanguage }: Languages): Printed {
  const [pageLanguage, labels] = labelsIn(language) ?? labelsIn(defaultLanguage) ?? labelsIn('en')!;
  const isCredit = record.kind === 'credit_note';
  const currency = record.currency as string;
  const money = (value: Value): string => `${withDecimals(value as number, decimalsOf(currency))} ${currency}`;
  const totals: [string, Value][] = [[labels.sub_total, record.sub_total!]];
  for (const { name, value, include } of record.surcharges as Lines)
    totals.push([include === true ? `${name} (${labels.included})` : String(name), value!]);
  totals.push([labels.total, record.total!]);
  return {
    language: pageLanguage,
    title: `${isCredit ? labels.credit_note : labels.invoice} ${record.number}`,
    blocks: [
      { lines: [`${labels.date}: ${(record.date as string).slice(0, 10)}`] },
      { heading: labels.seller, lines: (record.seller as string).split('\n') },
      { heading: labels.billing, lines: addressLines(record.billing_address!) },
      { heading: labels.shipping, lines: addressLines(record.shipping_address!) },
      {
        columns: [
          { heading: labels.item },
          { heading: labels.sku },
          { heading: labels.amount, isNumber: true },
          { heading: labels.price, isNumber: true },
          { heading: labels.subtotal, isNumber: true },
        ],
        rows: (record.lines as Lines).map(({ name, sku, options, amount, price, subtotal }) => [
          [String(name), ...(options as Lines).map((option) => `${option.name}: ${option.value}`)].join('\n'),
          String(sku),
          String(amount),
          money(price!),
          money(subtotal!),
        ]),
      },
      {
        columns: [{ heading: '' }, { heading: '', isNumber: true }],
        rows: totals.map(([name, value]) => [name, money(value)]),
      },
    ].filter(({ lines }) => !lines || lines.some((line) => line !== '')),
  };
}

/** Formats an amount with at least `decimals` decimals. A price can have more. */
function withDecimals(amount: number, decimals: number): string {
  return isFiner(amount, decimals) ? String(amount) : amount.toFixed(decimals);
}

/** Falls back from a regional language to its base language: `pt-BR` to `pt`. */
function labelsIn(language: string): [string, Labels] | undefined {
  const code = language in LABELS_BY_LANGUAGE ? language : language.slice(0, 2);
  const texts = LABELS_BY_LANGUAGE[code]?.split('|');
  return texts && [code, Object.fromEntries(LABELS.map((label, index) => [label, texts[index]!])) as Labels];
}

function addressLines(address: Value): string[] {
  if (address === null) return [];
  const { company, title, firstname, lastname, street, zipcode, city, state_name, country_code } = address as Readonly<
    Record<string, Value>
  >;
  const joined = (...parts: (Value | undefined)[]): string => parts.filter(Boolean).join(' ');
  return [
    joined(company),
    joined(title, firstname, lastname),
    joined(street),
    joined(zipcode, city),
    joined(state_name),
    joined(country_code),
  ].filter((line) => line !== '');
}
