/** The panel's config rules, as the process and hot apply use them. */
export { productBuilder as configBuilder } from './process/product-builder.ts';
