import { z } from 'zod'
import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { runs } from '../../../../contract/canvas/runs.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { listChanges, readText } from './list.ts'
import { restoreLastRun } from './restore-last-run.ts'
import { undoRun } from './undo.ts'
import { releaseExpired, releaseProjectRuns } from './undo-target.ts'

/** Deletes undo records 30 days after a run ended. */
const releaseJob = job('run-changes.release', z.object({}), { lane: 'bulk' })

/** Shows what a run changed, and undoes it. */
export const runChanges: Feature = {
  routes: [
    handle(agentRuns.changes, listChanges),
    handle(agentRuns.changedText, readText),
    handle(agentRuns.undo, undoRun),
    handle(runs.restoreLast, restoreLastRun),
  ],
  jobs: [onJob(releaseJob, releaseExpired)],
  schedules: [{ job: releaseJob, cron: '23 * * * *' }],
  fills: [fill(emptyProject, releaseProjectRuns)],
}
