/** Any JSON value: configs that the panel stores and forwards without owning every key of them. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}
