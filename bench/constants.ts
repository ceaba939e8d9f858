/** Paths of generated files, and constants that the servers and the load share. */
import { fileURLToPath } from 'node:url';

/** Ignored by git; safe to delete. */
export const FOLDER = fileURLToPath(new URL('../data/bench/', import.meta.url));
export const STORE_FILE = `${FOLDER}store.db`;
export const IMAGES_FOLDER = `${FOLDER}images`;
/** The statements that the engine compiled, for the stub. */
export const STATEMENTS_FILE = `${FOLDER}statements.json`;
/** Response bodies by path, for the bare server. */
export const RESPONSES_FILE = `${FOLDER}responses.json`;

/** Response bodies contain it, so it is the same for every server, independent of the port. */
export const BASE_URL = 'http://store.example';
export const KEY = 'read-write-key-of-the-benchmark';
/** The publishable key of the shoppers' list. */
export const SHOP_KEY = 'publishable-key-of-the-benchmark';
/** The key of the clients that flood the server. */
export const FLOOD_KEY = 'flooding-key-of-the-benchmark';

export const PRODUCTS = 10_000;
