import { z } from 'zod'
import { BACKUP_RETRY_MS, unlessBackupRuns } from '../../../backup/object-removal-lock.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { partsOfKey } from '../../../storage/object-store.ts'

/** Removes objects that no record owns. Idempotent, because keys are never reused. */
export const removeObjects = job('files.remove-objects', z.object({ keys: z.array(z.string()) }), {
  lane: 'bulk',
})

export const onRemoveObjects = onJob(removeObjects, async ({ sql, objects, now, enqueue }, { keys }) => {
  const isRemoved = await unlessBackupRuns(sql, async () => {
    for (const key of keys) await objects.remove(key)
  })
  if (isRemoved || keys.length === 0) return
  const runAt = new Date(now().getTime() + BACKUP_RETRY_MS)
  await enqueue(removeObjects, { keys }, { runAt, orgId: partsOfKey(keys[0]!).org })
})
