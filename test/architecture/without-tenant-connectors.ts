const WORKERS = 'workers serve every organization'
const OPERATORS = 'operators work across organizations'
const BY_URL = 'the secret or id in the request identifies the row, and the row its organization'

const FUNCTIONS: [file: string, reason: string, ...functions: string[]][] = [
  ['receive/receive-queries.ts', BY_URL, 'findReceiver'],
  ['receive/receive-queries.ts', 'sends a notification without data', 'wakeEventWorkers'],
  ['replies/conclude-run.ts', 'sends a notification without data', 'wakeReplyWorkers'],
  ['replies/reply-queries.ts', WORKERS, 'claimReplies', 'releaseOrphanedReplies'],
  ['queries.ts', WORKERS, 'claimDue'],
  ['setup/retention.ts', WORKERS, 'sweepStored'],
  ['view/endpoint-queries.ts', OPERATORS, 'listAllEndpoints'],
  ['view/event-queries.ts', OPERATORS, 'listAllEvents'],
  ['handling/claim-queries.ts', WORKERS, 'claimThreads', 'releaseOrphanedThreads'],
]

/** The functions without an organization in the feature that receives events of providers. */
export const CONNECTORS_WITHOUT_TENANT = FUNCTIONS.map(([file, reason, ...functions]) => ({
  file: `server/features/connections/endpoints/${file}`,
  reason,
  functions,
}))
