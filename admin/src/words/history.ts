/** Texts of the history of a product. */
import type { Rows } from './index.ts';

export const historyWords: Rows = {
  'products.tab.history': ['History', 'Verlauf', 'Historique', 'Historial'],
  'history.made': [
    'Made %{made}, last changed %{changed}.',
    'Angelegt %{made}, zuletzt geändert %{changed}.',
    'Créé le %{made}, modifié le %{changed}.',
    'Creado el %{made}, cambiado el %{changed}.',
  ],
  'history.help': [
    'Changes by anybody since this page was opened, %{since}. The store tells changes forwards from then: a webhook, or a reader of the change feed, keeps older ones.',
    'Änderungen von allen, seit diese Seite geöffnet ist, %{since}. Der Shop erzählt Änderungen von da an vorwärts: ältere behält ein Webhook oder ein Leser des Änderungsstroms.',
    'Modifications de tous depuis l’ouverture de cette page, %{since}. La boutique raconte les changements à partir de là : un webhook, ou un lecteur du flux, garde les plus anciens.',
    'Cambios de cualquiera desde que se abrió esta página, %{since}. La tienda cuenta los cambios desde entonces: un webhook o un lector del flujo guarda los anteriores.',
  ],
  'history.none': [
    'Nothing was changed since then.',
    'Seitdem wurde nichts geändert.',
    'Rien n’a changé depuis.',
    'Nada ha cambiado desde entonces.',
  ],
  'history.when': ['When', 'Wann', 'Quand', 'Cuándo'],
  'history.what': ['What', 'Was', 'Quoi', 'Qué'],
  'history.change': ['Change', 'Änderung', 'Modification', 'Cambio'],
  'history.created': ['made', 'angelegt', 'créé', 'creado'],
  'history.updated': ['changed', 'geändert', 'modifié', 'cambiado'],
  'history.deleted': ['deleted', 'gelöscht', 'supprimé', 'eliminado'],
  'history.of.Product': ['Product', 'Produkt', 'Produit', 'Producto'],
  'history.of.Order': ['Order', 'Bestellung', 'Commande', 'Pedido'],
  'history.of.Variant': ['Variant', 'Variante', 'Variante', 'Variante'],
  'history.of.Attribute': ['Attribute', 'Attribut', 'Attribut', 'Atributo'],
  'history.of.AttributeOption': ['Option', 'Option', 'Option', 'Opción'],
  'history.of.AttributeValueCheckbox': ['Value', 'Wert', 'Valeur', 'Valor'],
  'history.of.AttributeValueHidden': ['Value', 'Wert', 'Valeur', 'Valor'],
  'history.of.AttributeValueSelect': ['Value', 'Wert', 'Valeur', 'Valor'],
  'history.of.AttributeValueText': ['Value', 'Wert', 'Valeur', 'Valor'],
};
