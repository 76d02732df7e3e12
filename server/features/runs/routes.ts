import { runs } from '../../../contract/canvas/runs.ts'
import { handle } from '../../endpoint/route.ts'
import { getRun, listRuns, startRun, updateRun } from './lifecycle.ts'

export const runRoutes = [
  handle(runs.list, listRuns),
  handle(runs.start, startRun),
  handle(runs.get, getRun),
  handle(runs.update, updateRun),
]
