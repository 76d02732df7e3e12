const BY_URL = 'the secret or id in the request identifies the row, and the row its organization'

const WORKERS = 'workers serve every organization'

const FUNCTIONS: [file: string, reason: string, ...functions: string[]][] = [
  ['callbacks/called-number-queries.ts', BY_URL, 'findCallbackNumberById', 'findCalledByNumber'],
  ['numbers/read-queries.ts', WORKERS, 'listToCheck'],
  ['relay/relay-queries.ts', BY_URL, 'findRelayedCall'],
  ['overview/day-queries.ts', WORKERS, 'listOrganizations'],
  ['costs/inquiry-queries.ts', WORKERS, 'claimDueCosts', 'listOrphanedReservations'],
  ['sms/send/sender-queries.ts', WORKERS, 'claimSenders', 'releaseOrphanedSenders'],
  ['sms/receive/conversation-queries.ts', WORKERS, 'claimConversations', 'releaseOrphanedConversations'],
  [
    'sms/receive/pending-queries.ts',
    'numbers of every organization must not answer each other forever',
    'isOwnNumber',
  ],
  ['transfer/transfer-queries.ts', WORKERS, 'claimTransfers'],
  ['voice-agents/voice-agent-queries.ts', BY_URL, 'findVoiceAgentByUrl', 'findSharedVoiceAgent'],
  ['voice-agents/openai/watch-queries.ts', WORKERS, 'claimWatched'],
  ['voice-agents/openai/number-queries.ts', BY_URL, 'findSharedNumber'],
  ['sms/receive/obey-keyword.ts', 'the number determines the organization', 'obeyKeyword'],
]

/** The functions of telephony that take no organization. */
export const TELEPHONY_WITHOUT_TENANT = FUNCTIONS.map(([file, reason, ...functions]) => ({
  file: `server/features/telephony/${file}`,
  reason,
  functions,
}))
