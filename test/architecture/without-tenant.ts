import { ACCOUNTS_WITHOUT_TENANT } from './without-tenant-accounts.ts'
import { CONNECTORS_WITHOUT_TENANT } from './without-tenant-connectors.ts'
import { ORGANIZATIONS_WITHOUT_TENANT } from './without-tenant-organizations.ts'
import { TELEPHONY_WITHOUT_TENANT } from './without-tenant-telephony.ts'

/** Functions that take a connection but no organization, with the reason. */
export const WITHOUT_TENANT: { file: string; reason: string; functions: string[] }[] = [
  ...ACCOUNTS_WITHOUT_TENANT,
  {
    file: 'server/features/organizations/operations/health-queries.ts',
    reason: 'the state of the installation, which operators alone read',
    functions: ['countTasks', 'readParts', 'readBacklogs', 'countSources'],
  },
  {
    file: 'server/features/organizations/operations/load.ts',
    reason: 'the state of the installation, which operators alone read',
    functions: ['countLoad', 'listNames'],
  },
  {
    file: 'server/features/organizations/operations/health-queries.ts',
    reason: 'the state of the installation, which operators alone read',
    functions: ['readDatabase', 'readSizes', 'listTables', 'listSlowest', 'listRunning'],
  },
  {
    file: 'server/features/organizations/operations/health-queries.ts',
    reason: 'the state of the installation, which operators alone read',
    functions: ['countProcesses', 'readSize'],
  },
  {
    file: 'server/features/organizations/operations/load.ts',
    reason: 'the state of the installation, which operators alone read',
    functions: ['readLoad'],
  },
  {
    file: 'server/features/organizations/operations/samples.ts',
    reason: 'the state of the installation, which operators alone read',
    functions: ['insertSample', 'deleteSamplesBefore', 'listSamples'],
  },
  {
    file: 'server/features/knowledge/passages/backlog.ts',
    reason: 'a worker claims what is due in all organizations, in turns',
    functions: ['claimBacklogs', 'releasePassageBacklogs'],
  },
  {
    file: 'server/features/knowledge/passages/sync.ts',
    reason: 'a worker claims what is due in all organizations, in turns',
    functions: ['claimSources', 'releaseSources'],
  },
  {
    file: 'server/features/knowledge/passages/embeddings/worker.ts',
    reason: 'a worker claims what is due in all organizations, in turns',
    functions: ['claimEmbedders', 'releaseEmbedders'],
  },
  {
    file: 'server/features/knowledge/passages/embeddings/embeddings.ts',
    reason: 'the operator’s model is for all organizations',
    functions: ['listAffected'],
  },
  {
    file: 'server/features/search/backlog.ts',
    reason: 'a worker claims what is due in all organizations, in turns',
    functions: ['claimBacklogs', 'claimTexts', 'releaseBacklogs', 'releaseTexts'],
  },
  {
    file: 'server/features/accounts/api-keys/queries.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findCallers'],
  },
  {
    file: 'server/features/agents/runs/context/outside-texts.ts',
    reason: 'each record comes with its organization: calls of several share the statement',
    functions: ['findTextOrigins'],
  },
  {
    file: 'server/features/accounts/api-keys/queries.ts',
    reason:
      'the calls of the keys of all organizations are added in one statement, and a job deletes old ones',
    functions: ['addKeyUses', 'deleteDailyCounts'],
  },
  {
    file: 'server/features/accounts/api-keys/queries.ts',
    reason: 'a job looks for keys of all organizations that expire',
    functions: ['lockExpiringKey', 'updateLongExpired'],
  },
  {
    file: 'server/features/knowledge/sources/queries.ts',
    reason: 'a notification without contents',
    functions: ['wakeWorkers'],
  },
  {
    file: 'server/features/knowledge/sources/sync/queries.ts',
    reason: 'a worker claims the due sources of all organizations, and releases them after a crash',
    functions: ['claimSources', 'releaseLeases'],
  },
  {
    file: 'server/features/comments/comments/queries.ts',
    reason: 'a job deletes the comments of lost blocks of all organizations',
    functions: ['deleteOrphanedThreads'],
  },
  {
    file: 'server/features/comments/notifications/settings.ts',
    reason: 'a job sends the digests of all organizations',
    functions: ['lockDueDigest'],
  },
  {
    file: 'server/features/comments/notifications/queries.ts',
    reason: 'a job deletes the notifications of all organizations',
    functions: ['deleteOld', 'deleteBeyond'],
  },
  {
    file: 'server/features/canvas/canvas/write/canvas-write.ts',
    reason: 'takes the row of a project, which carries its organization',
    functions: ['loadAffected'],
  },
  {
    file: 'server/features/mcp/connected-apps/clients.ts',
    reason: 'a client registers before a person of any organization connects it',
    functions: ['insertClient', 'findClient', 'deleteUnusedClients'],
  },
  {
    file: 'server/features/mcp/connected-apps/grant-queries.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findGrantCaller', 'updateGrantsUsed', 'revokeUserGrants'],
  },
  {
    file: 'server/features/mcp/connected-apps/grants.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['identifyApp'],
  },
  {
    file: 'server/features/mcp/connected-apps/sweep.ts',
    reason: 'a job sweeps the grants of all organizations',
    functions: ['deleteExpiredTokens', 'deleteEndedGrants'],
  },
  {
    file: 'server/features/mcp/connected-apps/tokens/token-queries.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['lockByCode', 'lockToken'],
  },
  {
    file: 'server/features/accounts/device-login/queries.ts',
    reason: 'a device login belongs to no organization until a user approves it',
    functions: [
      'insertLogin',
      'findByDeviceCode',
      'findByUserCode',
      'updatePolled',
      'updateConsumed',
      'deleteLoginsExpiredBefore',
    ],
  },
  {
    file: 'server/features/feedback/queries.ts',
    reason: 'operators work across organizations',
    functions: ['findAnywhere'],
  },
  {
    file: 'server/features/feedback/queue-queries.ts',
    reason: 'operators work across organizations',
    functions: ['listQueue', 'findQueued', 'countByStatus', 'lockSubmission'],
  },
  {
    file: 'server/features/files/files/listing/list-queries.ts',
    reason: 'part of a statement that starts with its organization',
    functions: ['afterCondition'],
  },
  {
    file: 'server/features/files/files/changes/queries.ts',
    reason: 'the sweep serves all organizations',
    functions: ['listReleasable'],
  },
  {
    file: 'server/features/files/files/versions/queries.ts',
    reason: 'the job serves all organizations',
    functions: ['listReplacedByDefault'],
  },
  {
    file: 'server/features/files/files/trash/retention.ts',
    reason: 'the job serves all organizations',
    functions: ['listRetentions'],
  },
  {
    file: 'server/features/files/public-links/queries.ts',
    reason: 'the token of the link determines the organization',
    functions: ['findLinkByToken'],
  },
  {
    file: 'server/features/organizations/membership/membership.ts',
    reason: 'part of a statement that starts with its organization',
    functions: ['isWorkspaceVisible'],
  },
  {
    file: 'server/features/organizations/operations/job-queue.ts',
    reason: 'operators work across organizations',
    functions: ['findJobs', 'listDeadJobs', 'findJob', 'deleteDeadJob'],
  },
  {
    file: 'server/features/organizations/organizations/invite-queries.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findInviteByToken'],
  },
  {
    file: 'server/features/billing/machine-payments/approval-queries.ts',
    reason: 'a job ends the expired approvals of all organizations',
    functions: ['listExpired'],
  },
  {
    file: 'server/features/billing/machine-payments/payment-queries.ts',
    reason: 'a job asks about the payments of all organizations',
    functions: ['claimDue'],
  },
  {
    file: 'server/features/organizations/quotas/quotas.ts',
    reason: 'operators work across organizations',
    functions: ['findOrganization', 'lockOrganization'],
  },
  {
    file: 'server/features/connections/connections/status.ts',
    reason: 'a job sweeps the connections of all organizations',
    functions: ['deleteFailed', 'deletePreviousTokens'],
  },
  {
    file: 'server/features/connections/connections/refresh/lease-queries.ts',
    reason: 'workers refresh the tokens of all organizations',
    functions: ['claimDue'],
  },
  {
    file: 'server/features/connections/endpoints/setup/retention.ts',
    reason: 'a job deletes the old events of all organizations',
    functions: ['deleteEventsBefore', 'deleteSeenBefore', 'deleteThreadsBefore'],
  },
  {
    file: 'server/features/telephony/callbacks/receive-callback.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findNumber'],
  },
  {
    file: 'server/features/telephony/calls/sweep.ts',
    reason: 'a job checks the calls of all organizations',
    functions: ['claimDue'],
  },
  {
    file: 'server/features/webhooks/deliver/backlog.ts',
    reason: 'a job pauses the webhooks of all organizations',
    functions: ['listBacklogs'],
  },
  {
    file: 'server/features/projects/tables/cleanup.ts',
    reason: 'a job finds every organization’s old tables, history and columns',
    functions: ['listExpired', 'listWithOldHistory', 'listWithRemovedColumns'],
  },
  {
    file: 'server/features/projects/tables/sort.ts',
    reason: 'composes an order, and sends no statement',
    functions: ['rowOrder'],
  },
  {
    file: 'server/features/projects/tables/group.ts',
    reason: 'composes the keys of groups, and sends no statement',
    functions: ['groupKey'],
  },
  {
    file: 'server/features/webhooks/retention.ts',
    reason: 'a job deletes the old events of all organizations',
    functions: [
      'listOrphaned',
      'deleteReplays',
      'deleteEventsBefore',
      'deleteRepetitions',
      'deleteSeenBefore',
    ],
  },
  {
    file: 'server/features/telephony/voice-agents/openai/routed-call.ts',
    reason: 'the number of an event determines its organization',
    functions: ['findSharedNumber'],
  },
  {
    file: 'server/features/telephony/costs/costs.ts',
    reason: 'workers serve every organization',
    functions: ['claimDueCosts', 'listOrphanedReservations'],
  },
  {
    file: 'server/features/search/similar.ts',
    reason: 'whether the database has an extension',
    functions: ['hasTrigrams'],
  },
  {
    file: 'server/features/projects/projects/purge.ts',
    reason: 'a job purges the projects of all organizations',
    functions: ['lockExpired', 'listToEmpty'],
  },
  {
    file: 'server/features/files/files/upload/sweep.ts',
    reason: 'a job deletes the unowned objects of all organizations',
    functions: ['listUnowned'],
  },
  ...ORGANIZATIONS_WITHOUT_TENANT,
  ...CONNECTORS_WITHOUT_TENANT,
  ...TELEPHONY_WITHOUT_TENANT,
  {
    file: 'server/features/agents/schedules/queries.ts',
    reason: 'workers serve every organization',
    functions: ['claimSchedules', 'wakeWorkers'],
  },
  {
    file: 'server/features/projects/sharing/guest-tokens.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['verifyGuestToken'],
  },
  {
    file: 'server/features/projects/sharing/invite-queries.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findInviteByToken'],
  },
  {
    file: 'server/features/projects/sharing/share-queries.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findShareByToken', 'findShareByGuestToken', 'findOpen'],
  },
  {
    file: 'server/features/webhooks/deliver/claim.ts',
    reason: 'workers serve every organization',
    functions: ['claimDeliveries', 'releaseOrphanedDeliveries'],
  },
  {
    file: 'server/features/agents/runs/calls/call-queries.ts',
    reason: 'part of a statement that starts with its organization',
    functions: ['callColumns'],
  },
  {
    file: 'server/features/webhooks/event-records.ts',
    reason: 'part of a statement that starts with its organization',
    functions: ['columns'],
  },
  {
    file: 'server/features/webhooks/log/follow-queries.ts',
    reason: 'the snapshot is the same for every organization',
    functions: ['findCommittedSnapshot'],
  },
  {
    file: 'server/features/webhooks/receive/receivers.ts',
    reason: 'the secret or id in the request identifies the row, and the row its organization',
    functions: ['findReceiver', 'listReceiversOfAccount', 'listReceiversOfOtherAccounts'],
  },
  {
    file: 'server/database/time-partitions.ts',
    reason: 'partitions have rows of all organizations',
    functions: ['listTimePartitions', 'addTimePartitions', 'retirePartition'],
  },
  {
    file: 'server/metering/usage-queries.ts',
    reason: 'partitions have rows of all organizations',
    functions: ['countDroppedEvents'],
  },
  {
    file: 'server/features/webhooks/retention.ts',
    reason: 'workers serve every organization',
    functions: ['sweepEvents'],
  },
  {
    file: 'server/features/agents/runs/state/run-row.ts',
    reason: 'workers claim due steps of all organizations in turns',
    functions: ['claimRuns'],
  },
  {
    file: 'server/features/agents/runs/state/lease.ts',
    reason: 'sends a notification without data',
    functions: ['wakeWorkers'],
  },
  {
    file: 'server/features/mcp/call-counts/queries.ts',
    reason: 'writes counts of several organizations in one statement; workers serve every organization',
    functions: ['addCounts', 'deleteCounts'],
  },
]
