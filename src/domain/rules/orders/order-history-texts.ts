/**
 * Messages of the order history, by language. A language without messages falls back to the store's default language, then
 * to English. `{name}` is a placeholder.
 */
import type { Languages, Value } from '../../../engine/vocabulary.ts';

export type EventCode =
  | 'PLACE ORDER'
  | 'CHANGE PAYMENT STATUS ORDER'
  | 'CHANGE SHIPPING STATUS ORDER'
  | 'CHANGE NOTES ORDER'
  | 'CHANGE CUSTOMER NOTES ORDER'
  | 'CHANGE PRODUCT AMOUNT'
  | 'TRANSACTION'
  | 'ORDER TRACKING'
  | 'SHIPMENT'
  | 'RETURN'
  | 'INVOICE'
  | 'ORDER EDITED';

type Messages = Readonly<Record<EventCode, string>>;

const MESSAGES: Readonly<Record<string, Messages>> = {
  en: {
    'PLACE ORDER': 'The order {orderNumber} was placed.',
    'CHANGE PAYMENT STATUS ORDER': 'The payment status was changed from “{before}” to “{after}”.',
    'CHANGE SHIPPING STATUS ORDER': 'The shipping status was changed from “{before}” to “{after}”.',
    'CHANGE NOTES ORDER': 'The store’s notes were changed.',
    'CHANGE CUSTOMER NOTES ORDER': 'The customer’s notes were changed.',
    'CHANGE PRODUCT AMOUNT': 'The stock was changed: {changes}.',
    TRANSACTION: 'Transaction: {type} of {value} {currency}, status {status}.',
    'ORDER TRACKING': 'The tracking numbers were changed: {value}.',
    SHIPMENT: 'Shipment {shipment} was changed.',
    RETURN: 'Return {return}: {status}.',
    INVOICE: 'Document {number} was issued.',
    'ORDER EDITED': 'The order was edited: {fields}.',
  },
  de: {
    'PLACE ORDER': 'Die Bestellung {orderNumber} ist eingegangen.',
    'CHANGE PAYMENT STATUS ORDER': 'Der Zahlungsstatus wurde von „{before}“ auf „{after}“ geändert.',
    'CHANGE SHIPPING STATUS ORDER': 'Der Versandstatus wurde von „{before}“ auf „{after}“ geändert.',
    'CHANGE NOTES ORDER': 'Die Notizen des Shops wurden geändert.',
    'CHANGE CUSTOMER NOTES ORDER': 'Die Notizen des Kunden wurden geändert.',
    'CHANGE PRODUCT AMOUNT': 'Der Bestand wurde geändert: {changes}.',
    TRANSACTION: 'Transaktion: {type} über {value} {currency}, Status {status}.',
    'ORDER TRACKING': 'Die Sendungsnummern wurden geändert: {value}.',
    SHIPMENT: 'Die Sendung {shipment} wurde geändert.',
    RETURN: 'Rücksendung {return}: {status}.',
    INVOICE: 'Der Beleg {number} wurde ausgestellt.',
    'ORDER EDITED': 'Die Bestellung wurde bearbeitet: {fields}.',
  },
  fr: {
    'PLACE ORDER': 'La commande {orderNumber} a été passée.',
    'CHANGE PAYMENT STATUS ORDER': 'L’état du paiement est passé de « {before} » à « {after} ».',
    'CHANGE SHIPPING STATUS ORDER': 'L’état de la livraison est passé de « {before} » à « {after} ».',
    'CHANGE NOTES ORDER': 'Les notes de la boutique ont été modifiées.',
    'CHANGE CUSTOMER NOTES ORDER': 'Les notes du client ont été modifiées.',
    'CHANGE PRODUCT AMOUNT': 'Le stock a été modifié : {changes}.',
    TRANSACTION: 'Transaction : {type} de {value} {currency}, état {status}.',
    'ORDER TRACKING': 'Les numéros de suivi ont été modifiés : {value}.',
    SHIPMENT: 'L’envoi {shipment} a été modifié.',
    RETURN: 'Retour {return} : {status}.',
    INVOICE: 'La pièce {number} a été établie.',
    'ORDER EDITED': 'La commande a été modifiée : {fields}.',
  },
  es: {
    'PLACE ORDER': 'Se realizó el pedido {orderNumber}.',
    'CHANGE PAYMENT STATUS ORDER': 'El estado del pago cambió de «{before}» a «{after}».',
    'CHANGE SHIPPING STATUS ORDER': 'El estado del envío cambió de «{before}» a «{after}».',
    'CHANGE NOTES ORDER': 'Se modificaron las notas de la tienda.',
    'CHANGE CUSTOMER NOTES ORDER': 'Se modificaron las notas del cliente.',
    'CHANGE PRODUCT AMOUNT': 'Se modificaron las existencias: {changes}.',
    TRANSACTION: 'Transacción: {type} de {value} {currency}, estado {status}.',
    'ORDER TRACKING': 'Se modificaron los números de seguimiento: {value}.',
    SHIPMENT: 'Se modificó el envío {shipment}.',
    RETURN: 'Devolución {return}: {status}.',
    INVOICE: 'Se emitió el documento {number}.',
    'ORDER EDITED': 'Se modificó el pedido: {fields}.',
  },
};

/** Formats the message of an event. @param facts - values of the placeholders */
export function historyMessage(
  code: EventCode,
  facts: Readonly<Record<string, Value>>,
  { language, defaultLanguage }: Languages,
): string {
  const messages = messagesIn(language) ?? messagesIn(defaultLanguage) ?? MESSAGES.en!;
  return messages[code].replace(/\{(\w+)\}/g, (_match, name: string) => formatted(facts[name]));
}

/** Falls back from a regional language to its base language: `pt-BR` to `pt`. */
function messagesIn(language: string): Messages | undefined {
  return MESSAGES[language] ?? MESSAGES[language.slice(0, 2)];
}

function formatted(fact: Value | undefined): string {
  return Array.isArray(fact) ? fact.join(', ') : String(fact ?? '');
}
