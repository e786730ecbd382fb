/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'job.cancelling': 'The job is being cancelled.',
  'job.unknown': 'There is no such job; ended ones are forgotten after a while.',
  'job.interrupted':
    'The panel ended while this was running. See whether its changes are there, and start it again if they are not.',
  'job.ended': 'The job has ended already.',
};
