/** Where the benchmark keeps what it makes, and the facts that its servers and its load share. */
import { fileURLToPath } from 'node:url';

/** Ignored by git; safe to delete. */
export const FOLDER = fileURLToPath(new URL('../data/bench/', import.meta.url));
export const STORE_FILE = `${FOLDER}store.db`;
export const IMAGES_FOLDER = `${FOLDER}images`;
/** The statements that the stub runs, as the engine compiled them. */
export const STATEMENTS_FILE = `${FOLDER}statements.json`;
/** The answers that the bare server sends, by method and address. */
export const ANSWERS_FILE = `${FOLDER}answers.json`;

/** Answers contain it, so it is the same for every server, whatever port it listens on. */
export const BASE_URL = 'http://store.example';
export const KEY = 'read-write-key-of-the-benchmark';
/** Of those who ask for too much beside it. */
export const FLOOD_KEY = 'flooding-key-of-the-benchmark';

export const PRODUCTS = 10_000;
