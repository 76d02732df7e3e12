import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { runs } from '../../../../contract/canvas/runs.ts'
import { handle } from '../../../endpoint/route.ts'
import { listChanges, readText } from './list.ts'
import { restoreLastRun } from './restore-last-run.ts'
import { undoRun } from './undo.ts'

export const runChangeRoutes = [
  handle(agentRuns.changes, listChanges),
  handle(agentRuns.changedText, readText),
  handle(agentRuns.undo, undoRun),
  handle(runs.restoreLast, restoreLastRun),
]
