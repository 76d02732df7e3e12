import { canvas } from '../../../contract/canvas.ts'
import { projects } from '../../../contract/projects.ts'
import { runs } from '../../../contract/runs.ts'
import { handle } from '../../route.ts'
import { readFile } from './block-file.ts'
import { create, remove, update } from './blocks.ts'
import { list } from './canvas.ts'
import { change } from './change.ts'
import { connect, disconnect } from './edges.ts'
import { readHistory } from './history.ts'
import { move } from './move.ts'
import { readNavigator } from './navigator.ts'
import { restoreLastRun } from './restore-last-run.ts'
import { restoreSnapshot, rewind } from './rewind.ts'
import { getRun, listRuns, startRun, updateRun } from './runs.ts'
import * as snapshots from './snapshots.ts'

export const canvasRoutes = [
  handle(canvas.list, list),
  handle(canvas.create, create),
  handle(canvas.move, move),
  handle(canvas.update, update),
  handle(canvas.remove, remove),
  handle(canvas.file, readFile),
  handle(canvas.connect, connect),
  handle(canvas.disconnect, disconnect),
  handle(canvas.change, change),
  handle(canvas.history, readHistory),
  handle(canvas.rewind, rewind),
  handle(canvas.snapshots, snapshots.list),
  handle(canvas.snapshot, snapshots.take),
  handle(canvas.restoreSnapshot, restoreSnapshot),
  handle(runs.list, listRuns),
  handle(runs.start, startRun),
  handle(runs.get, getRun),
  handle(runs.update, updateRun),
  handle(runs.restoreLast, restoreLastRun),
  handle(projects.navigator, readNavigator),
]
