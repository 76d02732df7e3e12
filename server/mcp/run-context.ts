import { z } from 'zod'
import { Id } from '../../contract/fields.ts'
import { badRequest } from '../errors.ts'
import type { Exchange, McpEnvironment, OpenRun } from './environment.ts'

/** The key of `_meta` under which a client names the run to which its changes belong. */
export const RUN_META_KEY = 'atrium/run'

const RunRef = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)])

/** The run that a call names, null without one. Only the person who started a run can add changes to it. */
export async function findNamedRun(
  { sqlFor, findOpenRun }: McpEnvironment,
  { caller: { caller } }: Exchange,
  meta: Record<string, unknown> | undefined,
): Promise<OpenRun | null> {
  const runRef = meta?.[RUN_META_KEY]
  if (runRef === undefined) return null
  const id = RunRef.safeParse(runRef)
  const { orgId, userId } = caller
  const run = id.success ? await findOpenRun(sqlFor(orgId), orgId, { id: id.data, userId }) : null
  if (!run)
    throw badRequest(
      `_meta["${RUN_META_KEY}"] must be the id of a run that you started with run_action runs.start and that has not ended`,
    )
  return run
}
