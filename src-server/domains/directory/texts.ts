/** English texts of this domain's error codes and messages. */
export const texts: Readonly<Record<string, string>> = {
  'directory.noHost': 'name the server of the directory first',
  'directory.noBase': 'name the base DN below which people are looked for first',
  'directory.noPassword': 'a bind DN needs a password: without one directories answer as to strangers',
  'directory.filter': 'the user filter cannot be read: {text}',
  'directory.private':
    '{host} leads to {address}, an address of an internal network; allow the directory to be there if it is',
  'directory.unreachable': 'the directory is not reached: {text}',
  'directory.certificate': 'no trusted TLS with the directory: {text}',
  'directory.credentials': 'the directory refuses the bind DN or its password: {text}',
  'directory.refused': 'the directory answers: {text}',
  'directory.timeout': 'the directory did not answer within {seconds} s',
  'directory.partial': 'the directory answers with a part of its entries only: {text}',
  'directory.tooMany': 'the directory answers with more than {limit}; a narrower base DN or filter is needed',
  'directory.empty': 'the filter finds nobody below the base DN',
  'directory.noNames': 'no entry that the filter finds has a usable {attribute}',
  'directory.noInbound': 'none of the inbound tags is the tag of an inbound',
  'directory.busy': 'a run is under way; try again when it is over',
  'directory.planChanged': 'the directory or the clients have changed since this plan was made; look at the new one',
  'directory.stopping': 'the panel is stopping',
};
