/**
 * Input and output types of the store. Generated from the resource declarations by `npm run renew`; do not edit.
 */

/** Every path with its parameters and the input and output of each method. */
export interface Paths {
  '/attribute_groups': {
    parameters: Record<never, never>;
    /** List attribute groups. */
    list: {
      item: AttributeGroupOutput;
      order: 'id' | 'position';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an attribute group. */
    post: { input: AttributeGroupInput; output: AttributeGroupOutput };
  };
  '/attribute_groups/{id}': {
    parameters: { readonly id: number };
    /** Read an attribute group. */
    get: { output: AttributeGroupOutput };
    /** Replace an attribute group. */
    put: { input: AttributeGroupInput; output: AttributeGroupOutput };
    /** Update an attribute group. */
    patch: { input: AttributeGroupPatch; output: AttributeGroupOutput };
    /** Delete an attribute group. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attribute_groups': {
    parameters: { readonly class_id: number };
    /** List attribute groups of a product class. */
    list: {
      item: AttributeGroupOutput;
      order: 'id' | 'position';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an attribute group of a product class. */
    post: { input: AttributeGroupInput; output: AttributeGroupOutput };
  };
  '/product_classes/{class_id}/attribute_groups/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read an attribute group of a product class. */
    get: { output: AttributeGroupOutput };
    /** Replace an attribute group of a product class. */
    put: { input: AttributeGroupInput; output: AttributeGroupOutput };
    /** Update an attribute group of a product class. */
    patch: { input: AttributeGroupPatch; output: AttributeGroupOutput };
    /** Delete an attribute group of a product class. */
    delete: { output: undefined };
  };
  '/attribute_groups/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of an attribute group. */
    get: { output: Record<string, AttributeGroupTranslationOutput> };
  };
  '/attribute_groups/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of an attribute group in a language. */
    get: { output: AttributeGroupTranslationOutput };
    /** Write the texts of an attribute group in a language. */
    put: { input: AttributeGroupTranslationInput; output: AttributeGroupTranslationOutput };
    /** Delete the texts of an attribute group in a language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attribute_groups/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read all texts of an attribute group of a product class. */
    get: { output: Record<string, AttributeGroupTranslationOutput> };
  };
  '/product_classes/{class_id}/attribute_groups/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute group of a product class in a language. */
    get: { output: AttributeGroupTranslationOutput };
    /** Write the texts of an attribute group of a product class in a language. */
    put: { input: AttributeGroupTranslationInput; output: AttributeGroupTranslationOutput };
    /** Delete the texts of an attribute group of a product class in a language. */
    delete: { output: undefined };
  };
  '/attributes': {
    parameters: Record<never, never>;
    /** List attributes. */
    list: {
      item: AttributeOutput;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
  };
  '/attributes_text': {
    parameters: Record<never, never>;
    /** List text attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a text attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/attributes_text/{id}': {
    parameters: { readonly id: number };
    /** Read a text attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace a text attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Update a text attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete a text attribute. */
    delete: { output: undefined };
  };
  '/attributes_checkbox': {
    parameters: Record<never, never>;
    /** List checkbox attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a checkbox attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/attributes_checkbox/{id}': {
    parameters: { readonly id: number };
    /** Read a checkbox attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace a checkbox attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Update a checkbox attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete a checkbox attribute. */
    delete: { output: undefined };
  };
  '/attributes_select': {
    parameters: Record<never, never>;
    /** List select attributes. */
    list: {
      item: AttributeOutputAtAttributesSelect;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a select attribute. */
    post: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
  };
  '/attributes_select/{id}': {
    parameters: { readonly id: number };
    /** Read a select attribute. */
    get: { output: AttributeOutputAtAttributesSelect };
    /** Replace a select attribute. */
    put: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Update a select attribute. */
    patch: { input: AttributePatchAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Delete a select attribute. */
    delete: { output: undefined };
  };
  '/attributes_hidden': {
    parameters: Record<never, never>;
    /** List hidden attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a hidden attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/attributes_hidden/{id}': {
    parameters: { readonly id: number };
    /** Read a hidden attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace a hidden attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Update a hidden attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete a hidden attribute. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_text': {
    parameters: { readonly class_id: number };
    /** List text attributes of a product class. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a text attribute of a product class. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_text/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read a text attribute of a product class. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace a text attribute of a product class. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Update a text attribute of a product class. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete a text attribute of a product class. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_checkbox': {
    parameters: { readonly class_id: number };
    /** List checkbox attributes of a product class. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a checkbox attribute of a product class. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read a checkbox attribute of a product class. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace a checkbox attribute of a product class. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Update a checkbox attribute of a product class. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete a checkbox attribute of a product class. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select': {
    parameters: { readonly class_id: number };
    /** List select attributes of a product class. */
    list: {
      item: AttributeOutputAtAttributesSelect;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `groupId` is this id or path. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** `groupId.name` is this text, ignoring case and accents. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create a select attribute of a product class. */
    post: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
  };
  '/product_classes/{class_id}/attributes_select/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read a select attribute of a product class. */
    get: { output: AttributeOutputAtAttributesSelect };
    /** Replace a select attribute of a product class. */
    put: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Update a select attribute of a product class. */
    patch: { input: AttributePatchAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Delete a select attribute of a product class. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text': {
    parameters: { readonly product_id: number };
    /** List text attributes of a product. */
    list: {
      item: AttributeOutputAtProductsAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a text attribute of a product. */
    post: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
  };
  '/products/{product_id}/attributes_text/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a text attribute of a product. */
    get: { output: AttributeOutputAtProductsAttributesText };
    /** Replace a text attribute of a product. */
    put: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Update a text attribute of a product. */
    patch: { input: AttributePatchAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Delete a text attribute of a product. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_checkbox': {
    parameters: { readonly product_id: number };
    /** List checkbox attributes of a product. */
    list: {
      item: AttributeOutputAtProductsAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a checkbox attribute of a product. */
    post: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
  };
  '/products/{product_id}/attributes_checkbox/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a checkbox attribute of a product. */
    get: { output: AttributeOutputAtProductsAttributesText };
    /** Replace a checkbox attribute of a product. */
    put: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Update a checkbox attribute of a product. */
    patch: { input: AttributePatchAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Delete a checkbox attribute of a product. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select': {
    parameters: { readonly product_id: number };
    /** List select attributes of a product. */
    list: {
      item: AttributeOutputAtProductsAttributesSelect;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a select attribute of a product. */
    post: { input: AttributeInputAtProductsAttributesSelect; output: AttributeOutputAtProductsAttributesSelect };
  };
  '/products/{product_id}/attributes_select/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a select attribute of a product. */
    get: { output: AttributeOutputAtProductsAttributesSelect };
    /** Replace a select attribute of a product. */
    put: { input: AttributeInputAtProductsAttributesSelect; output: AttributeOutputAtProductsAttributesSelect };
    /** Update a select attribute of a product. */
    patch: { input: AttributePatchAtProductsAttributesSelect; output: AttributeOutputAtProductsAttributesSelect };
    /** Delete a select attribute of a product. */
    delete: { output: undefined };
  };
  '/attributes_text/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a text attribute. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_text/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a text attribute in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a text attribute in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a text attribute in a language. */
    delete: { output: undefined };
  };
  '/attributes_checkbox/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a checkbox attribute. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_checkbox/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a checkbox attribute in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a checkbox attribute in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a checkbox attribute in a language. */
    delete: { output: undefined };
  };
  '/attributes_select/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a select attribute. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_select/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a select attribute in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a select attribute in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a select attribute in a language. */
    delete: { output: undefined };
  };
  '/attributes_hidden/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a hidden attribute. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_hidden/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a hidden attribute in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a hidden attribute in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a hidden attribute in a language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_text/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read all texts of a text attribute of a product class. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_text/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a text attribute of a product class in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a text attribute of a product class in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a text attribute of a product class in a language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read all texts of a checkbox attribute of a product class. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a checkbox attribute of a product class in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a checkbox attribute of a product class in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a checkbox attribute of a product class in a language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read all texts of a select attribute of a product class. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_select/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a select attribute of a product class in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a select attribute of a product class in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a select attribute of a product class in a language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read all texts of a text attribute of a product. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/products/{product_id}/attributes_text/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a text attribute of a product in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a text attribute of a product in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a text attribute of a product in a language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_checkbox/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read all texts of a checkbox attribute of a product. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/products/{product_id}/attributes_checkbox/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a checkbox attribute of a product in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a checkbox attribute of a product in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a checkbox attribute of a product in a language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read all texts of a select attribute of a product. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/products/{product_id}/attributes_select/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a select attribute of a product in a language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of a select attribute of a product in a language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of a select attribute of a product in a language. */
    delete: { output: undefined };
  };
  '/attributes_select/{attribute_id}/options': {
    parameters: { readonly attribute_id: number };
    /** List attribute options of a select attribute. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `value` contains this text, ignoring case and accents. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option of a select attribute. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/attributes_select/{attribute_id}/options/{id}': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read an attribute option of a select attribute. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option of a select attribute. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Update an attribute option of a select attribute. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option of a select attribute. */
    delete: { output: undefined };
  };
  '/attributes_hidden/{attribute_id}/options': {
    parameters: { readonly attribute_id: number };
    /** List attribute options of a hidden attribute. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `value` contains this text, ignoring case and accents. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option of a hidden attribute. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/attributes_hidden/{attribute_id}/options/{id}': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read an attribute option of a hidden attribute. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option of a hidden attribute. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Update an attribute option of a hidden attribute. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option of a hidden attribute. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options': {
    parameters: { readonly class_id: number; readonly attribute_id: number };
    /** List attribute options of a select attribute of a product class. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `value` contains this text, ignoring case and accents. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option of a select attribute of a product class. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number };
    /** Read an attribute option of a select attribute of a product class. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option of a select attribute of a product class. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Update an attribute option of a select attribute of a product class. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option of a select attribute of a product class. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List attribute options of a select attribute of a product. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `value` contains this text, ignoring case and accents. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option of a select attribute of a product. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Read an attribute option of a select attribute of a product. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option of a select attribute of a product. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Update an attribute option of a select attribute of a product. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option of a select attribute of a product. */
    delete: { output: undefined };
  };
  '/attributes_select/{attribute_id}/options/{id}/translations': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read all texts of an attribute option of a select attribute. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/attributes_select/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option of a select attribute in a language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option of a select attribute in a language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option of a select attribute in a language. */
    delete: { output: undefined };
  };
  '/attributes_hidden/{attribute_id}/options/{id}/translations': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read all texts of an attribute option of a hidden attribute. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/attributes_hidden/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option of a hidden attribute in a language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option of a hidden attribute in a language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option of a hidden attribute in a language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}/translations': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number };
    /** Read all texts of an attribute option of a select attribute of a product class. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option of a select attribute of a product class in a language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option of a select attribute of a product class in a language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option of a select attribute of a product class in a language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}/translations': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Read all texts of an attribute option of a select attribute of a product. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option of a select attribute of a product in a language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option of a select attribute of a product in a language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option of a select attribute of a product in a language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes/{attribute_id}/property': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Create an attribute property. */
    post: { input: AttributePropertyInput; output: AttributePropertyOutput };
    /** Read an attribute property. */
    get: { output: AttributePropertyOutput };
    /** Replace an attribute property. */
    put: { input: AttributePropertyInput; output: AttributePropertyOutput };
    /** Update an attribute property. */
    patch: { input: AttributePropertyPatch; output: AttributePropertyOutput };
  };
  '/products/{product_id}/attributes_checkbox/{attribute_id}/values': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List attribute value checkboxes. */
    list: {
      item: AttributeValueCheckboxOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an attribute value checkbox. */
    post: { input: AttributeValueCheckboxInput; output: AttributeValueCheckboxOutput };
  };
  '/products/{product_id}/attributes_checkbox/{attribute_id}/values/{id}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Read an attribute value checkbox. */
    get: { output: AttributeValueCheckboxOutput };
    /** Replace an attribute value checkbox. */
    put: { input: AttributeValueCheckboxInput; output: AttributeValueCheckboxOutput };
    /** Update an attribute value checkbox. */
    patch: { input: AttributeValueCheckboxPatch; output: AttributeValueCheckboxOutput };
    /** Delete an attribute value checkbox. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_hidden/{attribute_id}/values': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Create an attribute value hidden. */
    post: { input: AttributeValueHiddenInput; output: AttributeValueHiddenOutput };
    /** Read an attribute value hidden. */
    get: { output: AttributeValueHiddenOutput };
    /** Replace an attribute value hidden. */
    put: { input: AttributeValueHiddenInput; output: AttributeValueHiddenOutput };
    /** Update an attribute value hidden. */
    patch: { input: AttributeValueHiddenPatch; output: AttributeValueHiddenOutput };
    /** Delete an attribute value hidden. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/values': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List attribute value selects. */
    list: {
      item: AttributeValueSelectOutput;
      order: 'id' | 'position';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an attribute value select. */
    post: { input: AttributeValueSelectInput; output: AttributeValueSelectOutput };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/values/{id}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Read an attribute value select. */
    get: { output: AttributeValueSelectOutput };
    /** Replace an attribute value select. */
    put: { input: AttributeValueSelectInput; output: AttributeValueSelectOutput };
    /** Update an attribute value select. */
    patch: { input: AttributeValueSelectPatch; output: AttributeValueSelectOutput };
    /** Delete an attribute value select. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Create an attribute value text. */
    post: { input: AttributeValueTextInput; output: AttributeValueTextOutput };
    /** Read an attribute value text. */
    get: { output: AttributeValueTextOutput };
    /** Replace an attribute value text. */
    put: { input: AttributeValueTextInput; output: AttributeValueTextOutput };
    /** Update an attribute value text. */
    patch: { input: AttributeValueTextPatch; output: AttributeValueTextOutput };
    /** Delete an attribute value text. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values/translations': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Read all texts of an attribute value text. */
    get: { output: Record<string, AttributeValueTextTranslationOutput> };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values/translations/{code}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly code: string };
    /** Read the texts of an attribute value text in a language. */
    get: { output: AttributeValueTextTranslationOutput };
    /** Write the texts of an attribute value text in a language. */
    put: { input: AttributeValueTextTranslationInput; output: AttributeValueTextTranslationOutput };
    /** Delete the texts of an attribute value text in a language. */
    delete: { output: undefined };
  };
  '/categories': {
    parameters: Record<never, never>;
    /** List categories. */
    list: {
      item: CategoryOutput;
      order: 'id' | 'position' | 'name' | 'clean_url';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `parent` is this id or path. If it is omitted and there is no filter on `id`, `clean_url`, `name`, `product`, the response contains only records without a value. `all` returns all. */
        readonly parent?: number | 'all' | readonly number[] | { readonly exists?: boolean };
        /** `parent.id` is this id. */
        readonly 'parent.id'?: number | readonly number[];
        /** `parent.name` is this text, ignoring case and accents. */
        readonly 'parent.name'?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** `product` is this id or path. */
        readonly product?: number | readonly number[] | { readonly exists?: boolean };
        /** `product.id` is this id. */
        readonly 'product.id'?: number | readonly number[];
        /** `product.name` is this text, ignoring case and accents. */
        readonly 'product.name'?: string | readonly string[];
        /** `memberships` has this name or path. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
      };
    };
    /** Create a category. */
    post: { input: CategoryInput; output: CategoryOutput };
  };
  '/categories/{category_id}': {
    parameters: { readonly category_id: number };
    /** Read a category. */
    get: { output: CategoryOutput };
    /** Replace a category. */
    put: { input: CategoryInput; output: CategoryOutput };
    /** Update a category. */
    patch: { input: CategoryPatch; output: CategoryOutput };
    /** Delete a category. */
    delete: { output: undefined };
  };
  '/products/{product_id}/categories': {
    parameters: { readonly product_id: number };
    /** List categories of a product. */
    list: {
      item: CategoryOutput;
      order: 'id' | 'position' | 'name' | 'clean_url';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `parent` is this id or path. If it is omitted and there is no filter on `id`, `clean_url`, `name`, `product`, the response contains only records without a value. `all` returns all. */
        readonly parent?: number | 'all' | readonly number[] | { readonly exists?: boolean };
        /** `parent.id` is this id. */
        readonly 'parent.id'?: number | readonly number[];
        /** `parent.name` is this text, ignoring case and accents. */
        readonly 'parent.name'?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** `product` is this id or path. */
        readonly product?: number | readonly number[] | { readonly exists?: boolean };
        /** `product.id` is this id. */
        readonly 'product.id'?: number | readonly number[];
        /** `product.name` is this text, ignoring case and accents. */
        readonly 'product.name'?: string | readonly string[];
        /** `memberships` has this name or path. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
      };
    };
  };
  '/categories/{category_id}/translations': {
    parameters: { readonly category_id: number };
    /** Read all texts of a category. */
    get: { output: Record<string, CategoryTranslationOutput> };
  };
  '/categories/{category_id}/translations/{code}': {
    parameters: { readonly category_id: number; readonly code: string };
    /** Read the texts of a category in a language. */
    get: { output: CategoryTranslationOutput };
    /** Write the texts of a category in a language. */
    put: { input: CategoryTranslationInput; output: CategoryTranslationOutput };
    /** Delete the texts of a category in a language. */
    delete: { output: undefined };
  };
  '/categories/{category_id}/move': {
    parameters: { readonly category_id: number };
    /** Move a category in the tree. */
    put: { input: CategoryMoveInput; output: CategoryOutput };
  };
  '/categories/bulk': {
    parameters: Record<never, never>;
    /** Write many categories. */
    bulk: { line: CategoryLine };
  };
  '/categories/{category_id}/stats': {
    parameters: { readonly category_id: number };
    /** Count the contents of a category. */
    get: { output: CategoryStatsOutput };
  };
  '/categories/{category_id}/banner': {
    parameters: { readonly category_id: number };
    /** Create a category banner. */
    post: { input: CategoryBannerInput; output: CategoryBannerOutput };
    /** Read a category banner. */
    get: { output: CategoryBannerOutput };
    /** Delete a category banner. */
    delete: { output: undefined };
  };
  '/categories/{category_id}/icon': {
    parameters: { readonly category_id: number };
    /** Create a category icon. */
    post: { input: CategoryIconInput; output: CategoryIconOutput };
    /** Read a category icon. */
    get: { output: CategoryIconOutput };
    /** Delete a category icon. */
    delete: { output: undefined };
  };
  '/categories/{category_id}/products': {
    parameters: { readonly category_id: number };
    /** List category products. */
    list: {
      item: CategoryProductOutput;
      order: 'position' | 'product_id';
      filter: {
        /** `product_id` is this id or path. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** `product_id.name` is this text, ignoring case and accents. */
        readonly 'product_id.name'?: string | readonly string[];
      };
    };
    /** Create a category product. */
    post: { input: CategoryProductInput; output: CategoryOutput };
  };
  '/categories/{category_id}/products/{product_id}': {
    parameters: { readonly category_id: number; readonly product_id: number };
    /** Read a category product. */
    get: { output: CategoryProductOutput };
    /** Update a category product. */
    patch: { input: CategoryProductPatch; output: CategoryProductOutput };
    /** Delete a category product. */
    delete: { output: undefined };
  };
  '/categories/{category_id}/featured': {
    parameters: { readonly category_id: number };
    /** List featured products. */
    list: {
      item: FeaturedProductOutput;
      order: 'position' | 'product_id';
      filter: {
        /** `product_id` is this id or path. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** `product_id.name` is this text, ignoring case and accents. */
        readonly 'product_id.name'?: string | readonly string[];
      };
    };
    /** Create a featured product. */
    post: { input: FeaturedProductInput; output: FeaturedProductOutput };
  };
  '/categories/{category_id}/featured/{product_id}': {
    parameters: { readonly category_id: number; readonly product_id: number };
    /** Read a featured product. */
    get: { output: FeaturedProductOutput };
    /** Update a featured product. */
    patch: { input: FeaturedProductPatch; output: FeaturedProductOutput };
    /** Delete a featured product. */
    delete: { output: undefined };
  };
  '/product_classes': {
    parameters: Record<never, never>;
    /** List product classes. */
    list: {
      item: ProductClassOutput;
      order: 'id' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a product class. */
    post: { input: ProductClassInput; output: ProductClassOutput };
  };
  '/product_classes/{id}': {
    parameters: { readonly id: number };
    /** Read a product class. */
    get: { output: ProductClassOutput };
    /** Replace a product class. */
    put: { input: ProductClassInput; output: ProductClassOutput };
    /** Update a product class. */
    patch: { input: ProductClassPatch; output: ProductClassOutput };
    /** Delete a product class. */
    delete: { output: undefined };
  };
  '/product_classes/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a product class. */
    get: { output: Record<string, ProductClassTranslationOutput> };
  };
  '/product_classes/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a product class in a language. */
    get: { output: ProductClassTranslationOutput };
    /** Write the texts of a product class in a language. */
    put: { input: ProductClassTranslationInput; output: ProductClassTranslationOutput };
    /** Delete the texts of a product class in a language. */
    delete: { output: undefined };
  };
  '/product_classes/bulk': {
    parameters: Record<never, never>;
    /** Write many product classes. */
    bulk: { line: ProductClassLine };
  };
  '/products': {
    parameters: Record<never, never>;
    /** List products. */
    list: {
      item: ProductOutput;
      order: 'id' | 'sku' | 'name' | 'price' | 'amount' | 'arrival_date' | 'create_date' | 'update_date' | 'price_for';
      filter: {
        /** Only records that contain all of these words, ignoring case and accents, in `sku`, `name`, `brief_description`, `description`, the `value` of an attribute value text. The best matches come first unless `order` is given. */
        readonly search?: string;
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** `price` is this number. */
        readonly price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `market_price` is this number. */
        readonly market_price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `cost_price` is this number. */
        readonly cost_price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `weight` is this number. */
        readonly weight?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `amount` is this number. */
        readonly amount?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `taxable` has this value. */
        readonly taxable?: boolean;
        /** `free_shipping` has this value. */
        readonly free_shipping?: boolean;
        /** `participate_sale` has this value. */
        readonly participate_sale?: boolean;
        /** `discount_type` is exactly this text. */
        readonly discount_type?: 'sale_price' | 'sale_percent' | readonly ('sale_price' | 'sale_percent')[];
        /** `product_class` has this name or path. */
        readonly product_class?: string | readonly string[] | { readonly exists?: boolean };
        /** `product_class.id` is this id. */
        readonly 'product_class.id'?: number | readonly number[];
        /** `product_class.name` has this name. */
        readonly 'product_class.name'?: string | readonly string[];
        /** `tax_class` has this name or path. */
        readonly tax_class?: string | readonly string[] | { readonly exists?: boolean };
        /** `tax_class.id` is this id. */
        readonly 'tax_class.id'?: number | readonly number[];
        /** `tax_class.name` has this name. */
        readonly 'tax_class.name'?: string | readonly string[];
        /** `memberships` has this name or path. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
        /** `tags` has this name or path. */
        readonly tags?: string | readonly string[] | { readonly exists?: boolean };
        /** `tags.id` is this id. */
        readonly 'tags.id'?: number | readonly number[];
        /** `tags.name` has this name. */
        readonly 'tags.name'?: string | readonly string[];
        /** `stickers` is this id or path. */
        readonly stickers?: number | readonly number[] | { readonly exists?: boolean };
        /** `stickers.id` is this id. */
        readonly 'stickers.id'?: number | readonly number[];
        /** `stickers.name` has this name. */
        readonly 'stickers.name'?: string | readonly string[];
        /** `category` is this id or path. */
        readonly category?: number | readonly number[] | { readonly exists?: boolean };
        /** `category.id` is this id. */
        readonly 'category.id'?: number | readonly number[];
        /** `category.name` is this text, ignoring case and accents. */
        readonly 'category.name'?: string | readonly string[];
        /** `create_date` is this time. A date without a time matches the whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `update_date` is this time. A date without a time matches the whole day. */
        readonly update_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `arrival_date` is this time. A date without a time matches the whole day. */
        readonly arrival_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `separate_box` has this value. */
        readonly separate_box?: boolean;
        /** `width` is this number. */
        readonly width?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `length` is this number. */
        readonly length?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `height` is this number. */
        readonly height?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `attributes.ID`, where ID is the id of a select attribute: is the attribute option with this id. The list `attributes.ID[]` names several, and `attributes.ID[exists]` selects by whether there is one. */
        readonly [name: `attributes.${number}`]: number | readonly number[] | { readonly exists: boolean };
        /** `variants.ID`, where ID is the id of a select attribute: is the attribute option with this id. The list `variants.ID[]` names several, and `variants.ID[exists]` selects by whether there is one. */
        readonly [name: `variants.${number}`]: number | readonly number[] | { readonly exists: boolean };
        /** Adds `price_for` to each product: its unit price for a buyer with the membership of this id. 0 or a disabled membership means none. */
        readonly price_for?: { readonly membership?: number; readonly quantity?: number; readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
      };
    };
    /** Create a product. */
    post: { input: ProductInput; output: ProductOutput };
  };
  '/products/{id}': {
    parameters: { readonly id: number };
    /** Read a product. */
    get: { output: ProductOutput };
    /** Replace a product. */
    put: { input: ProductReplacement; output: ProductOutput };
    /** Update a product. */
    patch: { input: ProductPatch; output: ProductOutput };
    /** Delete a product. */
    delete: { output: undefined };
  };
  '/products/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a product. */
    get: { output: Record<string, ProductTranslationOutput> };
  };
  '/products/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a product in a language. */
    get: { output: ProductTranslationOutput };
    /** Write the texts of a product in a language. */
    put: { input: ProductTranslationInput; output: ProductTranslationOutput };
    /** Delete the texts of a product in a language. */
    delete: { output: undefined };
  };
  '/products/search': {
    parameters: Record<never, never>;
    /** Search products and count them by facets. */
    get: {
      output: ProductSearchOutput;
      filter: {
        /** Page to return. A page after the last one is an empty array. */
        readonly page?: number;
        /** Number of items per page. Numbers above 100 count as 100. */
        readonly itemsPerPage?: number;
        /** Cursor from the link `next`. Returns the page after it. No record is missed or repeated if others change meanwhile. Cannot be combined with `page`. Filters, search, order and language must be the same. */
        readonly cursor?: string;
        /** Return only these fields of the output. All others are omitted from the response, including required ones. */
        readonly fields?: string;
        /** Only records that contain all of these words, ignoring case and accents, in `sku`, `name`, `brief_description`, `description`, the `value` of an attribute value text. The best matches come first unless `order` is given. */
        readonly search?: string;
        /** Sort by `id`. */
        readonly order?: { readonly id?: SortDirection; readonly sku?: SortDirection; readonly name?: SortDirection; readonly price?: SortDirection; readonly amount?: SortDirection; readonly arrival_date?: SortDirection; readonly create_date?: SortDirection; readonly update_date?: SortDirection; readonly price_for?: SortDirection };
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** `price` is this number. */
        readonly price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `market_price` is this number. */
        readonly market_price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `cost_price` is this number. */
        readonly cost_price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `weight` is this number. */
        readonly weight?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `amount` is this number. */
        readonly amount?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `taxable` has this value. */
        readonly taxable?: boolean;
        /** `free_shipping` has this value. */
        readonly free_shipping?: boolean;
        /** `participate_sale` has this value. */
        readonly participate_sale?: boolean;
        /** `discount_type` is exactly this text. */
        readonly discount_type?: 'sale_price' | 'sale_percent' | readonly ('sale_price' | 'sale_percent')[];
        /** `product_class` has this name or path. */
        readonly product_class?: string | readonly string[] | { readonly exists?: boolean };
        /** `product_class.id` is this id. */
        readonly 'product_class.id'?: number | readonly number[];
        /** `product_class.name` has this name. */
        readonly 'product_class.name'?: string | readonly string[];
        /** `tax_class` has this name or path. */
        readonly tax_class?: string | readonly string[] | { readonly exists?: boolean };
        /** `tax_class.id` is this id. */
        readonly 'tax_class.id'?: number | readonly number[];
        /** `tax_class.name` has this name. */
        readonly 'tax_class.name'?: string | readonly string[];
        /** `memberships` has this name or path. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
        /** `tags` has this name or path. */
        readonly tags?: string | readonly string[] | { readonly exists?: boolean };
        /** `tags.id` is this id. */
        readonly 'tags.id'?: number | readonly number[];
        /** `tags.name` has this name. */
        readonly 'tags.name'?: string | readonly string[];
        /** `stickers` is this id or path. */
        readonly stickers?: number | readonly number[] | { readonly exists?: boolean };
        /** `stickers.id` is this id. */
        readonly 'stickers.id'?: number | readonly number[];
        /** `stickers.name` has this name. */
        readonly 'stickers.name'?: string | readonly string[];
        /** `category` is this id or path. */
        readonly category?: number | readonly number[] | { readonly exists?: boolean };
        /** `category.id` is this id. */
        readonly 'category.id'?: number | readonly number[];
        /** `category.name` is this text, ignoring case and accents. */
        readonly 'category.name'?: string | readonly string[];
        /** `create_date` is this time. A date without a time matches the whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `update_date` is this time. A date without a time matches the whole day. */
        readonly update_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `arrival_date` is this time. A date without a time matches the whole day. */
        readonly arrival_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `separate_box` has this value. */
        readonly separate_box?: boolean;
        /** `width` is this number. */
        readonly width?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `length` is this number. */
        readonly length?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `height` is this number. */
        readonly height?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `attributes.ID`, where ID is the id of a select attribute: is the attribute option with this id. The list `attributes.ID[]` names several, and `attributes.ID[exists]` selects by whether there is one. */
        readonly [name: `attributes.${number}`]: number | readonly number[] | { readonly exists: boolean };
        /** `variants.ID`, where ID is the id of a select attribute: is the attribute option with this id. The list `variants.ID[]` names several, and `variants.ID[exists]` selects by whether there is one. */
        readonly [name: `variants.${number}`]: number | readonly number[] | { readonly exists: boolean };
        /** Adds `price_for` to each product: its unit price for a buyer with the membership of this id. 0 or a disabled membership means none. */
        readonly price_for?: { readonly membership?: number; readonly quantity?: number; readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Facets to count, separated by commas, at most 10: `category`, `tags`, `product_class`, `price` (with ranges such as `price:0..25|25..50|50..`), `attributes.ID`, `variants.ID`. A range includes its lower end only. */
        readonly facets?: string;
        /** Maximum number of values of a facet. Selected values are always included. */
        readonly 'facets.limit'?: number;
      };
    };
  };
  '/products/{id}/stock': {
    parameters: { readonly id: number };
    /** Add to or subtract from the stock of a product. */
    post: { input: ProductStockInput; output: ProductOutput };
  };
  '/products/bulk': {
    parameters: Record<never, never>;
    /** Write many products. */
    bulk: { line: ProductLine };
  };
  '/products/stock/bulk': {
    parameters: Record<never, never>;
    /** Add to or subtract from the stock of a product, in bulk. */
    bulk: { line: ProductStockLine };
  };
  '/products/{id}/price': {
    parameters: { readonly id: number };
    /** Compute the price of a product for a buyer. */
    get: {
      output: ProductPriceOutput;
      filter: {
        /** Number of units. */
        readonly quantity?: number;
        /** Id of the buyer’s membership. 0 or a disabled membership means none. Cannot be combined with `customer`. */
        readonly membership?: number;
        /** Id of the buyer’s profile, which determines membership and tax exemption. */
        readonly customer?: number;
        /** Country of the buyer’s address. Without it, the rest of the address has no effect. */
        readonly country?: string;
        /** State of the address. */
        readonly state_name?: string;
        /** Postal code of the address. */
        readonly zipcode?: string;
        /** City of the address. */
        readonly city?: string;
        /** Code of a coupon, in upper or lower case. If it does not apply, it has no effect. */
        readonly coupon?: string;
        /** Whether `explanation` lists every rule that was considered. */
        readonly explain?: boolean;
        /** Date-time for which the price is computed; now if omitted. */
        readonly at?: string;
      };
    };
  };
  '/products/{id}/price_history': {
    parameters: { readonly id: number };
    /** List the price changes of a product. */
    get: { output: ProductPriceHistoryOutput[] };
  };
  '/products/{product_id}/images': {
    parameters: { readonly product_id: number };
    /** List product images. */
    list: {
      item: ProductImageOutput;
      order: 'id' | 'position';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create a product image. */
    post: { input: ProductImageInput; output: ProductImageOutput };
  };
  '/products/{product_id}/images/{image_id}': {
    parameters: { readonly product_id: number; readonly image_id: number };
    /** Read a product image. */
    get: { output: ProductImageOutput };
    /** Replace a product image. */
    put: { input: ProductImageReplacement; output: ProductImageOutput };
    /** Update a product image. */
    patch: { input: ProductImagePatch; output: ProductImageOutput };
    /** Delete a product image. */
    delete: { output: undefined };
  };
  '/products/{product_id}/variants': {
    parameters: { readonly product_id: number };
    /** List variants of a product. */
    list: {
      item: VariantOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
      };
    };
    /** Create a variant of a product. */
    post: { input: VariantInput; output: VariantOutput };
  };
  '/products/{product_id}/variants/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a variant of a product. */
    get: { output: VariantOutput };
    /** Replace a variant of a product. */
    put: { input: VariantReplacement; output: VariantOutput };
    /** Update a variant of a product. */
    patch: { input: VariantPatch; output: VariantOutput };
    /** Delete a variant of a product. */
    delete: { output: undefined };
  };
  '/variants': {
    parameters: Record<never, never>;
    /** List variants. */
    list: {
      item: VariantOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
      };
    };
  };
  '/products/{product_id}/variants/{id}/stock': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Add to or subtract from the stock of a variant. */
    post: { input: VariantStockInput; output: VariantOutput };
  };
  '/products/{product_id}/variants/bulk': {
    parameters: { readonly product_id: number };
    /** Write many variants of a product. */
    bulk: { line: VariantLine };
  };
  '/products/{product_id}/variants/stock/bulk': {
    parameters: { readonly product_id: number };
    /** Add to or subtract from the stock of a variant, in bulk. */
    bulk: { line: VariantStockLine };
  };
  '/products/{product_id}/variants/{id}/price': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Compute the price of a variant for a buyer. */
    get: {
      output: VariantPriceOutput;
      filter: {
        /** Number of units. */
        readonly quantity?: number;
        /** Id of the buyer’s membership. 0 or a disabled membership means none. Cannot be combined with `customer`. */
        readonly membership?: number;
        /** Id of the buyer’s profile, which determines membership and tax exemption. */
        readonly customer?: number;
        /** Country of the buyer’s address. Without it, the rest of the address has no effect. */
        readonly country?: string;
        /** State of the address. */
        readonly state_name?: string;
        /** Postal code of the address. */
        readonly zipcode?: string;
        /** City of the address. */
        readonly city?: string;
        /** Code of a coupon, in upper or lower case. If it does not apply, it has no effect. */
        readonly coupon?: string;
        /** Whether `explanation` lists every rule that was considered. */
        readonly explain?: boolean;
        /** Date-time for which the price is computed; now if omitted. */
        readonly at?: string;
      };
    };
  };
  '/products/{product_id}/variants/{id}/price_history': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the price changes of a variant. */
    get: { output: VariantPriceHistoryOutput[] };
  };
  '/products/{product_id}/reviews': {
    parameters: { readonly product_id: number };
    /** List reviews of a product. */
    list: {
      item: ReviewOutput;
      order: 'id' | 'addition_date' | 'rating';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `rating` is this number. */
        readonly rating?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `status` is this number. */
        readonly status?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `profile` is this id or path. */
        readonly profile?: number | readonly number[] | { readonly exists?: boolean };
        /** `profile.id` is this id. */
        readonly 'profile.id'?: number | readonly number[];
        /** `addition_date` is this time. A date without a time matches the whole day. */
        readonly addition_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a review of a product. */
    post: { input: ReviewInput; output: ReviewOutput };
  };
  '/products/{product_id}/reviews/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a review of a product. */
    get: { output: ReviewOutput };
    /** Replace a review of a product. */
    put: { input: ReviewInput; output: ReviewOutput };
    /** Update a review of a product. */
    patch: { input: ReviewPatch; output: ReviewOutput };
    /** Delete a review of a product. */
    delete: { output: undefined };
  };
  '/reviews': {
    parameters: Record<never, never>;
    /** List reviews. */
    list: {
      item: ReviewOutput;
      order: 'id' | 'addition_date' | 'rating';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `product_id` is this id or path. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** `product_id.name` is this text, ignoring case and accents. */
        readonly 'product_id.name'?: string | readonly string[];
        /** `rating` is this number. */
        readonly rating?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `status` is this number. */
        readonly status?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `profile` is this id or path. */
        readonly profile?: number | readonly number[] | { readonly exists?: boolean };
        /** `profile.id` is this id. */
        readonly 'profile.id'?: number | readonly number[];
        /** `addition_date` is this time. A date without a time matches the whole day. */
        readonly addition_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
  };
  '/products/{product_id}/related_products': {
    parameters: { readonly product_id: number };
    /** List related products. */
    list: {
      item: RelatedProductOutput;
      order: 'id' | 'position';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `product_id` is this id or path. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** `product_id.name` is this text, ignoring case and accents. */
        readonly 'product_id.name'?: string | readonly string[];
      };
    };
    /** Create a related product. */
    post: { input: RelatedProductInput; output: RelatedProductOutput };
  };
  '/products/{product_id}/related_products/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a related product. */
    get: { output: RelatedProductOutput };
    /** Replace a related product. */
    put: { input: RelatedProductInput; output: RelatedProductOutput };
    /** Update a related product. */
    patch: { input: RelatedProductPatch; output: RelatedProductOutput };
    /** Delete a related product. */
    delete: { output: undefined };
  };
  '/front_page/featured': {
    parameters: Record<never, never>;
    /** List front page products. */
    list: {
      item: FrontPageProductOutput;
      order: 'position' | 'product_id';
      filter: {
        /** `product_id` is this id or path. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** `product_id.name` is this text, ignoring case and accents. */
        readonly 'product_id.name'?: string | readonly string[];
      };
    };
    /** Create a front page product. */
    post: { input: FrontPageProductInput; output: FrontPageProductOutput };
  };
  '/front_page/featured/{product_id}': {
    parameters: { readonly product_id: number };
    /** Read a front page product. */
    get: { output: FrontPageProductOutput };
    /** Update a front page product. */
    patch: { input: FrontPageProductPatch; output: FrontPageProductOutput };
    /** Delete a front page product. */
    delete: { output: undefined };
  };
  '/custom_product_tabs': {
    parameters: Record<never, never>;
    /** List custom product tabs. */
    list: {
      item: CustomProductTabOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create a custom product tab. */
    post: { input: CustomProductTabInput; output: CustomProductTabOutput };
  };
  '/custom_product_tabs/{id}': {
    parameters: { readonly id: number };
    /** Read a custom product tab. */
    get: { output: CustomProductTabOutput };
    /** Replace a custom product tab. */
    put: { input: CustomProductTabInput; output: CustomProductTabOutput };
    /** Update a custom product tab. */
    patch: { input: CustomProductTabPatch; output: CustomProductTabOutput };
    /** Delete a custom product tab. */
    delete: { output: undefined };
  };
  '/custom_product_tabs/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a custom product tab. */
    get: { output: Record<string, CustomProductTabTranslationOutput> };
  };
  '/custom_product_tabs/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a custom product tab in a language. */
    get: { output: CustomProductTabTranslationOutput };
    /** Write the texts of a custom product tab in a language. */
    put: { input: CustomProductTabTranslationInput; output: CustomProductTabTranslationOutput };
    /** Delete the texts of a custom product tab in a language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attachments': {
    parameters: { readonly product_id: number };
    /** List product attachments. */
    list: {
      item: ProductAttachmentOutput;
      order: 'id' | 'position';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create a product attachment. */
    post: { input: ProductAttachmentInput; output: ProductAttachmentOutput };
  };
  '/products/{product_id}/attachments/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a product attachment. */
    get: { output: ProductAttachmentOutput };
    /** Replace a product attachment. */
    put: { input: ProductAttachmentReplacement; output: ProductAttachmentOutput };
    /** Update a product attachment. */
    patch: { input: ProductAttachmentPatch; output: ProductAttachmentOutput };
    /** Delete a product attachment. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attachments/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read all texts of a product attachment. */
    get: { output: Record<string, ProductAttachmentTranslationOutput> };
  };
  '/products/{product_id}/attachments/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of a product attachment in a language. */
    get: { output: ProductAttachmentTranslationOutput };
    /** Write the texts of a product attachment in a language. */
    put: { input: ProductAttachmentTranslationInput; output: ProductAttachmentTranslationOutput };
    /** Delete the texts of a product attachment in a language. */
    delete: { output: undefined };
  };
  '/tax_classes': {
    parameters: Record<never, never>;
    /** List tax classes. */
    list: {
      item: TaxClassOutput;
      order: 'id' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a tax class. */
    post: { input: TaxClassInput; output: TaxClassOutput };
  };
  '/tax_classes/{id}': {
    parameters: { readonly id: number };
    /** Read a tax class. */
    get: { output: TaxClassOutput };
    /** Replace a tax class. */
    put: { input: TaxClassInput; output: TaxClassOutput };
    /** Update a tax class. */
    patch: { input: TaxClassPatch; output: TaxClassOutput };
    /** Delete a tax class. */
    delete: { output: undefined };
  };
  '/tax_classes/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a tax class. */
    get: { output: Record<string, TaxClassTranslationOutput> };
  };
  '/tax_classes/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a tax class in a language. */
    get: { output: TaxClassTranslationOutput };
    /** Write the texts of a tax class in a language. */
    put: { input: TaxClassTranslationInput; output: TaxClassTranslationOutput };
    /** Delete the texts of a tax class in a language. */
    delete: { output: undefined };
  };
  '/tax_classes/bulk': {
    parameters: Record<never, never>;
    /** Write many tax classes. */
    bulk: { line: TaxClassLine };
  };
  '/orders': {
    parameters: Record<never, never>;
    /** List orders. */
    list: {
      item: OrderOutput;
      order: 'id' | 'create_date' | 'update_date' | 'total';
      filter: {
        /** Only records that contain all of these words, ignoring case and accents, in `order_number`, `email`, `billing_address.firstname`, `billing_address.lastname`, `billing_address.company`, `shipping_address.firstname`, `shipping_address.lastname`, `shipping_address.company`, the `sku` of an order item. The newest records come first unless `order` is given. */
        readonly search?: string;
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `order_number` is exactly this text. */
        readonly order_number?: string | readonly string[];
        /** `email` contains this text, ignoring case and accents. */
        readonly email?: string | readonly string[];
        /** `total` is this number. */
        readonly total?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `sub_total` is this number. */
        readonly sub_total?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** `currency` is exactly this text. */
        readonly currency?: string | readonly string[];
        /** `customer_id` is this id or path. */
        readonly customer_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `customer_id.id` is this id. */
        readonly 'customer_id.id'?: number | readonly number[];
        /** `create_date` is this time. A date without a time matches the whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `update_date` is this time. A date without a time matches the whole day. */
        readonly update_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `payment_status` has this name or path. */
        readonly payment_status?: string | readonly string[] | { readonly exists?: boolean };
        /** `payment_status.id` is this id. */
        readonly 'payment_status.id'?: number | readonly number[];
        /** `payment_status.code` has this name. */
        readonly 'payment_status.code'?: string | readonly string[];
        /** `shipping_status` has this name or path. */
        readonly shipping_status?: string | readonly string[] | { readonly exists?: boolean };
        /** `shipping_status.id` is this id. */
        readonly 'shipping_status.id'?: number | readonly number[];
        /** `shipping_status.code` has this name. */
        readonly 'shipping_status.code'?: string | readonly string[];
        /** `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
      };
    };
    /** Create an order. */
    post: { input: OrderInput; output: OrderOutput; dryRun: OrderDryRunOutput };
  };
  '/orders/{id}': {
    parameters: { readonly id: number };
    /** Read an order. */
    get: { output: OrderOutput };
    /** Update an order. */
    patch: { input: OrderPatch; output: OrderOutput };
  };
  '/orders/by_number/{orderNumber}': {
    parameters: { readonly orderNumber: string };
    /** Read an order by number. */
    get: { output: OrderOutput };
  };
  '/orders/quote': {
    parameters: Record<never, never>;
    /** Calculate an order without placing it. */
    post: { input: OrderQuoteInput; output: OrderQuoteOutput };
  };
  '/orders/{id}/edit': {
    parameters: { readonly id: number };
    /** Edit the items and surcharges of an order. */
    post: { input: OrderEditInput; output: OrderOutput };
  };
  '/orders/{id}/settle': {
    parameters: { readonly id: number };
    /** Record a payment, a shipment and a return of an order and set its statuses, in one step. */
    post: { input: OrderSettleInput; output: OrderOutput };
  };
  '/orders/{id}/payment_status': {
    parameters: { readonly id: number };
    /** Set the payment status of an order. */
    put: { input: OrderPaymentStatusInput; output: PaymentStatusOutput };
    /** Read the payment status of an order. */
    get: { output: PaymentStatusOutput };
  };
  '/orders/{id}/shipping_status': {
    parameters: { readonly id: number };
    /** Set the shipping status of an order. */
    put: { input: OrderShippingStatusInput; output: ShippingStatusOutput };
    /** Read the shipping status of an order. */
    get: { output: ShippingStatusOutput };
  };
  '/orders/bulk': {
    parameters: Record<never, never>;
    /** Write many orders. */
    bulk: { line: OrderLine };
  };
  '/orders/{id}/calculation': {
    parameters: { readonly id: number };
    /** Read the calculation of an order. */
    get: { output: OrderCalculationOutput };
  };
  '/orders/{id}/refundable': {
    parameters: { readonly id: number };
    /** Preview a credit note of selected items. */
    get: {
      output: OrderRefundableOutput;
      filter: {
        /** Number of units by the id of the item, such as `items[7]=1`. If omitted, everything that can still be credited. */
        readonly items?: Readonly<Record<string, number>>;
        /** Id of an invoice of the order. If omitted or 0, the latest one. */
        readonly invoice?: number;
      };
    };
  };
  '/orders/{order_id}/details': {
    parameters: { readonly order_id: number };
    /** List order details. */
    list: {
      item: OrderDetailOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an order detail. */
    post: { input: OrderDetailInput; output: OrderDetailOutput };
  };
  '/orders/{order_id}/details/{detail_id}': {
    parameters: { readonly order_id: number; readonly detail_id: number };
    /** Read an order detail. */
    get: { output: OrderDetailOutput };
    /** Replace an order detail. */
    put: { input: OrderDetailInput; output: OrderDetailOutput };
    /** Update an order detail. */
    patch: { input: OrderDetailPatch; output: OrderDetailOutput };
    /** Delete an order detail. */
    delete: { output: undefined };
  };
  '/orders/{order_id}/history': {
    parameters: { readonly order_id: number };
    /** List order history events. */
    list: {
      item: OrderHistoryEventsOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
  };
  '/orders/{order_id}/history/{event_id}': {
    parameters: { readonly order_id: number; readonly event_id: number };
    /** Read an order history events. */
    get: { output: OrderHistoryEventsOutput };
  };
  '/orders/{order_id}/items': {
    parameters: { readonly order_id: number };
    /** List order items. */
    list: {
      item: OrderItemOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
  };
  '/orders/{order_id}/items/{item_id}': {
    parameters: { readonly order_id: number; readonly item_id: number };
    /** Read an order item. */
    get: { output: OrderItemOutput };
  };
  '/orders/{order_id}/payment_transactions': {
    parameters: { readonly order_id: number };
    /** List transactions. */
    list: {
      item: TransactionOutput;
      order: 'id' | 'date';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `status` is exactly this text. */
        readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V' | readonly ('I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V')[];
        /** `type` is exactly this text. */
        readonly type?: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test' | readonly ('auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test')[];
        /** `date` is this time. A date without a time matches the whole day. */
        readonly date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a transaction. */
    post: { input: TransactionInput; output: TransactionOutput };
  };
  '/orders/{order_id}/payment_transactions/{transaction_id}': {
    parameters: { readonly order_id: number; readonly transaction_id: number };
    /** Read a transaction. */
    get: { output: TransactionOutput };
    /** Update a transaction. */
    patch: { input: TransactionPatch; output: TransactionOutput };
  };
  '/orders/{order_id}/tracking_numbers': {
    parameters: { readonly order_id: number };
    /** List order tracking numbers. */
    list: {
      item: OrderTrackingNumberOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an order tracking number. */
    post: { input: OrderTrackingNumberInput; output: OrderTrackingNumberOutput };
  };
  '/orders/{order_id}/tracking_numbers/{tracking_id}': {
    parameters: { readonly order_id: number; readonly tracking_id: number };
    /** Read an order tracking number. */
    get: { output: OrderTrackingNumberOutput };
    /** Replace an order tracking number. */
    put: { input: OrderTrackingNumberInput; output: OrderTrackingNumberOutput };
    /** Update an order tracking number. */
    patch: { input: OrderTrackingNumberPatch; output: OrderTrackingNumberOutput };
    /** Delete an order tracking number. */
    delete: { output: undefined };
  };
  '/orders/{order_id}/shipments': {
    parameters: { readonly order_id: number };
    /** List order shipments. */
    list: {
      item: OrderShipmentOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an order shipment. */
    post: { input: OrderShipmentInput; output: OrderShipmentOutput };
  };
  '/orders/{order_id}/shipments/{shipment_id}': {
    parameters: { readonly order_id: number; readonly shipment_id: number };
    /** Read an order shipment. */
    get: { output: OrderShipmentOutput };
    /** Update an order shipment. */
    patch: { input: OrderShipmentPatch; output: OrderShipmentOutput };
    /** Delete an order shipment. */
    delete: { output: undefined };
  };
  '/orders/{order_id}/returns': {
    parameters: { readonly order_id: number };
    /** List order returns. */
    list: {
      item: OrderReturnOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `status` is exactly this text. */
        readonly status?: 'requested' | 'received' | 'refused' | readonly ('requested' | 'received' | 'refused')[];
      };
    };
    /** Create an order return. */
    post: { input: OrderReturnInput; output: OrderReturnOutput };
  };
  '/orders/{order_id}/returns/{return_id}': {
    parameters: { readonly order_id: number; readonly return_id: number };
    /** Read an order return. */
    get: { output: OrderReturnOutput };
    /** Update an order return. */
    patch: { input: OrderReturnPatch; output: OrderReturnOutput };
  };
  '/orders/{order_id}/invoices': {
    parameters: { readonly order_id: number };
    /** List order invoices. */
    list: {
      item: OrderInvoiceOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `kind` is exactly this text. */
        readonly kind?: 'invoice' | 'credit_note' | readonly ('invoice' | 'credit_note')[];
      };
    };
    /** Create an order invoice. */
    post: { input: OrderInvoiceInput; output: OrderInvoiceOutput };
  };
  '/orders/{order_id}/invoices/{invoice_id}': {
    parameters: { readonly order_id: number; readonly invoice_id: number };
    /** Read an order invoice. */
    get: { output: OrderInvoiceOutput };
  };
  '/carts': {
    parameters: Record<never, never>;
    /** List carts. */
    list: {
      item: CartOutput;
      order: 'id' | 'create_date' | 'update_date' | 'total';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `state` is exactly this text. */
        readonly state?: 'open' | 'expired' | 'merged' | readonly ('open' | 'expired' | 'merged')[];
        /** `customer_id` is this id or path. */
        readonly customer_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `customer_id.id` is this id. */
        readonly 'customer_id.id'?: number | readonly number[];
        /** `email` is exactly this text. */
        readonly email?: string | readonly string[];
        /** `create_date` is this time. A date without a time matches the whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `update_date` is this time. A date without a time matches the whole day. */
        readonly update_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `expires_at` is this time. A date without a time matches the whole day. */
        readonly expires_at?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
  };
  '/carts/{cart_id}': {
    parameters: { readonly cart_id: number };
    /** Read a cart. */
    get: { output: CartOutput };
  };
  '/profiles': {
    parameters: Record<never, never>;
    /** List profiles. */
    list: {
      item: ProfileOutput;
      order: 'id' | 'login' | 'create_date' | 'last_login_date';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `login` contains this text, ignoring case and accents. */
        readonly login?: string | readonly string[];
        /** `searchFakeField` contains this text, ignoring case and accents. */
        readonly searchFakeField?: string | readonly string[];
        /** `status` is exactly this text. */
        readonly status?: 'E' | 'D' | readonly ('E' | 'D')[];
        /** `membership_id` is this id or path. */
        readonly membership_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `membership_id.id` is this id. */
        readonly 'membership_id.id'?: number | readonly number[];
        /** `membership_id.name` has this name. */
        readonly 'membership_id.name'?: string | readonly string[];
        /** `pending_membership_id` is this id or path. */
        readonly pending_membership_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `pending_membership_id.id` is this id. */
        readonly 'pending_membership_id.id'?: number | readonly number[];
        /** `pending_membership_id.name` has this name. */
        readonly 'pending_membership_id.name'?: string | readonly string[];
        /** `create_date` is this time. A date without a time matches the whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `first_login_date` is this time. A date without a time matches the whole day. */
        readonly first_login_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `last_login_date` is this time. A date without a time matches the whole day. */
        readonly last_login_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a profile. */
    post: { input: ProfileInput; output: ProfileOutput };
  };
  '/profiles/{profile_id}': {
    parameters: { readonly profile_id: number };
    /** Read a profile. */
    get: { output: ProfileOutput };
    /** Replace a profile. */
    put: { input: ProfileInput; output: ProfileOutput };
    /** Update a profile. */
    patch: { input: ProfilePatch; output: ProfileOutput };
    /** Delete a profile. */
    delete: { output: undefined };
  };
  '/profiles/check_password': {
    parameters: Record<never, never>;
    /** Check the password of a profile. */
    post: { input: ProfileCheckPasswordInput; output: ProfileOutput };
  };
  '/profiles/{profile_id}/addresses': {
    parameters: { readonly profile_id: number };
    /** List profile addresses. */
    list: {
      item: ProfileAddressOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create a profile address. */
    post: { input: ProfileAddressInput; output: ProfileAddressOutput };
  };
  '/profiles/{profile_id}/addresses/{address_id}': {
    parameters: { readonly profile_id: number; readonly address_id: number };
    /** Read a profile address. */
    get: { output: ProfileAddressOutput };
    /** Replace a profile address. */
    put: { input: ProfileAddressInput; output: ProfileAddressOutput };
    /** Update a profile address. */
    patch: { input: ProfileAddressPatch; output: ProfileAddressOutput };
    /** Delete a profile address. */
    delete: { output: undefined };
  };
  '/memberships': {
    parameters: Record<never, never>;
    /** List memberships. */
    list: {
      item: MembershipOutput;
      order: 'id' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
      };
    };
    /** Create a membership. */
    post: { input: MembershipInput; output: MembershipOutput };
  };
  '/memberships/{membership_id}': {
    parameters: { readonly membership_id: number };
    /** Read a membership. */
    get: { output: MembershipOutput };
    /** Replace a membership. */
    put: { input: MembershipInput; output: MembershipOutput };
    /** Update a membership. */
    patch: { input: MembershipPatch; output: MembershipOutput };
    /** Delete a membership. */
    delete: { output: undefined };
  };
  '/memberships/{membership_id}/translations': {
    parameters: { readonly membership_id: number };
    /** Read all texts of a membership. */
    get: { output: Record<string, MembershipTranslationOutput> };
  };
  '/memberships/{membership_id}/translations/{code}': {
    parameters: { readonly membership_id: number; readonly code: string };
    /** Read the texts of a membership in a language. */
    get: { output: MembershipTranslationOutput };
    /** Write the texts of a membership in a language. */
    put: { input: MembershipTranslationInput; output: MembershipTranslationOutput };
    /** Delete the texts of a membership in a language. */
    delete: { output: undefined };
  };
  '/memberships/bulk': {
    parameters: Record<never, never>;
    /** Write many memberships. */
    bulk: { line: MembershipLine };
  };
  '/products/{product_id}/wholesale_prices': {
    parameters: { readonly product_id: number };
    /** List wholesale prices of a product. */
    list: {
      item: WholesalePriceOutput;
      order: 'id' | 'quantity_range_begin' | 'price';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `membership` is this id or path. */
        readonly membership?: number | readonly number[] | { readonly exists?: boolean };
        /** `membership.id` is this id. */
        readonly 'membership.id'?: number | readonly number[];
        /** `membership.name` has this name. */
        readonly 'membership.name'?: string | readonly string[];
        /** `type` is exactly this text. */
        readonly type?: 'price' | 'percent' | readonly ('price' | 'percent')[];
        /** `quantity_range_begin` is this number. */
        readonly quantity_range_begin?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
      };
    };
    /** Create a wholesale price of a product. */
    post: { input: WholesalePriceInput; output: WholesalePriceOutput };
  };
  '/products/{product_id}/wholesale_prices/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a wholesale price of a product. */
    get: { output: WholesalePriceOutput };
    /** Replace a wholesale price of a product. */
    put: { input: WholesalePriceInput; output: WholesalePriceOutput };
    /** Update a wholesale price of a product. */
    patch: { input: WholesalePricePatch; output: WholesalePriceOutput };
    /** Delete a wholesale price of a product. */
    delete: { output: undefined };
  };
  '/products/{product_id}/variants/{variant_id}/wholesale_prices': {
    parameters: { readonly product_id: number; readonly variant_id: number };
    /** List wholesale prices of a variant of a product. */
    list: {
      item: WholesalePriceOutput;
      order: 'id' | 'quantity_range_begin' | 'price';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `membership` is this id or path. */
        readonly membership?: number | readonly number[] | { readonly exists?: boolean };
        /** `membership.id` is this id. */
        readonly 'membership.id'?: number | readonly number[];
        /** `membership.name` has this name. */
        readonly 'membership.name'?: string | readonly string[];
        /** `type` is exactly this text. */
        readonly type?: 'price' | 'percent' | readonly ('price' | 'percent')[];
        /** `quantity_range_begin` is this number. */
        readonly quantity_range_begin?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
      };
    };
    /** Create a wholesale price of a variant of a product. */
    post: { input: WholesalePriceInput; output: WholesalePriceOutput };
  };
  '/products/{product_id}/variants/{variant_id}/wholesale_prices/{id}': {
    parameters: { readonly product_id: number; readonly variant_id: number; readonly id: number };
    /** Read a wholesale price of a variant of a product. */
    get: { output: WholesalePriceOutput };
    /** Replace a wholesale price of a variant of a product. */
    put: { input: WholesalePriceInput; output: WholesalePriceOutput };
    /** Update a wholesale price of a variant of a product. */
    patch: { input: WholesalePricePatch; output: WholesalePriceOutput };
    /** Delete a wholesale price of a variant of a product. */
    delete: { output: undefined };
  };
  '/wholesale_prices': {
    parameters: Record<never, never>;
    /** List wholesale prices. */
    list: {
      item: WholesalePriceOutput;
      order: 'id' | 'quantity_range_begin' | 'price';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `product_id` is this id or path. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** `product_id.name` is this text, ignoring case and accents. */
        readonly 'product_id.name'?: string | readonly string[];
        /** `variant_id` is this id or path. */
        readonly variant_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `variant_id.id` is this id. */
        readonly 'variant_id.id'?: number | readonly number[];
        /** `membership` is this id or path. */
        readonly membership?: number | readonly number[] | { readonly exists?: boolean };
        /** `membership.id` is this id. */
        readonly 'membership.id'?: number | readonly number[];
        /** `membership.name` has this name. */
        readonly 'membership.name'?: string | readonly string[];
        /** `type` is exactly this text. */
        readonly type?: 'price' | 'percent' | readonly ('price' | 'percent')[];
        /** `quantity_range_begin` is this number. */
        readonly quantity_range_begin?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
      };
    };
  };
  '/wholesale_prices/bulk': {
    parameters: Record<never, never>;
    /** Write many wholesale prices. */
    bulk: { line: WholesalePriceLineAtWholesalePrices };
  };
  '/sale_discounts': {
    parameters: Record<never, never>;
    /** List sale discounts. */
    list: {
      item: SaleDiscountOutput;
      order: 'id' | 'value' | 'date_range_begin' | 'date_range_end';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `memberships` is this id or path. */
        readonly memberships?: number | readonly number[] | { readonly exists?: boolean };
        /** `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
        /** `date_range_begin` is this time. A date without a time matches the whole day. */
        readonly date_range_begin?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `date_range_end` is this time. A date without a time matches the whole day. */
        readonly date_range_end?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a sale discount. */
    post: { input: SaleDiscountInput; output: SaleDiscountOutput };
  };
  '/sale_discounts/{id}': {
    parameters: { readonly id: number };
    /** Read a sale discount. */
    get: { output: SaleDiscountOutput };
    /** Replace a sale discount. */
    put: { input: SaleDiscountInput; output: SaleDiscountOutput };
    /** Update a sale discount. */
    patch: { input: SaleDiscountPatch; output: SaleDiscountOutput };
    /** Delete a sale discount. */
    delete: { output: undefined };
  };
  '/sale_discounts/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a sale discount. */
    get: { output: Record<string, SaleDiscountTranslationOutput> };
  };
  '/sale_discounts/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a sale discount in a language. */
    get: { output: SaleDiscountTranslationOutput };
    /** Write the texts of a sale discount in a language. */
    put: { input: SaleDiscountTranslationInput; output: SaleDiscountTranslationOutput };
    /** Delete the texts of a sale discount in a language. */
    delete: { output: undefined };
  };
  '/sale_discounts/bulk': {
    parameters: Record<never, never>;
    /** Write many sale discounts. */
    bulk: { line: SaleDiscountLine };
  };
  '/volume_discounts': {
    parameters: Record<never, never>;
    /** List volume discounts. */
    list: {
      item: VolumeDiscountOutput;
      order: 'id' | 'subtotal_range_begin' | 'value' | 'date_range_begin' | 'date_range_end';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `membership` is this id or path. */
        readonly membership?: number | readonly number[] | { readonly exists?: boolean };
        /** `membership.id` is this id. */
        readonly 'membership.id'?: number | readonly number[];
        /** `membership.name` has this name. */
        readonly 'membership.name'?: string | readonly string[];
        /** `date_range_begin` is this time. A date without a time matches the whole day. */
        readonly date_range_begin?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `date_range_end` is this time. A date without a time matches the whole day. */
        readonly date_range_end?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a volume discount. */
    post: { input: VolumeDiscountInput; output: VolumeDiscountOutput };
  };
  '/volume_discounts/{id}': {
    parameters: { readonly id: number };
    /** Read a volume discount. */
    get: { output: VolumeDiscountOutput };
    /** Replace a volume discount. */
    put: { input: VolumeDiscountInput; output: VolumeDiscountOutput };
    /** Update a volume discount. */
    patch: { input: VolumeDiscountPatch; output: VolumeDiscountOutput };
    /** Delete a volume discount. */
    delete: { output: undefined };
  };
  '/volume_discounts/bulk': {
    parameters: Record<never, never>;
    /** Write many volume discounts. */
    bulk: { line: VolumeDiscountLine };
  };
  '/coupons': {
    parameters: Record<never, never>;
    /** List coupons. */
    list: {
      item: CouponOutput;
      order: 'id' | 'code' | 'value' | 'date_range_begin' | 'date_range_end';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `code` is exactly this text. */
        readonly code?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `memberships` is this id or path. */
        readonly memberships?: number | readonly number[] | { readonly exists?: boolean };
        /** `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
        /** `date_range_begin` is this time. A date without a time matches the whole day. */
        readonly date_range_begin?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `date_range_end` is this time. A date without a time matches the whole day. */
        readonly date_range_end?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a coupon. */
    post: { input: CouponInput; output: CouponOutput };
  };
  '/coupons/{id}': {
    parameters: { readonly id: number };
    /** Read a coupon. */
    get: { output: CouponOutput };
    /** Replace a coupon. */
    put: { input: CouponInput; output: CouponOutput };
    /** Update a coupon. */
    patch: { input: CouponPatch; output: CouponOutput };
    /** Delete a coupon. */
    delete: { output: undefined };
  };
  '/coupons/bulk': {
    parameters: Record<never, never>;
    /** Write many coupons. */
    bulk: { line: CouponLine };
  };
  '/zones': {
    parameters: Record<never, never>;
    /** List zones. */
    list: {
      item: ZoneOutput;
      order: 'id' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a zone. */
    post: { input: ZoneInput; output: ZoneOutput };
  };
  '/zones/{id}': {
    parameters: { readonly id: number };
    /** Read a zone. */
    get: { output: ZoneOutput };
    /** Replace a zone. */
    put: { input: ZoneInput; output: ZoneOutput };
    /** Update a zone. */
    patch: { input: ZonePatch; output: ZoneOutput };
    /** Delete a zone. */
    delete: { output: undefined };
  };
  '/zones/bulk': {
    parameters: Record<never, never>;
    /** Write many zones. */
    bulk: { line: ZoneLine };
  };
  '/tax_settings': {
    parameters: Record<never, never>;
    /** Read a tax settings. */
    get: { output: TaxSettingsOutput };
    /** Replace a tax settings. */
    put: { input: TaxSettingsInput; output: TaxSettingsOutput };
    /** Update a tax settings. */
    patch: { input: TaxSettingsPatch; output: TaxSettingsOutput };
  };
  '/tax_rates': {
    parameters: Record<never, never>;
    /** List tax rates. */
    list: {
      item: TaxRateOutput;
      order: 'id' | 'position' | 'tax';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `tax` is exactly this text. */
        readonly tax?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `zone` is this id or path. */
        readonly zone?: number | readonly number[] | { readonly exists?: boolean };
        /** `zone.id` is this id. */
        readonly 'zone.id'?: number | readonly number[];
        /** `zone.name` has this name. */
        readonly 'zone.name'?: string | readonly string[];
        /** `tax_class` is this id or path. */
        readonly tax_class?: number | readonly number[] | { readonly exists?: boolean };
        /** `tax_class.id` is this id. */
        readonly 'tax_class.id'?: number | readonly number[];
        /** `tax_class.name` has this name. */
        readonly 'tax_class.name'?: string | readonly string[];
        /** `membership` is this id or path. */
        readonly membership?: number | readonly number[] | { readonly exists?: boolean };
        /** `membership.id` is this id. */
        readonly 'membership.id'?: number | readonly number[];
        /** `membership.name` has this name. */
        readonly 'membership.name'?: string | readonly string[];
        /** `type` is exactly this text. */
        readonly type?: '%' | '$' | readonly ('%' | '$')[];
        /** `base` is exactly this text. */
        readonly base?: 'subtotal' | 'discounted_subtotal' | 'shipping' | readonly ('subtotal' | 'discounted_subtotal' | 'shipping')[];
        /** `date_range_begin` is this time. A date without a time matches the whole day. */
        readonly date_range_begin?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** `date_range_end` is this time. A date without a time matches the whole day. */
        readonly date_range_end?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
    /** Create a tax rate. */
    post: { input: TaxRateInput; output: TaxRateOutput };
  };
  '/tax_rates/{id}': {
    parameters: { readonly id: number };
    /** Read a tax rate. */
    get: { output: TaxRateOutput };
    /** Replace a tax rate. */
    put: { input: TaxRateInput; output: TaxRateOutput };
    /** Update a tax rate. */
    patch: { input: TaxRatePatch; output: TaxRateOutput };
    /** Delete a tax rate. */
    delete: { output: undefined };
  };
  '/tax_rates/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a tax rate. */
    get: { output: Record<string, TaxRateTranslationOutput> };
  };
  '/tax_rates/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a tax rate in a language. */
    get: { output: TaxRateTranslationOutput };
    /** Write the texts of a tax rate in a language. */
    put: { input: TaxRateTranslationInput; output: TaxRateTranslationOutput };
    /** Delete the texts of a tax rate in a language. */
    delete: { output: undefined };
  };
  '/tax_rates/bulk': {
    parameters: Record<never, never>;
    /** Write many tax rates. */
    bulk: { line: TaxRateLine };
  };
  '/shipping_methods': {
    parameters: Record<never, never>;
    /** List shipping methods. */
    list: {
      item: ShippingMethodOutput;
      order: 'id' | 'position' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `carrier` is exactly this text. */
        readonly carrier?: string | readonly string[];
        /** `code` is exactly this text. */
        readonly code?: string | readonly string[];
        /** `tax_class` is this id or path. */
        readonly tax_class?: number | readonly number[] | { readonly exists?: boolean };
        /** `tax_class.id` is this id. */
        readonly 'tax_class.id'?: number | readonly number[];
        /** `tax_class.name` has this name. */
        readonly 'tax_class.name'?: string | readonly string[];
        /** `processor` is exactly this text. */
        readonly processor?: 'offline' | 'pickup' | readonly ('offline' | 'pickup')[];
      };
    };
    /** Create a shipping method. */
    post: { input: ShippingMethodInput; output: ShippingMethodOutput };
  };
  '/shipping_methods/{id}': {
    parameters: { readonly id: number };
    /** Read a shipping method. */
    get: { output: ShippingMethodOutput };
    /** Replace a shipping method. */
    put: { input: ShippingMethodInput; output: ShippingMethodOutput };
    /** Update a shipping method. */
    patch: { input: ShippingMethodPatch; output: ShippingMethodOutput };
    /** Delete a shipping method. */
    delete: { output: undefined };
  };
  '/shipping_methods/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a shipping method. */
    get: { output: Record<string, ShippingMethodTranslationOutput> };
  };
  '/shipping_methods/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a shipping method in a language. */
    get: { output: ShippingMethodTranslationOutput };
    /** Write the texts of a shipping method in a language. */
    put: { input: ShippingMethodTranslationInput; output: ShippingMethodTranslationOutput };
    /** Delete the texts of a shipping method in a language. */
    delete: { output: undefined };
  };
  '/shipping_methods/bulk': {
    parameters: Record<never, never>;
    /** Write many shipping methods. */
    bulk: { line: ShippingMethodLine };
  };
  '/shipping_methods/{id}/coverage': {
    parameters: { readonly id: number };
    /** List the orders that no rate of a shipping method applies to. */
    get: { output: ShippingMethodCoverageOutput[] };
  };
  '/shipping_methods/{method_id}/rates': {
    parameters: { readonly method_id: number };
    /** List shipping rates. */
    list: {
      item: ShippingRateOutput;
      order: 'id' | 'zone_id' | 'min_weight' | 'min_total' | 'min_discounted_total' | 'min_items';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `zone_id` is this id or path. */
        readonly zone_id?: number | readonly number[] | { readonly exists?: boolean };
        /** `zone_id.id` is this id. */
        readonly 'zone_id.id'?: number | readonly number[];
        /** `zone_id.name` has this name. */
        readonly 'zone_id.name'?: string | readonly string[];
      };
    };
    /** Create a shipping rate. */
    post: { input: ShippingRateInput; output: ShippingRateOutput };
  };
  '/shipping_methods/{method_id}/rates/{id}': {
    parameters: { readonly method_id: number; readonly id: number };
    /** Read a shipping rate. */
    get: { output: ShippingRateOutput };
    /** Replace a shipping rate. */
    put: { input: ShippingRateInput; output: ShippingRateOutput };
    /** Update a shipping rate. */
    patch: { input: ShippingRatePatch; output: ShippingRateOutput };
    /** Delete a shipping rate. */
    delete: { output: undefined };
  };
  '/shipping_methods/{method_id}/rates/bulk': {
    parameters: { readonly method_id: number };
    /** Write many shipping rates. */
    bulk: { line: ShippingRateLine };
  };
  '/tags': {
    parameters: Record<never, never>;
    /** List tags. */
    list: {
      item: TagOutput;
      order: 'id' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create a tag. */
    post: { input: TagInput; output: TagOutput };
  };
  '/tags/{id}': {
    parameters: { readonly id: number };
    /** Read a tag. */
    get: { output: TagOutput };
    /** Replace a tag. */
    put: { input: TagInput; output: TagOutput };
    /** Update a tag. */
    patch: { input: TagPatch; output: TagOutput };
    /** Delete a tag. */
    delete: { output: undefined };
  };
  '/tags/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a tag. */
    get: { output: Record<string, TagTranslationOutput> };
  };
  '/tags/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a tag in a language. */
    get: { output: TagTranslationOutput };
    /** Write the texts of a tag in a language. */
    put: { input: TagTranslationInput; output: TagTranslationOutput };
    /** Delete the texts of a tag in a language. */
    delete: { output: undefined };
  };
  '/tags/bulk': {
    parameters: Record<never, never>;
    /** Write many tags. */
    bulk: { line: TagLine };
  };
  '/stickers': {
    parameters: Record<never, never>;
    /** List stickers. */
    list: {
      item: StickerOutput;
      order: 'id' | 'name';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `name` contains this text, ignoring case and accents. */
        readonly name?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
      };
    };
    /** Create a sticker. */
    post: { input: StickerInput; output: StickerOutput };
  };
  '/stickers/{id}': {
    parameters: { readonly id: number };
    /** Read a sticker. */
    get: { output: StickerOutput };
    /** Replace a sticker. */
    put: { input: StickerInput; output: StickerOutput };
    /** Update a sticker. */
    patch: { input: StickerPatch; output: StickerOutput };
    /** Delete a sticker. */
    delete: { output: undefined };
  };
  '/stickers/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a sticker. */
    get: { output: Record<string, StickerTranslationOutput> };
  };
  '/stickers/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a sticker in a language. */
    get: { output: StickerTranslationOutput };
    /** Write the texts of a sticker in a language. */
    put: { input: StickerTranslationInput; output: StickerTranslationOutput };
    /** Delete the texts of a sticker in a language. */
    delete: { output: undefined };
  };
  '/stickers/bulk': {
    parameters: Record<never, never>;
    /** Write many stickers. */
    bulk: { line: StickerLine };
  };
  '/store': {
    parameters: Record<never, never>;
    /** Read a store info. */
    get: { output: StoreInfoOutput };
    /** Update a store info. */
    patch: { input: StoreInfoPatch; output: StoreInfoOutput };
  };
  '/languages': {
    parameters: Record<never, never>;
    /** List languages. */
    list: {
      item: LanguageOutput;
      order: 'code';
      filter: {
        /** `code` is exactly this text. */
        readonly code?: string | readonly string[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
      };
    };
    /** Create a language. */
    post: { input: LanguageInput; output: LanguageOutput };
  };
  '/languages/{code}': {
    parameters: { readonly code: string };
    /** Read a language. */
    get: { output: LanguageOutput };
    /** Replace a language. */
    put: { input: LanguageReplacement; output: LanguageOutput };
    /** Update a language. */
    patch: { input: LanguagePatch; output: LanguageOutput };
    /** Delete a language. */
    delete: { output: undefined };
  };
  '/payment_statuses': {
    parameters: Record<never, never>;
    /** List payment statuses. */
    list: {
      item: PaymentStatusOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `code` is exactly this text. */
        readonly code?: string | readonly string[];
      };
    };
    /** Create a payment status. */
    post: { input: PaymentStatusInput; output: PaymentStatusOutput };
  };
  '/payment_statuses/{id}': {
    parameters: { readonly id: number };
    /** Read a payment status. */
    get: { output: PaymentStatusOutput };
    /** Replace a payment status. */
    put: { input: PaymentStatusReplacement; output: PaymentStatusOutput };
    /** Update a payment status. */
    patch: { input: PaymentStatusPatch; output: PaymentStatusOutput };
    /** Delete a payment status. */
    delete: { output: undefined };
  };
  '/payment_statuses/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a payment status. */
    get: { output: Record<string, PaymentStatusTranslationOutput> };
  };
  '/payment_statuses/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a payment status in a language. */
    get: { output: PaymentStatusTranslationOutput };
    /** Write the texts of a payment status in a language. */
    put: { input: PaymentStatusTranslationInput; output: PaymentStatusTranslationOutput };
    /** Delete the texts of a payment status in a language. */
    delete: { output: undefined };
  };
  '/shipping_statuses': {
    parameters: Record<never, never>;
    /** List shipping statuses. */
    list: {
      item: ShippingStatusOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `code` is exactly this text. */
        readonly code?: string | readonly string[];
      };
    };
    /** Create a shipping status. */
    post: { input: ShippingStatusInput; output: ShippingStatusOutput };
  };
  '/shipping_statuses/{id}': {
    parameters: { readonly id: number };
    /** Read a shipping status. */
    get: { output: ShippingStatusOutput };
    /** Replace a shipping status. */
    put: { input: ShippingStatusReplacement; output: ShippingStatusOutput };
    /** Update a shipping status. */
    patch: { input: ShippingStatusPatch; output: ShippingStatusOutput };
    /** Delete a shipping status. */
    delete: { output: undefined };
  };
  '/shipping_statuses/{id}/translations': {
    parameters: { readonly id: number };
    /** Read all texts of a shipping status. */
    get: { output: Record<string, ShippingStatusTranslationOutput> };
  };
  '/shipping_statuses/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a shipping status in a language. */
    get: { output: ShippingStatusTranslationOutput };
    /** Write the texts of a shipping status in a language. */
    put: { input: ShippingStatusTranslationInput; output: ShippingStatusTranslationOutput };
    /** Delete the texts of a shipping status in a language. */
    delete: { output: undefined };
  };
  '/webhooks': {
    parameters: Record<never, never>;
    /** List webhooks. */
    list: {
      item: WebhookOutput;
      order: 'id';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `enabled` has this value. */
        readonly enabled?: boolean;
        /** `status` is exactly this text. */
        readonly status?: 'ok' | 'failing' | 'paused' | readonly ('ok' | 'failing' | 'paused')[];
      };
    };
    /** Create a webhook. */
    post: { input: WebhookInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}': {
    parameters: { readonly webhook_id: number };
    /** Read a webhook. */
    get: { output: WebhookOutput };
    /** Replace a webhook. */
    put: { input: WebhookInput; output: WebhookOutput };
    /** Update a webhook. */
    patch: { input: WebhookPatch; output: WebhookOutput };
    /** Delete a webhook. */
    delete: { output: undefined };
  };
  '/webhooks/{webhook_id}/rotate_secret': {
    parameters: { readonly webhook_id: number };
    /** Rotate the secret of a webhook. */
    post: { input: WebhookRotateSecretInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/test': {
    parameters: { readonly webhook_id: number };
    /** Send a test event to a webhook. */
    post: { input: WebhookTestInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/resume': {
    parameters: { readonly webhook_id: number };
    /** Resume a paused or failing webhook. */
    post: { input: WebhookResumeInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/replay': {
    parameters: { readonly webhook_id: number };
    /** Replay past events to a webhook. */
    post: { input: WebhookReplayInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/deliveries': {
    parameters: { readonly webhook_id: number };
    /** List webhook deliveries. */
    list: {
      item: WebhookDeliveryOutput;
      order: 'id' | 'date';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `status` is exactly this text. */
        readonly status?: 'waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced' | readonly ('waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced')[];
        /** `type` is exactly this text. */
        readonly type?: string | readonly string[];
        /** `message_id` is exactly this text. */
        readonly message_id?: string | readonly string[];
      };
    };
  };
  '/webhooks/{webhook_id}/deliveries/{delivery_id}': {
    parameters: { readonly webhook_id: number; readonly delivery_id: number };
    /** Read a webhook delivery. */
    get: { output: WebhookDeliveryOutput };
  };
  '/webhooks/{webhook_id}/deliveries/{delivery_id}/retry': {
    parameters: { readonly webhook_id: number; readonly delivery_id: number };
    /** Retry a webhook delivery. */
    post: { input: WebhookDeliveryRetryInput; output: WebhookDeliveryOutput };
  };
  '/mails': {
    parameters: Record<never, never>;
    /** List mails. */
    list: {
      item: MailOutput;
      order: 'id' | 'date';
      filter: {
        /** `id` is this id. */
        readonly id?: number | readonly number[];
        /** `template` is exactly this text. */
        readonly template?: string | readonly string[];
        /** `to` is exactly this text. */
        readonly to?: string | readonly string[];
        /** `status` is exactly this text. */
        readonly status?: 'queued' | 'sent' | 'failed' | readonly ('queued' | 'sent' | 'failed')[];
        /** `date` is this time. A date without a time matches the whole day. */
        readonly date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
      };
    };
  };
  '/mails/{mail_id}': {
    parameters: { readonly mail_id: number };
    /** Read a mail. */
    get: { output: MailOutput };
  };
  '/mails/{mail_id}/retry': {
    parameters: { readonly mail_id: number };
    /** Send a mail now. */
    post: { input: MailRetryInput; output: MailOutput };
  };
  '/profiles/{profile_id}/export': {
    parameters: { readonly profile_id: number };
    /** Export the personal data of a profile. */
    get: { output: PersonOutput };
  };
  '/profiles/{profile_id}/erase': {
    parameters: { readonly profile_id: number };
    /** Erase a profile and its personal data in orders. */
    post: { input: ProfileEraseInput; output: ErasureOutput };
  };
  '/privacy/export': {
    parameters: Record<never, never>;
    /** Export the personal data of a guest. */
    post: { input: ProfileNamedInput; output: PersonOutput };
  };
  '/privacy/erase': {
    parameters: Record<never, never>;
    /** Erase the personal data of a guest. */
    post: { input: ProfileNamedInput; output: ErasureOutput };
  };
  '/keys': {
    parameters: Record<never, never>;
    /** List API keys. */
    list: {
      item: Key;
      order: 'id';
      filter: {
      };
    };
    /** Create an API key. */
    post: { input: KeyCreate; output: KeyMade };
  };
  '/keys/{id}': {
    parameters: { readonly id: string };
    /** Read an API key. */
    get: { output: Key };
    /** Revoke an API key. */
    delete: { output: undefined };
  };
  '/statistics': {
    parameters: Record<never, never>;
    /** Read the key figures of the store. */
    get: {
      output: Statistics;
      filter: {
        /** Maximum number of units at which the stock of a product is low. */
        readonly low_stock?: number;
        /** Number of days in `days`, and in the period of `previous` and `best_sellers`. */
        readonly days?: 7 | 30 | 90;
      };
    };
  };
  '/products/{id}/old_urls': {
    parameters: { readonly id: number };
    /** List the former clean URLs of a product. */
    get: { output: OldUrl[] };
  };
  '/products/{id}/old_urls/{clean_url}': {
    parameters: { readonly id: number; readonly clean_url: string };
    /** Remove a former clean URL of a product. */
    delete: { output: undefined };
  };
  '/categories/{category_id}/old_urls': {
    parameters: { readonly category_id: number };
    /** List the former clean URLs of a category. */
    get: { output: OldUrl[] };
  };
  '/categories/{category_id}/old_urls/{clean_url}': {
    parameters: { readonly category_id: number; readonly clean_url: string };
    /** Remove a former clean URL of a category. */
    delete: { output: undefined };
  };
  '/urls/resolve': {
    parameters: Record<never, never>;
    /** Find the page of a path. */
    get: {
      output: ResolvedUrl;
      filter: {
        /** Path of the shop, percent-encoded. */
        readonly path?: string;
      };
    };
  };
  '/feeds': {
    parameters: Record<never, never>;
    /** List the product feeds. */
    get: { output: ProductFeed[] };
  };
  '/lookup': {
    parameters: Record<never, never>;
    /** Find records by a text. */
    get: {
      output: LookupEntry[];
      filter: {
        /** The text to find. */
        readonly q?: string;
      };
    };
  };
  '/scopes': {
    parameters: Record<never, never>;
    /** Read the scopes of keys. */
    get: { output: Scopes };
  };
  '/roles': {
    parameters: Record<never, never>;
    /** List roles. */
    list: {
      item: Role;
      order: 'id';
      filter: {
      };
    };
    /** Create a role. */
    post: { input: RoleWrite; output: Role };
  };
  '/roles/{id}': {
    parameters: { readonly id: number };
    /** Read a role. */
    get: { output: Role };
    /** Replace a role. */
    put: { input: RoleWrite; output: Role };
    /** Update a role. */
    patch: { input: RolePatch; output: Role };
    /** Delete a role. */
    delete: { output: undefined };
  };
  '/users': {
    parameters: Record<never, never>;
    /** List users. */
    list: {
      item: User;
      order: 'id';
      filter: {
      };
    };
    /** Create a user. */
    post: { input: UserCreate; output: User };
  };
  '/users/{id}': {
    parameters: { readonly id: number };
    /** Read a user. */
    get: { output: User };
    /** Update a user. */
    patch: { input: UserPatch; output: User };
    /** Delete a user. */
    delete: { output: undefined };
  };
  '/users/{id}/invite': {
    parameters: { readonly id: number };
    /** Create an invitation. */
    post: { input: { /** Whether another such link is also sent to the user by mail. 503 if the store sends no mails. */ readonly mail?: boolean; }; output: UserLink };
  };
  '/users/{id}/reset_link': {
    parameters: { readonly id: number };
    /** Create a reset link. */
    post: { input: { /** Whether another such link is also sent to the user by mail. 503 if the store sends no mails. */ readonly mail?: boolean; }; output: UserLink };
  };
  '/users/{id}/sessions': {
    parameters: { readonly id: number };
    /** List the sessions of a user. */
    get: { output: UserSession[] };
    /** End the other sessions of a user. */
    delete: { output: undefined };
  };
  '/users/{id}/sessions/{session_id}': {
    parameters: { readonly id: number; readonly session_id: string };
    /** Read a session of a user. */
    get: { output: UserSession };
    /** End a session of a user. */
    delete: { output: undefined };
  };
  '/users/me': {
    parameters: Record<never, never>;
    /** Read your account. */
    get: { output: OwnUser };
    /** Update your account. */
    patch: { input: OwnUserPatch; output: OwnUser };
  };
  '/users/me/password': {
    parameters: Record<never, never>;
    /** Change your password. */
    put: { input: UserPassword; output: undefined };
  };
  '/users/me/totp': {
    parameters: Record<never, never>;
    /** Create a secret for your authenticator app. */
    post: { input: Readonly<Record<string, unknown>>; output: TotpSecret };
    /** Enable your authenticator app. */
    put: { input: TotpCode; output: RecoveryCodes };
    /** Disable your authenticator app. */
    delete: { output: undefined };
  };
  '/users/me/recovery_codes': {
    parameters: Record<never, never>;
    /** Count your recovery codes. */
    get: { output: RemainingRecoveryCodes };
    /** Replace your recovery codes. */
    post: { input: Readonly<Record<string, unknown>>; output: RecoveryCodes };
  };
  '/users/me/passkeys': {
    parameters: Record<never, never>;
    /** List your passkeys. */
    get: { output: Passkey[] };
    /** Add a passkey. */
    post: { input: PasskeyCreate; output: Passkey };
  };
  '/users/me/passkeys/options': {
    parameters: Record<never, never>;
    /** Create the options for a passkey. */
    post: { input: Readonly<Record<string, unknown>>; output: PasskeyOptions };
  };
  '/users/me/passkeys/{id}': {
    parameters: { readonly id: number };
    /** Read a passkey. */
    get: { output: Passkey };
    /** Delete a passkey. */
    delete: { output: undefined };
  };
  '/users/me/sessions': {
    parameters: Record<never, never>;
    /** List the sessions of your account. */
    get: { output: UserSession[] };
    /** End the other sessions of your account. */
    delete: { output: undefined };
  };
  '/users/me/sessions/{session_id}': {
    parameters: { readonly session_id: string };
    /** Read a session of your account. */
    get: { output: UserSession };
    /** End a session of your account. */
    delete: { output: undefined };
  };
  '/users/me/views': {
    parameters: Record<never, never>;
    /** List your saved views. */
    get: { output: SavedView[] };
    /** Save a view. */
    post: { input: SavedViewCreate; output: SavedView };
  };
  '/users/me/views/{id}': {
    parameters: { readonly id: number };
    /** Read a saved view. */
    get: { output: SavedView };
    /** Change a saved view. */
    patch: { input: SavedViewPatch; output: SavedView };
    /** Delete a saved view. */
    delete: { output: undefined };
  };
  '/audit': {
    parameters: Record<never, never>;
    /** List audit entries. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries of the record with this path. */
        readonly path?: string;
        /** Entries of this resource. */
        readonly resource?: string;
        /** Entries of records with this id. */
        readonly record_id?: string;
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored' | 'sign_in' | 'sign_in_failed' | 'sign_out' | 'export' | 'privacy_export' | 'privacy_erase';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/audit/head': {
    parameters: Record<never, never>;
    /** Read the head of the audit. */
    get: { output: AuditHead };
  };
  '/audit/{id}/restore': {
    parameters: { readonly id: number };
    /** Create a deleted record again. */
    post: { input: Readonly<Record<string, unknown>>; output: RestoredRecord };
  };
  '/audit/{id}': {
    parameters: { readonly id: number };
    /** Read an audit entry. */
    get: { output: AuditEntry };
  };
  '/mail_templates': {
    parameters: Record<never, never>;
    /** List mail templates. */
    get: { output: MailTemplateEntry[] };
  };
  '/mail_templates/{name}/{language}': {
    parameters: { readonly name: string; readonly language: string };
    /** Read a template of mails. */
    get: { output: MailTemplate };
    /** Replace a template of mails. */
    put: { input: MailContent; output: MailTemplate };
    /** Delete a template of mails. */
    delete: { output: undefined };
  };
  '/mail_templates/{name}/{language}/preview': {
    parameters: { readonly name: string; readonly language: string };
    /** Preview a mail. */
    post: { input: Readonly<Record<string, unknown>>; output: MailContent };
  };
  '/attribute_groups/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of an attribute group. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/product_classes/{class_id}/attribute_groups/{id}/audit': {
    parameters: { readonly class_id: number; readonly id: number };
    /** List the audit entries of an attribute group of a product class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attributes_text/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a text attribute. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attributes_checkbox/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a checkbox attribute. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attributes_select/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a select attribute. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attributes_hidden/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a hidden attribute. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/product_classes/{class_id}/attributes_text/{id}/audit': {
    parameters: { readonly class_id: number; readonly id: number };
    /** List the audit entries of a text attribute of a product class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}/audit': {
    parameters: { readonly class_id: number; readonly id: number };
    /** List the audit entries of a checkbox attribute of a product class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/product_classes/{class_id}/attributes_select/{id}/audit': {
    parameters: { readonly class_id: number; readonly id: number };
    /** List the audit entries of a select attribute of a product class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_text/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a text attribute of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_checkbox/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a checkbox attribute of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_select/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a select attribute of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attributes_select/{attribute_id}/options/{id}/audit': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** List the audit entries of an attribute option of a select attribute. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attributes_hidden/{attribute_id}/options/{id}/audit': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** List the audit entries of an attribute option of a hidden attribute. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}/audit': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number };
    /** List the audit entries of an attribute option of a select attribute of a product class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}/audit': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** List the audit entries of an attribute option of a select attribute of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes/{attribute_id}/property/audit': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List the audit entries of an attribute property. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_checkbox/{attribute_id}/values/{id}/audit': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** List the audit entries of an attribute value checkbox. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_hidden/{attribute_id}/values/audit': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List the audit entries of an attribute value hidden. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/values/{id}/audit': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** List the audit entries of an attribute value select. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values/audit': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List the audit entries of an attribute value text. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/categories/{category_id}/audit': {
    parameters: { readonly category_id: number };
    /** List the audit entries of a category. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/product_classes/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a product class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/variants/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a variant of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/reviews/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a review of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/front_page/featured/{product_id}/audit': {
    parameters: { readonly product_id: number };
    /** List the audit entries of a front page product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/custom_product_tabs/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a custom product tab. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/attachments/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a product attachment. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/tax_classes/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a tax class. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of an order. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{order_id}/details/{detail_id}/audit': {
    parameters: { readonly order_id: number; readonly detail_id: number };
    /** List the audit entries of an order detail. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{order_id}/history/{event_id}/audit': {
    parameters: { readonly order_id: number; readonly event_id: number };
    /** List the audit entries of an order history events. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{order_id}/payment_transactions/{transaction_id}/audit': {
    parameters: { readonly order_id: number; readonly transaction_id: number };
    /** List the audit entries of a transaction. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{order_id}/shipments/{shipment_id}/audit': {
    parameters: { readonly order_id: number; readonly shipment_id: number };
    /** List the audit entries of an order shipment. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{order_id}/returns/{return_id}/audit': {
    parameters: { readonly order_id: number; readonly return_id: number };
    /** List the audit entries of an order return. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/orders/{order_id}/invoices/{invoice_id}/audit': {
    parameters: { readonly order_id: number; readonly invoice_id: number };
    /** List the audit entries of an order invoice. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/profiles/{profile_id}/audit': {
    parameters: { readonly profile_id: number };
    /** List the audit entries of a profile. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/profiles/{profile_id}/addresses/{address_id}/audit': {
    parameters: { readonly profile_id: number; readonly address_id: number };
    /** List the audit entries of a profile address. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/memberships/{membership_id}/audit': {
    parameters: { readonly membership_id: number };
    /** List the audit entries of a membership. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/wholesale_prices/{id}/audit': {
    parameters: { readonly product_id: number; readonly id: number };
    /** List the audit entries of a wholesale price of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/products/{product_id}/variants/{variant_id}/wholesale_prices/{id}/audit': {
    parameters: { readonly product_id: number; readonly variant_id: number; readonly id: number };
    /** List the audit entries of a wholesale price of a variant of a product. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/sale_discounts/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a sale discount. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/volume_discounts/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a volume discount. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/coupons/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a coupon. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/zones/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a zone. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/tax_settings/audit': {
    parameters: Record<never, never>;
    /** List the audit entries of a tax settings. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/tax_rates/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a tax rate. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/shipping_methods/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a shipping method. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/shipping_methods/{method_id}/rates/{id}/audit': {
    parameters: { readonly method_id: number; readonly id: number };
    /** List the audit entries of a shipping rate. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/tags/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a tag. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/stickers/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a sticker. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/store/audit': {
    parameters: Record<never, never>;
    /** List the audit entries of a store info. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/languages/{code}/audit': {
    parameters: { readonly code: string };
    /** List the audit entries of a language. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/payment_statuses/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a payment status. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/shipping_statuses/{id}/audit': {
    parameters: { readonly id: number };
    /** List the audit entries of a shipping status. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/webhooks/{webhook_id}/audit': {
    parameters: { readonly webhook_id: number };
    /** List the audit entries of a webhook. */
    list: {
      item: AuditEntry;
      order: 'id';
      filter: {
        /** Entries with this action. */
        readonly action?: 'created' | 'updated' | 'deleted' | 'restored';
        /** Entries of actors of this type. */
        readonly 'actor.type'?: string;
        /** Entries of actors with this id. */
        readonly 'actor.id'?: string;
        /** Entries of clients with this IP address. */
        readonly address?: string;
        /** Entries of the request with this id. */
        readonly request_id?: string;
        /** Entries in this period. */
        readonly date?: { readonly after?: string; readonly strictly_after?: string; readonly before?: string; readonly strictly_before?: string };
      };
    };
  };
  '/attribute_groups/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of an attribute group. */
    post: { input: RestoredVersion; output: AttributeGroupOutput };
  };
  '/product_classes/{class_id}/attribute_groups/{id}/restore': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Restore an earlier version of an attribute group of a product class. */
    post: { input: RestoredVersion; output: AttributeGroupOutput };
  };
  '/attributes_text/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a text attribute. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesText };
  };
  '/attributes_checkbox/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a checkbox attribute. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesText };
  };
  '/attributes_select/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a select attribute. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesSelect };
  };
  '/attributes_hidden/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a hidden attribute. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_text/{id}/restore': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Restore an earlier version of a text attribute of a product class. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}/restore': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Restore an earlier version of a checkbox attribute of a product class. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_select/{id}/restore': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Restore an earlier version of a select attribute of a product class. */
    post: { input: RestoredVersion; output: AttributeOutputAtAttributesSelect };
  };
  '/products/{product_id}/attributes_text/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a text attribute of a product. */
    post: { input: RestoredVersion; output: AttributeOutputAtProductsAttributesText };
  };
  '/products/{product_id}/attributes_checkbox/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a checkbox attribute of a product. */
    post: { input: RestoredVersion; output: AttributeOutputAtProductsAttributesText };
  };
  '/products/{product_id}/attributes_select/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a select attribute of a product. */
    post: { input: RestoredVersion; output: AttributeOutputAtProductsAttributesSelect };
  };
  '/attributes_select/{attribute_id}/options/{id}/restore': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Restore an earlier version of an attribute option of a select attribute. */
    post: { input: RestoredVersion; output: AttributeOptionOutput };
  };
  '/attributes_hidden/{attribute_id}/options/{id}/restore': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Restore an earlier version of an attribute option of a hidden attribute. */
    post: { input: RestoredVersion; output: AttributeOptionOutput };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}/restore': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number };
    /** Restore an earlier version of an attribute option of a select attribute of a product class. */
    post: { input: RestoredVersion; output: AttributeOptionOutput };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}/restore': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Restore an earlier version of an attribute option of a select attribute of a product. */
    post: { input: RestoredVersion; output: AttributeOptionOutput };
  };
  '/products/{product_id}/attributes/{attribute_id}/property/restore': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Restore an earlier version of an attribute property. */
    post: { input: RestoredVersion; output: AttributePropertyOutput };
  };
  '/products/{product_id}/attributes_checkbox/{attribute_id}/values/{id}/restore': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Restore an earlier version of an attribute value checkbox. */
    post: { input: RestoredVersion; output: AttributeValueCheckboxOutput };
  };
  '/products/{product_id}/attributes_hidden/{attribute_id}/values/restore': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Restore an earlier version of an attribute value hidden. */
    post: { input: RestoredVersion; output: AttributeValueHiddenOutput };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/values/{id}/restore': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Restore an earlier version of an attribute value select. */
    post: { input: RestoredVersion; output: AttributeValueSelectOutput };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values/restore': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Restore an earlier version of an attribute value text. */
    post: { input: RestoredVersion; output: AttributeValueTextOutput };
  };
  '/categories/{category_id}/restore': {
    parameters: { readonly category_id: number };
    /** Restore an earlier version of a category. */
    post: { input: RestoredVersion; output: CategoryOutput };
  };
  '/product_classes/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a product class. */
    post: { input: RestoredVersion; output: ProductClassOutput };
  };
  '/products/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a product. */
    post: { input: RestoredVersion; output: ProductOutput };
  };
  '/products/{product_id}/variants/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a variant of a product. */
    post: { input: RestoredVersion; output: VariantOutput };
  };
  '/products/{product_id}/reviews/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a review of a product. */
    post: { input: RestoredVersion; output: ReviewOutput };
  };
  '/front_page/featured/{product_id}/restore': {
    parameters: { readonly product_id: number };
    /** Restore an earlier version of a front page product. */
    post: { input: RestoredVersion; output: FrontPageProductOutput };
  };
  '/custom_product_tabs/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a custom product tab. */
    post: { input: RestoredVersion; output: CustomProductTabOutput };
  };
  '/products/{product_id}/attachments/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a product attachment. */
    post: { input: RestoredVersion; output: ProductAttachmentOutput };
  };
  '/tax_classes/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a tax class. */
    post: { input: RestoredVersion; output: TaxClassOutput };
  };
  '/orders/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of an order. */
    post: { input: RestoredVersion; output: OrderOutput };
  };
  '/orders/{order_id}/details/{detail_id}/restore': {
    parameters: { readonly order_id: number; readonly detail_id: number };
    /** Restore an earlier version of an order detail. */
    post: { input: RestoredVersion; output: OrderDetailOutput };
  };
  '/profiles/{profile_id}/restore': {
    parameters: { readonly profile_id: number };
    /** Restore an earlier version of a profile. */
    post: { input: RestoredVersion; output: ProfileOutput };
  };
  '/profiles/{profile_id}/addresses/{address_id}/restore': {
    parameters: { readonly profile_id: number; readonly address_id: number };
    /** Restore an earlier version of a profile address. */
    post: { input: RestoredVersion; output: ProfileAddressOutput };
  };
  '/memberships/{membership_id}/restore': {
    parameters: { readonly membership_id: number };
    /** Restore an earlier version of a membership. */
    post: { input: RestoredVersion; output: MembershipOutput };
  };
  '/products/{product_id}/wholesale_prices/{id}/restore': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Restore an earlier version of a wholesale price of a product. */
    post: { input: RestoredVersion; output: WholesalePriceOutput };
  };
  '/products/{product_id}/variants/{variant_id}/wholesale_prices/{id}/restore': {
    parameters: { readonly product_id: number; readonly variant_id: number; readonly id: number };
    /** Restore an earlier version of a wholesale price of a variant of a product. */
    post: { input: RestoredVersion; output: WholesalePriceOutput };
  };
  '/sale_discounts/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a sale discount. */
    post: { input: RestoredVersion; output: SaleDiscountOutput };
  };
  '/volume_discounts/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a volume discount. */
    post: { input: RestoredVersion; output: VolumeDiscountOutput };
  };
  '/coupons/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a coupon. */
    post: { input: RestoredVersion; output: CouponOutput };
  };
  '/zones/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a zone. */
    post: { input: RestoredVersion; output: ZoneOutput };
  };
  '/tax_settings/restore': {
    parameters: Record<never, never>;
    /** Restore an earlier version of a tax settings. */
    post: { input: RestoredVersion; output: TaxSettingsOutput };
  };
  '/tax_rates/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a tax rate. */
    post: { input: RestoredVersion; output: TaxRateOutput };
  };
  '/shipping_methods/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a shipping method. */
    post: { input: RestoredVersion; output: ShippingMethodOutput };
  };
  '/shipping_methods/{method_id}/rates/{id}/restore': {
    parameters: { readonly method_id: number; readonly id: number };
    /** Restore an earlier version of a shipping rate. */
    post: { input: RestoredVersion; output: ShippingRateOutput };
  };
  '/tags/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a tag. */
    post: { input: RestoredVersion; output: TagOutput };
  };
  '/stickers/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a sticker. */
    post: { input: RestoredVersion; output: StickerOutput };
  };
  '/store/restore': {
    parameters: Record<never, never>;
    /** Restore an earlier version of a store info. */
    post: { input: RestoredVersion; output: StoreInfoOutput };
  };
  '/languages/{code}/restore': {
    parameters: { readonly code: string };
    /** Restore an earlier version of a language. */
    post: { input: RestoredVersion; output: LanguageOutput };
  };
  '/payment_statuses/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a payment status. */
    post: { input: RestoredVersion; output: PaymentStatusOutput };
  };
  '/shipping_statuses/{id}/restore': {
    parameters: { readonly id: number };
    /** Restore an earlier version of a shipping status. */
    post: { input: RestoredVersion; output: ShippingStatusOutput };
  };
  '/webhooks/{webhook_id}/restore': {
    parameters: { readonly webhook_id: number };
    /** Restore an earlier version of a webhook. */
    post: { input: RestoredVersion; output: WebhookOutput };
  };
}

/** Every problem type of the store with its HTTP status. */
export interface Problems {
  /** Malformed request. */
  'malformed-request': 400;
  /** Invalid argument. */
  'invalid-argument': 400;
  /** Missing or invalid credentials. */
  'unauthorized': 401;
  /** Read-only API key. */
  'read-only-key': 403;
  /** Insufficient scope. */
  'insufficient-scope': 403;
  /** Confirmation required. */
  'reauthentication-required': 403;
  /** Second factor required. */
  'second-factor-required': 403;
  /** Sign-in rejected. */
  'sign-in-rejected': 403;
  /** Network not allowed. */
  'network-not-allowed': 403;
  /** Wrong kind of key. */
  'wrong-key-kind': 403;
  /** Origin not allowed. */
  'origin-not-allowed': 403;
  /** New password required. */
  'password-change-required': 403;
  /** Request not from the admin page. */
  'foreign-page': 403;
  /** HTTPS required. */
  'insecure-connection': 403;
  /** Not found. */
  'not-found': 404;
  /** Method not allowed. */
  'method-not-allowed': 405;
  /** Not acceptable. */
  'not-acceptable': 406;
  /** Request timeout. */
  'request-timeout': 408;
  /** Conflict. */
  'conflict': 409;
  /** Cursor expired. */
  'cursor-gone': 410;
  /** Response erased. */
  'answer-erased': 410;
  /** Invalid token. */
  'token-invalid': 410;
  /** Cart gone. */
  'cart-gone': 410;
  /** Version erased. */
  'version-erased': 410;
  /** Precondition failed. */
  'precondition-failed': 412;
  /** Content too large. */
  'content-too-large': 413;
  /** URI too long. */
  'uri-too-long': 414;
  /** Unsupported media type. */
  'unsupported-media-type': 415;
  /** Expectation failed. */
  'expectation-failed': 417;
  /** Validation failed. */
  'validation-failed': 422;
  /** Bulk lines rejected. */
  'lines-refused': 422;
  /** Idempotency-Key reused. */
  'key-reused': 422;
  /** Too many requests. */
  'too-many-requests': 429;
  /** Headers too large. */
  'headers-too-large': 431;
  /** Internal error. */
  'internal-error': 500;
  /** Mail not configured. */
  'mail-not-configured': 503;
  /** Service unavailable. */
  'service-unavailable': 503;
}

/** An invalid field. */
export interface Violation {
  /** Path of the field, such as `items[2].amount`. */
  propertyPath: string;
  /** Human-readable message. */
  message: string;
  /** - `blank`: empty or only white space
   * - `required`: missing
   * - `null`: null is not allowed
   * - `too_short`: too short
   * - `too_long`: too long, or too many elements
   * - `type`: wrong JSON type
   * - `range`: too small or too large
   * - `decimals`: too many decimals
   * - `choice`: not one of the allowed values
   * - `format`: wrong format
   * - `not_unique`: already in use
   * - `unknown_link`: refers to a record that does not exist
   * - `unknown_field`: unknown field
   * - `read_only`: differs from a value that only the store can set
   * - `contradiction`: contradicts another field that means the same
   * - `conflict`: conflicts with another field or with the state of the store
   * - `file`: invalid file
   * - `download`: download failed */
  code: 'blank' | 'required' | 'null' | 'too_short' | 'too_long' | 'type' | 'range' | 'decimals' | 'choice' | 'format' | 'not_unique' | 'unknown_link' | 'unknown_field' | 'read_only' | 'contradiction' | 'conflict' | 'file' | 'download';
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeGroupInput {
  /** Written in the language of the request. */
  readonly name: string;
  /** Sort order. Default: `0`. */
  readonly position?: number;
}

/** A heading for a group of attributes. Deleting a group does not delete its attributes. */
export interface AttributeGroupOutput {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributeGroupPatch {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Sort order. */
  readonly position?: number;
}

/** All texts of one language. Unknown fields are a 422. */
export interface AttributeGroupTranslationInput {
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface AttributeGroupTranslationOutput {
  name?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeInput {
  /** Written in the language of the request. */
  readonly name: string;
  /** Sort order. Default: `0`. */
  readonly position?: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. Default: `null`. */
  readonly groupId?: number | null;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeInputAtAttributesSelect {
  /** Written in the language of the request. */
  readonly name: string;
  /** Sort order. Default: `0`. */
  readonly position?: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. Default: `null`. */
  readonly groupId?: number | null;
  /** How shops show the options: `S` as a list, `B` as blocks. Default: `"S"`. */
  readonly displayMode?: 'S' | 'B';
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeInputAtProductsAttributesSelect {
  /** Written in the language of the request. */
  readonly name: string;
  /** Sort order. Default: `0`. */
  readonly position?: number;
  /** How shops show the options: `S` as a list, `B` as blocks. Default: `"S"`. */
  readonly displayMode?: 'S' | 'B';
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeInputAtProductsAttributesText {
  /** Written in the language of the request. */
  readonly name: string;
  /** Sort order. Default: `0`. */
  readonly position?: number;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeOptionInput {
  /** Sort order. Default: `0`. */
  readonly position?: number;
  /** Written in the language of the request. */
  readonly value: string;
}

/** A link to an attribute option. */
export type AttributeOptionLink = number | AttributeOptionOutput;

/** One of the options of an attribute, such as “Large”. Deleting it also deletes the product values that use it. */
export interface AttributeOptionOutput {
  id: number;
  /** Sort order. */
  position: number;
  /** In the language of the request. */
  value: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributeOptionPatch {
  /** Sort order. */
  readonly position?: number;
  /** Written in the language of the request. */
  readonly value?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface AttributeOptionTranslationInput {
  readonly value: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface AttributeOptionTranslationOutput {
  value?: string;
}

/** A custom property of products, such as a size or a color. Deleting it also deletes its options, values and properties. */
export interface AttributeOutput {
  id: number;
  /** Kind of the attribute. */
  kind: 'text' | 'checkbox' | 'select' | 'hidden';
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. */
  groupId: number | null;
  /** How shops show the options: `S` as a list, `B` as blocks. */
  displayMode: 'S' | 'B';
}

/** A custom property of products, such as a size or a color. Deleting it also deletes its options, values and properties. */
export interface AttributeOutputAtAttributesSelect {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. */
  groupId: number | null;
  /** How shops show the options: `S` as a list, `B` as blocks. */
  displayMode: 'S' | 'B';
}

/** A custom property of products, such as a size or a color. Deleting it also deletes its options, values and properties. */
export interface AttributeOutputAtAttributesText {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. */
  groupId: number | null;
}

/** A custom property of products, such as a size or a color. Deleting it also deletes its options, values and properties. */
export interface AttributeOutputAtProductsAttributesSelect {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
  /** How shops show the options: `S` as a list, `B` as blocks. */
  displayMode: 'S' | 'B';
}

/** A custom property of products, such as a size or a color. Deleting it also deletes its options, values and properties. */
export interface AttributeOutputAtProductsAttributesText {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributePatch {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Sort order. */
  readonly position?: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. */
  readonly groupId?: number | null;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributePatchAtAttributesSelect {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Sort order. */
  readonly position?: number;
  /** Attribute group of the same scope and product class. 0 is stored as null. */
  readonly groupId?: number | null;
  /** How shops show the options: `S` as a list, `B` as blocks. */
  readonly displayMode?: 'S' | 'B';
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributePatchAtProductsAttributesSelect {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Sort order. */
  readonly position?: number;
  /** How shops show the options: `S` as a list, `B` as blocks. */
  readonly displayMode?: 'S' | 'B';
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributePatchAtProductsAttributesText {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Sort order. */
  readonly position?: number;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributePropertyInput {
  /** Sort order among the product’s attributes. Default: `0`. */
  readonly position?: number;
}

/** The position of an attribute among the attributes of one product. */
export interface AttributePropertyOutput {
  id: number;
  /** Sort order among the product’s attributes. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributePropertyPatch {
  /** Sort order among the product’s attributes. */
  readonly position?: number;
}

/** All texts of one language. Unknown fields are a 422. */
export interface AttributeTranslationInput {
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface AttributeTranslationOutput {
  name?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeValueCheckboxInput {
  /** Default: `false`. */
  readonly value?: boolean;
  /** Change of the price; can be negative. Default: `0`. */
  readonly price_modifier?: number;
  /** Whether `price_modifier` is an amount or a percentage. Default: `"percent"`. */
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** Change of the weight; can be negative. Default: `0`. */
  readonly weight_modifier?: number;
  /** Whether `weight_modifier` is an amount or a percentage. Default: `"percent"`. */
  readonly weight_modifier_type?: 'absolute' | 'percent';
  /** Used when an order does not choose a value. Default: `false`. */
  readonly is_default?: boolean;
}

/** A link to an attribute value checkbox. */
export type AttributeValueCheckboxLink = number | AttributeValueCheckboxOutput;

/** A value of a checkbox attribute on a product. If customers can choose, the product has one record for true and one for false. */
export interface AttributeValueCheckboxOutput {
  id: number;
  value: boolean;
  /** Change of the price; can be negative. */
  price_modifier: number;
  /** Whether `price_modifier` is an amount or a percentage. */
  price_modifier_type: 'absolute' | 'percent';
  /** Change of the weight; can be negative. */
  weight_modifier: number;
  /** Whether `weight_modifier` is an amount or a percentage. */
  weight_modifier_type: 'absolute' | 'percent';
  /** Used when an order does not choose a value. */
  is_default: boolean;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributeValueCheckboxPatch {
  readonly value?: boolean;
  /** Change of the price; can be negative. */
  readonly price_modifier?: number;
  /** Whether `price_modifier` is an amount or a percentage. */
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** Change of the weight; can be negative. */
  readonly weight_modifier?: number;
  /** Whether `weight_modifier` is an amount or a percentage. */
  readonly weight_modifier_type?: 'absolute' | 'percent';
  /** Used when an order does not choose a value. */
  readonly is_default?: boolean;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeValueHiddenInput {
  /** Id of an option of this attribute. Either this or `option` is required. */
  readonly option_id?: number;
  /** Option of this attribute, as output shows it. A PUT without it leaves it unchanged. */
  readonly option?: AttributeOptionLink;
}

/** The option of a hidden attribute on a product. */
export interface AttributeValueHiddenOutput {
  id: number;
  /** Option of this attribute, as output shows it. */
  option: AttributeOptionOutput;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributeValueHiddenPatch {
  /** Id of an option of this attribute. Either this or `option` is required. */
  readonly option_id?: number;
  /** Option of this attribute, as output shows it. */
  readonly option?: AttributeOptionLink;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeValueSelectInput {
  /** Id of an option of this attribute. Either this or `option` is required. */
  readonly option_id?: number;
  /** Option of this attribute, as output shows it. A PUT without it leaves it unchanged. */
  readonly option?: AttributeOptionLink;
  /** Sort order among the product’s options of this attribute. Default: `0`. */
  readonly position?: number;
  /** Change of the price; can be negative. Default: `0`. */
  readonly price_modifier?: number;
  /** Whether `price_modifier` is an amount or a percentage. Default: `"percent"`. */
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** Change of the weight; can be negative. Default: `0`. */
  readonly weight_modifier?: number;
  /** Whether `weight_modifier` is an amount or a percentage. Default: `"percent"`. */
  readonly weight_modifier_type?: 'absolute' | 'percent';
  /** Used when an order does not choose a value. Default: `false`. */
  readonly is_default?: boolean;
}

/** A link to an attribute value select. */
export type AttributeValueSelectLink = number | AttributeValueSelectOutput;

/** An option of a select attribute that a product offers. */
export interface AttributeValueSelectOutput {
  id: number;
  /** Option of this attribute, as output shows it. */
  option: AttributeOptionOutput;
  /** Sort order among the product’s options of this attribute. */
  position: number;
  /** Change of the price; can be negative. */
  price_modifier: number;
  /** Whether `price_modifier` is an amount or a percentage. */
  price_modifier_type: 'absolute' | 'percent';
  /** Change of the weight; can be negative. */
  weight_modifier: number;
  /** Whether `weight_modifier` is an amount or a percentage. */
  weight_modifier_type: 'absolute' | 'percent';
  /** Used when an order does not choose a value. */
  is_default: boolean;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributeValueSelectPatch {
  /** Id of an option of this attribute. Either this or `option` is required. */
  readonly option_id?: number;
  /** Option of this attribute, as output shows it. */
  readonly option?: AttributeOptionLink;
  /** Sort order among the product’s options of this attribute. */
  readonly position?: number;
  /** Change of the price; can be negative. */
  readonly price_modifier?: number;
  /** Whether `price_modifier` is an amount or a percentage. */
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** Change of the weight; can be negative. */
  readonly weight_modifier?: number;
  /** Whether `weight_modifier` is an amount or a percentage. */
  readonly weight_modifier_type?: 'absolute' | 'percent';
  /** Used when an order does not choose a value. */
  readonly is_default?: boolean;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface AttributeValueTextInput {
  /** Written in the language of the request. Default: `""`. */
  readonly value?: string;
  /** Whether customers can replace the text in their orders. Default: `false`. */
  readonly editable?: boolean;
}

/** The text of a text attribute on a product. */
export interface AttributeValueTextOutput {
  id: number;
  /** In the language of the request. */
  value: string;
  /** Whether customers can replace the text in their orders. */
  editable: boolean;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface AttributeValueTextPatch {
  /** Written in the language of the request. */
  readonly value?: string;
  /** Whether customers can replace the text in their orders. */
  readonly editable?: boolean;
}

/** All texts of one language. Unknown fields are a 422. */
export interface AttributeValueTextTranslationInput {
  /** Default: `""`. */
  readonly value?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface AttributeValueTextTranslationOutput {
  value?: string;
}

/** An entry of the audit: a change of a record, a sign-in or an export. */
export interface AuditEntry {
  /** Position of the entry, without gaps. */
  readonly id: number;
  /** Time of the action, in UTC. */
  readonly date: string;
  /** Who or what acted. */
  readonly actor: { /** Such as `user`, `key`, `import` or `job`. */ readonly type: string; /** Id of the user or key; name of the command or job. */ readonly id: unknown; /** Current name; null if the actor no longer exists. */ readonly name: string | null; };
  /** IP address of the client. */
  readonly address: string | null;
  /** `X-Request-Id` of the response; null for the program itself. */
  readonly request_id: string | null;
  readonly action: 'created' | 'updated' | 'deleted' | 'restored' | 'sign_in' | 'sign_in_failed' | 'sign_out' | 'export' | 'privacy_export' | 'privacy_erase';
  /** Resource of the record. */
  readonly resource: string | null;
  /** Id of the record. */
  readonly record_id: unknown;
  /** Address of the record, without the host. */
  readonly path: string | null;
  /** Version of the record after the change. */
  readonly version: number | null;
  /** The value of each changed field before and after the change. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** SHA-256 of a secret salt and `changes`. */
  readonly changes_hash: string;
  /** SHA-256 of the entry and of the hash of the entry before it. */
  readonly hash: string;
}

/** Id and hash of the newest entry. */
export interface AuditHead {
  /** Null before the first entry. */
  readonly id: number | null;
  /** Null before the first entry. */
  readonly hash: string | null;
}

/** The result of one line. */
export interface BulkResultOutput {
  /** Line number, starting at 1. Empty lines count. */
  line: number;
  /** Key of the record as sent in the line. */
  key: string | number | Record<string, unknown> | null;
  /** HTTP status that a single write would have. */
  status: number;
  result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  id: string | number | null;
  version: number | null;
  /** Fields of the line that were ignored, because they apply only to new records. */
  passed_over?: string[];
  /** A problem as defined by RFC 9457. */
  problem?: { /** URL of a page about this type of problem. */ type: string; /** Short name of the type of problem. */ title: string; /** HTTP status. */ status: number; /** What went wrong in this request, and what to do. */ detail: string; /** Request id, which is also in the store’s log. */ instance: string; violations?: Violation[]; };
}

/** The last line of a complete response. */
export interface BulkSummaryOutput {
  summary: { lines: number; empty: number; created: number; updated: number; unchanged: number; deleted: number; failed: number; complete: true; };
}

/** A cart of a shopper, as of its last write. Only shoppers change it. It is deleted 30 days after it has expired, or if it is empty, 24 hours after its last write. */
export interface CartOutput {
  id: number;
  /** `merged`: moved to the cart of a customer. A cart becomes `expired` within an hour after `expires_at`. */
  state: 'open' | 'expired' | 'merged';
  /** Id of the customer’s profile; null for guests. */
  customer_id: number | null;
  /** E-mail address of the shopper. */
  email: string | null;
  /** Notes of the shopper. */
  notes: string;
  /** Active ISO 4217 code. The currency of the store. */
  currency: string;
  /** A partial update changes only the members that it contains. */
  billing_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** A partial update changes only the members that it contains. */
  shipping_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** The chosen shipping method. */
  shipping: { /** Id of the shipping method. */ method_id: number; } | null;
  /** Codes of the coupons. */
  coupons: string[];
  /** The lines. */
  lines: ({ /** Id of the line within the cart. */ id: number; /** Id of the product. */ product_id: number; /** Id of the variant. */ variant: number | null; /** SKU of the variant or the product. */ sku: string | null; /** Name of the product. */ name: string | null; /** The choices of the shopper: `attribute_id`, and `value_id` or `text`. */ options: Record<string, unknown>[]; /** Number of units. */ amount: number; /** Price of one unit; null if it cannot be ordered. */ price: number | null; })[];
  /** Total of the lines. */
  sub_total: number;
  /** Total with discounts, shipping and taxes. */
  total: number;
  create_date: string;
  /** Time of the last write. */
  update_date: string;
  /** When the cart expires unless it is changed before. */
  expires_at: string;
}

/** Read-only: `id`, `url`, `width`, `height`. Unknown fields are a 422. */
export interface CategoryBannerInput {
  /** Alternative text for people who cannot see the image. Default: `""`. */
  readonly alt?: string;
  /** HTTP or HTTPS URL of an image file that the store downloads. */
  readonly externalUrl?: string;
  /** Image file, base64-encoded, or a `data:` URL with base64. */
  readonly attachment?: string;
  /** Name of the attached file, with the extension of an image format. */
  readonly filename?: string;
}

/** The banner of a category. The store saves a copy of the file and serves it at `url`. */
export interface CategoryBannerOutput {
  id: number;
  /** Alternative text for people who cannot see the image. */
  alt: string;
  /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */
  url: string;
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
}

/** The banner of a category. The store saves a copy of the file and serves it at `url`. */
export interface CategoryBannerOutputEmbedded {
  /** Alternative text for people who cannot see the image. */
  alt: string;
  /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */
  url: string;
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
}

/** Read-only: `id`, `url`, `width`, `height`. Unknown fields are a 422. */
export interface CategoryIconInput {
  /** Alternative text for people who cannot see the image. Default: `""`. */
  readonly alt?: string;
  /** HTTP or HTTPS URL of an image file that the store downloads. */
  readonly externalUrl?: string;
  /** Image file, base64-encoded, or a `data:` URL with base64. */
  readonly attachment?: string;
  /** Name of the attached file, with the extension of an image format. */
  readonly filename?: string;
}

/** The icon of a category. The store saves a copy of the file and serves it at `url`. */
export interface CategoryIconOutput {
  id: number;
  /** Alternative text for people who cannot see the image. */
  alt: string;
  /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */
  url: string;
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
}

/** The icon of a category. The store saves a copy of the file and serves it at `url`. */
export interface CategoryIconOutputEmbedded {
  /** Alternative text for people who cannot see the image. */
  alt: string;
  /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */
  url: string;
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
}

/** Read-only: `id`, `icon`, `banner`, `path`, `create_date`, `update_date`. Unknown fields are a 422. */
export interface CategoryInput {
  /** Written in the language of the request. */
  readonly name: string;
  /** Whether shops show the category. Default: `true`. */
  readonly enabled?: boolean;
  /** Whether the category page shows the name as its title. Default: `true`. */
  readonly show_title?: boolean;
  /** Sort order among siblings. Default: `0`. */
  readonly position?: number;
  /** Memberships that the category is for. Replaces all existing links. Default: `[]`. */
  readonly memberships?: readonly MembershipLink[];
  /** Id of the parent category; null for the top level. Default: `null`. A PUT without it leaves it unchanged. */
  readonly parent?: number | null;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. Default: `""`. A PUT without it leaves it unchanged. */
  readonly clean_url?: string;
  /** Text or HTML, stored as sent. Written in the language of the request. Default: `""`. */
  readonly description?: string;
  /** Keywords of the page. Written in the language of the request. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the page. Written in the language of the request. Default: `""`. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the page. Written in the language of the request. Default: `""`. */
  readonly meta_title?: string;
  /** Open Graph markup of the page. If it is empty, output shows markup generated from the category. Written in the language of the request. Default: `""`. */
  readonly og_meta_tags?: string;
  /** `A` clears `og_meta_tags`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Number of columns of the category’s menu. Stored for the shop. Default: `0`. A PUT without it leaves it unchanged. */
  readonly flyout_columns?: number;
}

/** One category: its input including the key, or an object with an operation. */
export type CategoryLine = CategoryInput | CategoryPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: CategoryInput | CategoryPatch; };

/** A link to a category. */
export type CategoryLink = number | CategoryOutput;

/** Unknown fields are a 422. */
export interface CategoryMoveInput {
  /** Id of the new parent; null for the top level. Unchanged if omitted. */
  readonly parent?: number | null;
  /** New sort order. Unchanged if omitted. */
  readonly position?: number;
}

/** A category in the tree that organizes the shop’s products. Deleting it also deletes the categories below it, but no products. */
export interface CategoryOutput {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Whether shops show the category. */
  enabled: boolean;
  /** Whether the category page shows the name as its title. */
  show_title: boolean;
  /** Sort order among siblings. */
  position: number;
  /** Memberships that the category is for. */
  memberships: MembershipOutput[];
  /** Id of the parent category; null for the top level. */
  parent: number | null;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. */
  clean_url: string;
  /** Text or HTML, stored as sent. In the language of the request. */
  description: string;
  /** Keywords of the page. In the language of the request. */
  meta_tags: string;
  /** Meta description of the page. In the language of the request. */
  meta_description: string;
  /** Title of the page. In the language of the request. */
  meta_title: string;
  /** Open Graph markup of the page. If it is empty, output shows markup generated from the category. In the language of the request. */
  og_meta_tags: string;
  icon: CategoryIconOutputEmbedded | null;
  banner: CategoryBannerOutputEmbedded | null;
  /** Categories from the top level down to this one. */
  path: CategoryOutputEmbedded[];
  create_date: string;
  /** Time of the last change of the category, its images, texts or links. */
  update_date: string;
  /** Number of columns of the category’s menu. Stored for the shop. */
  flyout_columns: number;
}

/** A category in the tree that organizes the shop’s products. Deleting it also deletes the categories below it, but no products. */
export interface CategoryOutputEmbedded {
  id: number;
  /** In the language of the request. */
  name: string;
}

/** Only the fields to change. Cannot be changed: `id`. Read-only: `icon`, `banner`, `path`. Ignored: `create_date`, `update_date`. Unknown fields are a 422. */
export interface CategoryPatch {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Whether shops show the category. */
  readonly enabled?: boolean;
  /** Whether the category page shows the name as its title. */
  readonly show_title?: boolean;
  /** Sort order among siblings. */
  readonly position?: number;
  /** Memberships that the category is for. Replaces all existing links. */
  readonly memberships?: readonly MembershipLink[];
  /** Id of the parent category; null for the top level. */
  readonly parent?: number | null;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. */
  readonly clean_url?: string;
  /** Text or HTML, stored as sent. Written in the language of the request. */
  readonly description?: string;
  /** Keywords of the page. Written in the language of the request. */
  readonly meta_tags?: string;
  /** Meta description of the page. Written in the language of the request. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the page. Written in the language of the request. */
  readonly meta_title?: string;
  /** Open Graph markup of the page. If it is empty, output shows markup generated from the category. Written in the language of the request. */
  readonly og_meta_tags?: string;
  /** `A` clears `og_meta_tags`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Number of columns of the category’s menu. Stored for the shop. */
  readonly flyout_columns?: number;
}

/** Unknown fields are a 422. */
export interface CategoryProductInput {
  /** Id of the product. */
  readonly product_id: number;
  /** Sort order among the category’s products. Unchanged if it is omitted from a POST for a product that is already linked. Default: `0`. */
  readonly position?: number;
}

/** A link between a category and a product that it shows. */
export interface CategoryProductOutput {
  /** Id of the product. */
  product_id: number;
  /** Sort order among the category’s products. Unchanged if it is omitted from a POST for a product that is already linked. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `product_id`. Unknown fields are a 422. */
export interface CategoryProductPatch {
  /** Sort order among the category’s products. Unchanged if it is omitted from a POST for a product that is already linked. */
  readonly position?: number;
}

/** Count the contents of a category. */
export interface CategoryStatsOutput {
  /** Number of direct children. */
  subcategories_count_all: number;
  /** Number of enabled direct children. */
  subcategories_count_enabled: number;
  /** Number of products linked to the category itself. */
  products_count: number;
}

/** All texts of one language. Unknown fields are a 422. */
export interface CategoryTranslationInput {
  readonly name: string;
  /** Text or HTML, stored as sent. Default: `""`. */
  readonly description?: string;
  /** Keywords of the page. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the page. Default: `""`. */
  readonly meta_description?: string;
  /** Title of the page. Default: `""`. */
  readonly meta_title?: string;
  /** Open Graph markup of the page. If it is empty, output shows markup generated from the category. Default: `""`. */
  readonly og_meta_tags?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface CategoryTranslationOutput {
  name?: string;
  /** Text or HTML, stored as sent. */
  description?: string;
  /** Keywords of the page. */
  meta_tags?: string;
  /** Meta description of the page. */
  meta_description?: string;
  /** Title of the page. */
  meta_title?: string;
  /** Open Graph markup of the page. If it is empty, output shows markup generated from the category. */
  og_meta_tags?: string;
}

/** One change of one record. */
export interface ChangeEntry {
  /** Cursor after this entry. */
  readonly cursor: string;
  readonly resource: 'AttributeGroup' | 'Attribute' | 'AttributeOption' | 'AttributeProperty' | 'AttributeValueCheckbox' | 'AttributeValueHidden' | 'AttributeValueSelect' | 'AttributeValueText' | 'Category' | 'ProductClass' | 'Product' | 'Variant' | 'Review' | 'FrontPageProduct' | 'CustomProductTab' | 'ProductAttachment' | 'TaxClass' | 'Order' | 'OrderDetail' | 'OrderHistoryEvents' | 'Transaction' | 'OrderShipment' | 'OrderReturn' | 'OrderInvoice' | 'Profile' | 'ProfileAddress' | 'Membership' | 'WholesalePrice' | 'SaleDiscount' | 'VolumeDiscount' | 'Coupon' | 'Zone' | 'TaxSettings' | 'TaxRate' | 'ShippingMethod' | 'ShippingRate' | 'Tag' | 'Sticker' | 'StoreInfo' | 'Language' | 'PaymentStatus' | 'ShippingStatus' | 'Webhook';
  /** Id of the record. */
  readonly id: number | string;
  /** Path of the record, even if it was deleted. */
  readonly path: string;
  readonly action: 'created' | 'updated' | 'deleted';
  /** Version of the record after the change; for a deletion, the last version plus one. */
  readonly version: number;
  /** Time of the change. */
  readonly date: string;
  /** Fields changed by an update; empty for creations and deletions. */
  readonly fields: readonly string[];
  /** With `include=record`: the current record as GET of its path returns it; null if it was deleted. */
  readonly record?: Readonly<Record<string, unknown>> | null;
}

/** Read-only: `id`, `uses`. Unknown fields are a 422. */
export interface CouponInput {
  /** Unique regardless of case. Must be unique. */
  readonly code: string;
  /** Whether the coupon can be used. Default: `true`. */
  readonly enabled?: boolean;
  /** Percentage, or amount in the store’s currency; 0 for the type `S`. Default: `0`. */
  readonly value?: number;
  /** `%` percentage, `$` amount, `S` free shipping. Default: `"%"`. */
  readonly type?: '%' | '$' | 'S';
  /** Start of the period; null is open. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Minimum subtotal of the matching items. Default: `0`. */
  readonly total_range_begin?: number;
  /** Maximum subtotal of the matching items; 0 is no limit. Default: `0`. */
  readonly total_range_end?: number;
  /** Number of orders that can use the coupon; 0 is no limit. Default: `0`. */
  readonly uses_limit?: number;
  /** Number of orders of one customer that can use the coupon; 0 is no limit. Default: `0`. */
  readonly uses_limit_per_user?: number;
  /** Whether the coupon cannot be combined with other coupons. Default: `false`. */
  readonly single_use?: boolean;
  /** Whether only the products in `products` match. Otherwise that list has no effect. Default: `false`. */
  readonly specific_products?: boolean;
  /** Ids of products. An empty list matches none if `specific_products` is true. Replaces all existing links. Default: `[]`. */
  readonly products?: readonly ProductLink[];
  /** Ids of product classes; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly product_classes?: readonly ProductClassLink[];
  /** Ids of categories, which include those below them; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly categories?: readonly CategoryLink[];
  /** Ids of memberships of buyers; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly memberships?: readonly MembershipLink[];
  /** Ids of zones that the buyer’s address can be in; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly zones?: readonly ZoneLink[];
  /** Internal note of the store. Default: `""`. */
  readonly comment?: string;
}

/** One coupon: its input including the key, or an object with an operation. */
export type CouponLine = CouponInput | CouponPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: CouponInput | CouponPatch; };

/** A discount, or free shipping, that buyers claim with a code. */
export interface CouponOutput {
  id: number;
  /** Unique regardless of case. */
  code: string;
  /** Whether the coupon can be used. */
  enabled: boolean;
  /** Percentage, or amount in the store’s currency; 0 for the type `S`. */
  value: number;
  /** `%` percentage, `$` amount, `S` free shipping. */
  type: '%' | '$' | 'S';
  /** Start of the period; null is open. */
  date_range_begin: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. */
  date_range_end: string | null;
  /** Minimum subtotal of the matching items. */
  total_range_begin: number;
  /** Maximum subtotal of the matching items; 0 is no limit. */
  total_range_end: number;
  /** Number of orders that can use the coupon; 0 is no limit. */
  uses_limit: number;
  /** Number of orders of one customer that can use the coupon; 0 is no limit. */
  uses_limit_per_user: number;
  /** Whether the coupon cannot be combined with other coupons. */
  single_use: boolean;
  /** Whether only the products in `products` match. Otherwise that list has no effect. */
  specific_products: boolean;
  /** Ids of products. An empty list matches none if `specific_products` is true. */
  products: number[];
  /** Ids of product classes; an empty list is no restriction. */
  product_classes: number[];
  /** Ids of categories, which include those below them; an empty list is no restriction. */
  categories: number[];
  /** Ids of memberships of buyers; an empty list is no restriction. */
  memberships: number[];
  /** Ids of zones that the buyer’s address can be in; an empty list is no restriction. */
  zones: number[];
  /** Internal note of the store. */
  comment: string;
  /** Number of orders that use the coupon. A use does not change the coupon’s version. */
  uses: number;
}

/** Only the fields to change. Cannot be changed: `id`. Ignored: `uses`. Unknown fields are a 422. */
export interface CouponPatch {
  /** Unique regardless of case. Must be unique. */
  readonly code?: string;
  /** Whether the coupon can be used. */
  readonly enabled?: boolean;
  /** Percentage, or amount in the store’s currency; 0 for the type `S`. */
  readonly value?: number;
  /** `%` percentage, `$` amount, `S` free shipping. */
  readonly type?: '%' | '$' | 'S';
  /** Start of the period; null is open. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Minimum subtotal of the matching items. */
  readonly total_range_begin?: number;
  /** Maximum subtotal of the matching items; 0 is no limit. */
  readonly total_range_end?: number;
  /** Number of orders that can use the coupon; 0 is no limit. */
  readonly uses_limit?: number;
  /** Number of orders of one customer that can use the coupon; 0 is no limit. */
  readonly uses_limit_per_user?: number;
  /** Whether the coupon cannot be combined with other coupons. */
  readonly single_use?: boolean;
  /** Whether only the products in `products` match. Otherwise that list has no effect. */
  readonly specific_products?: boolean;
  /** Ids of products. An empty list matches none if `specific_products` is true. Replaces all existing links. */
  readonly products?: readonly ProductLink[];
  /** Ids of product classes; an empty list is no restriction. Replaces all existing links. */
  readonly product_classes?: readonly ProductClassLink[];
  /** Ids of categories, which include those below them; an empty list is no restriction. Replaces all existing links. */
  readonly categories?: readonly CategoryLink[];
  /** Ids of memberships of buyers; an empty list is no restriction. Replaces all existing links. */
  readonly memberships?: readonly MembershipLink[];
  /** Ids of zones that the buyer’s address can be in; an empty list is no restriction. Replaces all existing links. */
  readonly zones?: readonly ZoneLink[];
  /** Internal note of the store. */
  readonly comment?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface CustomProductTabInput {
  /** Title of the tab. Written in the language of the request. */
  readonly name: string;
  /** Text or HTML, stored as sent. Written in the language of the request. */
  readonly content: string;
  /** Short text that shops show before the tab is opened. Written in the language of the request. Default: `""`. */
  readonly brief_info?: string;
}

/** A tab of every product page, such as “Shipping”. */
export interface CustomProductTabOutput {
  id: number;
  /** Title of the tab. In the language of the request. */
  name: string;
  /** Text or HTML, stored as sent. In the language of the request. */
  content: string;
  /** Short text that shops show before the tab is opened. In the language of the request. */
  brief_info: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface CustomProductTabPatch {
  /** Title of the tab. Written in the language of the request. */
  readonly name?: string;
  /** Text or HTML, stored as sent. Written in the language of the request. */
  readonly content?: string;
  /** Short text that shops show before the tab is opened. Written in the language of the request. */
  readonly brief_info?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface CustomProductTabTranslationInput {
  /** Title of the tab. */
  readonly name: string;
  /** Text or HTML, stored as sent. */
  readonly content: string;
  /** Short text that shops show before the tab is opened. Default: `""`. */
  readonly brief_info?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface CustomProductTabTranslationOutput {
  /** Title of the tab. */
  name?: string;
  /** Text or HTML, stored as sent. */
  content?: string;
  /** Short text that shops show before the tab is opened. */
  brief_info?: string;
}

/** The erased and the retained records of a person. */
export interface ErasureOutput {
  erased: ({ /** Name of the resource, such as `tax_class`. */ resource: string; count: number; /** Erased fields of the records; null if the records were deleted. */ fields: string[] | null; })[];
  retained: ({ /** Name of the resource, such as `tax_class`. */ resource: string; count: number; /** Time until which the records must be retained in full; null if they no longer contain personal data. */ until: string | null; })[];
}

/** Numbers of records by the value of a field: `values` and `more` of linked records, else `ranges`, `min` and `max`. */
export interface FacetOutput {
  /** The most frequent values, then the other selected ones. */
  values?: { /** Id of the linked record. */ id: number; /** Its name in the language of the request. */ name: string; /** Number of records. */ count: number; /** Whether a filter names it. */ selected: boolean; }[];
  /** Whether values are missing. */
  more?: boolean;
  /** The smallest value. */
  min?: number | null;
  /** The largest value. */
  max?: number | null;
  /** At most 20 ranges, as requested. */
  ranges?: ({ /** Inclusive. */ from: number | null; /** Exclusive. */ to: number | null; /** Number of records. */ count: number; })[];
}

/** Unknown fields are a 422. */
export interface FeaturedProductInput {
  /** Id of the product. */
  readonly product_id: number;
  /** Sort order. Unchanged if it is omitted from a POST for a product that is already featured. Default: `0`. */
  readonly position?: number;
}

/** A product that the page of a category presents first. It may be outside the category. */
export interface FeaturedProductOutput {
  /** Id of the product. */
  product_id: number;
  /** Sort order. Unchanged if it is omitted from a POST for a product that is already featured. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `product_id`. Unknown fields are a 422. */
export interface FeaturedProductPatch {
  /** Sort order. Unchanged if it is omitted from a POST for a product that is already featured. */
  readonly position?: number;
}

/** Unknown fields are a 422. */
export interface FrontPageProductInput {
  /** Id of the product. */
  readonly product_id: number;
  /** Sort order. Unchanged if it is omitted from a POST for a product that is already featured. Default: `0`. */
  readonly position?: number;
}

/** A product that the front page of the shop presents. */
export interface FrontPageProductOutput {
  /** Id of the product. */
  product_id: number;
  /** Sort order. Unchanged if it is omitted from a POST for a product that is already featured. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `product_id`. Unknown fields are a 422. */
export interface FrontPageProductPatch {
  /** Sort order. Unchanged if it is omitted from a POST for a product that is already featured. */
  readonly position?: number;
}

/** An API key of the store. */
export interface Key {
  readonly id: string;
  /** Name of the key, such as its purpose. It appears in the history of orders. */
  readonly name: string;
  /** Access of the key. */
  readonly kind: 'read-write' | 'read-only' | 'scoped' | 'publishable';
  /** Time from which the key is rejected; null if it does not expire. */
  readonly expires_at: string | null;
  /** Day of the last use, in UTC; null if unknown. */
  readonly last_used_at: string | null;
  /** Time of creation; null if unknown. */
  readonly created_at: string | null;
  /** `environment`: the key is defined in the server’s settings and cannot be revoked here. */
  readonly source: 'store' | 'environment';
  /** Time until which the key from before its rotation remains valid; null for none. */
  readonly old_expires_at: string | null;
  /** What the key may do, in code point order. */
  readonly scopes: readonly string[];
  /** Fields that the key cannot see, in code point order. */
  readonly masks: readonly string[];
  /** CIDR ranges from which the key is accepted; an empty list is any address. */
  readonly networks: readonly string[];
  /** The key or the user that created this one; null if unknown. The name is null if it was deleted. */
  readonly created_by: { readonly type: 'key' | 'user'; readonly id: string | number; readonly name: string | null; } | null;
  /** Origins of the pages that use the key; only of publishable keys. */
  readonly origins?: readonly string[];
  /** The key itself; only of publishable keys. */
  readonly key?: string;
}

/** An API key to create. */
export interface KeyCreate {
  /** Name of the key, such as its purpose. It appears in the history of orders. */
  readonly name: string;
  /** Access of the key. */
  readonly kind: 'read-write' | 'read-only' | 'scoped' | 'publishable';
  /** Date or date-time in the future from which the key is rejected; null if it does not expire. Default: `null`. */
  readonly expires_at?: string | null;
  /** An existing key that clients already have, not in use in this store. Default: a random key. */
  readonly key?: string | null;
  /** What a key of the kind `scoped` may do, such as `products:read` or `*:read`; required for that kind, and only allowed for it. */
  readonly scopes?: readonly string[];
  /** Fields that a key of the kind `scoped` cannot see, such as `Product.cost_price`; only allowed for that kind. Default: none. */
  readonly masks?: readonly string[];
  /** CIDR ranges from which the key is accepted. Default: any address. */
  readonly networks?: readonly string[];
  /** Origins of the pages that use a key of the kind `publishable`, such as `https://shop.example.com` or `https://*.example.com`; required for that kind, and only allowed for it. */
  readonly origins?: readonly string[];
}

/** A new API key. */
export interface KeyMade {
  readonly id: string;
  /** Name of the key, such as its purpose. It appears in the history of orders. */
  readonly name: string;
  /** Access of the key. */
  readonly kind: 'read-write' | 'read-only' | 'scoped' | 'publishable';
  /** Time from which the key is rejected; null if it does not expire. */
  readonly expires_at: string | null;
  /** Day of the last use, in UTC; null if unknown. */
  readonly last_used_at: string | null;
  /** Time of creation; null if unknown. */
  readonly created_at: string | null;
  /** `environment`: the key is defined in the server’s settings and cannot be revoked here. */
  readonly source: 'store' | 'environment';
  /** Time until which the key from before its rotation remains valid; null for none. */
  readonly old_expires_at: string | null;
  /** What the key may do, in code point order. */
  readonly scopes: readonly string[];
  /** Fields that the key cannot see, in code point order. */
  readonly masks: readonly string[];
  /** CIDR ranges from which the key is accepted; an empty list is any address. */
  readonly networks: readonly string[];
  /** The key or the user that created this one; null if unknown. The name is null if it was deleted. */
  readonly created_by: { readonly type: 'key' | 'user'; readonly id: string | number; readonly name: string | null; } | null;
  /** The key itself; only shown in this response, unless it is publishable. */
  readonly key: string;
  /** Origins of the pages that use the key; only of publishable keys. */
  readonly origins?: readonly string[];
}

/** Unknown fields are a 422. */
export interface LanguageInput {
  /** Must be unique. */
  readonly code: string;
  /** Name of the language, usually in the language itself. */
  readonly name: string;
  /** Whether responses can be in this language. Default: `true`. */
  readonly enabled?: boolean;
  /** Whether this is the default language. Setting it to true unsets the previous default. Default: `false`. */
  readonly is_default?: boolean;
}

/** A language of the store’s texts. Exactly one language is the default. */
export interface LanguageOutput {
  code: string;
  /** Name of the language, usually in the language itself. */
  name: string;
  /** Whether responses can be in this language. */
  enabled: boolean;
  /** Whether this is the default language. Setting it to true unsets the previous default. */
  is_default: boolean;
}

/** Only the fields to change. Cannot be changed: `code`. Unknown fields are a 422. */
export interface LanguagePatch {
  /** Name of the language, usually in the language itself. */
  readonly name?: string;
  /** Whether responses can be in this language. */
  readonly enabled?: boolean;
  /** Whether this is the default language. Setting it to true unsets the previous default. */
  readonly is_default?: boolean;
}

/** Cannot be changed: `code`. Unknown fields are a 422. */
export interface LanguageReplacement {
  /** Name of the language, usually in the language itself. */
  readonly name: string;
  /** Whether responses can be in this language. Default: `true`. */
  readonly enabled?: boolean;
  /** Whether this is the default language. Setting it to true unsets the previous default. Default: `false`. */
  readonly is_default?: boolean;
}

/** A record that a lookup found. */
export interface LookupEntry {
  readonly resource: 'Product' | 'Category' | 'Order' | 'Profile';
  readonly id: number;
  /** Address of the record, without the host. */
  readonly path: string;
  /** Name, order number or e-mail address. */
  readonly title: string;
}

/** The parts of a mail. */
export interface MailContent {
  /** Subject. */
  readonly subject: string;
  /** Plain text. It must contain the link. */
  readonly text: string;
  /** HTML. It must contain the link. */
  readonly html: string;
}

/** A mail that the store has sent or will send. Mails are deleted after 30 days. */
export interface MailOutput {
  id: number;
  /** Name of the template. */
  template: string;
  /** E-mail address of the recipient. */
  to: string;
  /** `failed`: every attempt within 72 hours has failed. `retry` queues the mail again. */
  status: 'queued' | 'sent' | 'failed';
  /** Number of attempts to send it. */
  attempts: number;
  /** Time at which the mail was queued. */
  date: string;
}

/** Unknown fields are a 422. */
export interface MailRetryInput {

}

/** A template of mails. */
export interface MailTemplate {
  /** Name of the template. */
  readonly name: string;
  /** Language of the path. */
  readonly language: string;
  /** Subject. */
  readonly subject: string;
  /** Plain text. It must contain the link. */
  readonly text: string;
  /** HTML. It must contain the link. */
  readonly html: string;
  /** Whether the built-in template applies. False if the store has replaced it in this language. */
  readonly built_in: boolean;
}

/** A template in a language. */
export interface MailTemplateEntry {
  /** Name of the template. */
  readonly name: string;
  /** Language. */
  readonly language: string;
  /** Variables of the template. Its texts can contain `name` as `{{name}}`. */
  readonly variables: readonly string[];
  /** Whether the built-in template applies. False if the store has replaced it in this language. */
  readonly built_in: boolean;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface MembershipInput {
  /** Written in the language of the request. Must be unique. */
  readonly name: string;
  /** Whether the membership is in use. Default: `true`. */
  readonly enabled?: boolean;
}

/** One membership: its input including the key, or an object with an operation. */
export type MembershipLine = MembershipInput | MembershipPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: MembershipInput | MembershipPatch; };

/** A link to a membership. */
export type MembershipLink = string | number | MembershipOutput;

/** A link to a membership, or null. */
export type MembershipLinkOrNull = string | number | MembershipOutput | null;

/** A group of customers, such as wholesale buyers. */
export interface MembershipOutput {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Whether the membership is in use. */
  enabled: boolean;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface MembershipPatch {
  /** Written in the language of the request. Must be unique. */
  readonly name?: string;
  /** Whether the membership is in use. */
  readonly enabled?: boolean;
}

/** All texts of one language. Unknown fields are a 422. */
export interface MembershipTranslationInput {
  /** Must be unique in its language. */
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface MembershipTranslationOutput {
  name?: string;
}

/** A former clean URL. */
export interface OldUrl {
  readonly clean_url: string;
  /** When the record got another one. */
  readonly until: string;
}

/** Read the calculation of an order. */
export interface OrderCalculationOutput {
  /** The input of the calculation, without rules that have no effect and without personal data. */
  input: Record<string, unknown>;
  /** The result of the calculation. */
  result: { /** The store’s currency (ISO 4217). */ currency: string; /** The items of the order. */ lines: ({ /** Unit price. */ price: number; /** Unit price without sales and wholesale prices. */ regular_price: number; /** Number of units. */ amount: number; /** `price` × `amount`, rounded. */ subtotal: number; /** The wholesale price that determines `price`, or null. */ wholesale_price_id: number | null; /** The sale discount that determines `price`, or null. */ sale_discount_id: number | null; })[]; /** The volume discount, then the coupons by id, if they apply. */ discounts: ({ kind: 'volume_discount' | 'coupon'; /** Id of the volume discount or coupon. */ id: number; /** Code of the coupon; null for a volume discount. */ code: string | null; /** Amount taken off. */ value: number; /** The share of each item. */ shares: number[]; })[]; /** The charges that the client sent, and that of the shipping method. */ charges: ({ /** `shipping` or `handling`. */ type: string; /** Code of the surcharge. */ code: string; /** Name of the surcharge. */ name: string; /** The tax class of the charge, or null. */ tax_class: number | null; /** Amount. */ value: number; })[]; /** The taxes by the id of their rate, including taxes of 0. */ taxes: { /** Id of the tax rate. */ id: number; /** The `tax` of the rate. */ code: string; /** Name of the rate, in the language of the request. */ name: string; /** Whether the prices include the tax. */ include: boolean; /** Amount of the tax. */ value: number; /** The share of each item. */ shares: number[]; /** The share of each charge. */ charge_shares: number[]; }[]; /** Amounts of the whole order. */ totals: { /** Sum of the items. */ sub_total: number; /** Sum of the discounts. */ discounts: number; /** Sum of the charges. */ charges: number; /** Sum of the taxes that prices do not include. */ added_taxes: number; /** Sum of the taxes that prices include. */ included_taxes: number; /** `sub_total` − `discounts` + `charges` + `added_taxes`. */ total: number; }; /** Every rule that was considered; null without `explain`. */ explanation: ({ /** `items[0]`, `charges[0]` or `order`. */ scope: string; kind: 'regular' | 'own_sale' | 'sale_discount' | 'wholesale_price' | 'combination' | 'volume_discount' | 'coupon' | 'tax_rate'; /** Id of the rule; of a combination, that of the wholesale price. */ id: number | null; /** Price or amount; null if the rule does not apply. */ value: number | null; /** Whether the rule determines the price, or takes effect. */ won: boolean; reason: 'disabled' | 'dates' | 'membership' | 'zone' | 'not_listed' | 'quantity' | 'subtotal' | 'uses' | 'own_sale' | 'not_combinable' | 'not_taxable' | 'exempt' | 'position' | 'higher_price' | 'smaller_discount' | 'tie' | 'won'; })[] | null; };
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface OrderDetailInput {
  readonly name: string;
  /** Default: `""`. */
  readonly value?: string;
}

/** A custom name-value pair of an order. */
export interface OrderDetailOutput {
  id: number;
  name: string;
  value: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface OrderDetailPatch {
  readonly name?: string;
  readonly value?: string;
}

/** An order with its items, customer data, totals and statuses. Orders cannot be deleted; cancel them with the payment status `C`. */
export interface OrderDryRunOutput {
  /** Always null. */
  id: number | null;
  /** Always null. */
  order_number: string | null;
  /** Total of the items and of all available surcharges that the prices do not include. */
  total: number;
  /** Total of the items. */
  sub_total: number;
  email: string;
  items: OrderItemOutput[];
  /** A partial update changes only the members that it contains. */
  billing_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** A partial update changes only the members that it contains. */
  shipping_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** Date of the order. Now if omitted. */
  create_date: string;
  /** Time of the last change of the order or its parts. */
  update_date: string;
  payment_status: PaymentStatusOutput;
  /** If omitted, `NBA` if units are backordered. */
  shipping_status: ShippingStatusOutput;
  /** Id of the customer’s profile; null for guests, past orders and deleted profiles. */
  customer_id: number | null;
  /** Always null. */
  order_profile_id: number | null;
  /** Id of the shipping method; 0 for none. */
  shipping_id: number;
  /** Name of the shipping method. */
  shipping_method_name: string | null;
  /** Notes of the customer. */
  notes: string;
  /** Internal notes of the store. */
  admin_notes: string;
  /** Active ISO 4217 code. The store’s currency if omitted. */
  currency: string;
  /** Last stock movement: `reduced` when the order took its units, `increased` when it returned them. */
  stock_status: '' | 'reduced' | 'increased';
  surcharges: SurchargeOutput[];
  tracking_numbers: OrderTrackingNumberOutput[];
  used_coupons: UsedCouponOutput[];
  /** VAT identification number of the buyer. If omitted, a calculated order gets that of the profile. */
  vat_id: string;
}

/** Unknown fields are a 422. */
export interface OrderEditInput {
  /** New items, in the same form as in a new order. */
  readonly add?: readonly OrderItemInput[];
  /** Changes of existing items. */
  readonly change?: readonly { /** Id of an item of the order. */ readonly item_id: number; /** New number of units, at least the number shipped. Unchanged if omitted. */ readonly amount?: number; /** New price of one unit. Unchanged if omitted. */ readonly price?: number; }[];
  /** New list of surcharges; replaces all existing ones. Unchanged if omitted. With `calculate`, the new shipping and handling. */
  readonly surcharges?: readonly SurchargeInput[];
  /** Whether the store calculates discounts and taxes again, by the rules that the order was calculated with. Otherwise the order loses its calculation. */
  readonly calculate?: boolean;
  /** Whether removed units take their parts of discounts and taxes with them, and nothing is calculated again. For units that are refunded. Only for an edit that removes units. */
  readonly prorate?: boolean;
  /** Total that the buyer has seen. If the new total differs, the edit is rejected. Only with `calculate`. */
  readonly expected_total?: number | null;
}

/** An event in the history of an order. Events are recorded by the store; clients can only read them. */
export interface OrderHistoryEventsOutput {
  id: number;
  date: string;
  code: string;
  description: string;
  data: Record<string, unknown>;
  comment: string;
  profile_id: number | null;
  /** Name of the API key that made the change. */
  profile_name: string;
  ip: string;
  details: { id: number; name: string; value: string; }[];
}

/** Read-only: `id`, `total`, `sub_total`, `update_date`, `order_profile_id`, `stock_status`, `tracking_numbers`, `used_coupons`. Unknown fields are a 422. */
export interface OrderInput {
  /** Order number of printable characters, without white space at the ends, such as `2024/1` or `#1001`. If omitted, the store assigns the next number. Must be unique. A PUT without it leaves it unchanged. */
  readonly order_number?: string;
  readonly email: string;
  readonly items: readonly OrderItemInput[];
  /** A partial update changes only the members that it contains. Default: `null`. */
  readonly billing_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** A partial update changes only the members that it contains. Default: `null`. */
  readonly shipping_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** Date of the order. Now if omitted. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly create_date?: string;
  /** Default: `"Q"`. */
  readonly payment_status?: PaymentStatusLink;
  /** If omitted, `NBA` if units are backordered. Default: `"N"`. */
  readonly shipping_status?: ShippingStatusLink;
  /** Id of the customer’s profile; null for guests, past orders and deleted profiles. Default: `null`. */
  readonly customer_id?: number | null;
  /** Id of the shipping method; 0 for none. Default: `0`. */
  readonly shipping_id?: number;
  /** Name of the shipping method. Default: `null`. */
  readonly shipping_method_name?: string | null;
  /** Notes of the customer. Default: `""`. */
  readonly notes?: string;
  /** Internal notes of the store. Default: `""`. */
  readonly admin_notes?: string;
  /** Active ISO 4217 code. The store’s currency if omitted. A PUT without it leaves it unchanged. */
  readonly currency?: string;
  /** Default: `[]`. */
  readonly surcharges?: readonly SurchargeInput[];
  /** VAT identification number of the buyer. If omitted, a calculated order gets that of the profile. Default: `""`. */
  readonly vat_id?: string;
  /** Whether the store calculates prices, discounts and taxes by its rules. */
  readonly calculate?: boolean;
  /** Codes of the coupons that the buyer entered, regardless of case. Only with `calculate`. */
  readonly coupons?: readonly string[];
  /** Shipping method whose rates determine the charge for shipping. The order gets its id and name. Only with `calculate`. */
  readonly shipping?: { /** Id of the shipping method. */ readonly method_id?: number; } | null;
  /** Total that the buyer has seen. If the calculated total differs, the order is rejected. Only with `calculate`. */
  readonly expected_total?: number | null;
}

/** Read-only: `id`, `number`, `date`, `seller`, `tax_number`, `billing_address`, `shipping_address`, `surcharges`, `sub_total`, `total`, `currency`. Unknown fields are a 422. */
export interface OrderInvoiceInput {
  /** Default: `"invoice"`. */
  readonly kind?: 'invoice' | 'credit_note';
  /** Id of the invoice that a credit note credits in whole or in part. Required for credit notes. Default: `null`. */
  readonly of?: number | null;
  /** Lines of the document. An invoice always has all lines of its order. A credit note without lines credits the whole invoice. Default: `[]`. */
  readonly lines?: readonly { /** Id of an item of the invoice. */ readonly item_id: number; /** Number of units. */ readonly amount: number; /** Price of one unit. If omitted from a credit note, the price on the invoice. */ readonly price?: number; }[];
}

/** An invoice or a credit note. It is a copy of the order at the time of creation, and can be neither changed nor deleted. */
export interface OrderInvoiceOutput {
  id: number;
  /** Document number. Invoices and credit notes have separate series without gaps. */
  number: string;
  kind: 'invoice' | 'credit_note';
  /** Id of the invoice that a credit note credits in whole or in part. Required for credit notes. */
  of: number | null;
  date: string;
  /** Name and address of the store at that time. */
  seller: string;
  /** Tax number of the store at that time. */
  tax_number: string;
  /** A partial update changes only the members that it contains. */
  billing_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** A partial update changes only the members that it contains. */
  shipping_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** Lines of the document. An invoice always has all lines of its order. A credit note without lines credits the whole invoice. */
  lines: { /** Id of an item of the invoice. */ item_id: number; name: string; sku: string; options: { name: string; value: string; }[]; /** Number of units. */ amount: number; /** Price of one unit. If omitted from a credit note, the price on the invoice. */ price: number; subtotal: number; }[];
  /** Surcharges of the order. A credit note of selected lines has the parts of discounts and taxes that belong to them, if the order was calculated. */
  surcharges: { type: string; name: string; include: boolean; value: number; }[];
  sub_total: number;
  total: number;
  currency: string;
}

/** An item of an order: a product as it was sold. Later changes of the product do not affect it. Read-only fields are a 422 unless they are empty or have the value that output will show. Unknown fields are a 422. */
export interface OrderItemInput {
  /** Id of the product; null if it was deleted. An item needs `product_id`, `sku` or `variant`; several must refer to the same product. Default: `null`. */
  readonly product_id?: number | null;
  /** SKU of the product or variant at the time of sale. Default: `""`. */
  readonly sku?: string;
  /** Price of one unit. If omitted, computed from product, variant, sale and options. A PUT without it leaves it unchanged. */
  readonly price?: number;
  /** Number of units in the order, without canceled ones. */
  readonly amount: number;
  /** Id of the variant; null if the item has none or it was deleted. A product with variants requires `variant` or a variant’s `sku`. Default: `null`. */
  readonly variant?: number | null;
  /** The customer’s choices at the time of sale. An omitted attribute uses its default value; an attribute without a default is required. Default: `[]`. */
  readonly options?: readonly ({ /** Id of the attribute. */ readonly attribute_id: number; /** Id of the product’s value; null for a text. */ readonly value_id?: number | null; /** The customer’s text for an editable text attribute. */ readonly text?: string; })[];
}

/** An item of an order: a product as it was sold. Later changes of the product do not affect it. */
export interface OrderItemOutput {
  id: number;
  /** Id of the product; null if it was deleted. An item needs `product_id`, `sku` or `variant`; several must refer to the same product. */
  product_id: number | null;
  /** SKU of the product or variant at the time of sale. */
  sku: string;
  update_date: string;
  /** Name of the product at the time of sale. */
  name: string;
  /** Price of one unit. If omitted, computed from product, variant, sale and options. */
  price: number;
  /** Same as `price`. */
  item_net_price: number;
  /** `price` × `amount`, rounded to the currency’s decimals. */
  discounted_subtotal: number;
  /** Number of units in the order, without canceled ones. */
  amount: number;
  /** Number of backordered units. */
  backordered_amount: number;
  /** The item’s shares of the discounts and taxes of a calculated order. Each has the id of the order’s surcharge. Otherwise empty. */
  surcharges: SurchargeOutput[];
  /** Id of the variant; null if the item has none or it was deleted. A product with variants requires `variant` or a variant’s `sku`. */
  variant: number | null;
  /** Weight of one unit at the time of sale. */
  weight: number;
  /** The customer’s choices at the time of sale. An omitted attribute uses its default value; an attribute without a default is required. */
  options: ({ /** Id of the attribute. */ attribute_id: number; /** Name of the attribute. */ name: string; /** Id of the product’s value; null for a text. */ value_id: number | null; /** Name of the chosen option, or the text. */ value: string; price_modifier: number; price_modifier_type: 'absolute' | 'percent'; weight_modifier: number; weight_modifier_type: 'absolute' | 'percent'; /** Amount added to the price, before a percentage sale is applied. */ price_effect: number; })[];
  /** Number of units ever ordered: `amount` + `cancelled_amount`. */
  ordered_amount: number;
  /** Number of units in shipments, at most `amount`. */
  shipped_amount: number;
  /** Number of units canceled by edits of the order. */
  cancelled_amount: number;
  /** Number of units in received returns, at most `shipped_amount`. */
  returned_amount: number;
  /** Number of returned units that can be sold again, at most `returned_amount`. */
  restocked_amount: number;
  /** Amount refunded for this item by successful refunds with lines. */
  refunded_value: number;
}

/** One order: its input including the key, or an object with an operation. */
export type OrderLine = OrderInput | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: OrderInput; };

/** An order with its items, customer data, totals and statuses. Orders cannot be deleted; cancel them with the payment status `C`. */
export interface OrderOutput {
  id: number;
  /** Order number of printable characters, without white space at the ends, such as `2024/1` or `#1001`. If omitted, the store assigns the next number. */
  order_number: string;
  /** Total of the items and of all available surcharges that the prices do not include. */
  total: number;
  /** Total of the items. */
  sub_total: number;
  email: string;
  items: OrderItemOutput[];
  /** A partial update changes only the members that it contains. */
  billing_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** A partial update changes only the members that it contains. */
  shipping_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** Date of the order. Now if omitted. */
  create_date: string;
  /** Time of the last change of the order or its parts. */
  update_date: string;
  payment_status: PaymentStatusOutput;
  /** If omitted, `NBA` if units are backordered. */
  shipping_status: ShippingStatusOutput;
  /** Id of the customer’s profile; null for guests, past orders and deleted profiles. */
  customer_id: number | null;
  /** Always null. */
  order_profile_id: number | null;
  /** Id of the shipping method; 0 for none. */
  shipping_id: number;
  /** Name of the shipping method. */
  shipping_method_name: string | null;
  /** Notes of the customer. */
  notes: string;
  /** Internal notes of the store. */
  admin_notes: string;
  /** Active ISO 4217 code. The store’s currency if omitted. */
  currency: string;
  /** Last stock movement: `reduced` when the order took its units, `increased` when it returned them. */
  stock_status: '' | 'reduced' | 'increased';
  surcharges: SurchargeOutput[];
  tracking_numbers: OrderTrackingNumberOutput[];
  used_coupons: UsedCouponOutput[];
  /** VAT identification number of the buyer. If omitted, a calculated order gets that of the profile. */
  vat_id: string;
}

/** Only the fields to change. Cannot be changed: `id`, `order_number`, `items`, `create_date`, `payment_status`, `shipping_status`, `customer_id`, `shipping_id`, `currency`, `surcharges`, `vat_id`, `calculate`, `coupons`, `shipping`, `expected_total`. Read-only: `order_profile_id`, `stock_status`, `tracking_numbers`, `used_coupons`. Ignored: `total`, `sub_total`, `update_date`. Unknown fields are a 422. */
export interface OrderPatch {
  readonly email?: string;
  /** A partial update changes only the members that it contains. */
  readonly billing_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** A partial update changes only the members that it contains. */
  readonly shipping_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** Name of the shipping method. */
  readonly shipping_method_name?: string | null;
  /** Notes of the customer. */
  readonly notes?: string;
  /** Internal notes of the store. */
  readonly admin_notes?: string;
}

/** Unknown fields are a 422. */
export interface OrderPaymentStatusInput {
  /** Code of the new status. */
  readonly code: string;
}

/** A new record, without the fields that a quote sets. */
export interface OrderQuoteInput {
  /** Order number of printable characters, without white space at the ends, such as `2024/1` or `#1001`. If omitted, the store assigns the next number. Must be unique. A PUT without it leaves it unchanged. */
  readonly order_number?: string;
  readonly email?: string;
  readonly items: readonly OrderItemInput[];
  /** A partial update changes only the members that it contains. Default: `null`. */
  readonly billing_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** A partial update changes only the members that it contains. Default: `null`. */
  readonly shipping_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** Date of the order. Now if omitted. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly create_date?: string;
  /** Default: `"Q"`. */
  readonly payment_status?: PaymentStatusLink;
  /** If omitted, `NBA` if units are backordered. Default: `"N"`. */
  readonly shipping_status?: ShippingStatusLink;
  /** Id of the customer’s profile; null for guests, past orders and deleted profiles. Default: `null`. */
  readonly customer_id?: number | null;
  /** Id of the shipping method; 0 for none. Default: `0`. */
  readonly shipping_id?: number;
  /** Name of the shipping method. Default: `null`. */
  readonly shipping_method_name?: string | null;
  /** Notes of the customer. Default: `""`. */
  readonly notes?: string;
  /** Internal notes of the store. Default: `""`. */
  readonly admin_notes?: string;
  /** Active ISO 4217 code. The store’s currency if omitted. A PUT without it leaves it unchanged. */
  readonly currency?: string;
  /** Default: `[]`. */
  readonly surcharges?: readonly SurchargeInput[];
  /** VAT identification number of the buyer. If omitted, a calculated order gets that of the profile. Default: `""`. */
  readonly vat_id?: string;
  /** Codes of the coupons that the buyer entered, regardless of case. Only with `calculate`. */
  readonly coupons?: readonly string[];
  /** Shipping method whose rates determine the charge for shipping. The order gets its id and name. Only with `calculate`. */
  readonly shipping?: { /** Id of the shipping method. */ readonly method_id?: number; } | null;
  /** Total that the buyer has seen. If the calculated total differs, the order is rejected. Only with `calculate`. */
  readonly expected_total?: number | null;
}

/** Calculate an order without placing it. */
export interface OrderQuoteOutput {
  /** The store’s currency (ISO 4217). */
  currency: string;
  /** The items of the order. */
  lines: ({ /** Unit price. */ price: number; /** Unit price without sales and wholesale prices. */ regular_price: number; /** Number of units. */ amount: number; /** `price` × `amount`, rounded. */ subtotal: number; /** The wholesale price that determines `price`, or null. */ wholesale_price_id: number | null; /** The sale discount that determines `price`, or null. */ sale_discount_id: number | null; })[];
  /** The volume discount, then the coupons by id, if they apply. */
  discounts: ({ kind: 'volume_discount' | 'coupon'; /** Id of the volume discount or coupon. */ id: number; /** Code of the coupon; null for a volume discount. */ code: string | null; /** Amount taken off. */ value: number; /** The share of each item. */ shares: number[]; })[];
  /** The charges that the client sent, and that of the shipping method. */
  charges: ({ /** `shipping` or `handling`. */ type: string; /** Code of the surcharge. */ code: string; /** Name of the surcharge. */ name: string; /** The tax class of the charge, or null. */ tax_class: number | null; /** Amount. */ value: number; })[];
  /** The taxes by the id of their rate, including taxes of 0. */
  taxes: { /** Id of the tax rate. */ id: number; /** The `tax` of the rate. */ code: string; /** Name of the rate, in the language of the request. */ name: string; /** Whether the prices include the tax. */ include: boolean; /** Amount of the tax. */ value: number; /** The share of each item. */ shares: number[]; /** The share of each charge. */ charge_shares: number[]; }[];
  /** Amounts of the whole order. */
  totals: { /** Sum of the items. */ sub_total: number; /** Sum of the discounts. */ discounts: number; /** Sum of the charges. */ charges: number; /** Sum of the taxes that prices do not include. */ added_taxes: number; /** Sum of the taxes that prices include. */ included_taxes: number; /** `sub_total` − `discounts` + `charges` + `added_taxes`. */ total: number; };
  /** Every rule that was considered; null without `explain`. */
  explanation: ({ /** `items[0]`, `charges[0]` or `order`. */ scope: string; kind: 'regular' | 'own_sale' | 'sale_discount' | 'wholesale_price' | 'combination' | 'volume_discount' | 'coupon' | 'tax_rate'; /** Id of the rule; of a combination, that of the wholesale price. */ id: number | null; /** Price or amount; null if the rule does not apply. */ value: number | null; /** Whether the rule determines the price, or takes effect. */ won: boolean; reason: 'disabled' | 'dates' | 'membership' | 'zone' | 'not_listed' | 'quantity' | 'subtotal' | 'uses' | 'own_sale' | 'not_combinable' | 'not_taxable' | 'exempt' | 'position' | 'higher_price' | 'smaller_discount' | 'tie' | 'won'; })[] | null;
  /** The shipping methods that the buyer can choose, by position; null without `shipping_options`. */
  shipping_options: { /** Id of the shipping method. */ method_id: number; /** Name of the method, in the language of the request. */ name: string; /** When the order arrives. */ delivery_time: string; /** Cost before taxes that are added. */ cost: number; }[] | null;
}

/** Preview a credit note of selected items. */
export interface OrderRefundableOutput {
  /** Lines of the credit note. */
  lines: { /** Id of an item of the invoice. */ item_id: number; name: string; sku: string; options: { name: string; value: string; }[]; /** Number of units. */ amount: number; /** Price of one unit. If omitted from a credit note, the price on the invoice. */ price: number; subtotal: number; }[];
  /** The parts of discounts and taxes that belong to the lines, if the order was calculated. */
  surcharges: { type: string; name: string; include: boolean; value: number; }[];
  /** Sum of the lines. */
  sub_total: number;
  /** Total of the credit note. */
  total: number;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface OrderReturnInput {
  readonly lines: readonly OrderReturnLineInput[];
  /** Changes once, from `requested` to `received` or `refused`. Only units of received returns count as returned. Default: `"requested"`. */
  readonly status?: 'requested' | 'received' | 'refused';
  /** Date of the return. Now if omitted. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date?: string;
}

/** Units of one item in a return. Read-only fields are a 422 unless they are empty or have the value that output will show. Unknown fields are a 422. */
export interface OrderReturnLineInput {
  /** Id of an item of the order. At least `amount` units of it must have been shipped. */
  readonly item_id: number;
  /** Number of units. */
  readonly amount: number;
  /** Whether the units go back into stock when the return is received. If false, they are written off. Default: `false`. */
  readonly restock?: boolean;
  /** Reason for the return. Default: `""`. */
  readonly reason?: string;
}

/** Units of one item in a return. */
export interface OrderReturnLineOutput {
  id: number;
  /** Id of an item of the order. At least `amount` units of it must have been shipped. */
  item_id: number;
  /** Number of units. */
  amount: number;
  /** Whether the units go back into stock when the return is received. If false, they are written off. */
  restock: boolean;
  /** Reason for the return. */
  reason: string;
}

/** A return of units of an order by the customer. */
export interface OrderReturnOutput {
  id: number;
  lines: OrderReturnLineOutput[];
  /** Changes once, from `requested` to `received` or `refused`. Only units of received returns count as returned. */
  status: 'requested' | 'received' | 'refused';
  /** Date of the return. Now if omitted. */
  date: string;
}

/** Only the fields to change. Cannot be changed: `id`, `lines`, `date`. Unknown fields are a 422. */
export interface OrderReturnPatch {
  /** Changes once, from `requested` to `received` or `refused`. Only units of received returns count as returned. */
  readonly status?: 'requested' | 'received' | 'refused';
}

/** Unknown fields are a 422. */
export interface OrderSettleInput {
  /** A new payment transaction. */
  readonly transaction?: TransactionInput;
  /** A new shipment. */
  readonly shipment?: OrderShipmentInputWithoutShippingStatus;
  /** A new return. It can contain units that the same request ships. */
  readonly return?: OrderReturnInput;
  /** Code of the new status. */
  readonly payment_status?: string;
  /** Code of the new status. */
  readonly shipping_status?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface OrderShipmentInput {
  readonly lines: readonly OrderShipmentLineInput[];
  /** Default: `""`. */
  readonly carrier?: string;
  /** Tracking numbers of the carrier. The order’s `tracking_numbers` include them. Default: `[]`. */
  readonly tracking_numbers?: readonly string[];
  /** Date of the shipment. Now if omitted. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date?: string;
  /** Internal note of the store. Default: `""`. */
  readonly note?: string;
  /** Code of the shipping status to set on the order. Unchanged if omitted. */
  readonly shipping_status?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface OrderShipmentInputWithoutShippingStatus {
  readonly lines: readonly OrderShipmentLineInput[];
  /** Default: `""`. */
  readonly carrier?: string;
  /** Tracking numbers of the carrier. The order’s `tracking_numbers` include them. Default: `[]`. */
  readonly tracking_numbers?: readonly string[];
  /** Date of the shipment. Now if omitted. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date?: string;
  /** Internal note of the store. Default: `""`. */
  readonly note?: string;
}

/** Units of one item in a shipment. Read-only fields are a 422 unless they are empty or have the value that output will show. Unknown fields are a 422. */
export interface OrderShipmentLineInput {
  /** Id of an item of the order. */
  readonly item_id: number;
  /** Number of units. */
  readonly amount: number;
}

/** Units of one item in a shipment. */
export interface OrderShipmentLineOutput {
  id: number;
  /** Id of an item of the order. */
  item_id: number;
  /** Number of units. */
  amount: number;
}

/** A shipment of units of an order to the customer. */
export interface OrderShipmentOutput {
  id: number;
  lines: OrderShipmentLineOutput[];
  carrier: string;
  /** Tracking numbers of the carrier. The order’s `tracking_numbers` include them. */
  tracking_numbers: string[];
  /** Date of the shipment. Now if omitted. */
  date: string;
  /** Internal note of the store. */
  note: string;
}

/** Only the fields to change. Cannot be changed: `id`, `lines`, `date`, `shipping_status`. Unknown fields are a 422. */
export interface OrderShipmentPatch {
  readonly carrier?: string;
  /** Tracking numbers of the carrier. The order’s `tracking_numbers` include them. */
  readonly tracking_numbers?: readonly string[];
  /** Internal note of the store. */
  readonly note?: string;
}

/** Unknown fields are a 422. */
export interface OrderShippingStatusInput {
  /** Code of the new status. */
  readonly code: string;
}

/** Read-only: `id`, `date`. Unknown fields are a 422. */
export interface OrderTrackingNumberInput {
  readonly value: string;
}

/** A carrier’s tracking number for a parcel of the order. */
export interface OrderTrackingNumberOutput {
  id: number;
  /** Time when it was added. */
  date: string;
  value: string;
}

/** Only the fields to change. Cannot be changed: `id`. Ignored: `date`. Unknown fields are a 422. */
export interface OrderTrackingNumberPatch {
  readonly value?: string;
}

/** The account of the caller. */
export interface OwnUser {
  readonly id: number;
  /** E-mail address with which the user signs in, unique regardless of case. */
  readonly email: string;
  /** Name of the person. */
  readonly name: string;
  /** `invited`: has not signed in yet. `disabled`: cannot sign in. */
  readonly status: 'invited' | 'active' | 'disabled';
  /** Language of the admin page; empty for that of the browser. */
  readonly language: '' | 'en' | 'de' | 'fr' | 'es';
  /** Ids of the roles. The user may do what one of them allows. */
  readonly role_ids: readonly number[];
  /** Second factors of the sign-in. `totp`: codes of an authenticator app. */
  readonly factors: readonly ('totp' | 'passkey')[];
  /** Null before the first one. */
  readonly last_sign_in_at: string | null;
  readonly created_at: string;
  /** What the user may do, in code point order. */
  readonly scopes: readonly string[];
  /** Fields that the user cannot see, in code point order. */
  readonly masks: readonly string[];
}

/** Fields of the own account to change. */
export interface OwnUserPatch {
  /** Name of the person. */
  readonly name?: string;
  /** Language of the admin page; empty for that of the browser. */
  readonly language?: '' | 'en' | 'de' | 'fr' | 'es';
}

/** A passkey of a user. */
export interface Passkey {
  readonly id: number;
  /** What you call it. */
  readonly name: string;
  readonly created_at: string;
  /** Null before the first use. */
  readonly last_used_at: string | null;
}

/** A passkey to add. */
export interface PasskeyCreate {
  /** What you call it. */
  readonly name: string;
  /** What `navigator.credentials.create` returns, as JSON (`toJSON()`). */
  readonly passkey: Readonly<Record<string, unknown>>;
}

/** Options of WebAuthn, as JSON (`PublicKeyCredential.parseCreationOptionsFromJSON`). */
export interface PasskeyOptions {
  /** Bytes in base64url. */
  readonly challenge: string;
  /** The host of the store. */
  readonly rp: Readonly<Record<string, unknown>>;
  /** The user of the passkey. */
  readonly user: Readonly<Record<string, unknown>>;
  /** Algorithms. */
  readonly pubKeyCredParams: readonly Readonly<Record<string, unknown>>[];
  /** Passkeys that the user has. */
  readonly excludeCredentials?: readonly Readonly<Record<string, unknown>>[];
  /** What the authenticator must be able to do. */
  readonly authenticatorSelection?: Readonly<Record<string, unknown>>;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface PaymentStatusInput {
  /** Unique code; cannot be changed. Must be unique. */
  readonly code: string;
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. Written in the language of the request. */
  readonly name: string;
  /** Name shown to customers, if it differs from `name`. Written in the language of the request. Default: `""`. */
  readonly customer_name?: string;
}

/** A link to a payment status. */
export type PaymentStatusLink = string | number | PaymentStatusOutput;

/** A payment status of orders. For stock, the store’s own codes count like `P`. */
export interface PaymentStatusOutput {
  id: number;
  /** Unique code; cannot be changed. */
  code: string;
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. In the language of the request. */
  name: string;
  /** Name shown to customers, if it differs from `name`. In the language of the request. */
  customer_name: string;
}

/** Only the fields to change. Cannot be changed: `id`, `code`. Unknown fields are a 422. */
export interface PaymentStatusPatch {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. Written in the language of the request. */
  readonly name?: string;
  /** Name shown to customers, if it differs from `name`. Written in the language of the request. */
  readonly customer_name?: string;
}

/** Cannot be changed: `id`, `code`. Unknown fields are a 422. */
export interface PaymentStatusReplacement {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. Written in the language of the request. */
  readonly name: string;
  /** Name shown to customers, if it differs from `name`. Written in the language of the request. Default: `""`. */
  readonly customer_name?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface PaymentStatusTranslationInput {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. */
  readonly name: string;
  /** Name shown to customers, if it differs from `name`. Default: `""`. */
  readonly customer_name?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface PaymentStatusTranslationOutput {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. */
  name?: string;
  /** Name shown to customers, if it differs from `name`. */
  customer_name?: string;
}

/** The personal data of a person. */
export interface PersonOutput {
  records: { /** Name of the resource, such as `tax_class`. */ resource: string; /** Path of the record. */ path: string; /** The record as GET of its path returns it. */ record: Record<string, unknown>; }[];
}

/** Read-only: `id`, `url`, `size`, `mime_type`. Unknown fields are a 422. */
export interface ProductAttachmentInput {
  /** Title of the file. Written in the language of the request. */
  readonly title: string;
  /** Description of the file. Written in the language of the request. Default: `""`. */
  readonly description?: string;
  /** Sort order among the product’s attachments. Default: `0`. */
  readonly position?: number;
  /** Who may download the file: `A` everyone, `R` registered customers, or the id of a membership. Default: `"A"`. */
  readonly access?: string;
  /** Name of the file. Required with `attachment`; with `external_url`, the default is the last segment of its path. The extension must be one that the store accepts. Default: `""`. */
  readonly filename?: string;
  /** HTTP or HTTPS URL of a file. The store downloads it once. */
  readonly external_url?: string;
  /** The file, base64-encoded. */
  readonly attachment?: string;
}

/** A file that the shop offers on the page of a product, such as a manual. */
export interface ProductAttachmentOutput {
  id: number;
  /** Title of the file. In the language of the request. */
  title: string;
  /** Description of the file. In the language of the request. */
  description: string;
  /** Sort order among the product’s attachments. */
  position: number;
  /** Who may download the file: `A` everyone, `R` registered customers, or the id of a membership. */
  access: string;
  /** URL of the file. With `access` `A` it is public. Otherwise it is the path below the attachment, which needs a key. */
  url: string;
  /** Name of the file. Required with `attachment`; with `external_url`, the default is the last segment of its path. The extension must be one that the store accepts. */
  filename: string;
  /** Bytes. */
  size: number;
  /** Media type. */
  mime_type: string;
}

/** Only the fields to change. Cannot be changed: `id`, `filename`, `external_url`, `attachment`. Read-only: `url`, `size`, `mime_type`. Unknown fields are a 422. */
export interface ProductAttachmentPatch {
  /** Title of the file. Written in the language of the request. */
  readonly title?: string;
  /** Description of the file. Written in the language of the request. */
  readonly description?: string;
  /** Sort order among the product’s attachments. */
  readonly position?: number;
  /** Who may download the file: `A` everyone, `R` registered customers, or the id of a membership. */
  readonly access?: string;
}

/** Cannot be changed: `id`, `filename`, `external_url`, `attachment`. Read-only: `url`, `size`, `mime_type`. Unknown fields are a 422. */
export interface ProductAttachmentReplacement {
  /** Title of the file. Written in the language of the request. */
  readonly title: string;
  /** Description of the file. Written in the language of the request. Default: `""`. */
  readonly description?: string;
  /** Sort order among the product’s attachments. Default: `0`. */
  readonly position?: number;
  /** Who may download the file: `A` everyone, `R` registered customers, or the id of a membership. Default: `"A"`. */
  readonly access?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface ProductAttachmentTranslationInput {
  /** Title of the file. */
  readonly title: string;
  /** Description of the file. Default: `""`. */
  readonly description?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface ProductAttachmentTranslationOutput {
  /** Title of the file. */
  title?: string;
  /** Description of the file. */
  description?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface ProductClassInput {
  /** Written in the language of the request. Must be unique. */
  readonly name: string;
}

/** One product class: its input including the key, or an object with an operation. */
export type ProductClassLine = ProductClassInput | ProductClassPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: ProductClassInput | ProductClassPatch; };

/** A link to a product class. */
export type ProductClassLink = string | number | ProductClassOutput;

/** A link to a product class, or null. */
export type ProductClassLinkOrNull = string | number | ProductClassOutput | null;

/** A class of products that share attributes. Deleting it deletes its attributes, but no products. */
export interface ProductClassOutput {
  id: number;
  /** In the language of the request. */
  name: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface ProductClassPatch {
  /** Written in the language of the request. Must be unique. */
  readonly name?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface ProductClassTranslationInput {
  /** Must be unique in its language. */
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface ProductClassTranslationOutput {
  name?: string;
}

/** The last document of a product feed. */
export interface ProductFeed {
  readonly feed: 'google' | 'facebook';
  readonly generated_at: string;
  /** Number of items in the document. */
  readonly items: number;
  /** Number of products that it should contain but cannot. */
  readonly skipped: number;
  /** The first 100 of these products. */
  readonly reasons: readonly ({ readonly product_id: number; /** What the product lacks. */ readonly reason: 'price' | 'image'; })[];
}

/** Read-only: `id`, `url`, `width`, `height`. Unknown fields are a 422. */
export interface ProductImageInput {
  /** Sort order among the product’s images. Default: `0`. */
  readonly position?: number;
  /** Alternative text for people who cannot see the image. Default: `""`. */
  readonly alt?: string;
  /** HTTP or HTTPS URL of an image file that the store downloads. */
  readonly externalUrl?: string;
  /** Image file, base64-encoded, or a `data:` URL with base64. */
  readonly attachment?: string;
  /** Name of the attached file, with the extension of an image format. */
  readonly filename?: string;
  /** With `externalUrl`: adds the image only once. Returns 409 without a download if the product was given an image of this URL with `once` before, even if the image has since been deleted or replaced. */
  readonly once?: boolean;
}

/** An image of a product. The store saves a copy of the file and serves it at `url`. */
export interface ProductImageOutput {
  id: number;
  /** Sort order among the product’s images. */
  position: number;
  /** Alternative text for people who cannot see the image. */
  alt: string;
  /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */
  url: string;
  /** Width in pixels. */
  width: number;
  /** Height in pixels. */
  height: number;
}

/** Only the fields to change. Cannot be changed: `id`, `once`. Read-only: `url`, `width`, `height`. Unknown fields are a 422. */
export interface ProductImagePatch {
  /** Sort order among the product’s images. */
  readonly position?: number;
  /** Alternative text for people who cannot see the image. */
  readonly alt?: string;
  /** HTTP or HTTPS URL of an image file that the store downloads. */
  readonly externalUrl?: string;
  /** Image file, base64-encoded, or a `data:` URL with base64. */
  readonly attachment?: string;
  /** Name of the attached file, with the extension of an image format. */
  readonly filename?: string;
}

/** Cannot be changed: `id`, `once`. Read-only: `url`, `width`, `height`. Unknown fields are a 422. */
export interface ProductImageReplacement {
  /** Sort order among the product’s images. Default: `0`. */
  readonly position?: number;
  /** Alternative text for people who cannot see the image. Default: `""`. */
  readonly alt?: string;
  /** HTTP or HTTPS URL of an image file that the store downloads. */
  readonly externalUrl?: string;
  /** Image file, base64-encoded, or a `data:` URL with base64. */
  readonly attachment?: string;
  /** Name of the attached file, with the extension of an image format. */
  readonly filename?: string;
}

/** Read-only: `id`, `create_date`, `update_date`, `variants_count`, `reviews_count`, `average_rating`, `stock`, `lowest_price_30_days`. Unknown fields are a 422. */
export interface ProductInput {
  /** Stock keeping unit, unique among products and variants. Must be unique. */
  readonly sku: string;
  /** Written in the language of the request. */
  readonly name: string;
  /** Text or HTML, stored as sent. Written in the language of the request. Default: `""`. */
  readonly description?: string;
  /** Short description; text or HTML, stored as sent. Written in the language of the request. Default: `""`. */
  readonly brief_description?: string;
  /** Keywords of the product page. Written in the language of the request. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the product page. Written in the language of the request. Default: `""`. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the product page. Written in the language of the request. Default: `""`. */
  readonly meta_title?: string;
  /** Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`. Written in the language of the request. Default: `""`. */
  readonly og_meta_tags?: string;
  /** `A` clears `og_meta_tags`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. Default: `""`. A PUT without it leaves it unchanged. */
  readonly clean_url?: string;
  /** Regular price of one unit, in the store’s currency. Default: `0`. */
  readonly price?: number;
  /** Price for comparison, such as the list price. Default: `0`. */
  readonly market_price?: number;
  /** Cost of one unit for the store. Default: `0`. */
  readonly cost_price?: number;
  /** Sale price or percentage off, depending on `discount_type`. A sale price must be at most `price`; a sale price of 0 must be sent explicitly. Default: `0`. */
  readonly sale_price_value?: number;
  /** Whether the sale applies. Default: `false`. */
  readonly participate_sale?: boolean;
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. Default: `"sale_percent"`. */
  readonly discount_type?: 'sale_price' | 'sale_percent';
  /** Whether the sale also applies to wholesale prices. Default: `false`. */
  readonly apply_sale_to_wholesale?: boolean;
  /** Whether shops show the product. Default: `true`. */
  readonly enabled?: boolean;
  /** Weight of one unit, in the store’s unit of weight. Default: `0`. */
  readonly weight?: number;
  /** Whether shipping is free. Default: `false`. */
  readonly free_shipping?: boolean;
  /** Whether the product is taxed. Default: `true`. */
  readonly taxable?: boolean;
  /** Whether the stock is tracked, so that orders change it. Default: `true`. */
  readonly inventory_traceable?: boolean;
  /** Units in stock; negative if units are backordered. Default: `1000`. A PUT without it leaves it unchanged. */
  readonly amount?: number;
  /** Whether orders can exceed the stock, by up to `backorder_limit` units. Default: `true`. */
  readonly available_for_backorder?: boolean;
  /** Maximum number of backordered units. Default: `0`. */
  readonly backorder_limit?: number;
  /** Default: `false`. */
  readonly pin_codes_enabled?: boolean;
  /** Default: `false`. */
  readonly auto_pin_codes?: boolean;
  /** Default: `true`. */
  readonly facebook_marketing_enabled?: boolean;
  /** Default: `true`. */
  readonly google_feed_enabled?: boolean;
  /** Date from which the product is available. In POST and PUT, null means now. Default: `null`. A PUT without it leaves it unchanged. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly arrival_date?: string | null;
  /** Ids of stickers. Replaces all existing links. Default: `[]`. */
  readonly stickers?: readonly StickerLink[];
  /** Unknown names create new tags. Replaces all existing links. Default: `[]`. */
  readonly tags?: readonly TagLink[];
  /** Memberships that the product is for. Replaces all existing links. Default: `[]`. */
  readonly memberships?: readonly MembershipLink[];
  /** Default: `null`. */
  readonly product_class?: ProductClassLinkOrNull;
  /** Default: `null`. */
  readonly tax_class?: TaxClassLinkOrNull;
  /** Default: `[]`. */
  readonly images?: readonly ProductImageInput[];
  /** Whether the product is shipped in a box of its own. Default: `false`. A PUT without it leaves it unchanged. */
  readonly separate_box?: boolean;
  /** Width of the box, in the store’s unit of dimensions. Default: `0`. A PUT without it leaves it unchanged. */
  readonly width?: number;
  /** Length of the box, in the store’s unit of dimensions. Default: `0`. A PUT without it leaves it unchanged. */
  readonly length?: number;
  /** Height of the box, in the store’s unit of dimensions. Default: `0`. A PUT without it leaves it unchanged. */
  readonly height?: number;
}

/** One product: its input including the key, or an object with an operation. */
export type ProductLine = ProductInput | ProductPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: ProductInput | ProductPatch; };

/** A link to a product. */
export type ProductLink = number | ProductOutput;

/** A product of the store, with its texts, prices, stock, tags, class and images. */
export interface ProductOutput {
  id: number;
  /** Stock keeping unit, unique among products and variants. */
  sku: string;
  /** In the language of the request. */
  name: string;
  /** Text or HTML, stored as sent. In the language of the request. */
  description: string;
  /** Short description; text or HTML, stored as sent. In the language of the request. */
  brief_description: string;
  /** Keywords of the product page. In the language of the request. */
  meta_tags: string;
  /** Meta description of the product page. In the language of the request. */
  meta_description: string;
  /** Title of the product page. In the language of the request. */
  meta_title: string;
  /** Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`. In the language of the request. */
  og_meta_tags: string;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. */
  clean_url: string;
  /** Regular price of one unit, in the store’s currency. */
  price: number;
  /** Price for comparison, such as the list price. */
  market_price: number;
  /** Cost of one unit for the store. */
  cost_price: number;
  /** Sale price or percentage off, depending on `discount_type`. A sale price must be at most `price`; a sale price of 0 must be sent explicitly. */
  sale_price_value: number;
  /** Whether the sale applies. */
  participate_sale: boolean;
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. */
  discount_type: 'sale_price' | 'sale_percent';
  /** Whether the sale also applies to wholesale prices. */
  apply_sale_to_wholesale: boolean;
  /** Whether shops show the product. */
  enabled: boolean;
  /** Weight of one unit, in the store’s unit of weight. */
  weight: number;
  /** Whether shipping is free. */
  free_shipping: boolean;
  /** Whether the product is taxed. */
  taxable: boolean;
  /** Whether the stock is tracked, so that orders change it. */
  inventory_traceable: boolean;
  /** Units in stock; negative if units are backordered. */
  amount: number;
  /** Whether orders can exceed the stock, by up to `backorder_limit` units. */
  available_for_backorder: boolean;
  /** Maximum number of backordered units. */
  backorder_limit: number;
  pin_codes_enabled: boolean;
  auto_pin_codes: boolean;
  facebook_marketing_enabled: boolean;
  google_feed_enabled: boolean;
  create_date: string;
  /** Time of the last change of the product, its images or texts. */
  update_date: string;
  /** Date from which the product is available. In POST and PUT, null means now. */
  arrival_date: string;
  /** Ids of stickers. */
  stickers: number[];
  /** Unknown names create new tags. */
  tags: TagOutput[];
  /** Memberships that the product is for. */
  memberships: MembershipOutput[];
  product_class: ProductClassOutput | null;
  tax_class: TaxClassOutput | null;
  images: ProductImageOutput[];
  /** Whether the product is shipped in a box of its own. */
  separate_box: boolean;
  /** Width of the box, in the store’s unit of dimensions. */
  width: number;
  /** Length of the box, in the store’s unit of dimensions. */
  length: number;
  /** Height of the box, in the store’s unit of dimensions. */
  height: number;
  /** Only returned if `fields` includes it. */
  variants_count?: number;
  /** Number of approved reviews. Only returned if `fields` includes it. */
  reviews_count?: number;
  /** Average rating of the approved reviews, with two decimals; null if there are none. Only returned if `fields` includes it. */
  average_rating?: number | null;
  /** Units in stock of the product and all its variants: `amount`, or if variants have their own stock, the sum of these, plus `amount` if another variant uses it. Only returned if `fields` includes it. */
  stock?: number;
  /** Lowest public price of the product in the 30 days before its price was reduced, or before now if it is not reduced; null if it had no price (Directive 98/6/EC). A setting of the server determines when a reduction begins. Only returned if `fields` includes it. */
  lowest_price_30_days?: number | null;
  /** Unit price for the buyer and quantity in `price_for`, without options, coupons and conversion. Only returned in lists with `price_for[membership]`. */
  price_for?: number;
}

/** Only the fields to change. Cannot be changed: `id`. Read-only: `images`. Ignored: `create_date`, `update_date`, `variants_count`, `reviews_count`, `average_rating`, `stock`, `lowest_price_30_days`. Unknown fields are a 422. */
export interface ProductPatch {
  /** Stock keeping unit, unique among products and variants. Must be unique. */
  readonly sku?: string;
  /** Written in the language of the request. */
  readonly name?: string;
  /** Text or HTML, stored as sent. Written in the language of the request. */
  readonly description?: string;
  /** Short description; text or HTML, stored as sent. Written in the language of the request. */
  readonly brief_description?: string;
  /** Keywords of the product page. Written in the language of the request. */
  readonly meta_tags?: string;
  /** Meta description of the product page. Written in the language of the request. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the product page. Written in the language of the request. */
  readonly meta_title?: string;
  /** Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`. Written in the language of the request. */
  readonly og_meta_tags?: string;
  /** `A` clears `og_meta_tags`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. */
  readonly clean_url?: string;
  /** Regular price of one unit, in the store’s currency. */
  readonly price?: number;
  /** Price for comparison, such as the list price. */
  readonly market_price?: number;
  /** Cost of one unit for the store. */
  readonly cost_price?: number;
  /** Sale price or percentage off, depending on `discount_type`. A sale price must be at most `price`; a sale price of 0 must be sent explicitly. */
  readonly sale_price_value?: number;
  /** Whether the sale applies. */
  readonly participate_sale?: boolean;
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. */
  readonly discount_type?: 'sale_price' | 'sale_percent';
  /** Whether the sale also applies to wholesale prices. */
  readonly apply_sale_to_wholesale?: boolean;
  /** Whether shops show the product. */
  readonly enabled?: boolean;
  /** Weight of one unit, in the store’s unit of weight. */
  readonly weight?: number;
  /** Whether shipping is free. */
  readonly free_shipping?: boolean;
  /** Whether the product is taxed. */
  readonly taxable?: boolean;
  /** Whether the stock is tracked, so that orders change it. */
  readonly inventory_traceable?: boolean;
  /** Units in stock; negative if units are backordered. */
  readonly amount?: number;
  /** Whether orders can exceed the stock, by up to `backorder_limit` units. */
  readonly available_for_backorder?: boolean;
  /** Maximum number of backordered units. */
  readonly backorder_limit?: number;
  readonly pin_codes_enabled?: boolean;
  readonly auto_pin_codes?: boolean;
  readonly facebook_marketing_enabled?: boolean;
  readonly google_feed_enabled?: boolean;
  /** Date from which the product is available. In POST and PUT, null means now. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly arrival_date?: string;
  /** Ids of stickers. Replaces all existing links. */
  readonly stickers?: readonly StickerLink[];
  /** Unknown names create new tags. Replaces all existing links. */
  readonly tags?: readonly TagLink[];
  /** Memberships that the product is for. Replaces all existing links. */
  readonly memberships?: readonly MembershipLink[];
  readonly product_class?: ProductClassLinkOrNull;
  readonly tax_class?: TaxClassLinkOrNull;
  /** Whether the product is shipped in a box of its own. */
  readonly separate_box?: boolean;
  /** Width of the box, in the store’s unit of dimensions. */
  readonly width?: number;
  /** Length of the box, in the store’s unit of dimensions. */
  readonly length?: number;
  /** Height of the box, in the store’s unit of dimensions. */
  readonly height?: number;
}

/** List the price changes of a product. */
export interface ProductPriceHistoryOutput {
  /** Time of the change. */
  date: string;
  /** Price of one unit from this time, without membership and options. */
  price: number;
  /** The price without sales. */
  regular_price: number;
}

/** Compute the price of a product for a buyer. */
export interface ProductPriceOutput {
  /** Unit price, with the taxes that the store’s prices include. */
  price: number;
  /** Unit price without sales and wholesale prices. */
  regular_price: number;
  /** Number of units. */
  quantity: number;
  /** `price` × `quantity`, rounded. */
  subtotal: number;
  /** The volume discount, then the coupons by id, if they apply. */
  discounts: ({ kind: 'volume_discount' | 'coupon'; /** Id of the volume discount or coupon. */ id: number; /** Code of the coupon; null for a volume discount. */ code: string | null; /** Amount taken off. */ value: number; /** The share of each item. */ shares: number[]; })[];
  /** The taxes by the id of their rate, including taxes of 0. */
  taxes: { /** Id of the tax rate. */ id: number; /** The `tax` of the rate. */ code: string; /** Name of the rate, in the language of the request. */ name: string; /** Whether the prices include the tax. */ include: boolean; /** Amount of the tax. */ value: number; /** The share of each item. */ shares: number[]; /** The share of each charge. */ charge_shares: number[]; }[];
  /** `subtotal` less discounts, without taxes. */
  net: number;
  /** `subtotal` less discounts, with taxes. */
  gross: number;
  /** The store’s currency (ISO 4217). */
  currency: string;
  /** The wholesale price that determines `price`, or null. */
  wholesale_price_id: number | null;
  /** The sale discount that determines `price`, or null. */
  sale_discount_id: number | null;
  /** The price of one unit, and each quantity from which a unit costs less. */
  tiers: { /** Minimum quantity. */ quantity: number; /** Unit price from this quantity. */ price: number; }[];
  /** Every rule that was considered; null without `explain`. */
  explanation: ({ /** `items[0]`, `charges[0]` or `order`. */ scope: string; kind: 'regular' | 'own_sale' | 'sale_discount' | 'wholesale_price' | 'combination' | 'volume_discount' | 'coupon' | 'tax_rate'; /** Id of the rule; of a combination, that of the wholesale price. */ id: number | null; /** Price or amount; null if the rule does not apply. */ value: number | null; /** Whether the rule determines the price, or takes effect. */ won: boolean; reason: 'disabled' | 'dates' | 'membership' | 'zone' | 'not_listed' | 'quantity' | 'subtotal' | 'uses' | 'own_sale' | 'not_combinable' | 'not_taxable' | 'exempt' | 'position' | 'higher_price' | 'smaller_discount' | 'tie' | 'won'; })[] | null;
}

/** Cannot be changed: `id`. Read-only: `images`. Ignored: `create_date`, `update_date`, `variants_count`, `reviews_count`, `average_rating`, `stock`, `lowest_price_30_days`. Unknown fields are a 422. */
export interface ProductReplacement {
  /** Stock keeping unit, unique among products and variants. Must be unique. */
  readonly sku: string;
  /** Written in the language of the request. */
  readonly name: string;
  /** Text or HTML, stored as sent. Written in the language of the request. Default: `""`. */
  readonly description?: string;
  /** Short description; text or HTML, stored as sent. Written in the language of the request. Default: `""`. */
  readonly brief_description?: string;
  /** Keywords of the product page. Written in the language of the request. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the product page. Written in the language of the request. Default: `""`. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the product page. Written in the language of the request. Default: `""`. */
  readonly meta_title?: string;
  /** Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`. Written in the language of the request. Default: `""`. */
  readonly og_meta_tags?: string;
  /** `A` clears `og_meta_tags`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. Default: `""`. A PUT without it leaves it unchanged. */
  readonly clean_url?: string;
  /** Regular price of one unit, in the store’s currency. Default: `0`. */
  readonly price?: number;
  /** Price for comparison, such as the list price. Default: `0`. */
  readonly market_price?: number;
  /** Cost of one unit for the store. Default: `0`. */
  readonly cost_price?: number;
  /** Sale price or percentage off, depending on `discount_type`. A sale price must be at most `price`; a sale price of 0 must be sent explicitly. Default: `0`. */
  readonly sale_price_value?: number;
  /** Whether the sale applies. Default: `false`. */
  readonly participate_sale?: boolean;
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. Default: `"sale_percent"`. */
  readonly discount_type?: 'sale_price' | 'sale_percent';
  /** Whether the sale also applies to wholesale prices. Default: `false`. */
  readonly apply_sale_to_wholesale?: boolean;
  /** Whether shops show the product. Default: `true`. */
  readonly enabled?: boolean;
  /** Weight of one unit, in the store’s unit of weight. Default: `0`. */
  readonly weight?: number;
  /** Whether shipping is free. Default: `false`. */
  readonly free_shipping?: boolean;
  /** Whether the product is taxed. Default: `true`. */
  readonly taxable?: boolean;
  /** Whether the stock is tracked, so that orders change it. Default: `true`. */
  readonly inventory_traceable?: boolean;
  /** Units in stock; negative if units are backordered. Default: `1000`. A PUT without it leaves it unchanged. */
  readonly amount?: number;
  /** Whether orders can exceed the stock, by up to `backorder_limit` units. Default: `true`. */
  readonly available_for_backorder?: boolean;
  /** Maximum number of backordered units. Default: `0`. */
  readonly backorder_limit?: number;
  /** Default: `false`. */
  readonly pin_codes_enabled?: boolean;
  /** Default: `false`. */
  readonly auto_pin_codes?: boolean;
  /** Default: `true`. */
  readonly facebook_marketing_enabled?: boolean;
  /** Default: `true`. */
  readonly google_feed_enabled?: boolean;
  /** Date from which the product is available. In POST and PUT, null means now. Default: `null`. A PUT without it leaves it unchanged. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly arrival_date?: string | null;
  /** Ids of stickers. Replaces all existing links. Default: `[]`. */
  readonly stickers?: readonly StickerLink[];
  /** Unknown names create new tags. Replaces all existing links. Default: `[]`. */
  readonly tags?: readonly TagLink[];
  /** Memberships that the product is for. Replaces all existing links. Default: `[]`. */
  readonly memberships?: readonly MembershipLink[];
  /** Default: `null`. */
  readonly product_class?: ProductClassLinkOrNull;
  /** Default: `null`. */
  readonly tax_class?: TaxClassLinkOrNull;
  /** Whether the product is shipped in a box of its own. Default: `false`. A PUT without it leaves it unchanged. */
  readonly separate_box?: boolean;
  /** Width of the box, in the store’s unit of dimensions. Default: `0`. A PUT without it leaves it unchanged. */
  readonly width?: number;
  /** Length of the box, in the store’s unit of dimensions. Default: `0`. A PUT without it leaves it unchanged. */
  readonly length?: number;
  /** Height of the box, in the store’s unit of dimensions. Default: `0`. A PUT without it leaves it unchanged. */
  readonly height?: number;
}

/** A page of a list with facets. */
export interface ProductSearchOutput {
  /** The page. */
  products: ProductOutput[];
  /** By name. */
  facets: Record<string, FacetOutput>;
  /** Empty: not implemented yet. */
  highlights: Record<string, unknown>;
  /** Null without `search`. */
  search: { /** Empty: not implemented yet. */ corrected: Record<string, string>; } | null;
}

/** Unknown fields are a 422. */
export interface ProductStockInput {
  /** Number of units to add; negative to subtract. Must not be 0. */
  readonly delta: number;
}

/** One product, identified by `sku`. */
export type ProductStockLine = { readonly sku: string; } & ProductStockInput | { readonly sku: string; } & { readonly amount?: number; };

/** All texts of one language. Unknown fields are a 422. */
export interface ProductTranslationInput {
  readonly name: string;
  /** Text or HTML, stored as sent. Default: `""`. */
  readonly description?: string;
  /** Short description; text or HTML, stored as sent. Default: `""`. */
  readonly brief_description?: string;
  /** Keywords of the product page. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the product page. Default: `""`. */
  readonly meta_description?: string;
  /** Title of the product page. Default: `""`. */
  readonly meta_title?: string;
  /** Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`. Default: `""`. */
  readonly og_meta_tags?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface ProductTranslationOutput {
  name?: string;
  /** Text or HTML, stored as sent. */
  description?: string;
  /** Short description; text or HTML, stored as sent. */
  brief_description?: string;
  /** Keywords of the product page. */
  meta_tags?: string;
  /** Meta description of the product page. */
  meta_description?: string;
  /** Title of the product page. */
  meta_title?: string;
  /** Open Graph markup of the product page. If it is empty, output shows markup generated from the product. It names a URL only if the store has a `shop_url`. */
  og_meta_tags?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface ProfileAddressInput {
  /** Default: `false`. */
  readonly is_billing?: boolean;
  /** Default: `false`. */
  readonly is_shipping?: boolean;
  /** Default: `false`. */
  readonly is_work?: boolean;
  /** `R` residential, `C` commercial. Default: `"R"`. */
  readonly type?: 'R' | 'C';
  /** Default: `""`. */
  readonly title?: string;
  /** Default: `""`. */
  readonly firstname?: string;
  /** Default: `""`. */
  readonly lastname?: string;
  /** Default: `""`. */
  readonly company?: string;
  /** Default: `""`. */
  readonly phone?: string;
  /** Default: `""`. */
  readonly street?: string;
  /** Default: `""`. */
  readonly city?: string;
  /** Default: `""`. */
  readonly zipcode?: string;
  /** Default: `null`. */
  readonly country_code?: string | null;
  /** 0 is stored as null. Default: `null`. */
  readonly state?: number | null;
  /** Default: `""`. */
  readonly state_name?: string;
  /** Default: `[]`. */
  readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[];
}

/** An address in a customer’s address book. */
export interface ProfileAddressOutput {
  id: number;
  is_billing: boolean;
  is_shipping: boolean;
  is_work: boolean;
  /** `R` residential, `C` commercial. */
  type: 'R' | 'C';
  title: string;
  firstname: string;
  lastname: string;
  company: string;
  phone: string;
  street: string;
  city: string;
  zipcode: string;
  country_code: string | null;
  /** 0 is stored as null. */
  state: number | null;
  state_name: string;
  custom_fields: { name: string; value: string; }[];
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface ProfileAddressPatch {
  readonly is_billing?: boolean;
  readonly is_shipping?: boolean;
  readonly is_work?: boolean;
  /** `R` residential, `C` commercial. */
  readonly type?: 'R' | 'C';
  readonly title?: string;
  readonly firstname?: string;
  readonly lastname?: string;
  readonly company?: string;
  readonly phone?: string;
  readonly street?: string;
  readonly city?: string;
  readonly zipcode?: string;
  readonly country_code?: string | null;
  /** 0 is stored as null. */
  readonly state?: number | null;
  readonly state_name?: string;
  readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[];
}

/** Unknown fields are a 422. */
export interface ProfileCheckPasswordInput {
  /** E-mail address, unique regardless of case. */
  readonly login: string;
  /** Write-only; the store saves only a hash. Unchanged if omitted from a PUT. null removes it, which disables the login. */
  readonly password: string;
}

/** An empty object. Any field is a 422. */
export interface ProfileEraseInput {

}

/** Read-only: `id`, `role_ids`, `display_name`, `create_date`, `first_login_date`, `last_login_date`, `email_verified_at`. Unknown fields are a 422. */
export interface ProfileInput {
  /** E-mail address, unique regardless of case. Must be unique. */
  readonly login: string;
  /** Write-only; the store saves only a hash. Unchanged if omitted from a PUT. null removes it, which disables the login. Default: `null`. A PUT without it leaves it unchanged. */
  readonly password?: string | null;
  /** Always 0 (customer). Administrators use API keys instead. Default: `0`. */
  readonly access_level?: number;
  /** `E` enabled, `D` disabled: the customer cannot log in. Default: `"E"`. */
  readonly status?: 'E' | 'D';
  /** Reason for the status. Default: `""`. */
  readonly status_comment?: string;
  /** Page from which the customer first came to the shop. Default: `""`. */
  readonly referer?: string;
  /** Language for messages to the customer. It does not have to be one of the store’s languages. Default: `""`. */
  readonly language?: string;
  /** Id of the customer’s membership. 0 is stored as null. Default: `null`. */
  readonly membership_id?: number | null;
  /** Id of the membership that the customer has requested. 0 is stored as null. Default: `null`. */
  readonly pending_membership_id?: number | null;
  /** Whether the shop must request a new password at the next login. Default: `false`. */
  readonly force_change_password?: boolean;
  /** Whether the customer pays no tax. Default: `false`. A PUT without it leaves it unchanged. */
  readonly tax_exempt?: boolean;
  /** VAT identification number with the prefix of its country. Stored in upper case without spaces, dots and hyphens. Its form and check digits must be valid. Default: `""`. A PUT without it leaves it unchanged. */
  readonly vat_id?: string;
}

/** Unknown fields are a 422. */
export interface ProfileNamedInput {
  readonly email: string;
}

/** A customer who can log in to the shop. */
export interface ProfileOutput {
  id: number;
  /** E-mail address, unique regardless of case. */
  login: string;
  /** Always 0 (customer). Administrators use API keys instead. */
  access_level: number;
  /** `E` enabled, `D` disabled: the customer cannot log in. */
  status: 'E' | 'D';
  /** Reason for the status. */
  status_comment: string;
  /** Page from which the customer first came to the shop. */
  referer: string;
  /** Language for messages to the customer. It does not have to be one of the store’s languages. */
  language: string;
  /** Id of the customer’s membership. 0 is stored as null. */
  membership_id: number | null;
  /** Id of the membership that the customer has requested. 0 is stored as null. */
  pending_membership_id: number | null;
  /** Whether the shop must request a new password at the next login. */
  force_change_password: boolean;
  /** Always empty. */
  role_ids: number[];
  /** Name in the billing address, else in the first address with a name, else empty. */
  display_name: string;
  create_date: string;
  first_login_date: string | null;
  last_login_date: string | null;
  /** Time at which the customer confirmed the e-mail address. Becomes null when the login changes. */
  email_verified_at: string | null;
  /** Whether the customer pays no tax. */
  tax_exempt: boolean;
  /** VAT identification number with the prefix of its country. Stored in upper case without spaces, dots and hyphens. Its form and check digits must be valid. */
  vat_id: string;
}

/** Only the fields to change. Cannot be changed: `id`. Read-only: `role_ids`, `display_name`, `email_verified_at`. Ignored: `create_date`, `first_login_date`, `last_login_date`. Unknown fields are a 422. */
export interface ProfilePatch {
  /** E-mail address, unique regardless of case. Must be unique. */
  readonly login?: string;
  /** Write-only; the store saves only a hash. Unchanged if omitted from a PUT. null removes it, which disables the login. */
  readonly password?: string | null;
  /** Always 0 (customer). Administrators use API keys instead. */
  readonly access_level?: number;
  /** `E` enabled, `D` disabled: the customer cannot log in. */
  readonly status?: 'E' | 'D';
  /** Reason for the status. */
  readonly status_comment?: string;
  /** Page from which the customer first came to the shop. */
  readonly referer?: string;
  /** Language for messages to the customer. It does not have to be one of the store’s languages. */
  readonly language?: string;
  /** Id of the customer’s membership. 0 is stored as null. */
  readonly membership_id?: number | null;
  /** Id of the membership that the customer has requested. 0 is stored as null. */
  readonly pending_membership_id?: number | null;
  /** Whether the shop must request a new password at the next login. */
  readonly force_change_password?: boolean;
  /** Whether the customer pays no tax. */
  readonly tax_exempt?: boolean;
  /** VAT identification number with the prefix of its country. Stored in upper case without spaces, dots and hyphens. Its form and check digits must be valid. */
  readonly vat_id?: string;
}

/** Recovery codes, which are not shown again. */
export interface RecoveryCodes {
  /** Ten codes. Each can be used once instead of a code of the app. */
  readonly codes: readonly string[];
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface RelatedProductInput {
  /** Id of the related product. */
  readonly product_id: number;
  /** Sort order among the related products. Default: `0`. */
  readonly position?: number;
}

/** A product that the page of another product recommends. */
export interface RelatedProductOutput {
  id: number;
  /** Id of the related product. */
  product_id: number;
  /** Sort order among the related products. */
  position: number;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface RelatedProductPatch {
  /** Id of the related product. */
  readonly product_id?: number;
  /** Sort order among the related products. */
  readonly position?: number;
}

/** How many recovery codes are left. */
export interface RemainingRecoveryCodes {
  readonly remaining: number;
}

/** The page of a path. */
export interface ResolvedUrl {
  /** 301 if the shop redirects to `location`. */
  readonly status: 200 | 301;
  /** Address of the page; its path if the store has no `shop_url`. */
  readonly location: string;
  readonly resource: 'Product' | 'Category';
  readonly id: number;
}

/** The new record as a GET returns it, and what it no longer has. */
export interface RestoredRecord {
  /** Fields and parts as `changes` names them, such as `tags` and `images[12]`. */
  readonly not_restored: readonly string[];
}

/** An earlier version of a record. */
export interface RestoredVersion {
  /** A `version` in the audit of the record. */
  readonly version: number;
}

/** Read-only: `id`, `product_id`. Unknown fields are a 422. */
export interface ReviewInput {
  /** From 1 to 5, the best. */
  readonly rating: number;
  /** Name of the customer, as the shop shows it. */
  readonly reviewer_name: string;
  /** Plain text, stored as sent. Default: `""`. */
  readonly review?: string;
  /** Response of the shop, as plain text. Default: `null`. */
  readonly response?: string | null;
  /** Time of the review. The time of the request if it is omitted from a POST. A PUT without it leaves it unchanged. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly addition_date?: string;
  /** Time of the response; null without one. If it is omitted, it is set when the review gets a response, and cleared with it. Default: `null`. A PUT without it leaves it unchanged. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly response_date?: string | null;
  /** Id of the customer’s profile. Default: `null`. */
  readonly profile?: number | null;
  /** Id of the profile that has written the response. Default: `null`. */
  readonly respondent?: number | null;
  /** 0 pending, 1 approved. Shops show approved reviews. Default: `1`. */
  readonly status?: number;
  /** Whether the shop uses the review in the metadata of the product page. Default: `false`. */
  readonly use_for_meta?: boolean;
}

/** A review of a product by a customer, with the shop’s response. */
export interface ReviewOutput {
  id: number;
  /** From 1 to 5, the best. */
  rating: number;
  /** Name of the customer, as the shop shows it. */
  reviewer_name: string;
  /** Plain text, stored as sent. */
  review: string;
  /** Response of the shop, as plain text. */
  response: string | null;
  /** Time of the review. The time of the request if it is omitted from a POST. */
  addition_date: string;
  /** Time of the response; null without one. If it is omitted, it is set when the review gets a response, and cleared with it. */
  response_date: string | null;
  /** Id of the customer’s profile. */
  profile: number | null;
  /** Id of the profile that has written the response. */
  respondent: number | null;
  /** 0 pending, 1 approved. Shops show approved reviews. */
  status: number;
  /** Whether the shop uses the review in the metadata of the product page. */
  use_for_meta: boolean;
  /** Id of the product. */
  product_id: number;
}

/** Only the fields to change. Cannot be changed: `id`. Read-only: `product_id`. Unknown fields are a 422. */
export interface ReviewPatch {
  /** From 1 to 5, the best. */
  readonly rating?: number;
  /** Name of the customer, as the shop shows it. */
  readonly reviewer_name?: string;
  /** Plain text, stored as sent. */
  readonly review?: string;
  /** Response of the shop, as plain text. */
  readonly response?: string | null;
  /** Time of the review. The time of the request if it is omitted from a POST. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly addition_date?: string;
  /** Time of the response; null without one. If it is omitted, it is set when the review gets a response, and cleared with it. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly response_date?: string | null;
  /** Id of the customer’s profile. */
  readonly profile?: number | null;
  /** Id of the profile that has written the response. */
  readonly respondent?: number | null;
  /** 0 pending, 1 approved. Shops show approved reviews. */
  readonly status?: number;
  /** Whether the shop uses the review in the metadata of the product page. */
  readonly use_for_meta?: boolean;
}

/** A role of users. */
export interface Role {
  readonly id: number;
  /** Unique name of the role. */
  readonly name: string;
  /** What users with the role may do, such as `products:read` or `*:read`. */
  readonly scopes: readonly string[];
  /** Fields that the role hides, such as `Product.cost_price`. `GET /scopes` lists all. */
  readonly masks: readonly string[];
  /** Whether the role is part of every store and cannot be changed. */
  readonly preset: boolean;
}

/** A role to write. */
export interface RolePatch {
  /** Unique name of the role. */
  readonly name?: string;
  /** What users with the role may do, such as `products:read` or `*:read`. */
  readonly scopes?: readonly string[];
  /** Fields that the role hides, such as `Product.cost_price`. `GET /scopes` lists all. */
  readonly masks?: readonly string[];
}

/** A role to write. */
export interface RoleWrite {
  /** Unique name of the role. */
  readonly name: string;
  /** What users with the role may do, such as `products:read` or `*:read`. */
  readonly scopes: readonly string[];
  /** Fields that the role hides, such as `Product.cost_price`. `GET /scopes` lists all. */
  readonly masks?: readonly string[];
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface SaleDiscountInput {
  /** Written in the language of the request. */
  readonly name: string;
  /** Whether the discount is in use. Default: `true`. */
  readonly enabled?: boolean;
  /** Percentage off. Default: `0`. */
  readonly value?: number;
  /** Start of the period; null is open. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Whether only the products in `products` match. Otherwise that list has no effect. Default: `false`. */
  readonly specific_products?: boolean;
  /** Ids of products. An empty list matches none if `specific_products` is true. Replaces all existing links. Default: `[]`. */
  readonly products?: readonly ProductLink[];
  /** Ids of product classes; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly product_classes?: readonly ProductClassLink[];
  /** Ids of categories, which include those below them; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly categories?: readonly CategoryLink[];
  /** Ids of memberships of buyers; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly memberships?: readonly MembershipLink[];
  /** Whether the shop shows the products in a section of their own. Default: `false`. */
  readonly show_in_separate_section?: boolean;
  /** Whether the discount also applies to wholesale prices. Default: `false`. */
  readonly apply_to_wholesale?: boolean;
  /** Keywords of the page. Written in the language of the request. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the page. Written in the language of the request. Default: `""`. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the page. Written in the language of the request. Default: `""`. */
  readonly meta_title?: string;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. Default: `""`. A PUT without it leaves it unchanged. */
  readonly clean_url?: string;
}

/** One sale discount: its input including the key, or an object with an operation. */
export type SaleDiscountLine = SaleDiscountInput | SaleDiscountPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: SaleDiscountInput | SaleDiscountPatch; };

/** A percentage off the price of all products that match its restrictions. */
export interface SaleDiscountOutput {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Whether the discount is in use. */
  enabled: boolean;
  /** Percentage off. */
  value: number;
  /** Start of the period; null is open. */
  date_range_begin: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. */
  date_range_end: string | null;
  /** Whether only the products in `products` match. Otherwise that list has no effect. */
  specific_products: boolean;
  /** Ids of products. An empty list matches none if `specific_products` is true. */
  products: number[];
  /** Ids of product classes; an empty list is no restriction. */
  product_classes: number[];
  /** Ids of categories, which include those below them; an empty list is no restriction. */
  categories: number[];
  /** Ids of memberships of buyers; an empty list is no restriction. */
  memberships: number[];
  /** Whether the shop shows the products in a section of their own. */
  show_in_separate_section: boolean;
  /** Whether the discount also applies to wholesale prices. */
  apply_to_wholesale: boolean;
  /** Keywords of the page. In the language of the request. */
  meta_tags: string;
  /** Meta description of the page. In the language of the request. */
  meta_description: string;
  /** Title of the page. In the language of the request. */
  meta_title: string;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. */
  clean_url: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface SaleDiscountPatch {
  /** Written in the language of the request. */
  readonly name?: string;
  /** Whether the discount is in use. */
  readonly enabled?: boolean;
  /** Percentage off. */
  readonly value?: number;
  /** Start of the period; null is open. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Whether only the products in `products` match. Otherwise that list has no effect. */
  readonly specific_products?: boolean;
  /** Ids of products. An empty list matches none if `specific_products` is true. Replaces all existing links. */
  readonly products?: readonly ProductLink[];
  /** Ids of product classes; an empty list is no restriction. Replaces all existing links. */
  readonly product_classes?: readonly ProductClassLink[];
  /** Ids of categories, which include those below them; an empty list is no restriction. Replaces all existing links. */
  readonly categories?: readonly CategoryLink[];
  /** Ids of memberships of buyers; an empty list is no restriction. Replaces all existing links. */
  readonly memberships?: readonly MembershipLink[];
  /** Whether the shop shows the products in a section of their own. */
  readonly show_in_separate_section?: boolean;
  /** Whether the discount also applies to wholesale prices. */
  readonly apply_to_wholesale?: boolean;
  /** Keywords of the page. Written in the language of the request. */
  readonly meta_tags?: string;
  /** Meta description of the page. Written in the language of the request. */
  readonly meta_description?: string;
  /** `A` clears `meta_description`, so that it is generated; `C` uses it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Title of the page. Written in the language of the request. */
  readonly meta_title?: string;
  /** Last segment of the shop page’s address; unique among products, categories and sale discounts. If it is empty, creation generates it from the name and updates leave it unchanged. */
  readonly clean_url?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface SaleDiscountTranslationInput {
  readonly name: string;
  /** Keywords of the page. Default: `""`. */
  readonly meta_tags?: string;
  /** Meta description of the page. Default: `""`. */
  readonly meta_description?: string;
  /** Title of the page. Default: `""`. */
  readonly meta_title?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface SaleDiscountTranslationOutput {
  name?: string;
  /** Keywords of the page. */
  meta_tags?: string;
  /** Meta description of the page. */
  meta_description?: string;
  /** Title of the page. */
  meta_title?: string;
}

/** A saved view of a list. */
export interface SavedView {
  readonly id: number;
  /** Unique among the views of the screen. */
  readonly name: string;
  /** List that the view belongs to. */
  readonly screen: string;
  /** Filters and order, in the form of the admin page. */
  readonly query: string;
}

/** A view to save. */
export interface SavedViewCreate {
  /** Unique among the views of the screen. */
  readonly name: string;
  /** List that the view belongs to. */
  readonly screen: string;
  /** Filters and order, in the form of the admin page. */
  readonly query: string;
}

/** Fields of a saved view to change. */
export interface SavedViewPatch {
  /** Unique among the views of the screen. */
  readonly name?: string;
  /** List that the view belongs to. */
  readonly screen?: string;
  /** Filters and order, in the form of the admin page. */
  readonly query?: string;
}

/** What a key of the kind `scoped` can be restricted to. */
export interface Scopes {
  /** All scopes, without those with a wildcard. */
  readonly scopes: readonly { /** The scope: family and operation. */ readonly scope: string; readonly description: string; /** Ids of the operations that need it. */ readonly operations: readonly string[]; }[];
  /** All fields that can be hidden from a key. */
  readonly masks: readonly { /** The field, such as `Product.cost_price`. */ readonly field: string; /** Fields that are derived from it and hidden too. */ readonly covers: readonly string[]; /** Whether the field may contain personal data. */ readonly personal: boolean; /** Families of the field. A key sees the field only with `read` of all of them. */ readonly families: readonly string[]; }[];
}

/** List the orders that no rate of a shipping method applies to. */
export interface ShippingMethodCoverageOutput {
  /** Id of the zone. */
  zone_id: number;
  /** Whether all holes are listed. */
  complete: boolean;
  /** Ranges without a rate, at most 1000. All bounds are inclusive. */
  holes: ({ /** Minimum weight. */ min_weight: number; /** Maximum weight; null for no limit. */ max_weight: number | null; /** Minimum total before discounts. */ min_total: number; /** Maximum total before discounts; null for no limit. */ max_total: number | null; /** Minimum total after discounts. */ min_discounted_total: number; /** Maximum total after discounts; null for no limit. */ max_discounted_total: number | null; /** Minimum number of units. */ min_items: number; /** Maximum number of units; null for no limit. */ max_items: number | null; })[];
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface ShippingMethodInput {
  /** Name of the method, for buyers. Written in the language of the request. */
  readonly name: string;
  /** When the order arrives, for buyers. Written in the language of the request. Default: `""`. */
  readonly delivery_time?: string;
  /** Whether the method is offered. Default: `true`. */
  readonly enabled?: boolean;
  /** Order in which methods are offered. Default: `0`. */
  readonly position?: number;
  /** Name of the carrier. Default: `""`. */
  readonly carrier?: string;
  /** The carrier’s code of its service. Default: `""`. */
  readonly code?: string;
  /** Id of the tax class of the charge; null for none. Default: `null`. */
  readonly tax_class?: TaxClassLinkOrNull;
  /** Added to the cost, unless shipping is free. Default: `0`. */
  readonly handling_fee?: number;
  /** `offline`: sent to the shipping address. `pickup`: handed over at `pickup_address`. Default: `"offline"`. */
  readonly processor?: 'offline' | 'pickup';
  /** Total of the items after discounts from which shipping is free; null for never. Default: `null`. */
  readonly free_from?: number | null;
  /** Whether a coupon for free shipping makes this method free. Default: `true`. */
  readonly free_by_coupon?: boolean;
  /** Where orders are picked up. It determines zone and taxes of the processor `pickup`. Default: `null`. */
  readonly pickup_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
}

/** One shipping method: its input including the key, or an object with an operation. */
export type ShippingMethodLine = ShippingMethodPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: ShippingMethodPatch; };

/** A way to send or hand over an order. Its rates determine what it costs. */
export interface ShippingMethodOutput {
  id: number;
  /** Name of the method, for buyers. In the language of the request. */
  name: string;
  /** When the order arrives, for buyers. In the language of the request. */
  delivery_time: string;
  /** Whether the method is offered. */
  enabled: boolean;
  /** Order in which methods are offered. */
  position: number;
  /** Name of the carrier. */
  carrier: string;
  /** The carrier’s code of its service. */
  code: string;
  /** Id of the tax class of the charge; null for none. */
  tax_class: number | null;
  /** Added to the cost, unless shipping is free. */
  handling_fee: number;
  /** `offline`: sent to the shipping address. `pickup`: handed over at `pickup_address`. */
  processor: 'offline' | 'pickup';
  /** Total of the items after discounts from which shipping is free; null for never. */
  free_from: number | null;
  /** Whether a coupon for free shipping makes this method free. */
  free_by_coupon: boolean;
  /** Where orders are picked up. It determines zone and taxes of the processor `pickup`. */
  pickup_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface ShippingMethodPatch {
  /** Name of the method, for buyers. Written in the language of the request. */
  readonly name?: string;
  /** When the order arrives, for buyers. Written in the language of the request. */
  readonly delivery_time?: string;
  /** Whether the method is offered. */
  readonly enabled?: boolean;
  /** Order in which methods are offered. */
  readonly position?: number;
  /** Name of the carrier. */
  readonly carrier?: string;
  /** The carrier’s code of its service. */
  readonly code?: string;
  /** Id of the tax class of the charge; null for none. */
  readonly tax_class?: TaxClassLinkOrNull;
  /** Added to the cost, unless shipping is free. */
  readonly handling_fee?: number;
  /** `offline`: sent to the shipping address. `pickup`: handed over at `pickup_address`. */
  readonly processor?: 'offline' | 'pickup';
  /** Total of the items after discounts from which shipping is free; null for never. */
  readonly free_from?: number | null;
  /** Whether a coupon for free shipping makes this method free. */
  readonly free_by_coupon?: boolean;
  /** Where orders are picked up. It determines zone and taxes of the processor `pickup`. */
  readonly pickup_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
}

/** All texts of one language. Unknown fields are a 422. */
export interface ShippingMethodTranslationInput {
  /** Name of the method, for buyers. */
  readonly name: string;
  /** When the order arrives, for buyers. Default: `""`. */
  readonly delivery_time?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface ShippingMethodTranslationOutput {
  /** Name of the method, for buyers. */
  name?: string;
  /** When the order arrives, for buyers. */
  delivery_time?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface ShippingRateInput {
  /** Id of the zone that the address must be in. */
  readonly zone_id: ZoneLink;
  /** Minimum weight, inclusive. Default: `0`. */
  readonly min_weight?: number;
  /** Maximum weight, inclusive; null for no limit. Default: `null`. */
  readonly max_weight?: number | null;
  /** Minimum total before discounts, inclusive. Default: `0`. */
  readonly min_total?: number;
  /** Maximum total before discounts, inclusive; null for no limit. Default: `null`. */
  readonly max_total?: number | null;
  /** Minimum total after discounts, inclusive. Default: `0`. */
  readonly min_discounted_total?: number;
  /** Maximum total after discounts, inclusive; null for no limit. Default: `null`. */
  readonly max_discounted_total?: number | null;
  /** Minimum number of units, inclusive. Default: `0`. */
  readonly min_items?: number;
  /** Maximum number of units, inclusive; null for no limit. Default: `null`. */
  readonly max_items?: number | null;
  /** Amount for the order. Default: `0`. */
  readonly markup_flat?: number;
  /** Percentage of the total after discounts. Default: `0`. */
  readonly markup_percent?: number;
  /** Amount for each unit. Default: `0`. */
  readonly markup_per_item?: number;
  /** Amount for each unit of weight. Default: `0`. */
  readonly markup_per_weight?: number;
}

/** One shipping rate: its input including the key, or an object with an operation. */
export type ShippingRateLine = ShippingRatePatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: ShippingRatePatch; };

/** What a shipping method costs in a zone, for orders in these ranges. */
export interface ShippingRateOutput {
  id: number;
  /** Id of the zone that the address must be in. */
  zone_id: number;
  /** Minimum weight, inclusive. */
  min_weight: number;
  /** Maximum weight, inclusive; null for no limit. */
  max_weight: number | null;
  /** Minimum total before discounts, inclusive. */
  min_total: number;
  /** Maximum total before discounts, inclusive; null for no limit. */
  max_total: number | null;
  /** Minimum total after discounts, inclusive. */
  min_discounted_total: number;
  /** Maximum total after discounts, inclusive; null for no limit. */
  max_discounted_total: number | null;
  /** Minimum number of units, inclusive. */
  min_items: number;
  /** Maximum number of units, inclusive; null for no limit. */
  max_items: number | null;
  /** Amount for the order. */
  markup_flat: number;
  /** Percentage of the total after discounts. */
  markup_percent: number;
  /** Amount for each unit. */
  markup_per_item: number;
  /** Amount for each unit of weight. */
  markup_per_weight: number;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface ShippingRatePatch {
  /** Id of the zone that the address must be in. */
  readonly zone_id?: ZoneLink;
  /** Minimum weight, inclusive. */
  readonly min_weight?: number;
  /** Maximum weight, inclusive; null for no limit. */
  readonly max_weight?: number | null;
  /** Minimum total before discounts, inclusive. */
  readonly min_total?: number;
  /** Maximum total before discounts, inclusive; null for no limit. */
  readonly max_total?: number | null;
  /** Minimum total after discounts, inclusive. */
  readonly min_discounted_total?: number;
  /** Maximum total after discounts, inclusive; null for no limit. */
  readonly max_discounted_total?: number | null;
  /** Minimum number of units, inclusive. */
  readonly min_items?: number;
  /** Maximum number of units, inclusive; null for no limit. */
  readonly max_items?: number | null;
  /** Amount for the order. */
  readonly markup_flat?: number;
  /** Percentage of the total after discounts. */
  readonly markup_percent?: number;
  /** Amount for each unit. */
  readonly markup_per_item?: number;
  /** Amount for each unit of weight. */
  readonly markup_per_weight?: number;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface ShippingStatusInput {
  /** Unique code; cannot be changed. Must be unique. */
  readonly code: string;
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. Written in the language of the request. */
  readonly name: string;
  /** Name shown to customers, if it differs from `name`. Written in the language of the request. Default: `""`. */
  readonly customer_name?: string;
}

/** A link to a shipping status. */
export type ShippingStatusLink = string | number | ShippingStatusOutput;

/** A shipping status of orders. For stock, the store’s own codes count like `N`. */
export interface ShippingStatusOutput {
  id: number;
  /** Unique code; cannot be changed. */
  code: string;
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. In the language of the request. */
  name: string;
  /** Name shown to customers, if it differs from `name`. In the language of the request. */
  customer_name: string;
}

/** Only the fields to change. Cannot be changed: `id`, `code`. Unknown fields are a 422. */
export interface ShippingStatusPatch {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. Written in the language of the request. */
  readonly name?: string;
  /** Name shown to customers, if it differs from `name`. Written in the language of the request. */
  readonly customer_name?: string;
}

/** Cannot be changed: `id`, `code`. Unknown fields are a 422. */
export interface ShippingStatusReplacement {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. Written in the language of the request. */
  readonly name: string;
  /** Name shown to customers, if it differs from `name`. Written in the language of the request. Default: `""`. */
  readonly customer_name?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface ShippingStatusTranslationInput {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. */
  readonly name: string;
  /** Name shown to customers, if it differs from `name`. Default: `""`. */
  readonly customer_name?: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface ShippingStatusTranslationOutput {
  /** Name of the status. Built-in statuses have an English name in languages without a name of their own. */
  name?: string;
  /** Name shown to customers, if it differs from `name`. */
  customer_name?: string;
}

/** Ascending or descending. */
export type SortDirection = 'asc' | 'desc';

/** Key figures of the store. */
export interface Statistics {
  /** IANA time zone of the days. */
  readonly time_zone: string;
  readonly today: StatisticsSold;
  readonly week: StatisticsSold;
  /** As many days as the parameter `days` says, today last. */
  readonly days: readonly StatisticsDay[];
  /** Sales of as many days before the first of `days`. */
  readonly previous: { /** Number of orders placed. */ readonly orders: number; /** Number of units sold. */ readonly units: number; /** Totals by currency, the store’s own currency first. */ readonly totals: readonly { /** ISO 4217 code. */ readonly currency: string; /** Total of the orders. */ readonly total: number; }[]; };
  /** Up to 10 products with the most units sold in `days`, the most first. */
  readonly best_sellers: readonly ({ /** null for a deleted product. */ readonly product_id: number | null; /** SKU of the product; of the sold item if the product was deleted. */ readonly sku: string; /** Name in the language of the request. */ readonly name: string; /** Number of units sold. */ readonly units: number; /** Totals by currency, the store’s own currency first. */ readonly totals: readonly { /** ISO 4217 code. */ readonly currency: string; /** Total of the orders. */ readonly total: number; }[]; })[];
  /** Number of orders with the payment status `P` and the shipping status `N` or `P`. */
  readonly to_ship: number;
  /** Number of orders with the payment status `P` and the shipping status `NBA`. */
  readonly backordered: number;
  /** Enabled products with tracked stock that is low. */
  readonly low_stock: { /** Value of the parameter `low_stock`. */ readonly limit: number; /** Number of such products and variants. */ readonly count: number; /** Up to 10 of them, lowest stock first. */ readonly items: readonly ({ readonly product_id: number; /** null for the product itself. */ readonly variant_id: number | null; /** SKU; that of the product for a variant without one. */ readonly sku: string; /** Units in stock. */ readonly amount: number; })[]; };
  /** Enabled webhooks with failures. */
  readonly webhooks: { /** Number of webhooks that will be retried. */ readonly failing: number; /** Number of webhooks that are paused until they are resumed. */ readonly paused: number; };
}

/** Sales of one day. */
export interface StatisticsDay {
  /** The day. */
  readonly date: string;
  /** Number of orders placed. */
  readonly orders: number;
  /** Totals by currency, the store’s own currency first. */
  readonly totals: readonly { /** ISO 4217 code. */ readonly currency: string; /** Total of the orders. */ readonly total: number; }[];
  /** Number of units sold. */
  readonly units: number;
}

/** Sales of one or several days. */
export interface StatisticsSold {
  /** The first day. */
  readonly date: string;
  /** Number of orders placed. */
  readonly orders: number;
  /** Totals by currency, the store’s own currency first. */
  readonly totals: readonly { /** ISO 4217 code. */ readonly currency: string; /** Total of the orders. */ readonly total: number; }[];
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface StickerInput {
  /** Written in the language of the request. Must be unique. */
  readonly name: string;
  /** Sort order. Default: `0`. */
  readonly position?: number;
  /** Whether shops show the sticker. Default: `true`. */
  readonly enabled?: boolean;
  /** Text color as RRGGBB. Default: `""`. */
  readonly text_color?: string;
  /** Background color as RRGGBB. Default: `""`. */
  readonly bg_color?: string;
}

/** One sticker: its input including the key, or an object with an operation. */
export type StickerLine = StickerInput | StickerPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: StickerInput | StickerPatch; };

/** A link to a sticker. */
export type StickerLink = string | number | StickerOutput;

/** A label shown on product images, such as “New”. */
export interface StickerOutput {
  id: number;
  /** In the language of the request. */
  name: string;
  /** Sort order. */
  position: number;
  /** Whether shops show the sticker. */
  enabled: boolean;
  /** Text color as RRGGBB. */
  text_color: string;
  /** Background color as RRGGBB. */
  bg_color: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface StickerPatch {
  /** Written in the language of the request. Must be unique. */
  readonly name?: string;
  /** Sort order. */
  readonly position?: number;
  /** Whether shops show the sticker. */
  readonly enabled?: boolean;
  /** Text color as RRGGBB. */
  readonly text_color?: string;
  /** Background color as RRGGBB. */
  readonly bg_color?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface StickerTranslationInput {
  /** Must be unique in its language. */
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface StickerTranslationOutput {
  name?: string;
}

/** Information about the whole store. Texts that were never set, or set to null, are those in the settings of the server. */
export interface StoreInfoOutput {
  /** ISO 4217 code: currency of all prices and default currency of orders. Fixed at the first start. */
  currency: string;
  /** IANA time zone of dates in input and output. */
  time_zone: string;
  /** Unit of all weights. */
  weight_unit: 'kg' | 'lb' | 'oz' | 'g';
  /** Unit of the width, length and height of products. */
  dimension_unit: 'cm' | 'mm' | 'm' | 'in';
  /** Name and address of the store on new invoices, on several lines. */
  seller: string;
  /** Number of years for which invoices are retained unchanged when their customer is erased. */
  invoice_keep_years: number;
  /** Address of the shop that shoppers visit. A slash at its end is removed. */
  shop_url: string;
  /** Tax number of the store on new invoices. */
  tax_number: string;
  /** Text above the lines of printed invoices. */
  invoice_header: string;
  /** Text at the end of printed invoices, such as terms of payment. */
  invoice_footer: string;
  /** Text at the beginning of e-mails. */
  email_header: string;
  /** Text at the end of e-mails. */
  email_footer: string;
  /** Address of the store. A partial update changes only the members that it contains. */
  address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 is stored as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** Logo on printed pages. null removes it. `alt` can be changed without sending a new file. */
  logo: { /** Alternative text for people who cannot see the image. */ alt: string; /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */ url: string; /** Width in pixels. */ width: number; /** Height in pixels. */ height: number; } | null;
}

/** Only the fields to change. Read-only: `currency`, `time_zone`, `weight_unit`, `dimension_unit`, `invoice_keep_years`. Unknown fields are a 422. */
export interface StoreInfoPatch {
  /** Name and address of the store on new invoices, on several lines. */
  readonly seller?: string | null;
  /** Address of the shop that shoppers visit. A slash at its end is removed. */
  readonly shop_url?: string | null;
  /** Tax number of the store on new invoices. */
  readonly tax_number?: string | null;
  /** Text above the lines of printed invoices. */
  readonly invoice_header?: string | null;
  /** Text at the end of printed invoices, such as terms of payment. */
  readonly invoice_footer?: string | null;
  /** Text at the beginning of e-mails. */
  readonly email_header?: string | null;
  /** Text at the end of e-mails. */
  readonly email_footer?: string | null;
  /** Address of the store. A partial update changes only the members that it contains. */
  readonly address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 is stored as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** Logo on printed pages. null removes it. `alt` can be changed without sending a new file. */
  readonly logo?: { /** Alternative text for people who cannot see the image. */ readonly alt?: string; /** HTTP or HTTPS URL of an image file that the store downloads. */ readonly externalUrl?: string; /** Image file, base64-encoded, or a `data:` URL with base64. */ readonly attachment?: string; /** Name of the attached file, with the extension of an image format. */ readonly filename?: string; } | null;
}

/** A surcharge of an order: tax, discount, shipping or handling. Read-only fields are a 422 unless they are empty or have the value that output will show. Unknown fields are a 422. */
export interface SurchargeInput {
  readonly type: 'tax' | 'discount' | 'shipping' | 'handling';
  /** Code of the surcharge. The type in capitals if omitted. A PUT without it leaves it unchanged. */
  readonly code?: string;
  /** Whether the prices already include it. Default: `false`. */
  readonly include?: boolean;
  /** Amount; negative to subtract. The value of a discount must be 0 or negative. */
  readonly value: number;
  /** Name of the surcharge. The code if omitted. A PUT without it leaves it unchanged. */
  readonly name?: string;
  /** Sort order. Default: `0`. */
  readonly weight?: number;
  /** Id of the tax class of the surcharge. Only with `calculate`. */
  readonly tax_class?: number | null;
}

/** A surcharge of an order: tax, discount, shipping or handling. */
export interface SurchargeOutput {
  id: number;
  type: 'tax' | 'discount' | 'shipping' | 'handling';
  /** Code of the surcharge. The type in capitals if omitted. */
  code: string;
  class: string;
  /** Whether the prices already include it. */
  include: boolean;
  /** Whether it counts towards the total. */
  available: boolean;
  /** Amount; negative to subtract. The value of a discount must be 0 or negative. */
  value: number;
  /** Name of the surcharge. The code if omitted. */
  name: string;
  /** Sort order. */
  weight: number;
  /** Copy of the discount or tax rate from which the store calculated the surcharge, or the shipping method; null if the client sent the surcharge. */
  source: { /** Kind of rule. */ kind: 'volume_discount' | 'coupon' | 'tax_rate' | 'shipping_method'; /** Id of the rule. */ id: number; /** `type` of the rule; `$` for a shipping method. */ type: '%' | '$' | 'S'; /** `value` of the rule; the cost of a shipping method. */ value: number; /** `base` of a tax rate, else null. */ base: string | null; /** `rounding` of the tax settings for a tax, else null. */ rounding: string | null; /** `rounding_target` of the tax settings for a tax, else null. */ rounding_target: string | null; } | null;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface TagInput {
  /** Written in the language of the request. Must be unique. */
  readonly name: string;
}

/** One tag: its input including the key, or an object with an operation. */
export type TagLine = TagInput | TagPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: TagInput | TagPatch; };

/** A link to a tag. */
export type TagLink = string | number | TagOutput;

/** A tag of products. */
export interface TagOutput {
  id: number;
  /** In the language of the request. */
  name: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface TagPatch {
  /** Written in the language of the request. Must be unique. */
  readonly name?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface TagTranslationInput {
  /** Must be unique in its language. */
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface TagTranslationOutput {
  name?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface TaxClassInput {
  /** Written in the language of the request. Must be unique. */
  readonly name: string;
}

/** One tax class: its input including the key, or an object with an operation. */
export type TaxClassLine = TaxClassInput | TaxClassPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: TaxClassInput | TaxClassPatch; };

/** A link to a tax class, or null. */
export type TaxClassLinkOrNull = string | number | TaxClassOutput | null;

/** A class of products that are taxed alike. Deleting it does not delete its products. */
export interface TaxClassOutput {
  id: number;
  /** In the language of the request. */
  name: string;
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface TaxClassPatch {
  /** Written in the language of the request. Must be unique. */
  readonly name?: string;
}

/** All texts of one language. Unknown fields are a 422. */
export interface TaxClassTranslationInput {
  /** Must be unique in its language. */
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface TaxClassTranslationOutput {
  name?: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface TaxRateInput {
  /** Code of the tax. An item pays at most one rate of each code. */
  readonly tax: string;
  /** Name of the tax on orders and invoices. Written in the language of the request. */
  readonly name: string;
  /** Whether the rate is in use. Default: `true`. */
  readonly enabled?: boolean;
  /** Order in which the rates of one tax are tried. Default: `0`. */
  readonly position?: number;
  /** Start of the period; null is open. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Id of the zone that the buyer’s address must be in; null matches all. Default: `null`. */
  readonly zone?: ZoneLinkOrNull;
  /** Id of the tax class of the product; null matches all. Default: `null`. */
  readonly tax_class?: TaxClassLinkOrNull;
  /** Id of the membership of the buyer; null matches all. Default: `null`. */
  readonly membership?: MembershipLinkOrNull;
  /** `%` percentage, `$` amount for each unit or charge. Default: `"%"`. */
  readonly type?: '%' | '$';
  /** Percentage (at most 1000) or amount. */
  readonly value: number;
  /** What is taxed: items before or after discounts, or charges such as shipping. Default: `"discounted_subtotal"`. */
  readonly base?: 'subtotal' | 'discounted_subtotal' | 'shipping';
}

/** One tax rate: its input including the key, or an object with an operation. */
export type TaxRateLine = TaxRatePatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: TaxRatePatch; };

/** A rate of a tax. An item pays the first matching rate of each tax. */
export interface TaxRateOutput {
  id: number;
  /** Code of the tax. An item pays at most one rate of each code. */
  tax: string;
  /** Name of the tax on orders and invoices. In the language of the request. */
  name: string;
  /** Whether the rate is in use. */
  enabled: boolean;
  /** Order in which the rates of one tax are tried. */
  position: number;
  /** Start of the period; null is open. */
  date_range_begin: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. */
  date_range_end: string | null;
  /** Id of the zone that the buyer’s address must be in; null matches all. */
  zone: number | null;
  /** Id of the tax class of the product; null matches all. */
  tax_class: number | null;
  /** Id of the membership of the buyer; null matches all. */
  membership: number | null;
  /** `%` percentage, `$` amount for each unit or charge. */
  type: '%' | '$';
  /** Percentage (at most 1000) or amount. */
  value: number;
  /** What is taxed: items before or after discounts, or charges such as shipping. */
  base: 'subtotal' | 'discounted_subtotal' | 'shipping';
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface TaxRatePatch {
  /** Code of the tax. An item pays at most one rate of each code. */
  readonly tax?: string;
  /** Name of the tax on orders and invoices. Written in the language of the request. */
  readonly name?: string;
  /** Whether the rate is in use. */
  readonly enabled?: boolean;
  /** Order in which the rates of one tax are tried. */
  readonly position?: number;
  /** Start of the period; null is open. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Id of the zone that the buyer’s address must be in; null matches all. */
  readonly zone?: ZoneLinkOrNull;
  /** Id of the tax class of the product; null matches all. */
  readonly tax_class?: TaxClassLinkOrNull;
  /** Id of the membership of the buyer; null matches all. */
  readonly membership?: MembershipLinkOrNull;
  /** `%` percentage, `$` amount for each unit or charge. */
  readonly type?: '%' | '$';
  /** Percentage (at most 1000) or amount. */
  readonly value?: number;
  /** What is taxed: items before or after discounts, or charges such as shipping. */
  readonly base?: 'subtotal' | 'discounted_subtotal' | 'shipping';
}

/** All texts of one language. Unknown fields are a 422. */
export interface TaxRateTranslationInput {
  /** Name of the tax on orders and invoices. */
  readonly name: string;
}

/** The texts stored in one language. For an omitted text, output falls back to another language. */
export interface TaxRateTranslationOutput {
  /** Name of the tax on orders and invoices. */
  name?: string;
}

/** Unknown fields are a 422. */
export interface TaxSettingsInput {
  /** Whether prices include the taxes of `default_zone`, which is then required. Default: `false`. */
  readonly prices_include_tax?: boolean;
  /** Id of the zone of buyers whose address is not known. Default: `null`. */
  readonly default_zone?: ZoneLinkOrNull;
  /** At other rates than those of `default_zone`: `net` converts prices that include taxes, `gross` does not. Default: `"net"`. */
  readonly outside_zone?: 'net' | 'gross';
  /** The address that determines taxes and discounts. If that address is null, the other one is used. Default: `"shipping"`. */
  readonly address?: 'shipping' | 'billing';
  /** Taxes of charges: by rates with the base `shipping`, or `proportional` to the rates of the items. Default: `"rates"`. */
  readonly shipping?: 'rates' | 'proportional';
  /** How taxes are rounded; `half_up` is away from zero. Default: `"half_up"`. */
  readonly rounding?: 'half_up' | 'half_even' | 'half_down' | 'down';
  /** Which taxes are rounded: of each unit, of each line, or of the whole order. Default: `"line"`. */
  readonly rounding_target?: 'unit' | 'line' | 'total';
  /** Id of the zone in which buyers with a VAT id pay no tax; null for none. Default: `null`. */
  readonly vat_id_exempt_zone?: ZoneLinkOrNull;
}

/** How the store calculates taxes. */
export interface TaxSettingsOutput {
  /** Whether prices include the taxes of `default_zone`, which is then required. */
  prices_include_tax: boolean;
  /** Id of the zone of buyers whose address is not known. */
  default_zone: number | null;
  /** At other rates than those of `default_zone`: `net` converts prices that include taxes, `gross` does not. */
  outside_zone: 'net' | 'gross';
  /** The address that determines taxes and discounts. If that address is null, the other one is used. */
  address: 'shipping' | 'billing';
  /** Taxes of charges: by rates with the base `shipping`, or `proportional` to the rates of the items. */
  shipping: 'rates' | 'proportional';
  /** How taxes are rounded; `half_up` is away from zero. */
  rounding: 'half_up' | 'half_even' | 'half_down' | 'down';
  /** Which taxes are rounded: of each unit, of each line, or of the whole order. */
  rounding_target: 'unit' | 'line' | 'total';
  /** Id of the zone in which buyers with a VAT id pay no tax; null for none. */
  vat_id_exempt_zone: number | null;
}

/** Only the fields to change. Unknown fields are a 422. */
export interface TaxSettingsPatch {
  /** Whether prices include the taxes of `default_zone`, which is then required. */
  readonly prices_include_tax?: boolean;
  /** Id of the zone of buyers whose address is not known. */
  readonly default_zone?: ZoneLinkOrNull;
  /** At other rates than those of `default_zone`: `net` converts prices that include taxes, `gross` does not. */
  readonly outside_zone?: 'net' | 'gross';
  /** The address that determines taxes and discounts. If that address is null, the other one is used. */
  readonly address?: 'shipping' | 'billing';
  /** Taxes of charges: by rates with the base `shipping`, or `proportional` to the rates of the items. */
  readonly shipping?: 'rates' | 'proportional';
  /** How taxes are rounded; `half_up` is away from zero. */
  readonly rounding?: 'half_up' | 'half_even' | 'half_down' | 'down';
  /** Which taxes are rounded: of each unit, of each line, or of the whole order. */
  readonly rounding_target?: 'unit' | 'line' | 'total';
  /** Id of the zone in which buyers with a VAT id pay no tax; null for none. */
  readonly vat_id_exempt_zone?: ZoneLinkOrNull;
}

/** A code of the authenticator app. */
export interface TotpCode {
  /** The current code: 6 digits. */
  readonly code: string;
}

/** A secret that is not enabled yet. */
export interface TotpSecret {
  /** The secret in base32, to type into an authenticator app. */
  readonly secret: string;
  /** The same as an `otpauth:` address, for a QR code. */
  readonly uri: string;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface TransactionInput {
  /** Default: `""`. */
  readonly public_id?: string;
  /** Default: `null`. */
  readonly public_txn_id?: string | null;
  /** Default: `null`. */
  readonly method_id?: number | null;
  /** Default: `"sale"`. */
  readonly type?: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test';
  /** Date of the transaction. Now if omitted. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date?: string;
  /** `I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void. Default: `"I"`. */
  readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V';
  /** Name of the payment method. Default: `""`. */
  readonly name?: string;
  /** Default: `""`. */
  readonly local_name?: string;
  /** Active ISO 4217 code. The order’s currency if omitted. A PUT without it leaves it unchanged. */
  readonly currency?: string;
  readonly value: number;
  /** Default: `""`. */
  readonly note?: string;
  /** Items of a refund. Their values add up to at most the refund’s `value`, and no item can have more units refunded than were ordered. Refunds do not move stock. Default: `[]`. */
  readonly lines?: readonly { /** Id of an item of the order. */ readonly item_id: number; /** Number of units refunded; 0 for none. */ readonly amount?: number; /** Amount refunded for the item. */ readonly value: number; }[];
  /** Default: `[]`. */
  readonly data?: readonly ({ readonly name: string; readonly label?: string; readonly value?: string; /** `A`: visible to the store. `C`: visible to the customer too. */ readonly access_level?: 'A' | 'C'; })[];
  /** Requests to the payment service. Default: `[]`. */
  readonly backend_transactions?: readonly ({ readonly type?: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test'; /** A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */ readonly date?: string | null; readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V'; readonly value: number; readonly data?: readonly ({ readonly name: string; readonly label?: string; readonly value?: string; /** `A`: visible to the store. `C`: visible to the customer too. */ readonly access_level?: 'A' | 'C'; })[]; })[];
}

/** A payment transaction of an order, such as a charge or a refund. It does not change the payment status. */
export interface TransactionOutput {
  id: number;
  public_id: string;
  public_txn_id: string | null;
  method_id: number | null;
  type: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test';
  /** Date of the transaction. Now if omitted. */
  date: string;
  /** `I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void. */
  status: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V';
  /** Name of the payment method. */
  name: string;
  local_name: string;
  /** Active ISO 4217 code. The order’s currency if omitted. */
  currency: string;
  value: number;
  note: string;
  /** Items of a refund. Their values add up to at most the refund’s `value`, and no item can have more units refunded than were ordered. Refunds do not move stock. */
  lines: { /** Id of an item of the order. */ item_id: number; /** Number of units refunded; 0 for none. */ amount: number; /** Amount refunded for the item. */ value: number; }[];
  data: ({ id: number; name: string; label: string; value: string; /** `A`: visible to the store. `C`: visible to the customer too. */ access_level: 'A' | 'C'; })[];
  /** Requests to the payment service. */
  backend_transactions: ({ id: number; type: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test'; date: string | null; status: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V'; value: number; data: ({ id: number; name: string; label: string; value: string; /** `A`: visible to the store. `C`: visible to the customer too. */ access_level: 'A' | 'C'; })[]; })[];
}

/** Only the fields to change. Cannot be changed: `id`, `public_id`, `public_txn_id`, `method_id`, `type`, `date`, `name`, `local_name`, `currency`, `value`, `note`, `lines`, `data`, `backend_transactions`. Unknown fields are a 422. */
export interface TransactionPatch {
  /** `I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void. */
  readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V';
}

/** A coupon that an order uses. */
export interface UsedCouponOutput {
  id: number;
  code: string;
  /** Amount that the coupon takes off. */
  value: number;
  /** Type of the coupon: `%` percentage, `$` amount, `S` free shipping. */
  type: '%' | '$' | 'S';
  /** Id of the coupon; null if it was deleted, and for a past order. */
  coupon_id: number | null;
}

/** A staff account. */
export interface User {
  readonly id: number;
  /** E-mail address with which the user signs in, unique regardless of case. */
  readonly email: string;
  /** Name of the person. */
  readonly name: string;
  /** `invited`: has not signed in yet. `disabled`: cannot sign in. */
  readonly status: 'invited' | 'active' | 'disabled';
  /** Language of the admin page; empty for that of the browser. */
  readonly language: '' | 'en' | 'de' | 'fr' | 'es';
  /** Ids of the roles. The user may do what one of them allows. */
  readonly role_ids: readonly number[];
  /** Second factors of the sign-in. `totp`: codes of an authenticator app. */
  readonly factors: readonly ('totp' | 'passkey')[];
  /** Null before the first one. */
  readonly last_sign_in_at: string | null;
  readonly created_at: string;
}

/** A staff account to create. */
export interface UserCreate {
  /** E-mail address with which the user signs in, unique regardless of case. */
  readonly email: string;
  /** Name of the person. */
  readonly name: string;
  /** Language of the admin page; empty for that of the browser. */
  readonly language?: '' | 'en' | 'de' | 'fr' | 'es';
  /** Ids of the roles. The user may do what one of them allows. */
  readonly role_ids: readonly number[];
}

/** An address at which a user sets a password, once. */
export interface UserLink {
  readonly url: string;
  readonly expires_at: string;
}

/** A new password. */
export interface UserPassword {
  /** The current password. */
  readonly current: string;
  /** The new one. Common ones are rejected. */
  readonly password: string;
}

/** Fields of a staff account to change. */
export interface UserPatch {
  /** E-mail address with which the user signs in, unique regardless of case. */
  readonly email?: string;
  /** Name of the person. */
  readonly name?: string;
  /** Whether the user can sign in. `active` makes a user who has never signed in `invited`. */
  readonly status?: 'active' | 'disabled';
  /** Language of the admin page; empty for that of the browser. */
  readonly language?: '' | 'en' | 'de' | 'fr' | 'es';
  /** Ids of the roles. The user may do what one of them allows. */
  readonly role_ids?: readonly number[];
}

/** A session of a user. */
export interface UserSession {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  /** IP address of the sign-in. */
  readonly address: string | null;
  /** The browser, as it describes itself. */
  readonly user_agent: string | null;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

/** Read-only: `id`, `product_id`, `options`, `lowest_price_30_days`. Unknown fields are a 422. */
export interface VariantInput {
  /** Price of one unit; the product’s if `default_price` is true. Default: `0`. */
  readonly price?: number;
  /** Whether the price is inherited from the product. If omitted, false if `price` is sent, else true. Default: `true`. */
  readonly default_price?: boolean;
  /** Units in stock; negative if units are backordered. The product’s if `default_amount` is true. Default: `0`. A PUT without it leaves it unchanged. */
  readonly amount?: number;
  /** Whether the stock is shared with the product. If omitted from a POST, false if `amount` is sent, else true. Default: `true`. A PUT without it leaves it unchanged. */
  readonly default_amount?: boolean;
  /** Weight of one unit; the product’s if `default_weight` is true. Default: `0`. */
  readonly weight?: number;
  /** Whether the weight is inherited from the product. If omitted, false if `weight` is sent, else true. Default: `true`. */
  readonly default_weight?: boolean;
  /** Whether this is the product’s default variant. Setting it to true unsets the previous one. Default: `false`. */
  readonly default_variant?: boolean;
  /** Stock keeping unit, unique among products and variants. Must be unique. Default: `null`. */
  readonly sku?: string | null;
  /** Image of the variant. null removes it. `alt` can be changed without sending a new file. Default: `null`. A PUT without it leaves it unchanged. */
  readonly image?: { /** Alternative text for people who cannot see the image. */ readonly alt?: string; /** HTTP or HTTPS URL of an image file that the store downloads. */ readonly externalUrl?: string; /** Image file, base64-encoded, or a `data:` URL with base64. */ readonly attachment?: string; /** Name of the attached file, with the extension of an image format. */ readonly filename?: string; } | null;
  /** Ids of checkbox values of the product, at most one of each attribute. Replaces all existing links. Default: `[]`. */
  readonly attribute_checkbox_values?: readonly AttributeValueCheckboxLink[];
  /** Ids of select values of the product, at most one of each attribute. Replaces all existing links. Default: `[]`. */
  readonly attribute_select_values?: readonly AttributeValueSelectLink[];
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. The product’s `discount_type` if `default_sale_price` is true. Default: `"sale_percent"`. A PUT without it leaves it unchanged. */
  readonly sale_discount_type?: 'sale_price' | 'sale_percent';
  /** Sale price or percentage off; the product’s if `default_sale_price` is true. The product’s `participate_sale` enables both. Default: `0`. A PUT without it leaves it unchanged. */
  readonly sale_price_value?: number;
  /** Whether the sale is inherited from the product. If omitted, false if one of its two values is sent. Default: `true`. A PUT without it leaves it unchanged. */
  readonly default_sale_price?: boolean;
}

/** One variant: its input including the key, or an object with an operation. */
export type VariantLine = VariantInput | VariantPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: VariantInput | VariantPatch; };

/** A variant of a product: one combination of attribute values, such as red and M. Price, stock and weight are inherited from the product unless the variant has its own. */
export interface VariantOutput {
  id: number;
  /** Price of one unit; the product’s if `default_price` is true. */
  price: number;
  /** Whether the price is inherited from the product. If omitted, false if `price` is sent, else true. */
  default_price: boolean;
  /** Units in stock; negative if units are backordered. The product’s if `default_amount` is true. */
  amount: number;
  /** Whether the stock is shared with the product. If omitted from a POST, false if `amount` is sent, else true. */
  default_amount: boolean;
  /** Weight of one unit; the product’s if `default_weight` is true. */
  weight: number;
  /** Whether the weight is inherited from the product. If omitted, false if `weight` is sent, else true. */
  default_weight: boolean;
  /** Whether this is the product’s default variant. Setting it to true unsets the previous one. */
  default_variant: boolean;
  /** Stock keeping unit, unique among products and variants. */
  sku: string | null;
  /** Image of the variant. null removes it. `alt` can be changed without sending a new file. */
  image: { /** Alternative text for people who cannot see the image. */ alt: string; /** Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail. */ url: string; /** Width in pixels. */ width: number; /** Height in pixels. */ height: number; } | null;
  /** Ids of checkbox values of the product, at most one of each attribute. */
  attribute_checkbox_values: number[];
  /** Ids of select values of the product, at most one of each attribute. */
  attribute_select_values: number[];
  /** Id of the product. */
  product_id: number;
  /** The values that distinguish the variant, with their texts: first the checkbox values, then the select values, each by id. */
  options: { /** Id of the attribute. */ attribute_id: number; /** Name of the attribute, in the language of the request. */ name: string; /** Id of the product’s value. */ value_id: number; /** The option, in the language of the request; `Yes` or `No` for a checkbox attribute. */ value: string; }[];
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. The product’s `discount_type` if `default_sale_price` is true. */
  sale_discount_type: 'sale_price' | 'sale_percent';
  /** Sale price or percentage off; the product’s if `default_sale_price` is true. The product’s `participate_sale` enables both. */
  sale_price_value: number;
  /** Whether the sale is inherited from the product. If omitted, false if one of its two values is sent. */
  default_sale_price: boolean;
  /** Lowest public price of the variant in the 30 days before its price was reduced, or before now if it is not reduced; null if it had no price (Directive 98/6/EC). A setting of the server determines when a reduction begins. Only returned if `fields` includes it. */
  lowest_price_30_days?: number | null;
}

/** Only the fields to change. Cannot be changed: `id`, `attribute_checkbox_values`, `attribute_select_values`. Read-only: `product_id`, `options`. Ignored: `lowest_price_30_days`. Unknown fields are a 422. */
export interface VariantPatch {
  /** Price of one unit; the product’s if `default_price` is true. */
  readonly price?: number;
  /** Whether the price is inherited from the product. If omitted, false if `price` is sent, else true. */
  readonly default_price?: boolean;
  /** Units in stock; negative if units are backordered. The product’s if `default_amount` is true. */
  readonly amount?: number;
  /** Whether the stock is shared with the product. If omitted from a POST, false if `amount` is sent, else true. */
  readonly default_amount?: boolean;
  /** Weight of one unit; the product’s if `default_weight` is true. */
  readonly weight?: number;
  /** Whether the weight is inherited from the product. If omitted, false if `weight` is sent, else true. */
  readonly default_weight?: boolean;
  /** Whether this is the product’s default variant. Setting it to true unsets the previous one. */
  readonly default_variant?: boolean;
  /** Stock keeping unit, unique among products and variants. Must be unique. */
  readonly sku?: string | null;
  /** Image of the variant. null removes it. `alt` can be changed without sending a new file. */
  readonly image?: { /** Alternative text for people who cannot see the image. */ readonly alt?: string; /** HTTP or HTTPS URL of an image file that the store downloads. */ readonly externalUrl?: string; /** Image file, base64-encoded, or a `data:` URL with base64. */ readonly attachment?: string; /** Name of the attached file, with the extension of an image format. */ readonly filename?: string; } | null;
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. The product’s `discount_type` if `default_sale_price` is true. */
  readonly sale_discount_type?: 'sale_price' | 'sale_percent';
  /** Sale price or percentage off; the product’s if `default_sale_price` is true. The product’s `participate_sale` enables both. */
  readonly sale_price_value?: number;
  /** Whether the sale is inherited from the product. If omitted, false if one of its two values is sent. */
  readonly default_sale_price?: boolean;
}

/** List the price changes of a variant. */
export interface VariantPriceHistoryOutput {
  /** Time of the change. */
  date: string;
  /** Price of one unit from this time, without membership and options. */
  price: number;
  /** The price without sales. */
  regular_price: number;
}

/** Compute the price of a variant for a buyer. */
export interface VariantPriceOutput {
  /** Unit price, with the taxes that the store’s prices include. */
  price: number;
  /** Unit price without sales and wholesale prices. */
  regular_price: number;
  /** Number of units. */
  quantity: number;
  /** `price` × `quantity`, rounded. */
  subtotal: number;
  /** The volume discount, then the coupons by id, if they apply. */
  discounts: ({ kind: 'volume_discount' | 'coupon'; /** Id of the volume discount or coupon. */ id: number; /** Code of the coupon; null for a volume discount. */ code: string | null; /** Amount taken off. */ value: number; /** The share of each item. */ shares: number[]; })[];
  /** The taxes by the id of their rate, including taxes of 0. */
  taxes: { /** Id of the tax rate. */ id: number; /** The `tax` of the rate. */ code: string; /** Name of the rate, in the language of the request. */ name: string; /** Whether the prices include the tax. */ include: boolean; /** Amount of the tax. */ value: number; /** The share of each item. */ shares: number[]; /** The share of each charge. */ charge_shares: number[]; }[];
  /** `subtotal` less discounts, without taxes. */
  net: number;
  /** `subtotal` less discounts, with taxes. */
  gross: number;
  /** The store’s currency (ISO 4217). */
  currency: string;
  /** The wholesale price that determines `price`, or null. */
  wholesale_price_id: number | null;
  /** The sale discount that determines `price`, or null. */
  sale_discount_id: number | null;
  /** The price of one unit, and each quantity from which a unit costs less. */
  tiers: { /** Minimum quantity. */ quantity: number; /** Unit price from this quantity. */ price: number; }[];
  /** Every rule that was considered; null without `explain`. */
  explanation: ({ /** `items[0]`, `charges[0]` or `order`. */ scope: string; kind: 'regular' | 'own_sale' | 'sale_discount' | 'wholesale_price' | 'combination' | 'volume_discount' | 'coupon' | 'tax_rate'; /** Id of the rule; of a combination, that of the wholesale price. */ id: number | null; /** Price or amount; null if the rule does not apply. */ value: number | null; /** Whether the rule determines the price, or takes effect. */ won: boolean; reason: 'disabled' | 'dates' | 'membership' | 'zone' | 'not_listed' | 'quantity' | 'subtotal' | 'uses' | 'own_sale' | 'not_combinable' | 'not_taxable' | 'exempt' | 'position' | 'higher_price' | 'smaller_discount' | 'tie' | 'won'; })[] | null;
}

/** Cannot be changed: `id`, `attribute_checkbox_values`, `attribute_select_values`. Read-only: `product_id`, `options`. Ignored: `lowest_price_30_days`. Unknown fields are a 422. */
export interface VariantReplacement {
  /** Price of one unit; the product’s if `default_price` is true. Default: `0`. */
  readonly price?: number;
  /** Whether the price is inherited from the product. If omitted, false if `price` is sent, else true. Default: `true`. */
  readonly default_price?: boolean;
  /** Units in stock; negative if units are backordered. The product’s if `default_amount` is true. Default: `0`. A PUT without it leaves it unchanged. */
  readonly amount?: number;
  /** Whether the stock is shared with the product. If omitted from a POST, false if `amount` is sent, else true. Default: `true`. A PUT without it leaves it unchanged. */
  readonly default_amount?: boolean;
  /** Weight of one unit; the product’s if `default_weight` is true. Default: `0`. */
  readonly weight?: number;
  /** Whether the weight is inherited from the product. If omitted, false if `weight` is sent, else true. Default: `true`. */
  readonly default_weight?: boolean;
  /** Whether this is the product’s default variant. Setting it to true unsets the previous one. Default: `false`. */
  readonly default_variant?: boolean;
  /** Stock keeping unit, unique among products and variants. Must be unique. Default: `null`. */
  readonly sku?: string | null;
  /** Image of the variant. null removes it. `alt` can be changed without sending a new file. Default: `null`. A PUT without it leaves it unchanged. */
  readonly image?: { /** Alternative text for people who cannot see the image. */ readonly alt?: string; /** HTTP or HTTPS URL of an image file that the store downloads. */ readonly externalUrl?: string; /** Image file, base64-encoded, or a `data:` URL with base64. */ readonly attachment?: string; /** Name of the attached file, with the extension of an image format. */ readonly filename?: string; } | null;
  /** `sale_price`: `sale_price_value` is the price. `sale_percent`: it is the percentage off. The product’s `discount_type` if `default_sale_price` is true. Default: `"sale_percent"`. A PUT without it leaves it unchanged. */
  readonly sale_discount_type?: 'sale_price' | 'sale_percent';
  /** Sale price or percentage off; the product’s if `default_sale_price` is true. The product’s `participate_sale` enables both. Default: `0`. A PUT without it leaves it unchanged. */
  readonly sale_price_value?: number;
  /** Whether the sale is inherited from the product. If omitted, false if one of its two values is sent. Default: `true`. A PUT without it leaves it unchanged. */
  readonly default_sale_price?: boolean;
}

/** Unknown fields are a 422. */
export interface VariantStockInput {
  /** Number of units to add; negative to subtract. Must not be 0. Changes the product’s stock if `default_amount` is true. */
  readonly delta: number;
}

/** One variant, identified by `sku`. */
export type VariantStockLine = { readonly sku: string; } & VariantStockInput | { readonly sku: string; } & { readonly amount?: number; };

/** Read-only: `id`. Unknown fields are a 422. */
export interface VolumeDiscountInput {
  /** Percentage, or amount in the store’s currency. Default: `0`. */
  readonly value?: number;
  /** `%` percentage, `$` amount. Default: `"%"`. */
  readonly type?: '%' | '$';
  /** Minimum subtotal of an order. Default: `0`. */
  readonly subtotal_range_begin?: number;
  /** Id of the membership of the buyer; null is every buyer. Default: `null`. */
  readonly membership?: MembershipLinkOrNull;
  /** Start of the period; null is open. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. Default: `null`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Ids of zones that the buyer’s address can be in; an empty list is no restriction. Replaces all existing links. Default: `[]`. */
  readonly zones?: readonly ZoneLink[];
}

/** One volume discount: its input including the key, or an object with an operation. */
export type VolumeDiscountLine = VolumeDiscountPatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: VolumeDiscountPatch; };

/** A discount on orders with a minimum subtotal. The largest matching discount applies. */
export interface VolumeDiscountOutput {
  id: number;
  /** Percentage, or amount in the store’s currency. */
  value: number;
  /** `%` percentage, `$` amount. */
  type: '%' | '$';
  /** Minimum subtotal of an order. */
  subtotal_range_begin: number;
  /** Id of the membership of the buyer; null is every buyer. */
  membership: number | null;
  /** Start of the period; null is open. */
  date_range_begin: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. */
  date_range_end: string | null;
  /** Ids of zones that the buyer’s address can be in; an empty list is no restriction. */
  zones: number[];
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface VolumeDiscountPatch {
  /** Percentage, or amount in the store’s currency. */
  readonly value?: number;
  /** `%` percentage, `$` amount. */
  readonly type?: '%' | '$';
  /** Minimum subtotal of an order. */
  readonly subtotal_range_begin?: number;
  /** Id of the membership of the buyer; null is every buyer. */
  readonly membership?: MembershipLinkOrNull;
  /** Start of the period; null is open. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_begin?: string | null;
  /** End of the period (exclusive); null is open. Must be after `date_range_begin`. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then in the store’s time zone). */
  readonly date_range_end?: string | null;
  /** Ids of zones that the buyer’s address can be in; an empty list is no restriction. Replaces all existing links. */
  readonly zones?: readonly ZoneLink[];
}

/** A delivery of an event to a webhook, with its attempts. Deliveries are deleted after 30 days. */
export interface WebhookDeliveryOutput {
  id: number;
  /** Header `webhook-id` of each attempt. */
  message_id: string;
  type: string;
  /** Path of the record. */
  path: string;
  /** Change feed cursor after the event; null for a test. */
  cursor: string | null;
  /** `set_aside`: the receiver rejected the event; only `retry` sends it again. `replaced`: a newer event of the record was sent instead. */
  status: 'waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced';
  /** Time of the first attempt. */
  date: string;
  /** The last 20 attempts, oldest first. */
  attempts: ({ date: string; /** HTTP status; null if there was no response. */ status: number | null; /** Duration in milliseconds. */ duration_ms: number; /** Beginning of the response body, or the reason why there was no response. */ answer: string; })[];
}

/** Unknown fields are a 422. */
export interface WebhookDeliveryRetryInput {

}

/** Read-only: `id`, `secret`, `since`, `status`, `reason`, `failing_since`, `next_attempt`, `pending`, `former_events`, `owner`. Unknown fields are a 422. */
export interface WebhookInput {
  /** URL that receives the events. It must be on the public internet and use port 80 or 443, unless the operator of the store allows other networks. */
  readonly url: string;
  /** Events to send, such as `product.updated`; `order.*` for all events of a resource, `*` for all events. */
  readonly events: readonly string[];
  /** Whether events are sent. Events of a disabled webhook are sent once it is enabled again. Default: `true`. */
  readonly enabled?: boolean;
  /** `record`: each event includes the record as it is at the time of sending. `thin`: without the record. Default: `"thin"`. */
  readonly payload?: 'thin' | 'record';
  /** Note about the webhook’s purpose. Default: `""`. */
  readonly description?: string;
}

/** A URL to which the store sends its changes, one at a time and in order. */
export interface WebhookOutput {
  id: number;
  /** URL that receives the events. It must be on the public internet and use port 80 or 443, unless the operator of the store allows other networks. */
  url: string;
  /** Events to send, such as `product.updated`; `order.*` for all events of a resource, `*` for all events. */
  events: string[];
  /** Whether events are sent. Events of a disabled webhook are sent once it is enabled again. */
  enabled: boolean;
  /** `record`: each event includes the record as it is at the time of sending. `thin`: without the record. */
  payload: 'thin' | 'record';
  /** Note about the webhook’s purpose. */
  description: string;
  /** Secret that signs the events. Shown only in the responses of POST and `rotate_secret`; null in all others. */
  secret: string | null;
  /** Time from which changes are sent: that of the creation, or of the last resume from `now`. */
  since: string;
  /** `failing`: the last attempt failed and will be repeated. `paused`: sending is stopped until `resume`. */
  status: 'ok' | 'failing' | 'paused';
  /** Reason why the webhook is failing or paused. */
  reason: string | null;
  /** Time of the first failed attempt since the last success. */
  failing_since: string | null;
  /** Time of the next attempt of a failing webhook. */
  next_attempt: string | null;
  /** Number of pending events among the next 10,000 changes. */
  pending: number;
  /** Events that `events` had earlier. A caller that cannot read the records of all current and former events sees no `status`, `reason`, `failing_since`, `next_attempt` and `pending`, and no deliveries. */
  former_events: string[];
  /** API key or user whose rights decide which events are sent: the one that created the webhook, or that last changed `url`, `events` or `payload`, rotated the secret, resumed or replayed. null: all events. */
  owner: { type: 'key' | 'user'; id: string | number; name: string; } | null;
}

/** Only the fields to change. Cannot be changed: `id`. Read-only: `secret`, `former_events`, `owner`. Ignored: `since`, `status`, `reason`, `failing_since`, `next_attempt`, `pending`. Unknown fields are a 422. */
export interface WebhookPatch {
  /** URL that receives the events. It must be on the public internet and use port 80 or 443, unless the operator of the store allows other networks. */
  readonly url?: string;
  /** Events to send, such as `product.updated`; `order.*` for all events of a resource, `*` for all events. */
  readonly events?: readonly string[];
  /** Whether events are sent. Events of a disabled webhook are sent once it is enabled again. */
  readonly enabled?: boolean;
  /** `record`: each event includes the record as it is at the time of sending. `thin`: without the record. */
  readonly payload?: 'thin' | 'record';
  /** Note about the webhook’s purpose. */
  readonly description?: string;
}

/** Unknown fields are a 422. */
export interface WebhookReplayInput {
  /** Cursor of the change feed or of a delivery, or a date-time. Later changes are sent again. */
  readonly after: string;
}

/** Unknown fields are a 422. */
export interface WebhookResumeInput {
  /** `kept`: continue with the event at which it stopped. `now`: skip all changes up to now. */
  readonly from?: 'kept' | 'now';
}

/** Unknown fields are a 422. */
export interface WebhookRotateSecretInput {
  /** Number of hours for which events are also signed with the old secret; 24 if omitted. */
  readonly keep_old_hours?: number;
}

/** Unknown fields are a 422. */
export interface WebhookTestInput {

}

/** Read-only: `id`, `product_id`, `variant_id`, `sku`. Unknown fields are a 422. */
export interface WholesalePriceInput {
  /** `price`: the price of one unit. `percent`: the percentage off. Default: `"price"`. */
  readonly type?: 'price' | 'percent';
  /** Price of one unit, or percentage off (at most 100). Default: `0`. */
  readonly price?: number;
  /** Minimum quantity: at least 2, or 1 with a membership. Unique among the rows of the product or variant for the membership. Default: `2`. */
  readonly quantity_range_begin?: number;
  /** Id of the membership of the buyer; null is every buyer. Default: `null`. */
  readonly membership?: number | null;
}

/** One wholesale price: its input including the key, or an object with an operation. */
export type WholesalePriceLineAtWholesalePrices = { readonly sku: string; readonly quantity_range_begin: number; } & WholesalePricePatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number | Readonly<Record<string, unknown>>; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: { readonly sku: string; readonly quantity_range_begin: number; } & WholesalePricePatch; };

/** A price of a product or variant from a minimum quantity, for all buyers or for a membership. */
export interface WholesalePriceOutput {
  id: number;
  /** `price`: the price of one unit. `percent`: the percentage off. */
  type: 'price' | 'percent';
  /** Price of one unit, or percentage off (at most 100). */
  price: number;
  /** Minimum quantity: at least 2, or 1 with a membership. Unique among the rows of the product or variant for the membership. */
  quantity_range_begin: number;
  /** Id of the membership of the buyer; null is every buyer. */
  membership: number | null;
  /** Id of the product. */
  product_id: number;
  /** Id of the variant; null for a price of the product. */
  variant_id: number | null;
  /** SKU of the variant, or of the product for a price of the product. */
  sku: string | null;
}

/** Only the fields to change. Cannot be changed: `id`. Read-only: `product_id`, `variant_id`, `sku`. Unknown fields are a 422. */
export interface WholesalePricePatch {
  /** `price`: the price of one unit. `percent`: the percentage off. */
  readonly type?: 'price' | 'percent';
  /** Price of one unit, or percentage off (at most 100). */
  readonly price?: number;
  /** Minimum quantity: at least 2, or 1 with a membership. Unique among the rows of the product or variant for the membership. */
  readonly quantity_range_begin?: number;
  /** Id of the membership of the buyer; null is every buyer. */
  readonly membership?: number | null;
}

/** Read-only: `id`. Unknown fields are a 422. */
export interface ZoneInput {
  /** Unique name. Must be unique. */
  readonly name: string;
  /** The zone contains an address if all non-empty lists of one element match it. Without elements, it contains every address. Default: `[]`. */
  readonly elements?: readonly { /** ISO 3166 codes. The other lists need exactly one. */ readonly countries: readonly string[]; /** Names of states. */ readonly states?: readonly string[]; /** Postcodes (`78701`), prefixes (`787*`) and ranges (`75000-79999`). */ readonly zips?: readonly string[]; /** Names of cities. */ readonly cities?: readonly string[]; }[];
}

/** One zone: its input including the key, or an object with an operation. */
export type ZoneLine = ZoneInput | ZonePatch | { readonly op: 'upsert' | 'delete'; /** Key of the record. If omitted, the body contains it. */ readonly key?: string | number; /** Version or ETag that the record must have. */ readonly if_match?: string | number; readonly body?: ZoneInput | ZonePatch; };

/** A link to a zone. */
export type ZoneLink = string | number | ZoneOutput;

/** A link to a zone, or null. */
export type ZoneLinkOrNull = string | number | ZoneOutput | null;

/** A set of addresses, such as a country or a state, that taxes and discounts are restricted to. */
export interface ZoneOutput {
  id: number;
  /** Unique name. */
  name: string;
  /** The zone contains an address if all non-empty lists of one element match it. Without elements, it contains every address. */
  elements: { /** ISO 3166 codes. The other lists need exactly one. */ countries: string[]; /** Names of states. */ states: string[]; /** Postcodes (`78701`), prefixes (`787*`) and ranges (`75000-79999`). */ zips: string[]; /** Names of cities. */ cities: string[]; }[];
}

/** Only the fields to change. Cannot be changed: `id`. Unknown fields are a 422. */
export interface ZonePatch {
  /** Unique name. Must be unique. */
  readonly name?: string;
  /** The zone contains an address if all non-empty lists of one element match it. Without elements, it contains every address. */
  readonly elements?: readonly { /** ISO 3166 codes. The other lists need exactly one. */ readonly countries: readonly string[]; /** Names of states. */ readonly states?: readonly string[]; /** Postcodes (`78701`), prefixes (`787*`) and ranges (`75000-79999`). */ readonly zips?: readonly string[]; /** Names of cities. */ readonly cities?: readonly string[]; }[];
}
