/** English texts of the histories. */
export const texts: Readonly<Record<string, string>> = {
  'metrics.unknownMetric': 'invalid metric (unknown metric)',
  'metrics.unsupportedBucket': 'invalid bucket (unsupported bucket)',
  'metrics.unknownTag': 'invalid tag (unknown observatory tag)',
};
