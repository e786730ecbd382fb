/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'view.saved': 'The view has been saved.',
  'view.deleted': 'The view has been deleted.',
  'view.tooMany': 'there are {max} views already; delete one first',
};
