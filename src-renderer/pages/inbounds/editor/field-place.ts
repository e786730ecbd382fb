/** The element on the page that holds the fields of a draft's place, marked with `data-place`. */
interface FieldPlace {
  /** Text of the field's own label. */
  label: string;
  element: HTMLElement;
}

/** Sections by path prefix, the longest first. */
const SECTIONS_OF: readonly (readonly [string, string])[] = [
  ['streamSettings.realitySettings', 'security'],
  ['streamSettings.tlsSettings', 'security'],
  ['streamSettings.security', 'security'],
  ['streamSettings', 'transport'],
  ['settings', 'protocol'],
  ['sniffing', 'sniffing'],
  ['fallbacks', 'fallbacks'],
];

const isWithin = (path: string, at: string): boolean => path === at || path.startsWith(`${at}.`);

/** The field that holds a refused place, else its section; null when it belongs to neither. */
export function fieldPlace(form: ParentNode, path: string): FieldPlace | null {
  const holding = [...form.querySelectorAll<HTMLElement>('[data-place]')]
    .filter((element) => isWithin(path, element.dataset['place'] ?? ''))
    .sort((one, other) => (other.dataset['place'] ?? '').length - (one.dataset['place'] ?? '').length)[0];
  const section = SECTIONS_OF.find(([at]) => isWithin(path, at))?.[1];
  const element = holding ?? (section === undefined ? null : form.querySelector<HTMLElement>(`#${section}`));
  const label = element?.querySelector('label, legend, h2')?.textContent ?? '';
  return element === null || label === '' ? null : { label, element };
}

/** Scrolls to the field and focuses it. */
export function goTo({ element }: FieldPlace): void {
  element.scrollIntoView({ block: 'center' });
  element.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, button')?.focus({ preventScroll: true });
}
