/** Texts of the first screen. */
import type { Rows } from './index.ts';

export const homeWords: Rows = {
  'home.today': ['Today', 'Heute', 'Aujourd’hui', 'Hoy'],
  'home.week': ['This week', 'Diese Woche', 'Cette semaine', 'Esta semana'],
  'home.orders': [
    '%{smart_count} order |||| %{smart_count} orders',
    '%{smart_count} Bestellung |||| %{smart_count} Bestellungen',
    '%{smart_count} commande |||| %{smart_count} commandes',
    '%{smart_count} pedido |||| %{smart_count} pedidos',
  ],
  'home.toShip': ['To ship', 'Zu versenden', 'À expédier', 'Por enviar'],
  'home.toShipHelp': ['paid, not shipped', 'bezahlt, nicht versandt', 'payées, non expédiées', 'pagados, sin enviar'],
  'home.lowStock': ['Low stock', 'Wenig Bestand', 'Stock bas', 'Pocas existencias'],
  'home.lowStockHelp': [
    'enabled products with %{limit} pieces or fewer',
    'aktive Produkte mit höchstens %{limit} Stück',
    'produits actifs avec %{limit} pièces ou moins',
    'productos activos con %{limit} piezas o menos',
  ],
  'home.enough': ['Nothing runs out.', 'Nichts geht aus.', 'Rien ne manque.', 'No falta nada.'],
  'home.webhooks': [
    'Webhooks in trouble',
    'Webhooks mit Problemen',
    'Webhooks en difficulté',
    'Webhooks con problemas',
  ],
  'home.revenue': [
    'Revenue of the last 30 days',
    'Umsatz der letzten 30 Tage',
    'Chiffre des 30 derniers jours',
    'Ventas de los últimos 30 días',
  ],
  'home.drawn': [
    'Orders in %{currency}. Cancelled, declined and refunded ones do not count.',
    'Bestellungen in %{currency}. Stornierte, abgelehnte und erstattete zählen nicht.',
    'Commandes en %{currency}. Les annulées, refusées ou remboursées ne comptent pas.',
    'Pedidos en %{currency}. Los cancelados, rechazados o reembolsados no cuentan.',
  ],
  'home.lastChanges': ['Last changes', 'Letzte Änderungen', 'Derniers changements', 'Últimos cambios'],
  'home.noChanges': [
    'There are no products or orders yet.',
    'Es gibt noch keine Produkte und keine Bestellungen.',
    'Il n’y a pas encore de produits ni de commandes.',
    'Aún no hay productos ni pedidos.',
  ],
  'home.lastOrders': ['Last orders', 'Letzte Bestellungen', 'Dernières commandes', 'Últimos pedidos'],
};
