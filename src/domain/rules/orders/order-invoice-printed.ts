/** An invoice as a page to print, in the languages that this program speaks; a reader of another gets the store's, else English. */
import type { Languages, Printed, ShownRecord, Value } from '../../../engine/vocabulary.ts';

import { decimalsOf } from './currencies.ts';
import { isFiner } from './money.ts';

type Words = Readonly<Record<(typeof WORDS)[number], string>>;

const WORDS = [
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

const SPOKEN: Readonly<Record<string, string>> = {
  en: 'Invoice|Credit note|Of invoice|Date|Seller|Bill to|Ship to|Item|SKU|Quantity|Price|Amount|Subtotal|included|Total',
  de: 'Rechnung|Gutschrift|Zu Rechnung|Datum|Verkäufer|Rechnungsadresse|Lieferadresse|Artikel|Artikelnr.|Menge|Preis|Betrag|Zwischensumme|enthalten|Summe',
  fr: 'Facture|Avoir|Sur facture|Date|Vendeur|Facturé à|Livré à|Article|Référence|Quantité|Prix|Montant|Sous-total|compris|Total',
  es: 'Factura|Nota de crédito|De la factura|Fecha|Vendedor|Facturar a|Enviar a|Artículo|Referencia|Cantidad|Precio|Importe|Subtotal|incluido|Total',
};

type Lines = readonly Readonly<Record<string, Value>>[];

export function printedInvoice(record: ShownRecord, { language, defaultLanguage }: Languages): Printed {
  const [spoken, words] = wordsIn(language) ?? wordsIn(defaultLanguage) ?? wordsIn('en')!;
  const isCredit = record.kind === 'credit_note';
  const currency = record.currency as string;
  const money = (value: Value): string => `${withDecimals(value as number, decimalsOf(currency))} ${currency}`;
  const totals: [string, Value][] = [[words.sub_total, record.sub_total!]];
  for (const { name, value, include } of record.surcharges as Lines)
    totals.push([include === true ? `${name} (${words.included})` : String(name), value!]);
  totals.push([words.total, record.total!]);
  return {
    language: spoken,
    title: `${isCredit ? words.credit_note : words.invoice} ${record.number}`,
    blocks: [
      { lines: [`${words.date}: ${(record.date as string).slice(0, 10)}`] },
      { heading: words.seller, lines: (record.seller as string).split('\n') },
      { heading: words.billing, lines: addressLines(record.billing_address!) },
      { heading: words.shipping, lines: addressLines(record.shipping_address!) },
      {
        columns: [
          { heading: words.item },
          { heading: words.sku },
          { heading: words.amount, isNumber: true },
          { heading: words.price, isNumber: true },
          { heading: words.subtotal, isNumber: true },
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

/** At least so many decimals; a price may have more. */
function withDecimals(amount: number, decimals: number): string {
  return isFiner(amount, decimals) ? String(amount) : amount.toFixed(decimals);
}

/** A regional language is spoken as its general one. */
function wordsIn(language: string): [string, Words] | undefined {
  const code = language in SPOKEN ? language : language.slice(0, 2);
  const texts = SPOKEN[code]?.split('|');
  return texts && [code, Object.fromEntries(WORDS.map((word, index) => [word, texts[index]!])) as Words];
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
