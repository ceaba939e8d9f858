/** Parsing of Shopify exports: real files and edge cases. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { cleanUrlText } from '../../src/domain/rules/catalog/clean-url-text.ts';
import type { ImportRows, ProductRow } from '../../src/transfer/import/import-row.ts';
import { sha256 } from '../../src/transfer/import/sha256.ts';
import { readShopifyExport, type ShopifyOptions } from '../../src/transfer/import/shopify/csv.ts';
import { type WeightUnit, weightFromGrams } from '../../src/transfer/import/weight.ts';

describe('real exports', () => {
  test('apparel: every row is a product, with an image if the handle has one', () => {
    const { productRows, skipped, failures } = readReal('shopify-apparel.csv');
    assert.equal(productRows.length, 22);
    assert.deepEqual([skipped, failures], [[], []]);
    assert.deepEqual(productRows[0], {
      row: 2,
      handle: 'ocean-blue-shirt',
      sku: 'ocean-blue-shirt',
      input: {
        sku: 'ocean-blue-shirt',
        name: 'Ocean Blue Shirt',
        description:
          'Ocean blue cotton shirt with a narrow collar and buttons down the front and long sleeves. Comfortable fit and tiled kalidoscope patterns. ',
        meta_title: '',
        meta_description: '',
        price: 50,
        market_price: 0,
        weight: 0,
        amount: 1,
        inventory_traceable: false,
        available_for_backorder: false,
        taxable: true,
        enabled: true,
        tags: ['men'],
        product_class: null,
      },
      inputOnCreate: {},
      images: [
        {
          externalUrl: 'https://burst.shopifycdn.com/photos/young-man-in-bright-fashion_925x.jpg',
          alt: '',
          position: 1,
        },
      ],
      categoryPaths: [],
      options: [],
    });
    const varsity = productRows.filter((draft) => draft.handle === 'classic-varsity-top');
    assert.deepEqual(
      varsity.map((draft) => draft.options),
      ['Small', 'Medium', 'Large'].map((value) => [{ name: 'Size', value }]),
    );
    assert.deepEqual(
      varsity.map(({ row, sku, input, images }) => [row, sku, input.name, images.length]),
      [
        [3, 'classic-varsity-top-small', 'Classic Varsity Top – Small', 1],
        [4, 'classic-varsity-top-medium', 'Classic Varsity Top – Medium', 1],
        [5, 'classic-varsity-top-large', 'Classic Varsity Top – Large', 1],
      ],
    );
  });

  test('home and garden: compare-at prices, classes, several tags, several images', () => {
    const { productRows, skipped, failures } = readReal('shopify-home-and-garden.csv');
    assert.equal(productRows.length, 21);
    assert.deepEqual([skipped, failures], [[], []]);
    const [regular, large, light] = productRows;
    assert.deepEqual([regular?.sku, large?.sku], ['clay-plant-pot-regular', 'clay-plant-pot-large']);
    assert.deepEqual([regular?.input.price, large?.input.price, large?.input.amount], [9.99, 15.99, 3]);
    for (const variant of [regular, large]) {
      assert.deepEqual(variant?.input.tags, ['Pot', 'Plants']);
      assert.equal(variant?.input.product_class, 'Outdoor');
      assert.deepEqual(variant?.categoryPaths, [['Outdoor']]);
      assert.deepEqual(
        variant?.images.map((image) => [image.externalUrl.split('/').at(-1), image.position]),
        [
          ['single-sprout-in-a-pot_925x.jpg', 1],
          ['pot-with-a-single-sprout_925x.jpg', 2],
        ],
      );
    }
    assert.deepEqual([light?.input.price, light?.input.market_price], [59.99, 75]);
    assert.deepEqual(
      productRows.filter((draft) => draft.input.inventory_traceable).map((draft) => draft.sku),
      ['biodegradable-cardboard-pots'],
    );
    assert.ok(
      productRows.every((draft) => [...draft.sku].length <= 32 && !('cost_price' in draft.input)),
      'an empty cost leaves the field alone',
    );
  });
});

describe('rejected files', () => {
  const cases: [name: string, file: string | Buffer, reason: RegExp][] = [
    ['empty', '', /^The file is empty\.$/],
    ['nothing but a byte order mark', '\ufeff', /no column "Handle"/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]), /Line 1 is neither UTF-8/],
    ['zeros', Buffer.alloc(2000), /no column "Handle"/],
    [
      'UTF-16 with half of a character',
      Buffer.from('\ufeffHandle,Title,Variant Price\na,\ud83d,1', 'utf16le'),
      /begins as UTF-16 but is not.*CSV UTF-8/,
    ],
    [
      'no UTF-8 in line 3 that UTF-8 was promised for',
      Buffer.concat([Buffer.from('\ufeffHandle,Title,Variant Price\na,A,1\n'), Buffer.from('b,Gr\xfcn,1\n', 'latin1')]),
      /marked as UTF-8, but line 3 is not.*CSV UTF-8/,
    ],
    [
      'UTF-8 in line 2 and Windows-1252 in line 3',
      Buffer.concat([Buffer.from('Handle,Title,Variant Price\na,Grün,1\n'), Buffer.from('b,Gr\xfcn,1\n', 'latin1')]),
      /line 3 is not UTF-8 text, but line 2 is.*CSV UTF-8/,
    ],
    [
      'a byte that Windows-1252 has no letter for',
      Buffer.from('Handle,Title,Variant Price\na,A\x8d,1\n', 'latin1'),
      /Line 2 is neither UTF-8 nor Windows-1252.*CSV UTF-8/,
    ],
    ['no Handle', 'Title,Variant Price\na,1\n', /no column "Handle"/],
    ['no Title', 'Handle,Variant Price\na,1\n', /no column "Title"/],
    ['no Variant Price', 'Handle,Title\na,A\n', /no column "Variant Price"/],
    ['bars', 'Handle|Title|Variant Price\na|A|1\n', /no column "Handle".*separated by commas, semicolons or tabs/],
    ['a column twice', 'Handle,Title,Variant Price,Title\na,A,1,B\n', /the column "Title" twice/],
    ['a quotation never closed', 'Handle,Title,Variant Price\na,A,1\nb,"B,1\nc,C,1\n', /line 3 opens a quotation mark/],
    ['a bare quotation mark', 'Handle,Title,Variant Price\na,A,1\n\nb,5" pot,1\n', /line 4 has a quotation mark/],
    [
      'text after a quotation',
      'Handle,Title,Variant Price\na,"A\nA",1\nb,"B"b,1\nc,C,1\n',
      /line 4 has a quotation mark/,
    ],
  ];
  for (const [name, file, reason] of cases) {
    test(name, () => {
      const result = readShopifyExport(Buffer.from(file as string), { weightUnit: 'kg', sha256 });
      assert.equal(result.readable, false);
      assert.match(result.readable ? '' : result.reason, reason);
    });
  }
});

describe('files of spreadsheets', () => {
  const TEXT = 'Handle,Title,Variant Price\r\na,"Grün, €",1\r\nb,B,2\r\n';
  const SEMICOLONS = TEXT.replace('Handle,Title,', 'Handle;Title;').replaceAll(/(?<=\n[ab]|B|"),/g, ';');
  const WIDE = /^The file was read as UTF-16\.$/;
  const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
  const forms: [name: string, file: Buffer, notes: RegExp[]][] = [
    ['UTF-8', Buffer.from(TEXT), []],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`), []],
    ['UTF-16, little end first', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), [WIDE]],
    ['UTF-16, big end first', big(`\ufeff${TEXT}`), [WIDE]],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le'), [WIDE]],
    ['UTF-16, big end first, without a mark', big(TEXT), [WIDE]],
    [
      'Windows-1252',
      Buffer.from(TEXT.replace('€', '\x80'), 'latin1'),
      [
        /^The file is not UTF-8 and was read as Windows-1252: line 2 contains "Grün"\. If that is wrong, save the file as "CSV UTF-8"/,
      ],
    ],
    ['semicolons', Buffer.from(SEMICOLONS), [/^The cells of the file are separated by semicolons\. .*9,99/]],
    ['semicolons, said so', Buffer.from(`sep=;\r\n${SEMICOLONS}`), [/semicolons/]],
    [
      'tabs in UTF-16',
      Buffer.from(`\ufeff${SEMICOLONS.replaceAll(';', '\t')}`, 'utf16le'),
      [WIDE, /separated by tabs/],
    ],
  ];
  for (const [name, file, notes] of forms)
    test(`${name}: every cell is read, and the report states the format`, () => {
      const { productRows, skipped, ...rest } = read(file);
      const rowsOfTest = productRows.map(({ input }) => [input.sku, input.name, input.price]);
      assert.deepEqual(
        [rowsOfTest, skipped],
        [
          [
            ['a', 'Grün, €', 1],
            ['b', 'B', 2],
          ],
          [],
        ],
      );
      assert.equal(rest.notes.length, notes.length);
      for (const [index, note] of notes.entries()) assert.match(rest.notes[index]!, note);
    });

  test('decimal commas are accepted if unambiguous; otherwise the row is skipped with both readings', () => {
    const price = (cell: string) => read(`Handle;Title;Variant Price\na;A;"${cell}"`);
    for (const [cell, value] of [
      ['9,99', 9.99],
      ['0,5', 0.5],
      ['9.99', 9.99],
      ['1234', 1234],
      ['1.234,56', 1234.56],
      ['1.234.567,8', 1234567.8],
      ['1 234,50', 1234.5],
      ['1\u202f234,50', 1234.5],
      ['1’234,50', 1234.5],
      ['0,125', 0.125],
      ['1,2345', 1.2345],
    ] as const)
      assert.equal(price(cell).productRows[0]?.input.price, value, cell);
    for (const cell of ['1,234', '1.234', '12,500', '1,234.56', '1.23,4', '9,99 €', ',99', '9,', '1,2,3', '01.234,5']) {
      const { productRows, skipped } = price(cell);
      assert.deepEqual([productRows, skipped.length], [[], 1], cell);
      assert.ok(skipped[0]!.reason.includes(`"${cell}" in row 2`), skipped[0]!.reason);
    }
    assert.match(price('1,234').skipped[0]!.reason, /is ambiguous \(1234 or 1\.234\)\. Write 1234 or 1\.2340\.$/);
  });
});

describe('ignored columns', () => {
  test('are reported once each', () => {
    const { notes } = read(
      'Vendor,Handle,Title,,Variant Price,Vendor,Width (product.metafields.my.width)\nv,a,A,,1,v,2',
    );
    assert.deepEqual(notes, ['These columns were not imported: Vendor, Width (product.metafields.my.width).']);
    assert.deepEqual(read('Handle,Title,Variant Price\na,A,1').notes, []);
  });

  test('include the default category columns if another column names the categories', () => {
    const result = readBytes('Handle,Title,Type,Variant Price,Product Category,Vendor,Gift Card\na,A,T,1,C,v,false', {
      categoriesFrom: 'Vendor',
    });
    assert.ok(result.readable);
    assert.match(result.notes[0]!, /not imported: Product Category, Gift Card\.$/);
  });
});

/** The reason for a row whose number of cells differs from the header of three. */
function uneven(row: number, cells: number): string {
  return `Row ${row} has ${cells} cells, but the header has 3. Check the separators and quotation marks of the row.`;
}

describe('rows', () => {
  test('a byte order mark, CRLF, quoted line breaks and blank lines do not change cells and line numbers', () => {
    const lines = [
      '\ufeffHandle,Title,"Body (HTML)",Variant Price',
      'a,A,"<p>one\r\n""two"" ünï, 🙂</p>",1',
      '',
      ',,,',
      'b,B,<p>x</p>,nonsense',
      'c,C,,2',
    ];
    const { productRows, skipped } = read(lines.join('\r\n'));
    assert.deepEqual(
      productRows.map(({ row, sku, input }) => [row, sku, input.description]),
      [
        [2, 'a', '<p>one\r\n"two" ünï, 🙂</p>'],
        [7, 'c', ''],
      ],
    );
    assert.deepEqual(
      skipped.map((row) => row.row),
      [6],
    );
  });

  test('line ends may be mixed, and columns in any order with unknown ones between', () => {
    const { productRows } = read('Variant Price,Strange,Title,Handle\r\n1,x,A,a\n2,,B,b\r3,,C,c');
    assert.deepEqual(
      productRows.map(({ row, sku, input }) => [row, sku, input]),
      [
        [2, 'a', { sku: 'a', name: 'A', price: 1 }],
        [3, 'b', { sku: 'b', name: 'B', price: 2 }],
        [4, 'c', { sku: 'c', name: 'C', price: 3 }],
      ],
      'fields without a column are left out',
    );
  });

  test('a row with too few or too many cells is skipped, but not its neighbors', () => {
    const { productRows, skipped } = read('Handle,Title,Variant Price\na,A\nb,B,1,\nc,C,1\n');
    assert.deepEqual(
      productRows.map((draft) => draft.sku),
      ['c'],
    );
    assert.deepEqual(skipped, [
      { row: 2, handle: 'a', sku: '', outcome: 'skipped', reason: uneven(2, 2) },
      { row: 3, handle: 'b', sku: '', outcome: 'skipped', reason: uneven(3, 4) },
    ]);
  });

  test('rows of a handle need not be adjacent; rows without a title or handle are skipped', () => {
    const { productRows, skipped } = read(
      csv(
        { Handle: 'a', Title: 'A', 'Option1 Value': 'S', 'Variant Price': '1' },
        { Handle: 'orphan', 'Option1 Value': 'S', 'Variant Price': '1' },
        { Handle: 'a', 'Option1 Value': 'M', 'Variant Price': '1' },
        { Title: 'Nobody', 'Variant Price': '1' },
      ),
    );
    assert.deepEqual(
      productRows.map((draft) => draft.sku),
      ['a-s', 'a-m'],
    );
    assert.deepEqual(
      skipped.map(({ row, handle, reason }) => [row, handle, reason]),
      [
        [3, 'orphan', 'No valid row with this Handle has a Title. Add a Title to its first row.'],
        [5, '', 'The Handle is empty. Fill it in.'],
      ],
    );
  });

  test('numbers are read strictly; the reason names row, column and value; other variants are imported', () => {
    const wrong: [column: string, value: string][] = [
      ['Variant Price', '1e3'],
      ['Variant Price', '9,99'],
      ['Variant Price', '$9.99'],
      ['Variant Price', '-1'],
      ['Variant Price', '.5'],
      ['Variant Price', '0x10'],
      ['Variant Price', '1.23456'],
      ['Variant Price', '10000000000'],
      ['Variant Compare At Price', 'NaN'],
      ['Cost per item', '1 000'],
      ['Variant Grams', '-5'],
      ['Variant Inventory Qty', '1.5'],
      ['Variant Inventory Qty', '9007199254740992'],
      ['Variant Taxable', 'yes'],
    ];
    for (const [column, value] of wrong) {
      const { productRows, skipped } = read(
        csv(
          { Handle: 'a', Title: 'A', 'Option1 Value': 'S', 'Variant Price': '1', [column]: value },
          { Handle: 'a', 'Option1 Value': 'M', 'Variant Price': '9.9900' },
        ),
      );
      assert.deepEqual(
        productRows.map((draft) => [draft.sku, draft.input.price]),
        [['a-m', 9.99]],
      );
      assert.equal(skipped.length, 1);
      assert.ok(skipped[0]?.reason.includes(`${column} "${value}" in row 2`), `${column}: ${skipped[0]?.reason}`);
    }
    const { skipped } = read(csv({ Handle: 'a', Title: 'A' }));
    assert.deepEqual(
      skipped.map((row) => row.reason),
      ['Variant Price in row 2 is empty. Fill it in.'],
    );
  });

  test('the second row with a SKU is skipped, and the first is imported', () => {
    const { productRows, skipped } = read(
      csv(
        { Handle: 'a', Title: 'A', 'Variant SKU': 'X', 'Variant Price': '1' },
        { Handle: 'b', Title: 'B', 'Variant SKU': 'X', 'Variant Price': '2' },
        { Handle: 'c', Title: 'C', 'Variant SKU': 'x', 'Variant Price': '3' },
      ),
    );
    assert.deepEqual(
      productRows.map((draft) => draft.input.price),
      [1, 3],
    );
    assert.deepEqual(
      skipped.map(({ row, sku, reason }) => [row, sku, reason]),
      [[3, 'X', 'Row 2 already has the SKU "X". Give each variant its own Variant SKU.']],
    );
  });
});

describe('SKU and name', () => {
  test('the SKU is the handle for Default Title; options are appended as in a clean URL', () => {
    const { productRows } = read(
      csv(
        { Handle: 'one', Title: 'One', 'Option1 Value': 'Default Title', 'Variant Price': '1' },
        { Handle: 'none', Title: 'None', 'Variant Price': '1' },
        { Handle: 'two', Title: 'Two', 'Option1 Value': 'Größe XL', 'Option2 Value': '红色', 'Variant Price': '1' },
        { Handle: 'two', 'Option1 Value': '½ m', 'Option3 Value': 'Été/été', 'Variant Price': '1' },
        { Handle: 'signs', Title: 'Signs', 'Option1 Value': '???', 'Variant Price': '1' },
      ),
    );
    assert.deepEqual(
      productRows.map((draft) => [draft.sku, draft.input.name]),
      [
        ['one', 'One'],
        ['none', 'None'],
        ['two-grosse-xl-hongse', 'Two – Größe XL / 红色'],
        ['two-1-2-m-ete-ete', 'Two – ½ m / Été/été'],
        ['signs', 'Signs – ???'],
      ],
    );
  });

  test('a SKU over 32 characters becomes 25 characters, a hyphen and 6 digits of its digest, deterministically', () => {
    const given = 'é'.repeat(33);
    const file = csv(
      { Handle: 'a-handle-of-thirty-two-characters', Title: 'A', 'Variant Price': '1' },
      { Handle: 'exactly-thirty-two-characters-32', Title: 'B', 'Variant Price': '1' },
      { Handle: 'c', Title: 'C', 'Variant SKU': given, 'Variant Price': '1' },
    );
    const skus = read(file).productRows.map((draft) => draft.sku);
    assert.deepEqual(
      skus,
      read(file).productRows.map((draft) => draft.sku),
    );
    // printf a-handle-of-thirty-two-characters | sha256sum
    assert.deepEqual(skus, [
      'a-handle-of-thirty-two-ch-e94964',
      'exactly-thirty-two-characters-32',
      `${'é'.repeat(25)}-f696c2`,
    ]);
  });

  test('a name over 255 characters is skipped, not cut; 255 code points fit', () => {
    const { productRows, skipped } = read(
      csv(
        { Handle: 'fits', Title: '🙂'.repeat(255), 'Variant Price': '1' },
        { Handle: 'long', Title: 'x'.repeat(250), 'Option1 Value': 'Large', 'Variant Price': '1' },
      ),
    );
    assert.deepEqual(
      productRows.map((draft) => draft.sku),
      ['fits'],
    );
    assert.match(skipped[0]?.reason ?? '', /at most 255 characters/);
  });

  test('clean URL text is built from names', () => {
    for (const [text, expected] of [
      ['  Größe -- XL / Rot!  ', 'grosse-xl-rot'],
      ['e\u0301te\u0301', 'ete'],
      ['Ελλάδα', 'ellada'],
      ['--', ''],
      ['', ''],
    ] as const) {
      assert.equal(cleanUrlText(text), expected);
    }
  });
});

describe('fields', () => {
  test('a compare-at price is used only if it is higher', () => {
    const marketPrice = (compareAt: string) =>
      field({ 'Variant Price': '10', 'Variant Compare At Price': compareAt }).market_price;
    assert.deepEqual(['12.50', '10', '9', '', '0.00'].map(marketPrice), [12.5, 0, 0, 0, 0]);
  });

  test('cost, tax and texts are read', () => {
    const input = field({
      'Cost per item': '4.1',
      'Variant Taxable': 'FALSE',
      'SEO Title': 'T',
      'SEO Description': 'D',
    });
    assert.deepEqual(
      [input.cost_price, input.taxable, input.meta_title, input.meta_description],
      [4.1, false, 'T', 'D'],
    );
  });

  test('stock is counted if a tracker is named, never negative, and 0 for a new product if unknown', () => {
    const stock = (tracker: string, quantity: string) => {
      const { input, inputOnCreate } = one({ 'Variant Inventory Tracker': tracker, 'Variant Inventory Qty': quantity });
      return [input.inventory_traceable, input.amount, inputOnCreate.amount];
    };
    assert.deepEqual(stock('shopify', '8'), [true, 8, undefined]);
    assert.deepEqual(stock('shopify', '-3'), [true, 0, undefined]);
    assert.deepEqual(stock('shopify', ''), [true, undefined, 0]);
    assert.deepEqual(stock('', '4'), [false, 4, undefined]);
    assert.deepEqual(stock('', ''), [false, undefined, undefined]);
    assert.equal(field({ 'Variant Inventory Policy': 'continue' }).available_for_backorder, true);
    assert.equal(field({ 'Variant Inventory Policy': 'deny' }).available_for_backorder, false);
  });

  test('a product is enabled if it is published and active', () => {
    const enabled = (published: string, status: string) => field({ Published: published, Status: status }).enabled;
    assert.deepEqual(
      [enabled('true', 'active'), enabled('TRUE', ''), enabled('', 'active'), enabled('true', 'draft')],
      [true, true, true, false],
    );
    assert.deepEqual(
      [enabled('true', 'archived'), enabled('false', 'active'), enabled('true', 'Active')],
      [false, false, true],
    );
    assert.equal('enabled' in field({}), true);
  });

  test('tags and class are read', () => {
    assert.deepEqual(field({ Tags: ' Red,, blue ,red,Blue,grün' }).tags, ['Red', 'blue', 'grün']);
    assert.deepEqual(field({ Tags: '' }).tags, []);
    assert.equal(field({ Type: ' Chairs ' }).product_class, 'Chairs');
    assert.equal(field({ Type: '' }).product_class, null);
    assert.match(read(csv({ ...BASE, Tags: 'x'.repeat(256) })).skipped[0]?.reason ?? '', /A tag in row 2 is too long/);
  });

  test('grams are converted to every unit with 4 decimals, rounded half up', () => {
    const cases: [string, WeightUnit, number][] = [
      ['0', 'kg', 0],
      ['1234', 'kg', 1.234],
      ['1360.78', 'kg', 1.3608],
      ['0.05', 'kg', 0.0001],
      ['0.0499', 'kg', 0],
      ['0.15', 'kg', 0.0002],
      ['1000000.25', 'kg', 1000.0003],
      ['453.59237', 'lb', 1],
      ['100', 'lb', 0.2205],
      ['1000', 'lb', 2.2046],
      ['28.349523125', 'oz', 1],
      ['100', 'oz', 3.5274],
      ['1.00005', 'g', 1.0001],
      ['1.00004999', 'g', 1],
      ['250', 'g', 250],
    ];
    for (const [grams, unit, weight] of cases)
      assert.equal(weightFromGrams(grams, unit), weight, `${grams} g in ${unit}`);
    const inPounds = readShopifyExport(Buffer.from(csv({ ...BASE, 'Variant Grams': '680.5' })), {
      weightUnit: 'lb',
      sha256,
    });
    assert.equal(inPounds.readable && inPounds.productRows[0]?.input.weight, 1.5002);
  });
});

describe('images', () => {
  test('are ordered by position, those without one last; image rows are not products', () => {
    const { productRows, skipped } = read(
      csv(
        { ...BASE, 'Image Src': 'http://x/3.jpg', 'Image Position': '3', 'Image Alt Text': 'three' },
        { Handle: 'a', 'Image Src': 'http://x/none.jpg' },
        { Handle: 'a', 'Image Src': 'http://x/1.jpg', 'Image Position': '1' },
        { Handle: 'a', 'Image Src': 'http://x/none-either.jpg' },
        { Handle: 'a', 'Image Src': 'http://x/1.jpg', 'Image Position': '5' },
      ),
    );
    assert.deepEqual(skipped, []);
    assert.equal(productRows.length, 1);
    assert.deepEqual(productRows[0]?.images, [
      { externalUrl: 'http://x/1.jpg', alt: '', position: 1 },
      { externalUrl: 'http://x/3.jpg', alt: 'three', position: 2 },
      { externalUrl: 'http://x/none.jpg', alt: '', position: 3 },
      { externalUrl: 'http://x/none-either.jpg', alt: '', position: 4 },
    ]);
  });

  test("a variant's own image comes first, once, with the alternative text of the handle's", () => {
    const { productRows } = read(
      csv(
        {
          ...BASE,
          'Option1 Value': 'S',
          'Image Src': 'http://x/1.jpg',
          'Image Position': '1',
          'Variant Image': 'http://x/2.jpg',
        },
        {
          Handle: 'a',
          'Option1 Value': 'M',
          'Variant Price': '1',
          'Image Src': 'http://x/2.jpg',
          'Image Position': '2',
          'Image Alt Text': 'two',
        },
        { Handle: 'a', 'Option1 Value': 'L', 'Variant Price': '1', 'Variant Image': 'http://x/own.jpg' },
      ),
    );
    assert.deepEqual(
      productRows.map((draft) => draft.images.map((image) => [image.externalUrl, image.alt, image.position])),
      [
        [
          ['http://x/2.jpg', 'two', 1],
          ['http://x/1.jpg', '', 2],
        ],
        [
          ['http://x/1.jpg', '', 1],
          ['http://x/2.jpg', 'two', 2],
        ],
        [
          ['http://x/own.jpg', '', 1],
          ['http://x/1.jpg', '', 2],
          ['http://x/2.jpg', 'two', 3],
        ],
      ],
    );
  });

  test('an image with a too long alternative text or a wrong position fails, but not its product', () => {
    const { productRows, skipped, failures } = read(
      csv(
        {
          ...BASE,
          'Image Src': 'http://x/1.jpg',
          'Image Alt Text': 'x'.repeat(256),
          'Variant Image': 'http://x/1.jpg',
        },
        { Handle: 'a', 'Image Src': 'http://x/2.jpg', 'Image Position': 'first' },
        { Handle: 'a', 'Image Src': 'http://x/3.jpg', 'Image Alt Text': '🙂'.repeat(255) },
      ),
    );
    assert.deepEqual(skipped, []);
    assert.deepEqual(
      productRows[0]?.images.map((image) => image.externalUrl),
      ['http://x/3.jpg'],
    );
    assert.deepEqual(
      failures.map(({ row, name, reason }) => [row, name, reason]),
      [
        [2, 'http://x/1.jpg', 'Its Image Alt Text is too long. Shorten it to at most 255 characters.'],
        [3, 'http://x/2.jpg', 'Image Position "first" in row 3 is not a whole number. Write digits only.'],
      ],
    );
  });
});

describe('categories', () => {
  const [SHOPIFY, GOOGLE] = ['Product Category', 'Google Shopping / Google Product Category'];
  const category = (cells: Record<string, string>, categoriesFrom?: string) => {
    const result = readBytes(csv({ ...BASE, ...cells }), { categoriesFrom });
    assert.ok(result.readable, result.readable ? '' : result.reason);
    return {
      path: result.productRows[0]?.categoryPaths[0] ?? [],
      failures: result.failures.map(({ part, name }) => [part, name]),
    };
  };

  test('are read from the first default column with a path, split at ">"', () => {
    const path = 'Apparel & Accessories >  Clothing > > Shirts ';
    const cut = ['Apparel & Accessories', 'Clothing', 'Shirts'];
    const cases: [cells: Record<string, string>, path: string[]][] = [
      [{ [SHOPIFY]: path, [GOOGLE]: 'Other', Type: 'Tops' }, cut],
      [{ [GOOGLE]: path, Type: 'Tops' }, cut],
      [{ Type: ' Tops ' }, ['Tops']],
      [{ Type: '501' }, ['501']],
      [{ [SHOPIFY]: '>', Type: 'Tops' }, ['Tops']],
      [{ [SHOPIFY]: 'aa-1-13-8', [GOOGLE]: '1604', Type: 'Tops' }, ['Tops']],
      [{ [SHOPIFY]: 'gid://shopify/TaxonomyCategory/aa-1-13-8', [GOOGLE]: 'A > B' }, ['A', 'B']],
      [{}, []],
    ];
    for (const [cells, expected] of cases)
      assert.deepEqual(category(cells), { path: expected, failures: [] }, JSON.stringify(cells));
  });

  test('a taxonomy code without a path is reported', () => {
    assert.deepEqual(category({ [SHOPIFY]: '1604' }), { path: [], failures: [['category', '1604']] });
    assert.deepEqual(category({ [SHOPIFY]: 'aa-1', Type: 'Tops' }, SHOPIFY).failures, [['category', 'aa-1']]);
  });

  test('only the named column is read', () => {
    assert.deepEqual(category({ Vendor: 'V > W', Type: 'Tops' }, 'Vendor').path, ['V', 'W']);
    assert.deepEqual(category({ Vendor: '', Type: 'Tops' }, 'Vendor').path, []);
    assert.deepEqual(category({ [SHOPIFY]: 'A > B', Type: 'Tops' }, 'Type').path, ['Tops']);
  });

  test('a file is rejected if the named column is missing or occurs twice', () => {
    const unknown = readBytes(csv(BASE), { categoriesFrom: 'product category' });
    assert.equal(
      unknown.readable ? '' : unknown.reason,
      'The file has no column "product category" to read categories from. Did you mean "Product Category"?',
    );
    const twice = readBytes('Handle,Title,Variant Price,V,V\na,A,1,x,y', { categoriesFrom: 'V' });
    assert.match(twice.readable ? '' : twice.reason, /the column "V" twice/);
  });
});

describe('options', () => {
  const options = (...rows: Record<string, string>[]) => {
    const { productRows, failures } = read(csv(...rows));
    return {
      options: productRows.map((draft) => draft.options.map(({ name, value }) => `${name}=${value}`)),
      failures: failures.map(({ row, part, name, reason }) => [row, part, name, reason]),
    };
  };
  const SIZE = { 'Option1 Name': 'Size', 'Option1 Value': 'S' };

  test('the names in the first row apply to every row of the handle', () => {
    const further = { Handle: 'a', 'Variant Price': '1' };
    assert.deepEqual(
      options(
        { ...BASE, ...SIZE, 'Option2 Name': 'Colour', 'Option2 Value': 'Red' },
        { ...further, 'Option1 Value': 'M', 'Option2 Value': 'Blue' },
        { ...further, 'Option1 Name': 'Other', 'Option1 Value': 'L' },
        { ...BASE, Handle: 'b', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title' },
        { ...BASE, Handle: 'c', 'Option1 Name': 'Title', 'Option1 Value': '10 €' },
        { ...BASE, Handle: 'd' },
      ),
      {
        options: [['Size=S', 'Colour=Red'], ['Size=M', 'Colour=Blue'], ['Size=L'], [], ['Title=10 €'], []],
        failures: [],
      },
    );
  });

  test('a value without its own option name is reported, and the product is imported', () => {
    assert.deepEqual(
      options({ ...BASE, ...SIZE, 'Option2 Name': 'SIZE ', 'Option2 Value': 'M', 'Option3 Value': 'x' }),
      {
        options: [['Size=S']],
        failures: [
          [2, 'option', 'M', 'Option2 Name in row 2 repeats the name "SIZE". Give each option its own name.'],
          [2, 'option', 'x', 'Option3 Name in row 2 is empty. Fill it in.'],
        ],
      },
    );
    const { productRows, failures } = read('Handle,Title,Variant Price,Option1 Value\na,A,1,S');
    assert.deepEqual([productRows[0]?.options, failures], [[], []], 'a file without the column says nothing');
  });
});

const BASE = { Handle: 'a', Title: 'A', 'Variant Price': '1' };

function readReal(name: string): ImportRows {
  return read(readFileSync(new URL(`../data/${name}`, import.meta.url)));
}

function read(file: string | Buffer): ImportRows {
  const result = readBytes(file, {});
  assert.ok(result.readable, result.readable ? '' : result.reason);
  return result;
}

function readBytes(file: string | Buffer, options: Partial<ShopifyOptions>) {
  return readShopifyExport(Buffer.from(file as string), { weightUnit: 'kg', sha256, ...options });
}

function one(cells: Record<string, string>): ProductRow {
  const { productRows, skipped } = read(csv({ ...BASE, ...cells }));
  assert.deepEqual(skipped, []);
  return productRows[0]!;
}

function field(cells: Record<string, string>): ProductRow['input'] {
  return one(cells).input;
}

/** Builds a file with every column of an export, so that an omitted cell is empty and not a missing column. */
function csv(...rows: Record<string, string>[]): string {
  const columns = readFileSync(new URL('../data/shopify-home-and-garden.csv', import.meta.url), 'utf8')
    .split('\n', 1)[0]!
    .trim()
    .split(',')
    .concat('Status', 'Product Category');
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return [columns.join(','), ...lines].join('\n');
}
