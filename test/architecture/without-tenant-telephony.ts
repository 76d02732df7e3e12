const BY_URL = 'the secret or id in the request identifies the row, and the row its organization'

const WORKERS = 'workers serve every organization'

const FUNCTIONS: [file: string, reason: string, ...functions: string[]][] = [
  ['numbers/called-number.ts', BY_URL, 'findCallbackNumberById', 'findCalledByNumber'],
  ['numbers/queries.ts', WORKERS, 'listToCheck'],
  ['browser-calls/queries.ts', BY_URL, 'findOpenBrowserCall'],
  ['relay/relay-queries.ts', BY_URL, 'findRelayedCall'],
  ['overview/days.ts', WORKERS, 'listOrganizations'],
  ['sms/send/queries.ts', WORKERS, 'claimSenders', 'releaseOrphanedSenders'],
  ['sms/receive/queries.ts', WORKERS, 'claimConversations', 'releaseOrphanedConversations'],
  [
    'sms/receive/queries.ts',
    'numbers of every organization must not answer each other forever',
    'isOwnNumber',
  ],
  ['transfer/transfer.ts', WORKERS, 'claimTransfers'],
  ['voice-agents/voice-agent-queries.ts', BY_URL, 'findVoiceAgentByUrl', 'findSharedVoiceAgent'],
  ['voice-agents/openai/watch-queries.ts', WORKERS, 'claimWatched'],
  ['sms/receive/keywords.ts', 'the number determines the organization', 'obeyKeyword'],
]

/** The functions of telephony that take no organization. */
export const TELEPHONY_WITHOUT_TENANT = FUNCTIONS.map(([file, reason, ...functions]) => ({
  file: `server/features/telephony/${file}`,
  reason,
  functions,
}))
