import type { Context } from '../../../context.ts'
import { forbidden, notFound, raise } from '../../../errors.ts'
import type { Writer } from './queries.ts'

export interface WriterWithTrust extends Writer {
  isTrusted: boolean
  originProjectId: string | null
}

/** Reads a run's trust in the write's transaction, so a run that has read untrusted content can't claim otherwise. */
export async function resolveWriter(
  { sql, caller }: Context,
  projectId: string | null,
): Promise<WriterWithTrust> {
  const { orgId, userId } = caller
  if (caller.via !== 'run')
    return { source: 'person', userId, runId: null, isTrusted: true, originProjectId: null }
  const [run] = await sql<{ trust: string; projectId: string }[]>`
    select trust, project_id as "projectId" from runs where org_id = ${orgId} and id = ${caller.credentialId}`
  const { trust, projectId: originProjectId } = run ?? raise(notFound('Run'))
  const isTrusted = trust === 'trusted'
  if (!isTrusted && projectId !== null && projectId !== originProjectId)
    throw forbidden('This run has read untrusted content, so it can only use its own project', {
      reason: 'untrusted_run',
    })
  return { source: 'run', userId, runId: caller.credentialId, isTrusted, originProjectId }
}

export const personWriter = ({ caller }: Context): Writer => ({
  source: 'person',
  userId: caller.userId,
  runId: null,
})
