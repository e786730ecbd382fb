/** English texts of this domain's errors and messages. */
export const texts: Readonly<Record<string, string>> = {
  'job.cancelling': 'The job is being cancelled.',
  'job.unknown': 'There is no such job; ended ones are forgotten after a while.',
  'job.ended': 'The job has ended already.',
};
