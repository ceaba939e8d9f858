/**
 * Creates the stores of the peers: the benchmark's products in four tables of one SQLite file, with images and tags as rows.
 * Platformatic DB serves the tables as they are; Directus adds its own tables, which describe the relations.
 */
import { DatabaseSync } from 'node:sqlite';
import { createRandom, newProductBody, productBody, TAGS } from '../catalog.ts';
import { PRODUCTS } from '../constants.ts';

const IMAGES_PER_PRODUCT = 2;
const DISTINCT_IMAGES = 40;

/** Product columns with their types; booleans are 0 or 1. */
const COLUMNS: Readonly<Record<string, string>> = {
  sku: 'VARCHAR(32) NOT NULL UNIQUE',
  name: 'VARCHAR(255) NOT NULL',
  description: 'TEXT NOT NULL',
  brief_description: 'TEXT NOT NULL',
  meta_title: 'VARCHAR(255) NOT NULL',
  meta_description: 'TEXT NOT NULL',
  og_meta_tags: 'TEXT NOT NULL',
  price: 'REAL NOT NULL',
  market_price: 'REAL NOT NULL',
  cost_price: 'REAL NOT NULL',
  weight: 'REAL NOT NULL',
  amount: 'INTEGER NOT NULL',
  enabled: 'INTEGER NOT NULL',
  free_shipping: 'INTEGER NOT NULL',
};
const NAMES = Object.keys(COLUMNS);

const TABLES = `
  CREATE TABLE products (id INTEGER PRIMARY KEY, ${NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', ')});
  CREATE INDEX products_price ON products (price);
  CREATE TABLE pictures (
    id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products (id), alt VARCHAR(255) NOT NULL,
    position INTEGER NOT NULL, path VARCHAR(255) NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL
  );
  CREATE INDEX pictures_product ON pictures (product_id);
  CREATE TABLE tags (id INTEGER PRIMARY KEY, name VARCHAR(255) NOT NULL);
  CREATE TABLE products_tags (
    id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES products (id), tag_id INTEGER NOT NULL REFERENCES tags (id)
  );
  CREATE INDEX products_tags_product ON products_tags (product_id);
  CREATE INDEX products_tags_tag ON products_tags (tag_id);`;

/** Adds the tables with all products to a file, in WAL mode like Purveyor's. */
export function addProducts(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(`BEGIN; ${TABLES}`);
  TAGS.forEach((name, index) => {
    database.prepare('INSERT INTO tags VALUES (?, ?)').run(index + 1, name);
  });
  const placeholders = NAMES.map(() => '?').join(', ');
  const product = database.prepare(`INSERT INTO products VALUES (?, ${placeholders})`);
  const image = database.prepare('INSERT INTO pictures VALUES (NULL, ?, ?, ?, ?, ?, ?)');
  const tag = database.prepare('INSERT INTO products_tags VALUES (NULL, ?, ?)');
  const random = createRandom(0);
  for (let id = 1; id <= PRODUCTS; id += 1) {
    const body = productBody(id);
    product.run(id, ...NAMES.map((name) => plain(body[name])));
    for (const name of body.tags as string[]) tag.run(id, TAGS.indexOf(name) + 1);
    for (let position = 0; position < IMAGES_PER_PRODUCT; position += 1) {
      const view = Math.floor(random() * DISTINCT_IMAGES);
      image.run(id, `View ${position + 1}`, position, `products/view-${view}.png`, 4 + view, 44 - view);
    }
  }
  database.exec('COMMIT');
  database.close();
}

/** Describes the tables and their relations in the tables of Directus. */
export function describeToDirectus(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    INSERT INTO directus_collections (collection) VALUES ('products'), ('pictures'), ('tags'), ('products_tags');
    INSERT INTO directus_fields (collection, field, special) VALUES
      ('products', 'enabled', 'cast-boolean'), ('products', 'free_shipping', 'cast-boolean'),
      ('products', 'pictures', 'o2m'), ('products', 'tags', 'm2m');
    INSERT INTO directus_relations (many_collection, many_field, one_collection, one_field, junction_field) VALUES
      ('pictures', 'product_id', 'products', 'pictures', NULL),
      ('products_tags', 'product_id', 'products', 'tags', 'tag_id'),
      ('products_tags', 'tag_id', 'tags', NULL, 'product_id');`);
  database.close();
}

/** Returns the row of a new product. */
export function newRow(sku: string): Record<string, string | number> {
  const body = newProductBody(sku);
  return Object.fromEntries(NAMES.map((name) => [name, plain(body[name])]));
}

function plain(value: unknown): string | number {
  return typeof value === 'boolean' ? Number(value) : (value as string | number);
}
