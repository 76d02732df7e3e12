/** The queues in the database, in addition to jobs. */
export const QUEUES = ['deliveries', 'runs', 'provider_events', 'replies', 'emails', 'search'] as const
export type Queue = (typeof QUEUES)[number]

/** The kinds of work whose successes and failures processes count. */
export const OUTCOMES = ['requests', 'jobs', 'deliveries', 'modelCalls'] as const

export const HEALTH_LIMITS = {
  /** Waiting work is counted up to this number. */
  counted: 10_000,
  deadJobs: 20,
  organizations: 10,
  tables: 10,
  statements: 10,
  /** The time over which the requests and failures of processes are counted. */
  windowMinutes: 5,
}
