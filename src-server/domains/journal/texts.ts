/** English texts of this domain. */
export const texts: Readonly<Record<string, string>> = {
  'journal.unknown': 'there is no such entry in the journal',
  'journal.alreadyUndone': 'this was taken back already, by entry {id}',
  'journal.notUndoable': 'this kind of change is only noted: change it back where it is made',
  'journal.tooOld': 'this was more than {days} days ago',
  'journal.partlyRestored': 'some of what was deleted then is back already: bring the others back from the recycle bin',
  'journal.erased': 'some of what was deleted then was deleted for good',
  'journal.laterEntry': '{name} was changed again later: take back entry {id} first',
  'journal.parentGone': '{name} needs what was deleted later: take back entry {id} first',
  'journal.taken': '{name} is there again, or its name or subscription id belongs to another one',
  'journal.takenLater':
    '{name} is there again, or its name or subscription id belongs to another one: entry {id} made that',
  'journal.dependent': '{name} has got something since that would go with it: take back entry {id} first',
  'journal.changedSince': '{name} has been changed by the panel itself since then',
  'journal.deletedTogether':
    '{name} was deleted together with its inbound: bring that back from the recycle bin, and this comes with it',
  'journal.goneSince': '{name} is not there any more',
  'journal.invalidToday': 'this would not be taken today: {text}',
  'journal.notInBin': 'this is not in the recycle bin any more',
};
