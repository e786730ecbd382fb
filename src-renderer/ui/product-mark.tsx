import mark from '../../resources/icons/icon.svg';

/** The mark of the product; the words beside it name it. */
export function ProductMark({ size }: { size: number }) {
  return <img src={mark} width={size} height={size} alt="" />;
}
