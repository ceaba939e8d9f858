/** Filters of the order list for the daily work. */

/** Paid orders that have not been shipped, without those that wait for stock. */
export const TO_SHIP = { payment_status: 'P', shipping_status: ['N', 'P'] };

/** Paid orders that wait for stock. */
export const BACKORDERED = { payment_status: 'P', shipping_status: 'NBA' };
