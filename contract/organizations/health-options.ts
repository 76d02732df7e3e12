export const QUEUES = [
  'deliveries',
  'runs',
  'provider_events',
  'replies',
  'emails',
  'search',
  'texts',
  'passages',
  'sources',
  'embeddings',
] as const
export type Queue = (typeof QUEUES)[number]

/** Processes count successes and failures for these. */
export const OUTCOMES = ['requests', 'jobs', 'deliveries', 'modelCalls'] as const

export const HEALTH_LIMITS = {
  /** Waiting work is counted up to this number. */
  counted: 10_000,
  deadJobs: 20,
  organizations: 10,
  tables: 10,
  statements: 10,
  /** Requests and failures are counted over this time. */
  windowMinutes: 5,
}

/** How much time one point in the charts of the health page stands for. */
export const SAMPLE_MINUTES = 15
