/** One line of the doctor: that something is fine, or what to do. */
export interface Finding {
  ok: boolean;
  text: string;
}

export const fine = (text: string): Finding => ({ ok: true, text });
/** @param text what is wrong and what to do about it */
export const todo = (text: string): Finding => ({ ok: false, text });
