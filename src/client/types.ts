/**
 * The store's input and output, for TypeScript. Made from the declarations by `npm run renew`, which is to be
 * run again when they change; not written by hand.
 */

/** Every path, what its parameters are, and what each method takes and answers. */
export interface Paths {
  '/attribute_groups': {
    parameters: Record<never, never>;
    /** List attribute groups. */
    list: {
      item: AttributeGroupOutput;
      order: 'id' | 'position';
      filter: {
        /** Only those whose `id` is this id. */
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
    /** Change some fields of an attribute group. */
    patch: { input: AttributeGroupPatch; output: AttributeGroupOutput };
    /** Delete an attribute group. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attribute_groups': {
    parameters: { readonly class_id: number };
    /** List attribute groups. */
    list: {
      item: AttributeGroupOutput;
      order: 'id' | 'position';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
      };
    };
    /** Create an attribute group. */
    post: { input: AttributeGroupInput; output: AttributeGroupOutput };
  };
  '/product_classes/{class_id}/attribute_groups/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read an attribute group. */
    get: { output: AttributeGroupOutput };
    /** Replace an attribute group. */
    put: { input: AttributeGroupInput; output: AttributeGroupOutput };
    /** Change some fields of an attribute group. */
    patch: { input: AttributeGroupPatch; output: AttributeGroupOutput };
    /** Delete an attribute group. */
    delete: { output: undefined };
  };
  '/attribute_groups/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of an attribute group in every language. */
    get: { output: Record<string, AttributeGroupTranslationOutput> };
  };
  '/attribute_groups/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of an attribute group in one language. */
    get: { output: AttributeGroupTranslationOutput };
    /** Write the texts of an attribute group in one language. */
    put: { input: AttributeGroupTranslationInput; output: AttributeGroupTranslationOutput };
    /** Delete the texts of an attribute group in one language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attribute_groups/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read the texts of an attribute group in every language. */
    get: { output: Record<string, AttributeGroupTranslationOutput> };
  };
  '/product_classes/{class_id}/attribute_groups/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute group in one language. */
    get: { output: AttributeGroupTranslationOutput };
    /** Write the texts of an attribute group in one language. */
    put: { input: AttributeGroupTranslationInput; output: AttributeGroupTranslationOutput };
    /** Delete the texts of an attribute group in one language. */
    delete: { output: undefined };
  };
  '/attributes': {
    parameters: Record<never, never>;
    /** List attributes. */
    list: {
      item: AttributeOutput;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
  };
  '/attributes_text': {
    parameters: Record<never, never>;
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/attributes_text/{id}': {
    parameters: { readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/attributes_checkbox': {
    parameters: Record<never, never>;
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/attributes_checkbox/{id}': {
    parameters: { readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/attributes_select': {
    parameters: Record<never, never>;
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesSelect;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
  };
  '/attributes_select/{id}': {
    parameters: { readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesSelect };
    /** Replace an attribute. */
    put: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatchAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/attributes_hidden': {
    parameters: Record<never, never>;
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/attributes_hidden/{id}': {
    parameters: { readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_text': {
    parameters: { readonly class_id: number };
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_text/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_checkbox': {
    parameters: { readonly class_id: number };
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInput; output: AttributeOutputAtAttributesText };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInput; output: AttributeOutputAtAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatch; output: AttributeOutputAtAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select': {
    parameters: { readonly class_id: number };
    /** List attributes. */
    list: {
      item: AttributeOutputAtAttributesSelect;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `groupId` is this id, or this address. */
        readonly groupId?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `groupId.id` is this id. */
        readonly 'groupId.id'?: number | readonly number[];
        /** Only those whose `groupId.name` is this whole text, accents and case aside. */
        readonly 'groupId.name'?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
  };
  '/product_classes/{class_id}/attributes_select/{id}': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtAttributesSelect };
    /** Replace an attribute. */
    put: { input: AttributeInputAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatchAtAttributesSelect; output: AttributeOutputAtAttributesSelect };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text': {
    parameters: { readonly product_id: number };
    /** List attributes. */
    list: {
      item: AttributeOutputAtProductsAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
  };
  '/products/{product_id}/attributes_text/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtProductsAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatchAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_checkbox': {
    parameters: { readonly product_id: number };
    /** List attributes. */
    list: {
      item: AttributeOutputAtProductsAttributesText;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
  };
  '/products/{product_id}/attributes_checkbox/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtProductsAttributesText };
    /** Replace an attribute. */
    put: { input: AttributeInputAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatchAtProductsAttributesText; output: AttributeOutputAtProductsAttributesText };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select': {
    parameters: { readonly product_id: number };
    /** List attributes. */
    list: {
      item: AttributeOutputAtProductsAttributesSelect;
      order: 'id' | 'position' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
      };
    };
    /** Create an attribute. */
    post: { input: AttributeInputAtProductsAttributesSelect; output: AttributeOutputAtProductsAttributesSelect };
  };
  '/products/{product_id}/attributes_select/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read an attribute. */
    get: { output: AttributeOutputAtProductsAttributesSelect };
    /** Replace an attribute. */
    put: { input: AttributeInputAtProductsAttributesSelect; output: AttributeOutputAtProductsAttributesSelect };
    /** Change some fields of an attribute. */
    patch: { input: AttributePatchAtProductsAttributesSelect; output: AttributeOutputAtProductsAttributesSelect };
    /** Delete an attribute. */
    delete: { output: undefined };
  };
  '/attributes_text/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_text/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/attributes_checkbox/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_checkbox/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/attributes_select/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_select/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/attributes_hidden/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/attributes_hidden/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_text/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_text/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_checkbox/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select/{id}/translations': {
    parameters: { readonly class_id: number; readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_select/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/products/{product_id}/attributes_text/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_checkbox/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/products/{product_id}/attributes_checkbox/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{id}/translations': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read the texts of an attribute in every language. */
    get: { output: Record<string, AttributeTranslationOutput> };
  };
  '/products/{product_id}/attributes_select/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute in one language. */
    get: { output: AttributeTranslationOutput };
    /** Write the texts of an attribute in one language. */
    put: { input: AttributeTranslationInput; output: AttributeTranslationOutput };
    /** Delete the texts of an attribute in one language. */
    delete: { output: undefined };
  };
  '/attributes_select/{attribute_id}/options': {
    parameters: { readonly attribute_id: number };
    /** List attribute options. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `value` has this text anywhere in it, accents and case aside. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/attributes_select/{attribute_id}/options/{id}': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read an attribute option. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Change some fields of an attribute option. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option. */
    delete: { output: undefined };
  };
  '/attributes_hidden/{attribute_id}/options': {
    parameters: { readonly attribute_id: number };
    /** List attribute options. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `value` has this text anywhere in it, accents and case aside. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/attributes_hidden/{attribute_id}/options/{id}': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read an attribute option. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Change some fields of an attribute option. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options': {
    parameters: { readonly class_id: number; readonly attribute_id: number };
    /** List attribute options. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `value` has this text anywhere in it, accents and case aside. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number };
    /** Read an attribute option. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Change some fields of an attribute option. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List attribute options. */
    list: {
      item: AttributeOptionOutput;
      order: 'id' | 'position' | 'value';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `value` has this text anywhere in it, accents and case aside. */
        readonly value?: string | readonly string[];
      };
    };
    /** Create an attribute option. */
    post: { input: AttributeOptionInput; output: AttributeOptionOutput };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Read an attribute option. */
    get: { output: AttributeOptionOutput };
    /** Replace an attribute option. */
    put: { input: AttributeOptionInput; output: AttributeOptionOutput };
    /** Change some fields of an attribute option. */
    patch: { input: AttributeOptionPatch; output: AttributeOptionOutput };
    /** Delete an attribute option. */
    delete: { output: undefined };
  };
  '/attributes_select/{attribute_id}/options/{id}/translations': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read the texts of an attribute option in every language. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/attributes_select/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option in one language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option in one language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option in one language. */
    delete: { output: undefined };
  };
  '/attributes_hidden/{attribute_id}/options/{id}/translations': {
    parameters: { readonly attribute_id: number; readonly id: number };
    /** Read the texts of an attribute option in every language. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/attributes_hidden/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option in one language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option in one language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option in one language. */
    delete: { output: undefined };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}/translations': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number };
    /** Read the texts of an attribute option in every language. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/product_classes/{class_id}/attributes_select/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly class_id: number; readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option in one language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option in one language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option in one language. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}/translations': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number };
    /** Read the texts of an attribute option in every language. */
    get: { output: Record<string, AttributeOptionTranslationOutput> };
  };
  '/products/{product_id}/attributes_select/{attribute_id}/options/{id}/translations/{code}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly id: number; readonly code: string };
    /** Read the texts of an attribute option in one language. */
    get: { output: AttributeOptionTranslationOutput };
    /** Write the texts of an attribute option in one language. */
    put: { input: AttributeOptionTranslationInput; output: AttributeOptionTranslationOutput };
    /** Delete the texts of an attribute option in one language. */
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
    /** Change some fields of an attribute property. */
    patch: { input: AttributePropertyPatch; output: AttributePropertyOutput };
  };
  '/products/{product_id}/attributes_checkbox/{attribute_id}/values': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** List attribute value checkboxes. */
    list: {
      item: AttributeValueCheckboxOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
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
    /** Change some fields of an attribute value checkbox. */
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
    /** Change some fields of an attribute value hidden. */
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
        /** Only those whose `id` is this id. */
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
    /** Change some fields of an attribute value select. */
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
    /** Change some fields of an attribute value text. */
    patch: { input: AttributeValueTextPatch; output: AttributeValueTextOutput };
    /** Delete an attribute value text. */
    delete: { output: undefined };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values/translations': {
    parameters: { readonly product_id: number; readonly attribute_id: number };
    /** Read the texts of an attribute value text in every language. */
    get: { output: Record<string, AttributeValueTextTranslationOutput> };
  };
  '/products/{product_id}/attributes_text/{attribute_id}/values/translations/{code}': {
    parameters: { readonly product_id: number; readonly attribute_id: number; readonly code: string };
    /** Read the texts of an attribute value text in one language. */
    get: { output: AttributeValueTextTranslationOutput };
    /** Write the texts of an attribute value text in one language. */
    put: { input: AttributeValueTextTranslationInput; output: AttributeValueTextTranslationOutput };
    /** Delete the texts of an attribute value text in one language. */
    delete: { output: undefined };
  };
  '/categories': {
    parameters: Record<never, never>;
    /** List categories. */
    list: {
      item: CategoryOutput;
      order: 'id' | 'position' | 'name' | 'clean_url';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `parent` is this id, or this address. Without this filter, or one on `id`, `clean_url`, `name`, `product`, only those that have none; `all` asks for all. */
        readonly parent?: number | 'all' | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `parent.id` is this id. */
        readonly 'parent.id'?: number | readonly number[];
        /** Only those whose `parent.name` is this whole text, accents and case aside. */
        readonly 'parent.name'?: string | readonly string[];
        /** Only those whose `enabled` is this value. */
        readonly enabled?: boolean;
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** Only those whose `product` is this id, or this address. */
        readonly product?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `product.id` is this id. */
        readonly 'product.id'?: number | readonly number[];
        /** Only those whose `product.name` is this whole text, accents and case aside. */
        readonly 'product.name'?: string | readonly string[];
        /** Only those whose `memberships` has this name, or this address. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** Only those whose `memberships.name` has this name. */
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
    /** Change some fields of a category. */
    patch: { input: CategoryPatch; output: CategoryOutput };
    /** Delete a category. */
    delete: { output: undefined };
  };
  '/products/{product_id}/categories': {
    parameters: { readonly product_id: number };
    /** List categories. */
    list: {
      item: CategoryOutput;
      order: 'id' | 'position' | 'name' | 'clean_url';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `parent` is this id, or this address. Without this filter, or one on `id`, `clean_url`, `name`, `product`, only those that have none; `all` asks for all. */
        readonly parent?: number | 'all' | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `parent.id` is this id. */
        readonly 'parent.id'?: number | readonly number[];
        /** Only those whose `parent.name` is this whole text, accents and case aside. */
        readonly 'parent.name'?: string | readonly string[];
        /** Only those whose `enabled` is this value. */
        readonly enabled?: boolean;
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** Only those whose `product` is this id, or this address. */
        readonly product?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `product.id` is this id. */
        readonly 'product.id'?: number | readonly number[];
        /** Only those whose `product.name` is this whole text, accents and case aside. */
        readonly 'product.name'?: string | readonly string[];
        /** Only those whose `memberships` has this name, or this address. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** Only those whose `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
      };
    };
  };
  '/categories/{category_id}/translations': {
    parameters: { readonly category_id: number };
    /** Read the texts of a category in every language. */
    get: { output: Record<string, CategoryTranslationOutput> };
  };
  '/categories/{category_id}/translations/{code}': {
    parameters: { readonly category_id: number; readonly code: string };
    /** Read the texts of a category in one language. */
    get: { output: CategoryTranslationOutput };
    /** Write the texts of a category in one language. */
    put: { input: CategoryTranslationInput; output: CategoryTranslationOutput };
    /** Delete the texts of a category in one language. */
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
    bulk: { line: CategoryInput | CategoryPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: CategoryInput | CategoryPatch; } };
  };
  '/categories/{category_id}/stats': {
    parameters: { readonly category_id: number };
    /** Count what is in a category. */
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
        /** Only those whose `product_id` is this id, or this address. */
        readonly product_id?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `product_id.id` is this id. */
        readonly 'product_id.id'?: number | readonly number[];
        /** Only those whose `product_id.name` is this whole text, accents and case aside. */
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
    /** Change some fields of a category product. */
    patch: { input: CategoryProductPatch; output: CategoryProductOutput };
    /** Delete a category product. */
    delete: { output: undefined };
  };
  '/product_classes': {
    parameters: Record<never, never>;
    /** List product classes. */
    list: {
      item: ProductClassOutput;
      order: 'id' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
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
    /** Change some fields of a product class. */
    patch: { input: ProductClassPatch; output: ProductClassOutput };
    /** Delete a product class. */
    delete: { output: undefined };
  };
  '/product_classes/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a product class in every language. */
    get: { output: Record<string, ProductClassTranslationOutput> };
  };
  '/product_classes/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a product class in one language. */
    get: { output: ProductClassTranslationOutput };
    /** Write the texts of a product class in one language. */
    put: { input: ProductClassTranslationInput; output: ProductClassTranslationOutput };
    /** Delete the texts of a product class in one language. */
    delete: { output: undefined };
  };
  '/product_classes/bulk': {
    parameters: Record<never, never>;
    /** Write many product classes. */
    bulk: { line: ProductClassInput | ProductClassPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: ProductClassInput | ProductClassPatch; } };
  };
  '/products': {
    parameters: Record<never, never>;
    /** List products. */
    list: {
      item: ProductOutput;
      order: 'id' | 'sku' | 'name' | 'price' | 'amount' | 'arrival_date' | 'create_date' | 'update_date';
      filter: {
        /** Only those that have every one of these words, accents and case aside, somewhere in `sku`, `name`, `brief_description`, `description`, the `value` of an attribute value text. The best come first, unless `order` says otherwise. */
        readonly search?: string;
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `clean_url` is exactly this text. */
        readonly clean_url?: string | readonly string[];
        /** Only those whose `price` is this number. */
        readonly price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `market_price` is this number. */
        readonly market_price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `cost_price` is this number. */
        readonly cost_price?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `weight` is this number. */
        readonly weight?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `amount` is this number. */
        readonly amount?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `enabled` is this value. */
        readonly enabled?: boolean;
        /** Only those whose `taxable` is this value. */
        readonly taxable?: boolean;
        /** Only those whose `free_shipping` is this value. */
        readonly free_shipping?: boolean;
        /** Only those whose `participate_sale` is this value. */
        readonly participate_sale?: boolean;
        /** Only those whose `discount_type` is exactly this text. */
        readonly discount_type?: 'sale_price' | 'sale_percent' | readonly ('sale_price' | 'sale_percent')[];
        /** Only those whose `product_class` has this name, or this address. */
        readonly product_class?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `product_class.id` is this id. */
        readonly 'product_class.id'?: number | readonly number[];
        /** Only those whose `product_class.name` has this name. */
        readonly 'product_class.name'?: string | readonly string[];
        /** Only those whose `tax_class` has this name, or this address. */
        readonly tax_class?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `tax_class.id` is this id. */
        readonly 'tax_class.id'?: number | readonly number[];
        /** Only those whose `tax_class.name` has this name. */
        readonly 'tax_class.name'?: string | readonly string[];
        /** Only those whose `memberships` has this name, or this address. */
        readonly memberships?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `memberships.id` is this id. */
        readonly 'memberships.id'?: number | readonly number[];
        /** Only those whose `memberships.name` has this name. */
        readonly 'memberships.name'?: string | readonly string[];
        /** Only those whose `tags` has this name, or this address. */
        readonly tags?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `tags.id` is this id. */
        readonly 'tags.id'?: number | readonly number[];
        /** Only those whose `tags.name` has this name. */
        readonly 'tags.name'?: string | readonly string[];
        /** Only those whose `stickers` is this id, or this address. */
        readonly stickers?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `stickers.id` is this id. */
        readonly 'stickers.id'?: number | readonly number[];
        /** Only those whose `stickers.name` has this name. */
        readonly 'stickers.name'?: string | readonly string[];
        /** Only those whose `category` is this id, or this address. */
        readonly category?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `category.id` is this id. */
        readonly 'category.id'?: number | readonly number[];
        /** Only those whose `category.name` is this whole text, accents and case aside. */
        readonly 'category.name'?: string | readonly string[];
        /** Only those whose `create_date` is this moment; a bare date is that whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** Only those whose `update_date` is this moment; a bare date is that whole day. */
        readonly update_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** Only those whose `arrival_date` is this moment; a bare date is that whole day. */
        readonly arrival_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
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
    /** Change some fields of a product. */
    patch: { input: ProductPatch; output: ProductOutput };
    /** Delete a product. */
    delete: { output: undefined };
  };
  '/products/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a product in every language. */
    get: { output: Record<string, ProductTranslationOutput> };
  };
  '/products/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a product in one language. */
    get: { output: ProductTranslationOutput };
    /** Write the texts of a product in one language. */
    put: { input: ProductTranslationInput; output: ProductTranslationOutput };
    /** Delete the texts of a product in one language. */
    delete: { output: undefined };
  };
  '/products/{id}/stock': {
    parameters: { readonly id: number };
    /** Add to the stock of a product in one step. */
    post: { input: ProductStockInput; output: ProductOutput };
  };
  '/products/bulk': {
    parameters: Record<never, never>;
    /** Write many products. */
    bulk: { line: ProductInput | ProductPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: ProductInput | ProductPatch; } };
  };
  '/products/stock/bulk': {
    parameters: Record<never, never>;
    /** Add to the stock of a product in one step, for many at once. */
    bulk: { line: { readonly sku: string; } & ProductStockInput | { readonly sku: string; } & { readonly amount?: number; } };
  };
  '/products/{product_id}/images': {
    parameters: { readonly product_id: number };
    /** List product images. */
    list: {
      item: ProductImageOutput;
      order: 'id' | 'position';
      filter: {
        /** Only those whose `id` is this id. */
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
    /** Change some fields of a product image. */
    patch: { input: ProductImagePatch; output: ProductImageOutput };
    /** Delete a product image. */
    delete: { output: undefined };
  };
  '/products/{product_id}/variants': {
    parameters: { readonly product_id: number };
    /** List variants. */
    list: {
      item: VariantOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
      };
    };
    /** Create a variant. */
    post: { input: VariantInput; output: VariantOutput };
  };
  '/products/{product_id}/variants/{id}': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Read a variant. */
    get: { output: VariantOutput };
    /** Replace a variant. */
    put: { input: VariantReplacement; output: VariantOutput };
    /** Change some fields of a variant. */
    patch: { input: VariantPatch; output: VariantOutput };
    /** Delete a variant. */
    delete: { output: undefined };
  };
  '/variants': {
    parameters: Record<never, never>;
    /** List variants. */
    list: {
      item: VariantOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
      };
    };
  };
  '/products/{product_id}/variants/{id}/stock': {
    parameters: { readonly product_id: number; readonly id: number };
    /** Add to the stock of a variant in one step. */
    post: { input: VariantStockInput; output: VariantOutput };
  };
  '/products/{product_id}/variants/bulk': {
    parameters: { readonly product_id: number };
    /** Write many variants. */
    bulk: { line: VariantInput | VariantPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: VariantInput | VariantPatch; } };
  };
  '/products/{product_id}/variants/stock/bulk': {
    parameters: { readonly product_id: number };
    /** Add to the stock of a variant in one step, for many at once. */
    bulk: { line: { readonly sku: string; } & VariantStockInput | { readonly sku: string; } & { readonly amount?: number; } };
  };
  '/tax_classes': {
    parameters: Record<never, never>;
    /** List tax classes. */
    list: {
      item: TaxClassOutput;
      order: 'id' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
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
    /** Change some fields of a tax class. */
    patch: { input: TaxClassPatch; output: TaxClassOutput };
    /** Delete a tax class. */
    delete: { output: undefined };
  };
  '/tax_classes/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a tax class in every language. */
    get: { output: Record<string, TaxClassTranslationOutput> };
  };
  '/tax_classes/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a tax class in one language. */
    get: { output: TaxClassTranslationOutput };
    /** Write the texts of a tax class in one language. */
    put: { input: TaxClassTranslationInput; output: TaxClassTranslationOutput };
    /** Delete the texts of a tax class in one language. */
    delete: { output: undefined };
  };
  '/tax_classes/bulk': {
    parameters: Record<never, never>;
    /** Write many tax classes. */
    bulk: { line: TaxClassInput | TaxClassPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: TaxClassInput | TaxClassPatch; } };
  };
  '/orders': {
    parameters: Record<never, never>;
    /** List orders. */
    list: {
      item: OrderOutput;
      order: 'id' | 'create_date' | 'update_date' | 'total';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `order_number` is exactly this text. */
        readonly order_number?: string | readonly string[];
        /** Only those whose `email` has this text anywhere in it, accents and case aside. */
        readonly email?: string | readonly string[];
        /** Only those whose `total` is this number. */
        readonly total?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `sub_total` is this number. */
        readonly sub_total?: number | readonly number[] | { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number; readonly between?: readonly [from: number, to: number] };
        /** Only those whose `currency` is exactly this text. */
        readonly currency?: string | readonly string[];
        /** Only those whose `customer_id` is this id, or this address. */
        readonly customer_id?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `customer_id.id` is this id. */
        readonly 'customer_id.id'?: number | readonly number[];
        /** Only those whose `create_date` is this moment; a bare date is that whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** Only those whose `update_date` is this moment; a bare date is that whole day. */
        readonly update_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** Only those whose `payment_status` has this name, or this address. */
        readonly payment_status?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `payment_status.id` is this id. */
        readonly 'payment_status.id'?: number | readonly number[];
        /** Only those whose `payment_status.code` has this name. */
        readonly 'payment_status.code'?: string | readonly string[];
        /** Only those whose `shipping_status` has this name, or this address. */
        readonly shipping_status?: string | readonly string[] | { readonly exists?: boolean };
        /** Only those whose `shipping_status.id` is this id. */
        readonly 'shipping_status.id'?: number | readonly number[];
        /** Only those whose `shipping_status.code` has this name. */
        readonly 'shipping_status.code'?: string | readonly string[];
        /** Only those whose `sku` is exactly this text. */
        readonly sku?: string | readonly string[];
      };
    };
    /** Create an order. */
    post: { input: OrderInput; output: OrderOutput };
  };
  '/orders/{id}': {
    parameters: { readonly id: number };
    /** Read an order. */
    get: { output: OrderOutput };
    /** Change some fields of an order. */
    patch: { input: OrderPatch; output: OrderOutput };
  };
  '/orders/by_number/{orderNumber}': {
    parameters: { readonly orderNumber: string };
    /** Read an order. */
    get: { output: OrderOutput };
  };
  '/orders/{id}/edit': {
    parameters: { readonly id: number };
    /** Change the lines and surcharges of an order. */
    post: { input: OrderEditInput; output: OrderOutput };
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
    bulk: { line: OrderInput | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: OrderInput; } };
  };
  '/orders/{order_id}/details': {
    parameters: { readonly order_id: number };
    /** List order details. */
    list: {
      item: OrderDetailOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
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
    /** Change some fields of an order detail. */
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
        /** Only those whose `id` is this id. */
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
        /** Only those whose `id` is this id. */
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
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `status` is exactly this text. */
        readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V' | readonly ('I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V')[];
        /** Only those whose `type` is exactly this text. */
        readonly type?: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test' | readonly ('auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test')[];
        /** Only those whose `date` is this moment; a bare date is that whole day. */
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
    /** Change some fields of a transaction. */
    patch: { input: TransactionPatch; output: TransactionOutput };
  };
  '/orders/{order_id}/tracking_numbers': {
    parameters: { readonly order_id: number };
    /** List order tracking numbers. */
    list: {
      item: OrderTrackingNumberOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
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
    /** Change some fields of an order tracking number. */
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
        /** Only those whose `id` is this id. */
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
    /** Change some fields of an order shipment. */
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
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `status` is exactly this text. */
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
    /** Change some fields of an order return. */
    patch: { input: OrderReturnPatch; output: OrderReturnOutput };
  };
  '/orders/{order_id}/invoices': {
    parameters: { readonly order_id: number };
    /** List order invoices. */
    list: {
      item: OrderInvoiceOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `kind` is exactly this text. */
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
  '/profiles': {
    parameters: Record<never, never>;
    /** List profiles. */
    list: {
      item: ProfileOutput;
      order: 'id' | 'login' | 'create_date' | 'last_login_date';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `login` has this text anywhere in it, accents and case aside. */
        readonly login?: string | readonly string[];
        /** Only those whose `status` is exactly this text. */
        readonly status?: 'E' | 'D' | readonly ('E' | 'D')[];
        /** Only those whose `membership_id` is this id, or this address. */
        readonly membership_id?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `membership_id.id` is this id. */
        readonly 'membership_id.id'?: number | readonly number[];
        /** Only those whose `membership_id.name` has this name. */
        readonly 'membership_id.name'?: string | readonly string[];
        /** Only those whose `pending_membership_id` is this id, or this address. */
        readonly pending_membership_id?: number | readonly number[] | { readonly exists?: boolean };
        /** Only those whose `pending_membership_id.id` is this id. */
        readonly 'pending_membership_id.id'?: number | readonly number[];
        /** Only those whose `pending_membership_id.name` has this name. */
        readonly 'pending_membership_id.name'?: string | readonly string[];
        /** Only those whose `create_date` is this moment; a bare date is that whole day. */
        readonly create_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** Only those whose `first_login_date` is this moment; a bare date is that whole day. */
        readonly first_login_date?: string | readonly string[] | { readonly before?: string; readonly strictly_before?: string; readonly after?: string; readonly strictly_after?: string };
        /** Only those whose `last_login_date` is this moment; a bare date is that whole day. */
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
    /** Change some fields of a profile. */
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
        /** Only those whose `id` is this id. */
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
    /** Change some fields of a profile address. */
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
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `enabled` is this value. */
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
    /** Change some fields of a membership. */
    patch: { input: MembershipPatch; output: MembershipOutput };
    /** Delete a membership. */
    delete: { output: undefined };
  };
  '/memberships/{membership_id}/translations': {
    parameters: { readonly membership_id: number };
    /** Read the texts of a membership in every language. */
    get: { output: Record<string, MembershipTranslationOutput> };
  };
  '/memberships/{membership_id}/translations/{code}': {
    parameters: { readonly membership_id: number; readonly code: string };
    /** Read the texts of a membership in one language. */
    get: { output: MembershipTranslationOutput };
    /** Write the texts of a membership in one language. */
    put: { input: MembershipTranslationInput; output: MembershipTranslationOutput };
    /** Delete the texts of a membership in one language. */
    delete: { output: undefined };
  };
  '/memberships/bulk': {
    parameters: Record<never, never>;
    /** Write many memberships. */
    bulk: { line: MembershipInput | MembershipPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: MembershipInput | MembershipPatch; } };
  };
  '/tags': {
    parameters: Record<never, never>;
    /** List tags. */
    list: {
      item: TagOutput;
      order: 'id' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
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
    /** Change some fields of a tag. */
    patch: { input: TagPatch; output: TagOutput };
    /** Delete a tag. */
    delete: { output: undefined };
  };
  '/tags/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a tag in every language. */
    get: { output: Record<string, TagTranslationOutput> };
  };
  '/tags/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a tag in one language. */
    get: { output: TagTranslationOutput };
    /** Write the texts of a tag in one language. */
    put: { input: TagTranslationInput; output: TagTranslationOutput };
    /** Delete the texts of a tag in one language. */
    delete: { output: undefined };
  };
  '/tags/bulk': {
    parameters: Record<never, never>;
    /** Write many tags. */
    bulk: { line: TagInput | TagPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: TagInput | TagPatch; } };
  };
  '/stickers': {
    parameters: Record<never, never>;
    /** List stickers. */
    list: {
      item: StickerOutput;
      order: 'id' | 'name';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `name` has this text anywhere in it, accents and case aside. */
        readonly name?: string | readonly string[];
        /** Only those whose `enabled` is this value. */
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
    /** Change some fields of a sticker. */
    patch: { input: StickerPatch; output: StickerOutput };
    /** Delete a sticker. */
    delete: { output: undefined };
  };
  '/stickers/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a sticker in every language. */
    get: { output: Record<string, StickerTranslationOutput> };
  };
  '/stickers/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a sticker in one language. */
    get: { output: StickerTranslationOutput };
    /** Write the texts of a sticker in one language. */
    put: { input: StickerTranslationInput; output: StickerTranslationOutput };
    /** Delete the texts of a sticker in one language. */
    delete: { output: undefined };
  };
  '/stickers/bulk': {
    parameters: Record<never, never>;
    /** Write many stickers. */
    bulk: { line: StickerInput | StickerPatch | { readonly op: 'upsert' | 'delete'; /** Left out, it is in the body. */ readonly key?: string | number; /** The version that the record must have, or its ETag. */ readonly if_match?: string | number; readonly body?: StickerInput | StickerPatch; } };
  };
  '/languages': {
    parameters: Record<never, never>;
    /** List languages. */
    list: {
      item: LanguageOutput;
      order: 'code';
      filter: {
        /** Only those whose `code` is exactly this text. */
        readonly code?: string | readonly string[];
        /** Only those whose `enabled` is this value. */
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
    /** Change some fields of a language. */
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
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `code` is exactly this text. */
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
    /** Change some fields of a payment status. */
    patch: { input: PaymentStatusPatch; output: PaymentStatusOutput };
    /** Delete a payment status. */
    delete: { output: undefined };
  };
  '/payment_statuses/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a payment status in every language. */
    get: { output: Record<string, PaymentStatusTranslationOutput> };
  };
  '/payment_statuses/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a payment status in one language. */
    get: { output: PaymentStatusTranslationOutput };
    /** Write the texts of a payment status in one language. */
    put: { input: PaymentStatusTranslationInput; output: PaymentStatusTranslationOutput };
    /** Delete the texts of a payment status in one language. */
    delete: { output: undefined };
  };
  '/shipping_statuses': {
    parameters: Record<never, never>;
    /** List shipping statuses. */
    list: {
      item: ShippingStatusOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `code` is exactly this text. */
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
    /** Change some fields of a shipping status. */
    patch: { input: ShippingStatusPatch; output: ShippingStatusOutput };
    /** Delete a shipping status. */
    delete: { output: undefined };
  };
  '/shipping_statuses/{id}/translations': {
    parameters: { readonly id: number };
    /** Read the texts of a shipping status in every language. */
    get: { output: Record<string, ShippingStatusTranslationOutput> };
  };
  '/shipping_statuses/{id}/translations/{code}': {
    parameters: { readonly id: number; readonly code: string };
    /** Read the texts of a shipping status in one language. */
    get: { output: ShippingStatusTranslationOutput };
    /** Write the texts of a shipping status in one language. */
    put: { input: ShippingStatusTranslationInput; output: ShippingStatusTranslationOutput };
    /** Delete the texts of a shipping status in one language. */
    delete: { output: undefined };
  };
  '/webhooks': {
    parameters: Record<never, never>;
    /** List webhooks. */
    list: {
      item: WebhookOutput;
      order: 'id';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `enabled` is this value. */
        readonly enabled?: boolean;
        /** Only those whose `status` is exactly this text. */
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
    /** Change some fields of a webhook. */
    patch: { input: WebhookPatch; output: WebhookOutput };
    /** Delete a webhook. */
    delete: { output: undefined };
  };
  '/webhooks/{webhook_id}/rotate_secret': {
    parameters: { readonly webhook_id: number };
    /** Draw a new secret of a webhook. */
    post: { input: WebhookRotateSecretInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/test': {
    parameters: { readonly webhook_id: number };
    /** Send a test event to a webhook. */
    post: { input: WebhookTestInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/resume': {
    parameters: { readonly webhook_id: number };
    /** Go on with a webhook that is paused or failing. */
    post: { input: WebhookResumeInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/replay': {
    parameters: { readonly webhook_id: number };
    /** Send events again that a webhook had before. */
    post: { input: WebhookReplayInput; output: WebhookOutput };
  };
  '/webhooks/{webhook_id}/deliveries': {
    parameters: { readonly webhook_id: number };
    /** List webhook deliveries. */
    list: {
      item: WebhookDeliveryOutput;
      order: 'id' | 'date';
      filter: {
        /** Only those whose `id` is this id. */
        readonly id?: number | readonly number[];
        /** Only those whose `status` is exactly this text. */
        readonly status?: 'waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced' | readonly ('waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced')[];
        /** Only those whose `type` is exactly this text. */
        readonly type?: string | readonly string[];
        /** Only those whose `message_id` is exactly this text. */
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
    /** Send one event of a webhook once more. */
    post: { input: WebhookDeliveryRetryInput; output: WebhookDeliveryOutput };
  };
  '/profiles/{profile_id}/export': {
    parameters: { readonly profile_id: number };
    /** Export all that is known of a profile. */
    get: { output: PersonOutput };
  };
  '/profiles/{profile_id}/erase': {
    parameters: { readonly profile_id: number };
    /** Erase a profile, and what orders tell of it. */
    post: { input: ProfileEraseInput; output: ErasureOutput };
  };
  '/privacy/export': {
    parameters: Record<never, never>;
    /** Export all that is known of a guest. */
    post: { input: ProfileNamedInput; output: PersonOutput };
  };
  '/privacy/erase': {
    parameters: Record<never, never>;
    /** Erase what orders tell of a guest. */
    post: { input: ProfileNamedInput; output: ErasureOutput };
  };
  '/keys': {
    parameters: Record<never, never>;
    /** List the API keys. */
    list: {
      item: Key;
      order: 'id';
      filter: {
      };
    };
    /** Make an API key. */
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
    /** Read the figures of the day. */
    get: { output: Statistics };
  };
  '/store': {
    parameters: Record<never, never>;
    /** Read the values of the whole store. */
    get: { output: StoreInfo };
  };
}

/** Every problem that the store answers with, and its status. */
export interface Problems {
  /** Malformed request. */
  'malformed-request': 400;
  /** Invalid argument. */
  'invalid-argument': 400;
  /** Missing or wrong API key. */
  'unauthorized': 401;
  /** This key may only read. */
  'read-only-key': 403;
  /** Not sent by the admin page. */
  'foreign-page': 403;
  /** The admin page needs HTTPS. */
  'insecure-connection': 403;
  /** Not found. */
  'not-found': 404;
  /** Method not allowed. */
  'method-not-allowed': 405;
  /** Not acceptable. */
  'not-acceptable': 406;
  /** Request not complete in time. */
  'request-timeout': 408;
  /** Conflict with the state of the store. */
  'conflict': 409;
  /** Changes are not told from so far back. */
  'cursor-gone': 410;
  /** The first answer was erased. */
  'answer-erased': 410;
  /** The record has changed. */
  'precondition-failed': 412;
  /** Body too large. */
  'content-too-large': 413;
  /** Address too long. */
  'uri-too-long': 414;
  /** Body not sent as JSON. */
  'unsupported-media-type': 415;
  /** Expectation not supported. */
  'expectation-failed': 417;
  /** The body breaks a rule. */
  'validation-failed': 422;
  /** Lines of the bulk are refused. */
  'lines-refused': 422;
  /** Idempotency-Key of another request. */
  'key-reused': 422;
  /** Too many requests. */
  'too-many-requests': 429;
  /** Headers too large. */
  'headers-too-large': 431;
  /** Internal error. */
  'internal-error': 500;
  /** Not available now. */
  'service-unavailable': 503;
}

/** One broken rule, at the field that breaks it. */
export interface Violation {
  /** The field, written like `items[2].amount`. */
  propertyPath: string;
  /** The failure in words, for a person. */
  message: string;
  /** - `blank`: nothing but white space
   * - `required`: missing
   * - `null`: null where null cannot be
   * - `too_short`: too short
   * - `too_long`: too long, or too many
   * - `type`: another JSON type
   * - `range`: too small or too large
   * - `decimals`: too many decimals
   * - `choice`: none of the possible values
   * - `format`: not of the form that it should have
   * - `not_unique`: used already
   * - `unknown_link`: names no record
   * - `unknown_field`: no field of this body
   * - `read_only`: not what only the store sets
   * - `contradiction`: parts that name different records
   * - `conflict`: against another field or the state of the store
   * - `file`: not an acceptable file
   * - `download`: could not be downloaded */
  code: 'blank' | 'required' | 'null' | 'too_short' | 'too_long' | 'type' | 'range' | 'decimals' | 'choice' | 'format' | 'not_unique' | 'unknown_link' | 'unknown_field' | 'read_only' | 'contradiction' | 'conflict' | 'file' | 'download';
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeGroupInput {
  /** Written in the request’s language. */
  readonly name: string;
  /** Default: `0`. */
  readonly position?: number;
}

/** A heading under which attributes stand. Deleting it leaves its attributes without one. */
export interface AttributeGroupOutput {
  id: number;
  /** In the request’s language. */
  name: string;
  position: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeGroupPatch {
  /** Written in the request’s language. */
  readonly name?: string;
  readonly position?: number;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface AttributeGroupTranslationInput {
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface AttributeGroupTranslationOutput {
  name?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeInput {
  /** Written in the request’s language. */
  readonly name: string;
  /** Default: `0`. */
  readonly position?: number;
  /** A group of the same scope, and of the same class; 0 counts as null. Default: `null`. */
  readonly groupId?: number | null;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeInputAtAttributesSelect {
  /** Written in the request’s language. */
  readonly name: string;
  /** Default: `0`. */
  readonly position?: number;
  /** A group of the same scope, and of the same class; 0 counts as null. Default: `null`. */
  readonly groupId?: number | null;
  /** `S` shows a list, `B` blocks. Default: `"S"`. */
  readonly displayMode?: 'S' | 'B';
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeInputAtProductsAttributesSelect {
  /** Written in the request’s language. */
  readonly name: string;
  /** Default: `0`. */
  readonly position?: number;
  /** `S` shows a list, `B` blocks. Default: `"S"`. */
  readonly displayMode?: 'S' | 'B';
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeInputAtProductsAttributesText {
  /** Written in the request’s language. */
  readonly name: string;
  /** Default: `0`. */
  readonly position?: number;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeOptionInput {
  /** Default: `0`. */
  readonly position?: number;
  /** Written in the request’s language. */
  readonly value: string;
}

/** Something that can be chosen of an attribute, such as “large”. */
export interface AttributeOptionOutput {
  id: number;
  position: number;
  /** In the request’s language. */
  value: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeOptionPatch {
  readonly position?: number;
  /** Written in the request’s language. */
  readonly value?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface AttributeOptionTranslationInput {
  readonly value: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface AttributeOptionTranslationOutput {
  value?: string;
}

/** Something that products have beside their fields, such as a size. Deleting it removes its options, values and properties. */
export interface AttributeOutput {
  id: number;
  /** Text, checkbox, select or hidden. */
  kind: 'text' | 'checkbox' | 'select' | 'hidden';
  /** In the request’s language. */
  name: string;
  position: number;
  /** A group of the same scope, and of the same class; 0 counts as null. */
  groupId: number | null;
  /** `S` shows a list, `B` blocks. */
  displayMode: 'S' | 'B';
}

/** Something that products have beside their fields, such as a size. Deleting it removes its options, values and properties. */
export interface AttributeOutputAtAttributesSelect {
  id: number;
  /** In the request’s language. */
  name: string;
  position: number;
  /** A group of the same scope, and of the same class; 0 counts as null. */
  groupId: number | null;
  /** `S` shows a list, `B` blocks. */
  displayMode: 'S' | 'B';
}

/** Something that products have beside their fields, such as a size. Deleting it removes its options, values and properties. */
export interface AttributeOutputAtAttributesText {
  id: number;
  /** In the request’s language. */
  name: string;
  position: number;
  /** A group of the same scope, and of the same class; 0 counts as null. */
  groupId: number | null;
}

/** Something that products have beside their fields, such as a size. Deleting it removes its options, values and properties. */
export interface AttributeOutputAtProductsAttributesSelect {
  id: number;
  /** In the request’s language. */
  name: string;
  position: number;
  /** `S` shows a list, `B` blocks. */
  displayMode: 'S' | 'B';
}

/** Something that products have beside their fields, such as a size. Deleting it removes its options, values and properties. */
export interface AttributeOutputAtProductsAttributesText {
  id: number;
  /** In the request’s language. */
  name: string;
  position: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributePatch {
  /** Written in the request’s language. */
  readonly name?: string;
  readonly position?: number;
  /** A group of the same scope, and of the same class; 0 counts as null. */
  readonly groupId?: number | null;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributePatchAtAttributesSelect {
  /** Written in the request’s language. */
  readonly name?: string;
  readonly position?: number;
  /** A group of the same scope, and of the same class; 0 counts as null. */
  readonly groupId?: number | null;
  /** `S` shows a list, `B` blocks. */
  readonly displayMode?: 'S' | 'B';
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributePatchAtProductsAttributesSelect {
  /** Written in the request’s language. */
  readonly name?: string;
  readonly position?: number;
  /** `S` shows a list, `B` blocks. */
  readonly displayMode?: 'S' | 'B';
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributePatchAtProductsAttributesText {
  /** Written in the request’s language. */
  readonly name?: string;
  readonly position?: number;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributePropertyInput {
  /** Default: `0`. */
  readonly position?: number;
}

/** Where an attribute stands among those of one product. */
export interface AttributePropertyOutput {
  id: number;
  position: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributePropertyPatch {
  readonly position?: number;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface AttributeTranslationInput {
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface AttributeTranslationOutput {
  name?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueCheckboxInput {
  /** Default: `false`. */
  readonly value?: boolean;
  /** May be negative. Default: `0`. */
  readonly price_modifier?: number;
  /** Default: `"percent"`. */
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** May be negative. Default: `0`. */
  readonly weight_modifier?: number;
  /** Default: `"percent"`. */
  readonly weight_modifier_type?: 'absolute' | 'percent';
  /** Default: `false`. */
  readonly is_default?: boolean;
}

/** Whether a product has a checkbox attribute; one record for each value that can be chosen. */
export interface AttributeValueCheckboxOutput {
  id: number;
  value: boolean;
  /** May be negative. */
  price_modifier: number;
  price_modifier_type: 'absolute' | 'percent';
  /** May be negative. */
  weight_modifier: number;
  weight_modifier_type: 'absolute' | 'percent';
  is_default: boolean;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueCheckboxPatch {
  readonly value?: boolean;
  /** May be negative. */
  readonly price_modifier?: number;
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** May be negative. */
  readonly weight_modifier?: number;
  readonly weight_modifier_type?: 'absolute' | 'percent';
  readonly is_default?: boolean;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueHiddenInput {
  /** The id of an option of this attribute; this or `option` is required. */
  readonly option_id?: number;
  /** An option of this attribute, as output shows it. Left out of a PUT it stays as it is. */
  readonly option?: number | AttributeOptionOutput;
}

/** The option that a product has for a hidden attribute. */
export interface AttributeValueHiddenOutput {
  id: number;
  /** An option of this attribute, as output shows it. */
  option: AttributeOptionOutput;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueHiddenPatch {
  /** The id of an option of this attribute; this or `option` is required. */
  readonly option_id?: number;
  /** An option of this attribute, as output shows it. */
  readonly option?: number | AttributeOptionOutput;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueSelectInput {
  /** The id of an option of this attribute; this or `option` is required. */
  readonly option_id?: number;
  /** An option of this attribute, as output shows it. Left out of a PUT it stays as it is. */
  readonly option?: number | AttributeOptionOutput;
  /** Default: `0`. */
  readonly position?: number;
  /** May be negative. Default: `0`. */
  readonly price_modifier?: number;
  /** Default: `"percent"`. */
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** May be negative. Default: `0`. */
  readonly weight_modifier?: number;
  /** Default: `"percent"`. */
  readonly weight_modifier_type?: 'absolute' | 'percent';
  /** Default: `false`. */
  readonly is_default?: boolean;
}

/** An option of a select attribute that a product offers. */
export interface AttributeValueSelectOutput {
  id: number;
  /** An option of this attribute, as output shows it. */
  option: AttributeOptionOutput;
  position: number;
  /** May be negative. */
  price_modifier: number;
  price_modifier_type: 'absolute' | 'percent';
  /** May be negative. */
  weight_modifier: number;
  weight_modifier_type: 'absolute' | 'percent';
  is_default: boolean;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueSelectPatch {
  /** The id of an option of this attribute; this or `option` is required. */
  readonly option_id?: number;
  /** An option of this attribute, as output shows it. */
  readonly option?: number | AttributeOptionOutput;
  readonly position?: number;
  /** May be negative. */
  readonly price_modifier?: number;
  readonly price_modifier_type?: 'absolute' | 'percent';
  /** May be negative. */
  readonly weight_modifier?: number;
  readonly weight_modifier_type?: 'absolute' | 'percent';
  readonly is_default?: boolean;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueTextInput {
  /** Written in the request’s language. Default: `""`. */
  readonly value?: string;
  /** Default: `false`. */
  readonly editable?: boolean;
}

/** The text that a product has for a text attribute. */
export interface AttributeValueTextOutput {
  id: number;
  /** In the request’s language. */
  value: string;
  editable: boolean;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface AttributeValueTextPatch {
  /** Written in the request’s language. */
  readonly value?: string;
  readonly editable?: boolean;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface AttributeValueTextTranslationInput {
  /** Default: `""`. */
  readonly value?: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface AttributeValueTextTranslationOutput {
  value?: string;
}

/** The outcome of one line. */
export interface BulkResultOutput {
  /** From 1; empty lines count. */
  line: number;
  /** As the line names its record. */
  key: string | number | null;
  /** The status that a single write would have. */
  status: number;
  result: 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';
  id: string | number | null;
  version: number | null;
  /** Fields of the line that count only for a new record, where it is none. */
  passed_over?: string[];
  /** The failure, as RFC 9457 describes it. */
  problem?: { /** Leads to a page about this kind of problem. */ type: string; /** The kind of problem in a few words. */ title: string; /** The HTTP status. */ status: number; /** The failure in words, and what to do about it. */ detail: string; /** The request id; the store’s log has more under it. */ instance: string; violations?: Violation[]; };
}

/** The last line of an answer that is whole. */
export interface BulkSummaryOutput {
  summary: { lines: number; empty: number; created: number; updated: number; unchanged: number; deleted: number; failed: number; complete: true; };
}

/** Only output has `id`, `url`, `width`, `height`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface CategoryBannerInput {
  /** A description of the picture, for people who cannot see it. Default: `""`. */
  readonly alt?: string;
  /** http or https address of an image file that the service downloads. */
  readonly externalUrl?: string;
  /** The image file in base64. */
  readonly attachment?: string;
  /** Name of the attached file; its extension says that it is an image. */
  readonly filename?: string;
}

/** The banner of a category. The service keeps its own copy of the file and serves it at `url`. */
export interface CategoryBannerOutput {
  id: number;
  /** A description of the picture, for people who cannot see it. */
  alt: string;
  /** Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail. */
  url: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** The banner of a category. The service keeps its own copy of the file and serves it at `url`. */
export interface CategoryBannerOutputEmbedded {
  /** A description of the picture, for people who cannot see it. */
  alt: string;
  /** Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail. */
  url: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** Only output has `id`, `url`, `width`, `height`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface CategoryIconInput {
  /** A description of the picture, for people who cannot see it. Default: `""`. */
  readonly alt?: string;
  /** http or https address of an image file that the service downloads. */
  readonly externalUrl?: string;
  /** The image file in base64. */
  readonly attachment?: string;
  /** Name of the attached file; its extension says that it is an image. */
  readonly filename?: string;
}

/** The icon of a category. The service keeps its own copy of the file and serves it at `url`. */
export interface CategoryIconOutput {
  id: number;
  /** A description of the picture, for people who cannot see it. */
  alt: string;
  /** Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail. */
  url: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** The icon of a category. The service keeps its own copy of the file and serves it at `url`. */
export interface CategoryIconOutputEmbedded {
  /** A description of the picture, for people who cannot see it. */
  alt: string;
  /** Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail. */
  url: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** Only output has `id`, `icon`, `banner`, `path`, `create_date`, `update_date`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface CategoryInput {
  /** Written in the request’s language. */
  readonly name: string;
  /** Default: `true`. */
  readonly enabled?: boolean;
  /** Default: `true`. */
  readonly show_title?: boolean;
  /** Order among siblings. Default: `0`. */
  readonly position?: number;
  /** Replaces the set. Default: `[]`. */
  readonly memberships?: readonly (string | number | MembershipOutput)[];
  /** The category above; null is the top level. Default: `null`. Left out of a PUT it stays as it is. */
  readonly parent?: number | null;
  /** Unique among products and categories. Empty: made from the name on create, kept on update. Default: `""`. Left out of a PUT it stays as it is. */
  readonly clean_url?: string;
  /** Text or HTML, kept as written. Written in the request’s language. Default: `""`. */
  readonly description?: string;
  /** Written in the request’s language. Default: `""`. */
  readonly meta_tags?: string;
  /** Written in the request’s language. Default: `""`. */
  readonly meta_description?: string;
  /** `A` empties meta_description, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Written in the request’s language. Default: `""`. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the category. Written in the request’s language. Default: `""`. */
  readonly og_meta_tags?: string;
  /** `A` empties og_meta_tags, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
}

/** Any other field is a 422. */
export interface CategoryMoveInput {
  /** Left out, it stays. */
  readonly parent?: number | null;
  /** Left out, it stays. */
  readonly position?: number;
}

/** A place in the tree in which a shop shows its products. Deleting one takes all below it; products stay. */
export interface CategoryOutput {
  id: number;
  /** In the request’s language. */
  name: string;
  enabled: boolean;
  show_title: boolean;
  /** Order among siblings. */
  position: number;
  memberships: MembershipOutput[];
  /** The category above; null is the top level. */
  parent: number | null;
  /** Unique among products and categories. Empty: made from the name on create, kept on update. */
  clean_url: string;
  /** Text or HTML, kept as written. In the request’s language. */
  description: string;
  /** In the request’s language. */
  meta_tags: string;
  /** In the request’s language. */
  meta_description: string;
  /** In the request’s language. */
  meta_title: string;
  /** Markup. While it is empty, output shows markup made from the category. In the request’s language. */
  og_meta_tags: string;
  icon: CategoryIconOutputEmbedded | null;
  banner: CategoryBannerOutputEmbedded | null;
  /** From the top level down to the category itself, which is the last. */
  path: CategoryOutputEmbedded[];
  create_date: string;
  /** Changes of its pictures, texts and links count too. */
  update_date: string;
}

/** A place in the tree in which a shop shows its products. Deleting one takes all below it; products stay. */
export interface CategoryOutputEmbedded {
  id: number;
  /** In the request’s language. */
  name: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Only output has `icon`, `banner`, `path`: it may be sent back as it was read; another value is a 422. Passed over: `create_date`, `update_date`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface CategoryPatch {
  /** Written in the request’s language. */
  readonly name?: string;
  readonly enabled?: boolean;
  readonly show_title?: boolean;
  /** Order among siblings. */
  readonly position?: number;
  /** Replaces the set. */
  readonly memberships?: readonly (string | number | MembershipOutput)[];
  /** The category above; null is the top level. */
  readonly parent?: number | null;
  /** Unique among products and categories. Empty: made from the name on create, kept on update. */
  readonly clean_url?: string;
  /** Text or HTML, kept as written. Written in the request’s language. */
  readonly description?: string;
  /** Written in the request’s language. */
  readonly meta_tags?: string;
  /** Written in the request’s language. */
  readonly meta_description?: string;
  /** `A` empties meta_description, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Written in the request’s language. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the category. Written in the request’s language. */
  readonly og_meta_tags?: string;
  /** `A` empties og_meta_tags, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
}

/** Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface CategoryProductInput {
  /** A product. */
  readonly product_id: number;
  /** Order among the category’s products. Left out of a POST of a product that is linked already, it stays. Default: `0`. */
  readonly position?: number;
}

/** A product that a category shows. */
export interface CategoryProductOutput {
  /** A product. */
  product_id: number;
  /** Order among the category’s products. Left out of a POST of a product that is linked already, it stays. */
  position: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `product_id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface CategoryProductPatch {
  /** Order among the category’s products. Left out of a POST of a product that is linked already, it stays. */
  readonly position?: number;
}

/** Count what is in a category. */
export interface CategoryStatsOutput {
  /** Direct children. */
  subcategories_count_all: number;
  /** Direct children that are enabled. */
  subcategories_count_enabled: number;
  /** Products linked to the category itself. */
  products_count: number;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface CategoryTranslationInput {
  readonly name: string;
  /** Text or HTML, kept as written. Default: `""`. */
  readonly description?: string;
  /** Default: `""`. */
  readonly meta_tags?: string;
  /** Default: `""`. */
  readonly meta_description?: string;
  /** Default: `""`. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the category. Default: `""`. */
  readonly og_meta_tags?: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface CategoryTranslationOutput {
  name?: string;
  /** Text or HTML, kept as written. */
  description?: string;
  meta_tags?: string;
  meta_description?: string;
  meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the category. */
  og_meta_tags?: string;
}

/** One change of one record. */
export interface ChangeEntry {
  /** The place behind this entry. */
  readonly cursor: string;
  readonly resource: 'AttributeGroup' | 'Attribute' | 'AttributeOption' | 'AttributeProperty' | 'AttributeValueCheckbox' | 'AttributeValueHidden' | 'AttributeValueSelect' | 'AttributeValueText' | 'Category' | 'ProductClass' | 'Product' | 'Variant' | 'TaxClass' | 'Order' | 'OrderDetail' | 'OrderHistoryEvents' | 'Transaction' | 'OrderShipment' | 'OrderReturn' | 'OrderInvoice' | 'Profile' | 'ProfileAddress' | 'Membership' | 'Tag' | 'Sticker' | 'Language' | 'PaymentStatus' | 'ShippingStatus' | 'Webhook';
  /** The record’s identifier. */
  readonly id: number | string;
  /** Where the record is, or was: its address without the host. */
  readonly path: string;
  readonly action: 'created' | 'updated' | 'deleted';
  /** The record’s version after the change; of a deleted one the last version and one more. */
  readonly version: number;
  /** When it was changed. */
  readonly date: string;
  /** The fields that an update changed; empty where the record was made or deleted. */
  readonly fields: readonly string[];
  /** With `include=record`: the record as it is now, as GET of its path shows it; null when it is gone. */
  readonly record?: Readonly<Record<string, unknown>> | null;
}

/** The records of a person that were erased, and those that stay. */
export interface ErasureOutput {
  erased: ({ /** A resource as the change feed names it, such as `tax_class`. */ resource: string; count: number; /** Their fields that tell nothing of the person any more; null where the records are gone. */ fields: string[] | null; })[];
  retained: ({ /** A resource as the change feed names it, such as `tax_class`. */ resource: string; count: number; /** The records have to be kept whole until then; null where the rest of them tells of nobody. */ until: string | null; })[];
}

/** An API key of the store. */
export interface Key {
  readonly id: string;
  /** The purpose of the key; it appears in histories. */
  readonly name: string;
  /** Whether it may write, or only read. */
  readonly kind: 'read-write' | 'read-only';
  /** From then on it is refused; null for never. */
  readonly expires_at: string | null;
  /** The day of its last use, in UTC; null where it is not known. */
  readonly last_used_at: string | null;
  /** When it was made; null where that is not known. */
  readonly created_at: string | null;
  /** `environment`: it stands in the settings of the server, and cannot be deleted here. */
  readonly source: 'store' | 'environment';
  /** Until then the key that it had before it was rotated is right, too; else null. */
  readonly old_expires_at: string | null;
}

/** An API key to be made. */
export interface KeyCreate {
  /** The purpose of the key; it appears in histories. */
  readonly name: string;
  /** Whether it may write, or only read. */
  readonly kind: 'read-write' | 'read-only';
  /** A date or a date-time to come, from when on it is refused; null for never. Default: `null`. */
  readonly expires_at?: string | null;
}

/** An API key that was just made. */
export interface KeyMade {
  readonly id: string;
  /** The purpose of the key; it appears in histories. */
  readonly name: string;
  /** Whether it may write, or only read. */
  readonly kind: 'read-write' | 'read-only';
  /** From then on it is refused; null for never. */
  readonly expires_at: string | null;
  /** The day of its last use, in UTC; null where it is not known. */
  readonly last_used_at: string | null;
  /** When it was made; null where that is not known. */
  readonly created_at: string | null;
  /** `environment`: it stands in the settings of the server, and cannot be deleted here. */
  readonly source: 'store' | 'environment';
  /** Until then the key that it had before it was rotated is right, too; else null. */
  readonly old_expires_at: string | null;
  /** The key itself; shown this once. */
  readonly key: string;
}

/** Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface LanguageInput {
  /** Unique. */
  readonly code: string;
  readonly name: string;
  /** Requests are answered in enabled languages only. Default: `true`. */
  readonly enabled?: boolean;
  /** true makes this the default in place of the present one. Default: `false`. */
  readonly is_default?: boolean;
}

/** A language that the store’s texts are written in. */
export interface LanguageOutput {
  code: string;
  name: string;
  /** Requests are answered in enabled languages only. */
  enabled: boolean;
  /** true makes this the default in place of the present one. */
  is_default: boolean;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `code` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface LanguagePatch {
  readonly name?: string;
  /** Requests are answered in enabled languages only. */
  readonly enabled?: boolean;
  /** true makes this the default in place of the present one. */
  readonly is_default?: boolean;
}

/** `code` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface LanguageReplacement {
  readonly name: string;
  /** Requests are answered in enabled languages only. Default: `true`. */
  readonly enabled?: boolean;
  /** true makes this the default in place of the present one. Default: `false`. */
  readonly is_default?: boolean;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface MembershipInput {
  /** Written in the request’s language. Unique. */
  readonly name: string;
  /** Default: `true`. */
  readonly enabled?: boolean;
}

/** A group of customers, such as wholesale buyers. */
export interface MembershipOutput {
  id: number;
  /** In the request’s language. */
  name: string;
  enabled: boolean;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface MembershipPatch {
  /** Written in the request’s language. Unique. */
  readonly name?: string;
  readonly enabled?: boolean;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface MembershipTranslationInput {
  /** Unique in its language. */
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface MembershipTranslationOutput {
  name?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderDetailInput {
  readonly name: string;
  /** Default: `""`. */
  readonly value?: string;
}

/** A name and a value that a store keeps with an order. */
export interface OrderDetailOutput {
  id: number;
  name: string;
  value: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderDetailPatch {
  readonly name?: string;
  readonly value?: string;
}

/** Any other field is a 422. */
export interface OrderEditInput {
  /** Further lines, as a new order has them. */
  readonly add?: readonly OrderItemInput[];
  /** Lines that are others from now on. */
  readonly change?: readonly { /** An item of the order. */ readonly item_id: number; /** Pieces from now on, at least those that were shipped. Left out, they stay. */ readonly amount?: number; /** Of one piece. Left out, it stays. */ readonly price?: number; }[];
  /** The whole new list. Left out, the surcharges stay. */
  readonly surcharges?: readonly SurchargeInput[];
}

/** Something that happened to an order. Clients never write these. */
export interface OrderHistoryEventsOutput {
  id: number;
  date: string;
  code: string;
  description: string;
  data: Record<string, unknown>;
  comment: string;
  profile_id: number | null;
  /** The name of the API key that did it. */
  profile_name: string;
  ip: string;
  details: { id: number; name: string; value: string; }[];
}

/** Only output has `id`, `total`, `sub_total`, `update_date`, `order_profile_id`, `stock_status`, `tracking_numbers`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderInput {
  /** Printable characters, such as `2024/1` or `#1001`, without white space at the ends. Left out, it is the next number of the store. Unique. Left out of a PUT it stays as it is. */
  readonly order_number?: string;
  readonly email: string;
  readonly items: readonly OrderItemInput[];
  /** A partial update changes the members that it names. Default: `null`. */
  readonly billing_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 counts as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** A partial update changes the members that it names. Default: `null`. */
  readonly shipping_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 counts as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** Now, unless it is given. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly create_date?: string;
  /** Default: `"Q"`. */
  readonly payment_status?: string | number | PaymentStatusOutput;
  /** Left out, it is `NBA` when something is backordered. Default: `"N"`. */
  readonly shipping_status?: string | number | ShippingStatusOutput;
  /** A profile. null once that is gone, and of past orders. Default: `null`. */
  readonly customer_id?: number | null;
  /** 0 when there is none. Default: `0`. */
  readonly shipping_id?: number;
  /** Default: `null`. */
  readonly shipping_method_name?: string | null;
  /** The customer’s. Default: `""`. */
  readonly notes?: string;
  /** The store’s own. Default: `""`. */
  readonly admin_notes?: string;
  /** An active code of ISO 4217. Left out, it is the store’s. Left out of a PUT it stays as it is. */
  readonly currency?: string;
  /** Default: `[]`. */
  readonly surcharges?: readonly SurchargeInput[];
}

/** Only output has `id`, `number`, `date`, `seller`, `billing_address`, `shipping_address`, `surcharges`, `sub_total`, `total`, `currency`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderInvoiceInput {
  /** Default: `"invoice"`. */
  readonly kind?: 'invoice' | 'credit_note';
  /** Of a credit note, and required there: the invoice that it takes back, in whole or in part. Default: `null`. */
  readonly of?: number | null;
  /** An invoice has all lines of its order. Of a credit note they are chosen; left out, it takes the whole invoice back. Default: `[]`. */
  readonly lines?: readonly { /** An item of the invoice. */ readonly item_id: number; /** Pieces. */ readonly amount: number; /** Of one piece. Left out of a credit note, it is the invoice’s. */ readonly price?: number; }[];
}

/** An invoice or a credit note: a copy of the order as it was then. It is never changed and never deleted. */
export interface OrderInvoiceOutput {
  id: number;
  /** Each kind has a series of its own, without gaps. */
  number: string;
  kind: 'invoice' | 'credit_note';
  /** Of a credit note, and required there: the invoice that it takes back, in whole or in part. */
  of: number | null;
  date: string;
  /** The store, as its settings called it then. */
  seller: string;
  /** A partial update changes the members that it names. */
  billing_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 counts as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** A partial update changes the members that it names. */
  shipping_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 counts as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** An invoice has all lines of its order. Of a credit note they are chosen; left out, it takes the whole invoice back. */
  lines: { /** An item of the invoice. */ item_id: number; name: string; sku: string; options: { name: string; value: string; }[]; /** Pieces. */ amount: number; /** Of one piece. Left out of a credit note, it is the invoice’s. */ price: number; subtotal: number; }[];
  /** Those of the order; a credit note of chosen lines has none. */
  surcharges: { type: string; name: string; include: boolean; value: number; }[];
  sub_total: number;
  total: number;
  currency: string;
}

/** A product in an order, as it was sold. A value for a field of output alone is a 422 unless it is empty or the one that output will show. Any other field is a 422 too. */
export interface OrderItemInput {
  /** This or `sku` is required; both mean the same product. null once the product is gone. Default: `null`. */
  readonly product_id?: number | null;
  /** As it was sold. Default: `""`. */
  readonly sku?: string;
  /** Of one piece. Left out, it is the product’s, its sale applied. Left out of a PUT it stays as it is. */
  readonly price?: number;
  /** Pieces that the order has now. */
  readonly amount: number;
  /** A variant, which needs no `product_id`; of a product with variants, this or a variant’s `sku` is required. null without one, and once it is gone. Default: `null`. */
  readonly variant?: number | null;
  /** The customer’s choices, as they were sold. An attribute that is left out has its default; one without a default must be chosen. Default: `[]`. */
  readonly options?: readonly ({ /** The attribute. */ readonly attribute_id: number; /** A value of the product; null for a text. */ readonly value_id?: number | null; /** Of an editable text. */ readonly text?: string; })[];
}

/** A product in an order, as it was sold. */
export interface OrderItemOutput {
  id: number;
  /** This or `sku` is required; both mean the same product. null once the product is gone. */
  product_id: number | null;
  /** As it was sold. */
  sku: string;
  update_date: string;
  /** As it was sold; renaming the product does not change it. */
  name: string;
  /** Of one piece. Left out, it is the product’s, its sale applied. */
  price: number;
  item_net_price: number;
  /** `price` × `amount`. */
  discounted_subtotal: number;
  /** Pieces that the order has now. */
  amount: number;
  /** Pieces that the stock still owes. */
  backordered_amount: number;
  /** Always empty. */
  surcharges: SurchargeOutput[];
  /** A variant, which needs no `product_id`; of a product with variants, this or a variant’s `sku` is required. null without one, and once it is gone. */
  variant: number | null;
  /** Of one piece, as it was sold. */
  weight: number;
  /** The customer’s choices, as they were sold. An attribute that is left out has its default; one without a default must be chosen. */
  options: ({ /** The attribute. */ attribute_id: number; /** The attribute’s. */ name: string; /** A value of the product; null for a text. */ value_id: number | null; /** The text of the option, or the one that was written. */ value: string; price_modifier: number; price_modifier_type: 'absolute' | 'percent'; weight_modifier: number; weight_modifier_type: 'absolute' | 'percent'; /** Added to the price, before a sale in percent. */ price_effect: number; })[];
  /** Pieces that were ever ordered: those of now, and those that an edit took away. */
  ordered_amount: number;
  /** Pieces in shipments, at most `amount`. */
  shipped_amount: number;
  /** Pieces that edits of the order took away. */
  cancelled_amount: number;
  /** Pieces in returns that were received, at most `shipped_amount`. */
  returned_amount: number;
  /** Those of the returned pieces that can be sold again. */
  restocked_amount: number;
  /** Paid back for this line, by the lines of refunds that succeeded. */
  refunded_value: number;
}

/** An order: the items, the customer, the sums, and how far it is paid and shipped. It is never deleted; it is cancelled. */
export interface OrderOutput {
  id: number;
  /** Printable characters, such as `2024/1` or `#1001`, without white space at the ends. Left out, it is the next number of the store. */
  order_number: string;
  /** The items, and every surcharge that is available and not included. */
  total: number;
  /** The items. */
  sub_total: number;
  email: string;
  items: OrderItemOutput[];
  /** A partial update changes the members that it names. */
  billing_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 counts as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** A partial update changes the members that it names. */
  shipping_address: { is_billing: boolean; is_shipping: boolean; is_work: boolean; /** `R` residential, `C` commercial. */ type: 'R' | 'C'; title: string; firstname: string; lastname: string; company: string; phone: string; street: string; city: string; zipcode: string; country_code: string | null; /** 0 counts as null. */ state: number | null; state_name: string; custom_fields: { name: string; value: string; }[]; } | null;
  /** Now, unless it is given. */
  create_date: string;
  /** Changes of its parts count too. */
  update_date: string;
  payment_status: PaymentStatusOutput;
  /** Left out, it is `NBA` when something is backordered. */
  shipping_status: ShippingStatusOutput;
  /** A profile. null once that is gone, and of past orders. */
  customer_id: number | null;
  /** Always null. */
  order_profile_id: number | null;
  /** 0 when there is none. */
  shipping_id: number;
  shipping_method_name: string | null;
  /** The customer’s. */
  notes: string;
  /** The store’s own. */
  admin_notes: string;
  /** An active code of ISO 4217. Left out, it is the store’s. */
  currency: string;
  stock_status: '' | 'reduced' | 'increased';
  surcharges: SurchargeOutput[];
  tracking_numbers: OrderTrackingNumberOutput[];
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `order_number`, `items`, `create_date`, `payment_status`, `shipping_status`, `customer_id`, `shipping_id`, `currency`, `surcharges` may be sent back as it is; another value is a 422. Only output has `order_profile_id`, `stock_status`, `tracking_numbers`: it may be sent back as it was read; another value is a 422. Passed over: `total`, `sub_total`, `update_date`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderPatch {
  readonly email?: string;
  /** A partial update changes the members that it names. */
  readonly billing_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 counts as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  /** A partial update changes the members that it names. */
  readonly shipping_address?: { readonly is_billing?: boolean; readonly is_shipping?: boolean; readonly is_work?: boolean; /** `R` residential, `C` commercial. */ readonly type?: 'R' | 'C'; readonly title?: string; readonly firstname?: string; readonly lastname?: string; readonly company?: string; readonly phone?: string; readonly street?: string; readonly city?: string; readonly zipcode?: string; readonly country_code?: string | null; /** 0 counts as null. */ readonly state?: number | null; readonly state_name?: string; readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[]; } | null;
  readonly shipping_method_name?: string | null;
  /** The customer’s. */
  readonly notes?: string;
  /** The store’s own. */
  readonly admin_notes?: string;
}

/** Any other field is a 422. */
export interface OrderPaymentStatusInput {
  /** The code of a status that the store has. */
  readonly code: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderReturnInput {
  readonly lines: readonly OrderReturnLineInput[];
  /** Moves once, from `requested` to `received` or `refused`. Only received pieces count as returned. Default: `"requested"`. */
  readonly status?: 'requested' | 'received' | 'refused';
  /** Now, unless it is given. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly date?: string;
}

/** Pieces of one item in a return. A value for a field of output alone is a 422 unless it is empty or the one that output will show. Any other field is a 422 too. */
export interface OrderReturnLineInput {
  /** An item of the order, of which so many pieces were shipped. */
  readonly item_id: number;
  /** Pieces. */
  readonly amount: number;
  /** They can be sold again, so they go back into stock. Else they are written off for good. Default: `false`. */
  readonly restock?: boolean;
  /** Why they came back. Default: `""`. */
  readonly reason?: string;
}

/** Pieces of one item in a return. */
export interface OrderReturnLineOutput {
  id: number;
  /** An item of the order, of which so many pieces were shipped. */
  item_id: number;
  /** Pieces. */
  amount: number;
  /** They can be sold again, so they go back into stock. Else they are written off for good. */
  restock: boolean;
  /** Why they came back. */
  reason: string;
}

/** Pieces of an order that the customer sends back. */
export interface OrderReturnOutput {
  id: number;
  lines: OrderReturnLineOutput[];
  /** Moves once, from `requested` to `received` or `refused`. Only received pieces count as returned. */
  status: 'requested' | 'received' | 'refused';
  /** Now, unless it is given. */
  date: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `lines`, `date` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderReturnPatch {
  /** Moves once, from `requested` to `received` or `refused`. Only received pieces count as returned. */
  readonly status?: 'requested' | 'received' | 'refused';
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderShipmentInput {
  readonly lines: readonly OrderShipmentLineInput[];
  /** Default: `""`. */
  readonly carrier?: string;
  /** The carrier’s numbers; they are in the order’s `tracking_numbers` too. Default: `[]`. */
  readonly tracking_numbers?: readonly string[];
  /** Now, unless it is given. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly date?: string;
  /** The store’s own. Default: `""`. */
  readonly note?: string;
  /** The code of a shipping status that the order gets with it. Left out, its statuses stay. */
  readonly shipping_status?: string;
}

/** Pieces of one item in a shipment. A value for a field of output alone is a 422 unless it is empty or the one that output will show. Any other field is a 422 too. */
export interface OrderShipmentLineInput {
  /** An item of the order. */
  readonly item_id: number;
  /** Pieces. */
  readonly amount: number;
}

/** Pieces of one item in a shipment. */
export interface OrderShipmentLineOutput {
  id: number;
  /** An item of the order. */
  item_id: number;
  /** Pieces. */
  amount: number;
}

/** Pieces of an order that left for the customer together. */
export interface OrderShipmentOutput {
  id: number;
  lines: OrderShipmentLineOutput[];
  carrier: string;
  /** The carrier’s numbers; they are in the order’s `tracking_numbers` too. */
  tracking_numbers: string[];
  /** Now, unless it is given. */
  date: string;
  /** The store’s own. */
  note: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `lines`, `date`, `shipping_status` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderShipmentPatch {
  readonly carrier?: string;
  /** The carrier’s numbers; they are in the order’s `tracking_numbers` too. */
  readonly tracking_numbers?: readonly string[];
  /** The store’s own. */
  readonly note?: string;
}

/** Any other field is a 422. */
export interface OrderShippingStatusInput {
  /** The code of a status that the store has. */
  readonly code: string;
}

/** Only output has `id`, `date`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderTrackingNumberInput {
  readonly value: string;
}

/** A carrier’s number of a parcel of the order. */
export interface OrderTrackingNumberOutput {
  id: number;
  /** When it was added. */
  date: string;
  value: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Passed over: `date`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface OrderTrackingNumberPatch {
  readonly value?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface PaymentStatusInput {
  /** Set once. Unique. */
  readonly code: string;
  /** A status that every store has keeps its English name until a language has its own name for it. Written in the request’s language. */
  readonly name: string;
  /** The name that customers are told, where it differs. Written in the request’s language. Default: `""`. */
  readonly customer_name?: string;
}

/** How far an order is paid. A code of the store’s own counts like `P` for stock. */
export interface PaymentStatusOutput {
  id: number;
  /** Set once. */
  code: string;
  /** A status that every store has keeps its English name until a language has its own name for it. In the request’s language. */
  name: string;
  /** The name that customers are told, where it differs. In the request’s language. */
  customer_name: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `code` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface PaymentStatusPatch {
  /** A status that every store has keeps its English name until a language has its own name for it. Written in the request’s language. */
  readonly name?: string;
  /** The name that customers are told, where it differs. Written in the request’s language. */
  readonly customer_name?: string;
}

/** `id`, `code` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface PaymentStatusReplacement {
  /** A status that every store has keeps its English name until a language has its own name for it. Written in the request’s language. */
  readonly name: string;
  /** The name that customers are told, where it differs. Written in the request’s language. Default: `""`. */
  readonly customer_name?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface PaymentStatusTranslationInput {
  /** A status that every store has keeps its English name until a language has its own name for it. */
  readonly name: string;
  /** The name that customers are told, where it differs. Default: `""`. */
  readonly customer_name?: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface PaymentStatusTranslationOutput {
  /** A status that every store has keeps its English name until a language has its own name for it. */
  name?: string;
  /** The name that customers are told, where it differs. */
  customer_name?: string;
}

/** All that is known of a person. */
export interface PersonOutput {
  records: { /** A resource as the change feed names it, such as `tax_class`. */ resource: string; /** The address without the host. */ path: string; /** The record as GET of its path shows it. */ record: Record<string, unknown>; }[];
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductClassInput {
  /** Written in the request’s language. Unique. */
  readonly name: string;
}

/** A kind of product. */
export interface ProductClassOutput {
  id: number;
  /** In the request’s language. */
  name: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductClassPatch {
  /** Written in the request’s language. Unique. */
  readonly name?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface ProductClassTranslationInput {
  /** Unique in its language. */
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface ProductClassTranslationOutput {
  name?: string;
}

/** Only output has `id`, `url`, `width`, `height`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductImageInput {
  /** Order among the product’s images. Default: `0`. */
  readonly position?: number;
  /** A description of the picture, for people who cannot see it. Default: `""`. */
  readonly alt?: string;
  /** http or https address of an image file that the service downloads. */
  readonly externalUrl?: string;
  /** The image file in base64. */
  readonly attachment?: string;
  /** Name of the attached file; its extension says that it is an image. */
  readonly filename?: string;
  /** With `externalUrl`: a 409, and no download, where the product was given the image of this address with this before, even if it was deleted since. */
  readonly once?: boolean;
}

/** A picture of a product. The service keeps its own copy of the file and serves it at `url`. */
export interface ProductImageOutput {
  id: number;
  /** Order among the product’s images. */
  position: number;
  /** A description of the picture, for people who cannot see it. */
  alt: string;
  /** Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail. */
  url: string;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `once` may be sent back as it is; another value is a 422. Only output has `url`, `width`, `height`: it may be sent back as it was read; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductImagePatch {
  /** Order among the product’s images. */
  readonly position?: number;
  /** A description of the picture, for people who cannot see it. */
  readonly alt?: string;
  /** http or https address of an image file that the service downloads. */
  readonly externalUrl?: string;
  /** The image file in base64. */
  readonly attachment?: string;
  /** Name of the attached file; its extension says that it is an image. */
  readonly filename?: string;
}

/** `id`, `once` may be sent back as it is; another value is a 422. Only output has `url`, `width`, `height`: it may be sent back as it was read; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductImageReplacement {
  /** Order among the product’s images. Default: `0`. */
  readonly position?: number;
  /** A description of the picture, for people who cannot see it. Default: `""`. */
  readonly alt?: string;
  /** http or https address of an image file that the service downloads. */
  readonly externalUrl?: string;
  /** The image file in base64. */
  readonly attachment?: string;
  /** Name of the attached file; its extension says that it is an image. */
  readonly filename?: string;
}

/** Only output has `id`, `create_date`, `update_date`, `variants_count`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductInput {
  /** Unique. */
  readonly sku: string;
  /** Written in the request’s language. */
  readonly name: string;
  /** Text or HTML, kept as written. Written in the request’s language. Default: `""`. */
  readonly description?: string;
  /** Text or HTML, kept as written. Written in the request’s language. Default: `""`. */
  readonly brief_description?: string;
  /** Written in the request’s language. Default: `""`. */
  readonly meta_tags?: string;
  /** Written in the request’s language. Default: `""`. */
  readonly meta_description?: string;
  /** `A` empties meta_description, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Written in the request’s language. Default: `""`. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the product. Written in the request’s language. Default: `""`. */
  readonly og_meta_tags?: string;
  /** `A` empties og_meta_tags, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Unique among products and categories. Empty: made from the name on create, kept on update. Default: `""`. Left out of a PUT it stays as it is. */
  readonly clean_url?: string;
  /** Default: `0`. */
  readonly price?: number;
  /** Default: `0`. */
  readonly market_price?: number;
  /** Default: `0`. */
  readonly cost_price?: number;
  /** A price of at most `price`, or percent off: `discount_type` says which. A price of 0 gives the product away, and is always said. Default: `0`. */
  readonly sale_price_value?: number;
  /** Default: `false`. */
  readonly participate_sale?: boolean;
  /** Default: `"sale_percent"`. */
  readonly discount_type?: 'sale_price' | 'sale_percent';
  /** Default: `false`. */
  readonly apply_sale_to_wholesale?: boolean;
  /** Default: `true`. */
  readonly enabled?: boolean;
  /** Default: `0`. */
  readonly weight?: number;
  /** Default: `false`. */
  readonly free_shipping?: boolean;
  /** Default: `true`. */
  readonly taxable?: boolean;
  /** Default: `true`. */
  readonly inventory_traceable?: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. Default: `1000`. Left out of a PUT it stays as it is. */
  readonly amount?: number;
  /** Default: `true`. */
  readonly available_for_backorder?: boolean;
  /** Default: `0`. */
  readonly backorder_limit?: number;
  /** Default: `false`. */
  readonly pin_codes_enabled?: boolean;
  /** Default: `false`. */
  readonly auto_pin_codes?: boolean;
  /** Default: `true`. */
  readonly facebook_marketing_enabled?: boolean;
  /** Default: `true`. */
  readonly google_feed_enabled?: boolean;
  /** null means the moment of creation. Default: `null`. Left out of a PUT it stays as it is. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly arrival_date?: string | null;
  /** Replaces the set. Default: `[]`. */
  readonly stickers?: readonly (string | number | StickerOutput)[];
  /** A name that no tag has yet makes one. Replaces the set. Default: `[]`. */
  readonly tags?: readonly (string | number | TagOutput)[];
  /** Replaces the set. Default: `[]`. */
  readonly memberships?: readonly (string | number | MembershipOutput)[];
  /** Default: `null`. */
  readonly product_class?: string | number | ProductClassOutput | null;
  /** Default: `null`. */
  readonly tax_class?: string | number | TaxClassOutput | null;
  /** Default: `[]`. */
  readonly images?: readonly ProductImageInput[];
}

/** A product of the store: its texts, prices and stock, and its tags, class and pictures. */
export interface ProductOutput {
  id: number;
  sku: string;
  /** In the request’s language. */
  name: string;
  /** Text or HTML, kept as written. In the request’s language. */
  description: string;
  /** Text or HTML, kept as written. In the request’s language. */
  brief_description: string;
  /** In the request’s language. */
  meta_tags: string;
  /** In the request’s language. */
  meta_description: string;
  /** In the request’s language. */
  meta_title: string;
  /** Markup. While it is empty, output shows markup made from the product. In the request’s language. */
  og_meta_tags: string;
  /** Unique among products and categories. Empty: made from the name on create, kept on update. */
  clean_url: string;
  price: number;
  market_price: number;
  cost_price: number;
  /** A price of at most `price`, or percent off: `discount_type` says which. A price of 0 gives the product away, and is always said. */
  sale_price_value: number;
  participate_sale: boolean;
  discount_type: 'sale_price' | 'sale_percent';
  apply_sale_to_wholesale: boolean;
  enabled: boolean;
  weight: number;
  free_shipping: boolean;
  taxable: boolean;
  inventory_traceable: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. */
  amount: number;
  available_for_backorder: boolean;
  backorder_limit: number;
  pin_codes_enabled: boolean;
  auto_pin_codes: boolean;
  facebook_marketing_enabled: boolean;
  google_feed_enabled: boolean;
  create_date: string;
  /** Changes of its images and texts count too. */
  update_date: string;
  /** null means the moment of creation. */
  arrival_date: string | null;
  stickers: number[];
  /** A name that no tag has yet makes one. */
  tags: TagOutput[];
  memberships: MembershipOutput[];
  product_class: ProductClassOutput | null;
  tax_class: TaxClassOutput | null;
  images: ProductImageOutput[];
  /** Only where `fields` asks for it. */
  variants_count?: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Only output has `images`: it may be sent back as it was read; another value is a 422. Passed over: `create_date`, `update_date`, `variants_count`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductPatch {
  /** Unique. */
  readonly sku?: string;
  /** Written in the request’s language. */
  readonly name?: string;
  /** Text or HTML, kept as written. Written in the request’s language. */
  readonly description?: string;
  /** Text or HTML, kept as written. Written in the request’s language. */
  readonly brief_description?: string;
  /** Written in the request’s language. */
  readonly meta_tags?: string;
  /** Written in the request’s language. */
  readonly meta_description?: string;
  /** `A` empties meta_description, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Written in the request’s language. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the product. Written in the request’s language. */
  readonly og_meta_tags?: string;
  /** `A` empties og_meta_tags, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Unique among products and categories. Empty: made from the name on create, kept on update. */
  readonly clean_url?: string;
  readonly price?: number;
  readonly market_price?: number;
  readonly cost_price?: number;
  /** A price of at most `price`, or percent off: `discount_type` says which. A price of 0 gives the product away, and is always said. */
  readonly sale_price_value?: number;
  readonly participate_sale?: boolean;
  readonly discount_type?: 'sale_price' | 'sale_percent';
  readonly apply_sale_to_wholesale?: boolean;
  readonly enabled?: boolean;
  readonly weight?: number;
  readonly free_shipping?: boolean;
  readonly taxable?: boolean;
  readonly inventory_traceable?: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. */
  readonly amount?: number;
  readonly available_for_backorder?: boolean;
  readonly backorder_limit?: number;
  readonly pin_codes_enabled?: boolean;
  readonly auto_pin_codes?: boolean;
  readonly facebook_marketing_enabled?: boolean;
  readonly google_feed_enabled?: boolean;
  /** null means the moment of creation. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly arrival_date?: string | null;
  /** Replaces the set. */
  readonly stickers?: readonly (string | number | StickerOutput)[];
  /** A name that no tag has yet makes one. Replaces the set. */
  readonly tags?: readonly (string | number | TagOutput)[];
  /** Replaces the set. */
  readonly memberships?: readonly (string | number | MembershipOutput)[];
  readonly product_class?: string | number | ProductClassOutput | null;
  readonly tax_class?: string | number | TaxClassOutput | null;
}

/** `id` may be sent back as it is; another value is a 422. Only output has `images`: it may be sent back as it was read; another value is a 422. Passed over: `create_date`, `update_date`, `variants_count`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProductReplacement {
  /** Unique. */
  readonly sku: string;
  /** Written in the request’s language. */
  readonly name: string;
  /** Text or HTML, kept as written. Written in the request’s language. Default: `""`. */
  readonly description?: string;
  /** Text or HTML, kept as written. Written in the request’s language. Default: `""`. */
  readonly brief_description?: string;
  /** Written in the request’s language. Default: `""`. */
  readonly meta_tags?: string;
  /** Written in the request’s language. Default: `""`. */
  readonly meta_description?: string;
  /** `A` empties meta_description, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly meta_description_type?: 'A' | 'C';
  /** Written in the request’s language. Default: `""`. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the product. Written in the request’s language. Default: `""`. */
  readonly og_meta_tags?: string;
  /** `A` empties og_meta_tags, so that it is automatic; `C` takes it as sent. Not stored. */
  readonly og_meta_tags_type?: 'A' | 'C';
  /** Unique among products and categories. Empty: made from the name on create, kept on update. Default: `""`. Left out of a PUT it stays as it is. */
  readonly clean_url?: string;
  /** Default: `0`. */
  readonly price?: number;
  /** Default: `0`. */
  readonly market_price?: number;
  /** Default: `0`. */
  readonly cost_price?: number;
  /** A price of at most `price`, or percent off: `discount_type` says which. A price of 0 gives the product away, and is always said. Default: `0`. */
  readonly sale_price_value?: number;
  /** Default: `false`. */
  readonly participate_sale?: boolean;
  /** Default: `"sale_percent"`. */
  readonly discount_type?: 'sale_price' | 'sale_percent';
  /** Default: `false`. */
  readonly apply_sale_to_wholesale?: boolean;
  /** Default: `true`. */
  readonly enabled?: boolean;
  /** Default: `0`. */
  readonly weight?: number;
  /** Default: `false`. */
  readonly free_shipping?: boolean;
  /** Default: `true`. */
  readonly taxable?: boolean;
  /** Default: `true`. */
  readonly inventory_traceable?: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. Default: `1000`. Left out of a PUT it stays as it is. */
  readonly amount?: number;
  /** Default: `true`. */
  readonly available_for_backorder?: boolean;
  /** Default: `0`. */
  readonly backorder_limit?: number;
  /** Default: `false`. */
  readonly pin_codes_enabled?: boolean;
  /** Default: `false`. */
  readonly auto_pin_codes?: boolean;
  /** Default: `true`. */
  readonly facebook_marketing_enabled?: boolean;
  /** Default: `true`. */
  readonly google_feed_enabled?: boolean;
  /** null means the moment of creation. Default: `null`. Left out of a PUT it stays as it is. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly arrival_date?: string | null;
  /** Replaces the set. Default: `[]`. */
  readonly stickers?: readonly (string | number | StickerOutput)[];
  /** A name that no tag has yet makes one. Replaces the set. Default: `[]`. */
  readonly tags?: readonly (string | number | TagOutput)[];
  /** Replaces the set. Default: `[]`. */
  readonly memberships?: readonly (string | number | MembershipOutput)[];
  /** Default: `null`. */
  readonly product_class?: string | number | ProductClassOutput | null;
  /** Default: `null`. */
  readonly tax_class?: string | number | TaxClassOutput | null;
}

/** Any other field is a 422. */
export interface ProductStockInput {
  /** Pieces to add; negative takes away. Not 0. */
  readonly delta: number;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface ProductTranslationInput {
  readonly name: string;
  /** Text or HTML, kept as written. Default: `""`. */
  readonly description?: string;
  /** Text or HTML, kept as written. Default: `""`. */
  readonly brief_description?: string;
  /** Default: `""`. */
  readonly meta_tags?: string;
  /** Default: `""`. */
  readonly meta_description?: string;
  /** Default: `""`. */
  readonly meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the product. Default: `""`. */
  readonly og_meta_tags?: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface ProductTranslationOutput {
  name?: string;
  /** Text or HTML, kept as written. */
  description?: string;
  /** Text or HTML, kept as written. */
  brief_description?: string;
  meta_tags?: string;
  meta_description?: string;
  meta_title?: string;
  /** Markup. While it is empty, output shows markup made from the product. */
  og_meta_tags?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
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
  /** 0 counts as null. Default: `null`. */
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
  /** 0 counts as null. */
  state: number | null;
  state_name: string;
  custom_fields: { name: string; value: string; }[];
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
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
  /** 0 counts as null. */
  readonly state?: number | null;
  readonly state_name?: string;
  readonly custom_fields?: readonly { readonly name: string; readonly value?: string; }[];
}

/** Any other field is a 422. */
export interface ProfileCheckPasswordInput {
  /** An e-mail address. No two differ only by case. */
  readonly login: string;
  /** Only a hash of it is stored, and no answer has it. Left out of a PUT it stays; null takes it away, so that nobody can log in. */
  readonly password: string;
}

/** Nothing; any field is a 422. */
export interface ProfileEraseInput {

}

/** Only output has `id`, `role_ids`, `create_date`, `first_login_date`, `last_login_date`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProfileInput {
  /** An e-mail address. No two differ only by case. Unique. */
  readonly login: string;
  /** Only a hash of it is stored, and no answer has it. Left out of a PUT it stays; null takes it away, so that nobody can log in. Default: `null`. Left out of a PUT it stays as it is. */
  readonly password?: string | null;
  /** Always 0, a customer. Administrators of the store have API keys. Default: `0`. */
  readonly access_level?: number;
  /** `E` enabled, `D` disabled: nobody can log in. Default: `"E"`. */
  readonly status?: 'E' | 'D';
  /** Default: `""`. */
  readonly status_comment?: string;
  /** The page from which the customer came first. Default: `""`. */
  readonly referer?: string;
  /** The language to write to the customer in; it need not be one of the store’s. Default: `""`. */
  readonly language?: string;
  /** Default: `null`. */
  readonly membership_id?: number | null;
  /** A membership that the customer has asked for. Default: `null`. */
  readonly pending_membership_id?: number | null;
  /** The shop asks for a new password at the next login. Default: `false`. */
  readonly force_change_password?: boolean;
}

/** Any other field is a 422. */
export interface ProfileNamedInput {
  readonly email: string;
}

/** A customer who can log in to the shop. */
export interface ProfileOutput {
  id: number;
  /** An e-mail address. No two differ only by case. */
  login: string;
  /** Always 0, a customer. Administrators of the store have API keys. */
  access_level: number;
  /** `E` enabled, `D` disabled: nobody can log in. */
  status: 'E' | 'D';
  status_comment: string;
  /** The page from which the customer came first. */
  referer: string;
  /** The language to write to the customer in; it need not be one of the store’s. */
  language: string;
  membership_id: number | null;
  /** A membership that the customer has asked for. */
  pending_membership_id: number | null;
  /** The shop asks for a new password at the next login. */
  force_change_password: boolean;
  /** Always empty. */
  role_ids: number[];
  create_date: string;
  first_login_date: string | null;
  last_login_date: string | null;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Only output has `role_ids`: it may be sent back as it was read; another value is a 422. Passed over: `create_date`, `first_login_date`, `last_login_date`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ProfilePatch {
  /** An e-mail address. No two differ only by case. Unique. */
  readonly login?: string;
  /** Only a hash of it is stored, and no answer has it. Left out of a PUT it stays; null takes it away, so that nobody can log in. */
  readonly password?: string | null;
  /** Always 0, a customer. Administrators of the store have API keys. */
  readonly access_level?: number;
  /** `E` enabled, `D` disabled: nobody can log in. */
  readonly status?: 'E' | 'D';
  readonly status_comment?: string;
  /** The page from which the customer came first. */
  readonly referer?: string;
  /** The language to write to the customer in; it need not be one of the store’s. */
  readonly language?: string;
  readonly membership_id?: number | null;
  /** A membership that the customer has asked for. */
  readonly pending_membership_id?: number | null;
  /** The shop asks for a new password at the next login. */
  readonly force_change_password?: boolean;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ShippingStatusInput {
  /** Set once. Unique. */
  readonly code: string;
  /** A status that every store has keeps its English name until a language has its own name for it. Written in the request’s language. */
  readonly name: string;
  /** The name that customers are told, where it differs. Written in the request’s language. Default: `""`. */
  readonly customer_name?: string;
}

/** How far an order is shipped. A code of the store’s own counts like `N` for stock. */
export interface ShippingStatusOutput {
  id: number;
  /** Set once. */
  code: string;
  /** A status that every store has keeps its English name until a language has its own name for it. In the request’s language. */
  name: string;
  /** The name that customers are told, where it differs. In the request’s language. */
  customer_name: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `code` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ShippingStatusPatch {
  /** A status that every store has keeps its English name until a language has its own name for it. Written in the request’s language. */
  readonly name?: string;
  /** The name that customers are told, where it differs. Written in the request’s language. */
  readonly customer_name?: string;
}

/** `id`, `code` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface ShippingStatusReplacement {
  /** A status that every store has keeps its English name until a language has its own name for it. Written in the request’s language. */
  readonly name: string;
  /** The name that customers are told, where it differs. Written in the request’s language. Default: `""`. */
  readonly customer_name?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface ShippingStatusTranslationInput {
  /** A status that every store has keeps its English name until a language has its own name for it. */
  readonly name: string;
  /** The name that customers are told, where it differs. Default: `""`. */
  readonly customer_name?: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface ShippingStatusTranslationOutput {
  /** A status that every store has keeps its English name until a language has its own name for it. */
  name?: string;
  /** The name that customers are told, where it differs. */
  customer_name?: string;
}

/** The figures of a shop’s day. */
export interface Statistics {
  /** Whose days are meant. */
  readonly time_zone: string;
  readonly today: StatisticsSold;
  readonly week: StatisticsSold;
  /** The last 30 days, today last. */
  readonly days: readonly StatisticsSold[];
  /** Orders with the payment status `P` and the shipping status `N`, `P` or `NBA`. */
  readonly to_ship: number;
  /** Enabled products whose stock is counted and runs out. */
  readonly low_stock: { /** Most pieces of one that runs out: `low_stock`. */ readonly limit: number; /** How many there are. */ readonly count: number; /** Up to 10, those with the fewest pieces first. */ readonly items: readonly ({ readonly product_id: number; /** null for the product itself. */ readonly variant_id: number | null; /** Of a variant without one that of its product. */ readonly sku: string; /** Pieces in stock. */ readonly amount: number; })[]; };
  /** Webhooks that are enabled and not delivered. */
  readonly webhooks: { /** Those that will be tried again. */ readonly failing: number; /** Those that wait for somebody to resume them. */ readonly paused: number; };
}

/** Orders of a day, or of several. */
export interface StatisticsSold {
  /** The first day. */
  readonly date: string;
  /** How many were placed. */
  readonly orders: number;
  /** Their sums, the store’s own currency first. */
  readonly totals: readonly { /** ISO 4217. */ readonly currency: string; /** Of the orders’ `total`. */ readonly total: number; }[];
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface StickerInput {
  /** Written in the request’s language. Unique. */
  readonly name: string;
  /** Default: `0`. */
  readonly position?: number;
  /** Default: `true`. */
  readonly enabled?: boolean;
  /** Default: `""`. */
  readonly text_color?: string;
  /** Default: `""`. */
  readonly bg_color?: string;
}

/** A label laid over a product’s picture, such as “New”. */
export interface StickerOutput {
  id: number;
  /** In the request’s language. */
  name: string;
  position: number;
  enabled: boolean;
  text_color: string;
  bg_color: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface StickerPatch {
  /** Written in the request’s language. Unique. */
  readonly name?: string;
  readonly position?: number;
  readonly enabled?: boolean;
  readonly text_color?: string;
  readonly bg_color?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface StickerTranslationInput {
  /** Unique in its language. */
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface StickerTranslationOutput {
  name?: string;
}

/** Values of the whole store. */
export interface StoreInfo {
  /** ISO 4217: of orders that name none, and of all prices. */
  readonly currency: string;
  /** The IANA zone that dates are shown and read in. */
  readonly time_zone: string;
  /** The unit of all weights. */
  readonly weight_unit: 'kg' | 'lb' | 'oz' | 'g';
  /** Name and address as invoices show them, in lines; empty where none is set. */
  readonly seller: string;
  /** So long an invoice stays whole when its customer is erased. */
  readonly invoice_keep_years: number;
}

/** A tax, a discount, shipping or handling. A value for a field of output alone is a 422 unless it is empty or the one that output will show. Any other field is a 422 too. */
export interface SurchargeInput {
  readonly type: 'tax' | 'discount' | 'shipping' | 'handling';
  /** Left out, it is the type in capitals. Left out of a PUT it stays as it is. */
  readonly code?: string;
  /** The prices contain it already. Default: `false`. */
  readonly include?: boolean;
  /** Negative takes away; of a discount at most 0. */
  readonly value: number;
  /** Left out, it is the code. Left out of a PUT it stays as it is. */
  readonly name?: string;
  /** Surcharges are shown by it. Default: `0`. */
  readonly weight?: number;
}

/** A tax, a discount, shipping or handling. */
export interface SurchargeOutput {
  id: number;
  type: 'tax' | 'discount' | 'shipping' | 'handling';
  /** Left out, it is the type in capitals. */
  code: string;
  class: string;
  /** The prices contain it already. */
  include: boolean;
  available: boolean;
  /** Negative takes away; of a discount at most 0. */
  value: number;
  /** Left out, it is the code. */
  name: string;
  /** Surcharges are shown by it. */
  weight: number;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface TagInput {
  /** Written in the request’s language. Unique. */
  readonly name: string;
}

/** A word that products are marked with. */
export interface TagOutput {
  id: number;
  /** In the request’s language. */
  name: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface TagPatch {
  /** Written in the request’s language. Unique. */
  readonly name?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface TagTranslationInput {
  /** Unique in its language. */
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface TagTranslationOutput {
  name?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface TaxClassInput {
  /** Written in the request’s language. Unique. */
  readonly name: string;
}

/** How products are taxed. */
export interface TaxClassOutput {
  id: number;
  /** In the request’s language. */
  name: string;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface TaxClassPatch {
  /** Written in the request’s language. Unique. */
  readonly name?: string;
}

/** All texts of one language. Any other field is a 422 that names it. */
export interface TaxClassTranslationInput {
  /** Unique in its language. */
  readonly name: string;
}

/** The texts that are written in one language; where one is left out, another language’s is shown. */
export interface TaxClassTranslationOutput {
  name?: string;
}

/** Only output has `id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface TransactionInput {
  /** Default: `""`. */
  readonly public_id?: string;
  /** Default: `null`. */
  readonly public_txn_id?: string | null;
  /** Default: `null`. */
  readonly method_id?: number | null;
  /** Default: `"sale"`. */
  readonly type?: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test';
  /** Now, unless it is given. A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */
  readonly date?: string;
  /** `I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void. Default: `"I"`. */
  readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V';
  /** The payment method. Default: `""`. */
  readonly name?: string;
  /** Default: `""`. */
  readonly local_name?: string;
  /** An active code of ISO 4217. Left out, it is the order’s. Left out of a PUT it stays as it is. */
  readonly currency?: string;
  readonly value: number;
  /** Default: `""`. */
  readonly note?: string;
  /** Of a refund: what it pays back. Together they are at most its `value`; never more pieces than were ordered. It moves no stock. Default: `[]`. */
  readonly lines?: readonly { /** An item of the order. */ readonly item_id: number; /** Pieces that are paid back; 0 for none. */ readonly amount?: number; /** The money that is paid back for the line. */ readonly value: number; }[];
  /** Default: `[]`. */
  readonly data?: readonly ({ readonly name: string; readonly label?: string; readonly value?: string; /** `A` for the store, `C` for the customer too. */ readonly access_level?: 'A' | 'C'; })[];
  /** The requests to the payment service. Default: `[]`. */
  readonly backend_transactions?: readonly ({ readonly type?: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test'; /** A date-time: YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without (then it is the store’s time). */ readonly date?: string | null; readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V'; readonly value: number; readonly data?: readonly ({ readonly name: string; readonly label?: string; readonly value?: string; /** `A` for the store, `C` for the customer too. */ readonly access_level?: 'A' | 'C'; })[]; })[];
}

/** Money that moved for an order. It changes no payment status by itself. */
export interface TransactionOutput {
  id: number;
  public_id: string;
  public_txn_id: string | null;
  method_id: number | null;
  type: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test';
  /** Now, unless it is given. */
  date: string;
  /** `I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void. */
  status: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V';
  /** The payment method. */
  name: string;
  local_name: string;
  /** An active code of ISO 4217. Left out, it is the order’s. */
  currency: string;
  value: number;
  note: string;
  /** Of a refund: what it pays back. Together they are at most its `value`; never more pieces than were ordered. It moves no stock. */
  lines: { /** An item of the order. */ item_id: number; /** Pieces that are paid back; 0 for none. */ amount: number; /** The money that is paid back for the line. */ value: number; }[];
  data: ({ id: number; name: string; label: string; value: string; /** `A` for the store, `C` for the customer too. */ access_level: 'A' | 'C'; })[];
  /** The requests to the payment service. */
  backend_transactions: ({ id: number; type: 'auth' | 'sale' | 'capture' | 'capturePart' | 'captureMulti' | 'void' | 'voidPart' | 'voidMulti' | 'refund' | 'refundPart' | 'refundMulti' | 'getInfo' | 'accept' | 'decline' | 'test'; date: string | null; status: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V'; value: number; data: ({ id: number; name: string; label: string; value: string; /** `A` for the store, `C` for the customer too. */ access_level: 'A' | 'C'; })[]; })[];
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `public_id`, `public_txn_id`, `method_id`, `type`, `date`, `name`, `local_name`, `currency`, `value`, `note`, `lines`, `data`, `backend_transactions` may be sent back as it is; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface TransactionPatch {
  /** `I` initialized, `P` in progress, `S` success, `W` pending, `F` failed, `C` canceled, `V` void. */
  readonly status?: 'I' | 'P' | 'S' | 'W' | 'F' | 'C' | 'V';
}

/** Only output has `id`, `product_id`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface VariantInput {
  /** Default: `0`. */
  readonly price?: number;
  /** The price is the product’s. Left out, it is true, or false where `price` is sent. Default: `true`. */
  readonly default_price?: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. Default: `0`. Left out of a PUT it stays as it is. */
  readonly amount?: number;
  /** The stock is the product’s. Left out of a POST, it is true, or false where `amount` is sent. Default: `true`. Left out of a PUT it stays as it is. */
  readonly default_amount?: boolean;
  /** Default: `0`. */
  readonly weight?: number;
  /** The weight is the product’s. Left out, it is true, or false where `weight` is sent. Default: `true`. */
  readonly default_weight?: boolean;
  /** A product has at most one; true makes this it in place of another. Default: `false`. */
  readonly default_variant?: boolean;
  /** No product and no other variant has it. Unique. Default: `null`. */
  readonly sku?: string | null;
  /** null takes the picture away. Its own `alt` may be changed without a new file. Default: `null`. Left out of a PUT it stays as it is. */
  readonly image?: { /** A description of the picture, for people who cannot see it. */ readonly alt?: string; /** http or https address of an image file that the service downloads. */ readonly externalUrl?: string; /** The image file in base64. */ readonly attachment?: string; /** Name of the attached file; its extension says that it is an image. */ readonly filename?: string; } | null;
  /** Ids of checkbox values of the product. Replaces the set. Default: `[]`. */
  readonly attribute_checkbox_values?: readonly (number | AttributeValueCheckboxOutput)[];
  /** Ids of select values of the product. With the checkbox values one of each attribute. Replaces the set. Default: `[]`. */
  readonly attribute_select_values?: readonly (number | AttributeValueSelectOutput)[];
}

/** A product with one value of each attribute that tells its variants apart, such as red and M. A number that it does not have itself is the product’s. */
export interface VariantOutput {
  id: number;
  price: number;
  /** The price is the product’s. Left out, it is true, or false where `price` is sent. */
  default_price: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. */
  amount: number;
  /** The stock is the product’s. Left out of a POST, it is true, or false where `amount` is sent. */
  default_amount: boolean;
  weight: number;
  /** The weight is the product’s. Left out, it is true, or false where `weight` is sent. */
  default_weight: boolean;
  /** A product has at most one; true makes this it in place of another. */
  default_variant: boolean;
  /** No product and no other variant has it. */
  sku: string | null;
  /** null takes the picture away. Its own `alt` may be changed without a new file. */
  image: { /** A description of the picture, for people who cannot see it. */ alt: string; /** Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail. */ url: string; /** Pixels. */ width: number; /** Pixels. */ height: number; } | null;
  /** Ids of checkbox values of the product. */
  attribute_checkbox_values: number[];
  /** Ids of select values of the product. With the checkbox values one of each attribute. */
  attribute_select_values: number[];
  /** The product. */
  product_id: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id`, `attribute_checkbox_values`, `attribute_select_values` may be sent back as it is; another value is a 422. Only output has `product_id`: it may be sent back as it was read; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface VariantPatch {
  readonly price?: number;
  /** The price is the product’s. Left out, it is true, or false where `price` is sent. */
  readonly default_price?: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. */
  readonly amount?: number;
  /** The stock is the product’s. Left out of a POST, it is true, or false where `amount` is sent. */
  readonly default_amount?: boolean;
  readonly weight?: number;
  /** The weight is the product’s. Left out, it is true, or false where `weight` is sent. */
  readonly default_weight?: boolean;
  /** A product has at most one; true makes this it in place of another. */
  readonly default_variant?: boolean;
  /** No product and no other variant has it. Unique. */
  readonly sku?: string | null;
  /** null takes the picture away. Its own `alt` may be changed without a new file. */
  readonly image?: { /** A description of the picture, for people who cannot see it. */ readonly alt?: string; /** http or https address of an image file that the service downloads. */ readonly externalUrl?: string; /** The image file in base64. */ readonly attachment?: string; /** Name of the attached file; its extension says that it is an image. */ readonly filename?: string; } | null;
}

/** `id`, `attribute_checkbox_values`, `attribute_select_values` may be sent back as it is; another value is a 422. Only output has `product_id`: it may be sent back as it was read; another value is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface VariantReplacement {
  /** Default: `0`. */
  readonly price?: number;
  /** The price is the product’s. Left out, it is true, or false where `price` is sent. Default: `true`. */
  readonly default_price?: boolean;
  /** Pieces in stock. Negative while pieces are owed to backorders. Default: `0`. Left out of a PUT it stays as it is. */
  readonly amount?: number;
  /** The stock is the product’s. Left out of a POST, it is true, or false where `amount` is sent. Default: `true`. Left out of a PUT it stays as it is. */
  readonly default_amount?: boolean;
  /** Default: `0`. */
  readonly weight?: number;
  /** The weight is the product’s. Left out, it is true, or false where `weight` is sent. Default: `true`. */
  readonly default_weight?: boolean;
  /** A product has at most one; true makes this it in place of another. Default: `false`. */
  readonly default_variant?: boolean;
  /** No product and no other variant has it. Unique. Default: `null`. */
  readonly sku?: string | null;
  /** null takes the picture away. Its own `alt` may be changed without a new file. Default: `null`. Left out of a PUT it stays as it is. */
  readonly image?: { /** A description of the picture, for people who cannot see it. */ readonly alt?: string; /** http or https address of an image file that the service downloads. */ readonly externalUrl?: string; /** The image file in base64. */ readonly attachment?: string; /** Name of the attached file; its extension says that it is an image. */ readonly filename?: string; } | null;
}

/** Any other field is a 422. */
export interface VariantStockInput {
  /** Pieces to add; negative takes away. Not 0. While `default_amount` is true, they are the product’s. */
  readonly delta: number;
}

/** An event that was sent to a webhook, or that it did not take. Kept for 30 days. */
export interface WebhookDeliveryOutput {
  id: number;
  /** The header `webhook-id` of each attempt. */
  message_id: string;
  type: string;
  /** The record’s address without the host. */
  path: string;
  /** The place behind the event; null of a test. */
  cursor: string | null;
  /** `set_aside`: the receiver refused it, and it is tried again only by `retry`. `replaced`: a newer event of the record was sent instead. */
  status: 'waiting' | 'delivered' | 'failing' | 'set_aside' | 'replaced';
  /** When it was tried first. */
  date: string;
  /** The last 20, oldest first. */
  attempts: ({ date: string; /** The HTTP status; null without an answer. */ status: number | null; duration_ms: number; /** The beginning of the answer, or why there was none. */ answer: string; })[];
}

/** Any other field is a 422. */
export interface WebhookDeliveryRetryInput {

}

/** Only output has `id`, `secret`, `since`, `status`, `reason`, `failing_since`, `next_attempt`, `pending`: a value that is not empty, and not what output will show, is a 422. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface WebhookInput {
  /** Where events are sent. On the public internet, on port 80 or 443, unless the operator of the store allows its network. */
  readonly url: string;
  /** The events that are sent: `product.updated`, `order.*` for all of a kind, `*` for every one. */
  readonly events: readonly string[];
  /** While false nothing is sent; what changes meanwhile waits. Default: `true`. */
  readonly enabled?: boolean;
  /** `record`: each event has the record as it is when it is sent. Default: `"thin"`. */
  readonly payload?: 'thin' | 'record';
  /** For people. Default: `""`. */
  readonly description?: string;
}

/** An address that the store tells of its changes, one at a time and in order. */
export interface WebhookOutput {
  id: number;
  /** Where events are sent. On the public internet, on port 80 or 443, unless the operator of the store allows its network. */
  url: string;
  /** The events that are sent: `product.updated`, `order.*` for all of a kind, `*` for every one. */
  events: string[];
  /** While false nothing is sent; what changes meanwhile waits. */
  enabled: boolean;
  /** `record`: each event has the record as it is when it is sent. */
  payload: 'thin' | 'record';
  /** For people. */
  description: string;
  /** Events are signed with it. Shown only in the answers of POST and of `rotate_secret`, null elsewhere. */
  secret: string | null;
  /** When the webhook was made, or resumed from now: later changes are sent. */
  since: string;
  /** `failing`: the last attempt failed, and there will be another. `paused`: nothing is sent before `resume`. */
  status: 'ok' | 'failing' | 'paused';
  /** Why it is failing or paused, in a sentence. */
  reason: string | null;
  failing_since: string | null;
  /** When a failing one is tried again. */
  next_attempt: string | null;
  /** Events that wait, among the next 10,000 changes. */
  pending: number;
}

/** Only the fields to change; `null` clears a nullable one, arrays are replaced whole. `id` may be sent back as it is; another value is a 422. Only output has `secret`: it may be sent back as it was read; another value is a 422. Passed over: `since`, `status`, `reason`, `failing_since`, `next_attempt`, `pending`. Any other field is a 422 that names it; `Prefer: handling=lenient` passes it over. */
export interface WebhookPatch {
  /** Where events are sent. On the public internet, on port 80 or 443, unless the operator of the store allows its network. */
  readonly url?: string;
  /** The events that are sent: `product.updated`, `order.*` for all of a kind, `*` for every one. */
  readonly events?: readonly string[];
  /** While false nothing is sent; what changes meanwhile waits. */
  readonly enabled?: boolean;
  /** `record`: each event has the record as it is when it is sent. */
  readonly payload?: 'thin' | 'record';
  /** For people. */
  readonly description?: string;
}

/** Any other field is a 422. */
export interface WebhookReplayInput {
  /** A cursor of the change feed, or of a delivery, or a moment: later changes are sent again. */
  readonly after: string;
}

/** Any other field is a 422. */
export interface WebhookResumeInput {
  /** `kept`: with the event that it stopped at. `now`: what changed until now is left out. */
  readonly from?: 'kept' | 'now';
}

/** Any other field is a 422. */
export interface WebhookRotateSecretInput {
  /** So long events are signed with the old secret too. Left out, it is 24. */
  readonly keep_old_hours?: number;
}

/** Any other field is a 422. */
export interface WebhookTestInput {

}
