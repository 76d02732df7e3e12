import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, TimestampInput } from '../fields.ts'

/** For former versions. By default, files stay in the trash until someone deletes them. */
export const VERSION_DAYS_DEFAULT = 180
export const RETENTION_DAYS_MAX = 3650

const DayCount = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(RETENTION_DAYS_MAX, `must be at most ${RETENTION_DAYS_MAX}`)
const Days = DayCount.nullable()
const QueryDays = z
  .union([z.literal('never').transform(() => null), z.coerce.number().pipe(DayCount)])
  .describe('Number of days, or `never`')

const TRASH = 'Days after which files in the trash are permanently deleted; null for never'
const VERSIONS =
  'Days after which a replaced version is deleted; null to delete it only once a hundred newer versions exist'

const Retention = z.object({
  trashDays: z.int().nullable().describe(TRASH),
  versionDays: z.int().nullable().describe(VERSIONS),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp.nullable(),
})

const Amount = z.object({
  entries: z.int().describe('Files, folders and shortcuts as the trash lists them, or versions'),
  files: z.int().describe('Files, including those in folders, or versions'),
  bytes: z.int(),
})

export const fileTrash = {
  summary: endpoint({
    method: 'GET',
    path: '/api/v1/files/trash',
    summary: 'Get a trash summary',
    description:
      'Number and size of the files you can permanently delete, with all versions. `at` is the response time: pass it to `POST /files/trash/empty`, so that files deleted later stay in the trash.',
    access: member({ scope: 'files:read' }),
    output: z.object({
      ...Amount.shape,
      others: z.int().describe('Trash entries that you can see but not permanently delete'),
      trashDays: z.int().nullable().describe(TRASH),
      at: Timestamp,
    }),
    envelope: true,
    heavy: true,
  }),
  empty: endpoint({
    method: 'POST',
    path: '/api/v1/files/trash/empty',
    summary: 'Empty the trash',
    description:
      'Permanently deletes files that you can delete and that were in the trash before `before`. One call deletes a batch, in a few seconds; repeat it until `done` is true.',
    access: steppedUp('Permanent deletion', { edits: true }),
    body: z.object({ before: TimestampInput }),
    output: z.object({
      deleted: z.int().describe('Number of entries deleted by this call'),
      done: z.boolean().describe('Whether nothing you can delete is left'),
    }),
    envelope: true,
    heavy: true,
  }),
}

export const fileRetention = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/files/retention',
    summary: 'Get how long deleted files and versions are stored',
    access: member({ scope: 'files:read' }),
    output: Retention,
    envelope: true,
  }),
  effect: endpoint({
    method: 'GET',
    path: '/api/v1/files/retention/effect',
    summary: 'Preview retention settings',
    description:
      'Files and versions that the next daily cleanup would permanently delete with these settings; omitted settings keep their current value.',
    access: member({ scope: 'files:read', role: 'admin' }),
    query: z.object({ trashDays: QueryDays.optional(), versionDays: QueryDays.optional() }),
    output: z.object({ trash: Amount, versions: Amount }),
    envelope: true,
    heavy: true,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/files/retention',
    summary: 'Change how long deleted files and versions are stored',
    description: 'The next daily cleanup deletes older files and versions. This cannot be undone.',
    access: steppedUp('Changing file retention', { role: 'admin' }),
    body: z
      .object({ trashDays: Days.optional().describe(TRASH), versionDays: Days.optional().describe(VERSIONS) })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have trashDays or versionDays',
      })
      .meta({ examples: [{ trashDays: 30 }] }),
    output: Retention,
    envelope: true,
  }),
}
